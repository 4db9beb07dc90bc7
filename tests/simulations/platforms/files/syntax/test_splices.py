"""Replacing bytes at places: what is named changes, all else stays."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulations.declarations.problems import InvalidInput
from simulations.platforms import PLATFORMS
from simulations.platforms.files.syntax.splices import Splice, encoding_of, newline_of, place_for, spliced
from simulations.platforms.files.syntax.tree import Element
from simulations.platforms.files.websphere.wsadmin_specs import NO_EFFECT
from simulations.platforms.openmq.files.configuration import ORDER as GLASSFISH
from simulations.platforms.shared.family import Patched, Reading
from simulations.platforms.weblogic.files.work_managers.file import ORDER as WEBLOGIC
from simulations.scenario.spec import ScenarioSpec, parse
from tests.examples import examples
from tests.simulations.platforms.choosing import others, settings_of
from tests.simulations.platforms.lacking_files import FORMATS
from tests.simulations.platforms.public_files import WRITTEN
from tests.simulations.platforms.stating_files import Files


@given(st.lists(st.text("ab\n", max_size=4), min_size=1, max_size=6), st.lists(st.text("xy", max_size=3), min_size=6))
def test_pieces_are_replaced_and_the_rest_stays(kept: list[str], texts: list[str]) -> None:
    content, splices = "", []
    for piece, text in zip(kept, texts, strict=False):
        content += piece
        splices.append(Splice(len(content), len(content) + 1, text))
        content += "-"
    expected = "".join(piece + text for piece, text in zip(kept, texts, strict=False))
    assert spliced(content.encode(), splices[::-1], "utf-8").decode() == expected


def test_what_the_encoding_lacks_becomes_a_reference() -> None:
    assert spliced(b"<a></a>", [Splice(3, 3, "ä€")], "latin-1") == b"<a>\xe4&#8364;</a>"


def test_a_child_belongs_behind_its_like_and_those_that_come_before_it() -> None:
    children = [Element("pool", 1, span=(3, 9)), Element("name", 2, span=(9, 15)), Element("last", 3, span=(15, 20))]
    parent = Element("bean", 1, children=children, inner=(3, 20))
    assert place_for(parent, "name", ["pool", "name", "last"]) == 15
    assert place_for(parent, "first", ["first", "pool", "name", "last"]) == 3
    assert place_for(parent, "unknown", ["pool"]) == 20


def test_line_ends() -> None:
    assert [newline_of(content) for content in (b"a\r\nb", b"a\nb", b"")] == ["\r\n", "\n", "\n"]


@pytest.mark.parametrize(
    ("content", "encoding"),
    [(b"<a/>", "utf-8"), (b"<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe4</a>", "ISO-8859-1")],
)
def test_the_declared_encoding_is_used(content: bytes, encoding: str) -> None:
    assert encoding_of(content, "a.xml") == encoding


@pytest.mark.parametrize("declared", [b"utf-16", b"utf-7", b"klingon"])
def test_an_encoding_in_which_bytes_move_is_refused(declared: bytes) -> None:
    with pytest.raises(InvalidInput, match="convert it to UTF-8"):
        encoding_of(b"<?xml version='1.0' encoding='" + declared + b"'?><a>+\xe4</a>", "a.xml")


ORDERS = {**GLASSFISH, **WEBLOGIC}


@pytest.mark.slow
@pytest.mark.parametrize("kind", FORMATS)
def test_generated_files_get_what_they_lack_and_nothing_else(kind: str) -> None:
    platform, made, least = FORMATS[kind]

    @examples(10, nightly=1_000)
    @given(files=made())
    def check(files: Files) -> None:
        made, refused = completed(platform, files)
        assert made >= least
        assert set(refused.values()) <= {NO_EFFECT}

    check()


@pytest.mark.parametrize(("platform", "path"), WRITTEN, ids=lambda value: getattr(value, "name", value))
def test_public_files_get_what_they_lack_and_nothing_else(platform: str, path: Path) -> None:
    completed(platform, {path.name: path.read_bytes()}, most=20)


def completed(platform: str, files: Files, most: int = 1000) -> tuple[int, Mapping[str, str]]:
    """Choose a value for everything that could be added; check what reads back and every other byte.

    Return how much was added, and what was refused.
    """
    family = PLATFORMS[platform]
    assert family.patch
    reading = family.read(files)
    spec = parse(reading.scenario)
    paths = lacking(reading)[:most]
    chosen = others(spec, paths) | pairs(paths)
    patched = family.patch(files, spec.system, chosen, "cafe")
    made = {path: value for path, value in chosen.items() if path not in patched.refused}
    after = {**files, **{item.filename: item.apply.encode(item.encoding) for item in patched.scripts}}
    again = parse(family.read(after).scenario)
    assert settings_of(again) == pytest.approx({**settings_of(spec), **made})
    assert all(item.undo.encode(item.encoding) == files[item.filename] for item in patched.scripts)
    for item in patched.scripts:
        keeps_style(files[item.filename], after[item.filename])
    return len(made), patched.refused


def pairs(paths: list[str]) -> dict[str, Any]:
    """Thresholds, which are allowed only together."""
    ends = {"_threshold_high": 900, "_threshold_low": 90}
    both = {path for path in paths if {path.replace("_high", "_low"), path.replace("_low", "_high")} <= set(paths)}
    return {path: value for path in paths for end, value in ends.items() if path.endswith(end) and path in both}


def lacking(reading: Reading) -> list[str]:
    """Paths of the settings that files would state but do not."""
    return [path for path, spot in reading.spots.items() if spot.additions]


def keeps_style(old: bytes, new: bytes) -> None:
    """Every old byte is there in its order; line ends and namespaces are the file's, children in schema order."""
    rest = iter(new)
    assert all(byte in rest for byte in old)
    if b"\r\n" in old:
        assert new.replace(b"\r\n", b"").count(b"\n") == old.replace(b"\r\n", b"").count(b"\n")
    if not old.lstrip().startswith(b"<"):
        return
    before = ElementTree.fromstring(old)  # noqa: S314 - what the test has just written, or a public example
    after = ElementTree.fromstring(new)  # noqa: S314
    assert {spaces(item.tag) for item in after.iter()} == {spaces(item.tag) for item in before.iter()}
    for parent in after.iter():
        if local(parent) in ORDERS and ordered(parent, before):
            known = [
                ORDERS[local(parent)].index(local(item)) for item in parent if local(item) in ORDERS[local(parent)]
            ]
            assert known == sorted(known), local(parent)


def ordered(parent: ElementTree.Element, before: ElementTree.Element) -> bool:
    """Whether such an element was in the schema's order before."""
    places = [
        [ORDERS[local(parent)].index(local(item)) for item in element if local(item) in ORDERS[local(parent)]]
        for element in before.iter(parent.tag)
    ]
    return all(known == sorted(known) for known in places)


def local(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]


def spaces(tag: str) -> str:
    return tag.rpartition("}")[0]


def patched(platform: str, files: Files, chosen: dict[str, Any]) -> tuple[Patched, ScenarioSpec]:
    family = PLATFORMS[platform]
    spec = parse(family.read(files).scenario)
    assert family.patch
    return family.patch(files, spec.system, chosen, "cafe"), spec


def body(text: str) -> str:
    """The patched file without the comment that names the hash."""
    return text.replace("\n<!-- Patched by Sluice for the scenario cafe -->", "")


QUEUE = """<weblogic-jms>
  <queue name="orders">
    <notes>ours</notes>
    <jndi-name>jms/orders</jndi-name>
  </queue>
</weblogic-jms>
"""


def test_a_pair_that_only_fits_together_is_added_together() -> None:
    chosen = {f"queues.orders.settings.messages_threshold_{end}": n for end, n in (("high", 900), ("low", 90))}
    found, _ = patched("weblogic", {"m.xml": QUEUE.encode()}, chosen)
    assert body(found.scripts[0].apply) == QUEUE.replace(
        "    <jndi-name>",
        "    <thresholds>\n      <messages-high>900</messages-high>\n      <messages-low>90</messages-low>\n"
        "    </thresholds>\n    <jndi-name>",
    )


def test_a_quota_is_added_with_the_reference_to_it() -> None:
    found, _ = patched("weblogic", {"m.xml": QUEUE.encode()}, {"queues.orders.settings.messages_quota": 500})
    assert body(found.scripts[0].apply) == QUEUE.replace(
        "<weblogic-jms>\n",
        '<weblogic-jms>\n  <quota name="orders-quota">\n    <messages-maximum>500</messages-maximum>\n  </quota>\n',
    ).replace("    <jndi-name>", "    <quota>orders-quota</quota>\n    <jndi-name>")


def test_options_are_changed_and_added_in_their_list() -> None:
    text = (
        '<domain><resources><connector-connection-pool resource-adapter-name="jmsra"><property name="options" '
        "value='imqReconnect=true,imqConsumerFlowLimit=100'/></connector-connection-pool></resources></domain>"
    )
    chosen = {"queues.queue.settings.consumer_flow_limit": 64, "queues.queue.settings.consumer_flow_threshold": 70}
    found, _ = patched("openmq", {"domain.xml": text.encode()}, chosen)
    assert body(found.scripts[0].apply) == text.replace("=100'", "=64,imqConsumerFlowThreshold=70'")


def test_options_of_a_bean_become_one_property() -> None:
    text = (
        "<glassfish-ejb-jar><enterprise-beans><ejb><ejb-name>A</ejb-name><jndi-name>q</jndi-name><mdb-resource-adapter>"
        "<activation-config><!-- own --></activation-config></mdb-resource-adapter></ejb></enterprise-beans>"
        "</glassfish-ejb-jar>"
    )
    chosen = {"queues.A.settings.consumer_flow_limit": 64, "queues.A.settings.consumer_flow_threshold": 70}
    found, _ = patched("openmq", {"glassfish-ejb-jar.xml": text.encode()}, chosen)
    assert body(found.scripts[0].apply) == text.replace(
        "<!-- own -->",
        "<activation-config-property><activation-config-property-name>options</activation-config-property-name>"
        "<activation-config-property-value>imqConsumerFlowLimit=64,imqConsumerFlowThreshold=70"
        "</activation-config-property-value></activation-config-property><!-- own -->",
    )


def test_the_mode_of_all_ports_is_one_property_of_the_service() -> None:
    text = (
        '<s:Server xmlns:s="s" xmlns:xmi="x" name="s">\n  <services xmi:type="m:MessageListenerService" xmi:id="M_7">\n'
        '    <threadPool/>\n    <listenerPorts name="a"/>\n    <listenerPorts name="b"/>\n  </services>\n</s:Server>'
    )
    files = {"server.xml": text.encode()}
    one: dict[str, Any] = {"queues.a.settings.mode": "non_asf", "queues.a.settings.receive_timeout": "104s"}
    found, _ = patched("websphere", files, one)
    assert (found.scripts, set(found.refused)) == ((), set(one))
    found, spec = patched("websphere", files, {**one, **{path.replace(".a.", ".b."): one[path] for path in one}})
    (script,) = found.scripts
    assert body(script.apply) == text.replace(
        "<threadPool/>\n",
        '<threadPool/>\n    <properties xmi:id="Property_7_receive" name="NON.ASF.RECEIVE.TIMEOUT" value="104000"/>\n',
    )
    switched = {"server.xml": script.apply.encode()}
    found, _ = patched("websphere", switched, {f"queues.{name}.settings.mode": "asf" for name in "ab"})
    assert 'value="0"' in found.scripts[0].apply
    again = parse(PLATFORMS["websphere"].read({"server.xml": found.scripts[0].apply.encode()}).scenario)
    assert again.system == spec.system


REFUSED = [
    pytest.param(
        "openmq",
        {
            "glassfish-ejb-jar.xml": b"<glassfish-ejb-jar><enterprise-beans><ejb><ejb-name>A</ejb-name>"
            b"<jndi-name>jms/q</jndi-name></ejb></enterprise-beans></glassfish-ejb-jar>"
        },
        {"queues.A.settings.redelivery_attempts": 3},
        "no mdb-resource-adapter",
        id="no adapter",
    ),
    pytest.param(
        "openmq",
        {"c.properties": b"imq.a=b\n", "create.sh": b"imqcmd create dst -t q -n orders -o maxNumMsgs=5\n"},
        {"queues.orders.settings.max_num_producers": 7},
        "created with settings of its own",
        id="explicit destination",
    ),
    pytest.param(
        "websphere",
        {"server.xml": b'<Server name="s"><services type="x:MessageListenerService"/></Server>'},
        {"servers.s.settings.listener_pool_maximum": 7},
        "no thread pool of its own",
        id="no pool",
    ),
    pytest.param(
        "weblogic",
        {"m.xml": QUEUE.encode()},
        {"servers.server.settings.thread_pool_maximum": 70},
        "no imported file is the place",
        id="no file",
    ),
]


@pytest.mark.parametrize(("platform", "files", "chosen", "reason"), REFUSED)
def test_what_would_not_be_sound_is_refused_with_a_reason(
    platform: str, files: Files, chosen: dict[str, Any], reason: str
) -> None:
    found, _ = patched(platform, files, chosen)
    assert found.scripts == ()
    assert list(found.refused) == list(chosen)
    assert all(reason in text for text in found.refused.values())
