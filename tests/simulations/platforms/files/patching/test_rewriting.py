"""Files in, other settings chosen, the same files out: what was chosen differs, and not one other byte."""

import re
from pathlib import Path

import pytest
from hypothesis import given

from simulations.platforms import PLATFORMS
from simulations.platforms.files.patching.rewriting import SHARED, WORD
from simulations.platforms.shared.family import Reading
from simulations.scenario.spec import parse
from tests.examples import examples
from tests.simulations.platforms.choosing import others, settings_of
from tests.simulations.platforms.public_files import WRITTEN
from tests.simulations.platforms.stating_files import BEAN, FORMATS, Files

NOTE = re.compile(
    rb"\r?\n<!-- Patched by Sluice for the scenario cafe -->|# Patched by Sluice for the scenario cafe\r?\n"
)


@pytest.mark.slow
@pytest.mark.parametrize("kind", FORMATS)
def test_generated_files_take_new_settings_and_nothing_else(kind: str) -> None:
    platform, made, least = FORMATS[kind]

    @examples(20, nightly=1_000)
    @given(files=made())
    def check(files: Files) -> None:
        assert changed_and_back(platform, files) >= least

    check()


@pytest.mark.parametrize(("platform", "path"), WRITTEN, ids=lambda value: getattr(value, "name", value))
def test_public_files_take_new_settings_and_nothing_else(platform: str, path: Path) -> None:
    changed_and_back(platform, {path.name: path.read_bytes()})


def changed_and_back(platform: str, files: Files) -> int:
    """Change what can be changed in place, check what reads back, take it back; return how much was changed."""
    family = PLATFORMS[platform]
    assert family.patch
    spec = parse(family.read(files).scenario)
    chosen = others(spec, stated(family.read(files)))
    scripts = family.patch(files, spec.system, chosen, "cafe").scripts
    if not scripts:
        return 0
    made = {path: value for path, value in chosen.items() if path not in scripts[0].left_out}
    after = {**files, **{item.filename: item.apply.encode(item.encoding) for item in scripts}}
    again = parse(family.read(after).scenario)
    assert settings_of(again) == pytest.approx({**settings_of(spec), **made})
    assert all(item.undo.encode(item.encoding) == files[item.filename] for item in scripts)
    old = {path: settings_of(spec)[path] for path in made}
    back = family.patch(after, again.system, old, "cafe").scripts
    for item in back:
        plain = files[item.filename]
        restored = NOTE.sub(b"", item.apply.encode(item.encoding))
        assert numbers_plain(restored) == numbers_plain(plain)
    assert {item.filename for item in back} == {item.filename for item in scripts}
    return len(made)


def stated(reading: Reading) -> list[str]:
    """Paths of the settings that the files say themselves."""
    return [path for path, spot in reading.spots.items() if spot.places and not spot.additions]


def numbers_plain(content: bytes) -> bytes:
    """Sizes with a letter come back in bytes, and -1 for the largest number: both say the same."""
    sized = re.sub(rb"\b(\d+)([bkm])\b", lambda found: b"%d" % (int(found[1]) * UNITS[found[2]]), content)
    return sized.replace(b">-1<", b">9223372036854775807<")


UNITS = {b"b": 1, b"k": 1024, b"m": 1024**2}


def test_what_two_beans_share_is_changed_for_both_or_for_none() -> None:
    family = PLATFORMS["weblogic"]
    assert family.patch
    other = BEAN.replace(b">Orders<", b">Bills<")
    files = {
        "a.xml": BEAN,
        "b.xml": other,
        "m-jms.xml": b'<weblogic-jms><connection-factory name="f"><jndi-name>jms/factory</jndi-name><client-params>'
        b"<messages-maximum>10</messages-maximum></client-params></connection-factory></weblogic-jms>",
    }
    system = parse(family.read(files).scenario).system
    one = {"queues.Orders.settings.messages_maximum": 20}
    refused = family.patch(files, system, one, "cafe")
    assert refused.scripts == ()
    assert refused.refused == {"queues.Orders.settings.messages_maximum": SHARED}
    (script,) = family.patch(files, system, {**one, "queues.Bills.settings.messages_maximum": 20}, "cafe").scripts
    assert "<messages-maximum>20</messages-maximum>" in script.apply


def test_a_word_that_only_means_the_value_is_left_alone() -> None:
    family = PLATFORMS["weblogic"]
    assert family.patch
    files = {
        "ejb-jar.xml": b"<ejb-jar><enterprise-beans><message-driven><ejb-name>A</ejb-name>"
        b"<transaction-type>Bean</transaction-type></message-driven></enterprise-beans></ejb-jar>"
    }
    system = parse(family.read(files).scenario).system
    refused = family.patch(files, system, {"queues.A.settings.transactional": True}, "cafe")
    assert (refused.scripts, refused.refused) == ((), {"queues.A.settings.transactional": WORD})


def test_no_limit_is_written_as_the_vendors_setting_can_hold_it() -> None:
    family = PLATFORMS["weblogic"]
    assert family.patch
    files = {
        "m-jms.xml": b'<weblogic-jms><connection-factory name="f"><default-delivery-params>'
        b"<default-redelivery-delay>0</default-redelivery-delay></default-delivery-params></connection-factory>"
        b'<queue name="A"><thresholds><messages-high>9</messages-high><messages-low>5</messages-low></thresholds>'
        b"<delivery-params-overrides><redelivery-delay>70</redelivery-delay></delivery-params-overrides>"
        b"<delivery-failure-params><redelivery-limit>7</redelivery-limit></delivery-failure-params></queue>"
        b"</weblogic-jms>"
    }
    system = parse(family.read(files).scenario).system
    chosen = {
        "messages_threshold_high": -1,
        "messages_threshold_low": -1,
        "redelivery_limit": -1,
        "redelivery_delay": 0,
    }
    paths = {f"queues.A.settings.{name}": value for name, value in chosen.items()}
    (script,) = family.patch(files, system, paths, "cafe").scripts
    assert "<redelivery-limit>-1</redelivery-limit>" in script.apply
    assert "<redelivery-delay>0</redelivery-delay>" in script.apply
    assert script.apply.count(">9223372036854775807</messages-") == 2
    held = files["m-jms.xml"].replace(b"limit>7<", b"limit>9223372036854775807<")
    lines = [item for item in family.read({"m-jms.xml": held}).account if "redelivery_limit" in item.path]
    assert ("contradictory", True) in [(item.status, "at most 2,147,483,647" in item.message) for item in lines]
