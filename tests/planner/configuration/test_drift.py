"""Drift: nothing where nothing was touched, exactly what was changed where something was."""

import random
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from planner.configuration.drift import Drift, drift_of
from planner.configuration.importing import configuration_read
from simulations.declarations.identity import without_identities
from simulations.declarations.problems import InvalidInput
from simulations.platforms import PLATFORMS
from simulations.platforms.files.importing.drafts import CHOICE
from simulations.scenario.spec import ScenarioSpec, parse
from tests.examples import examples
from tests.simulations.platforms import lacking_files, stating_files
from tests.simulations.platforms.choosing import choices, others, settings_of, written
from tests.simulations.platforms.public_files import CHOSEN, FILES
from tests.simulations.platforms.stating_files import Files

KINDS = {
    **{f"{name}, stated": made for name, made in stating_files.FORMATS.items()},
    **{f"{name}, left out": made for name, made in lacking_files.FORMATS.items()},
}
ZOS = """<process:Server xmlns:process="p" xmlns:xmi="x" name="s"><services xmi:type="m:MessageListenerService">
<listenerPorts name="orders" maxSessions="36" maxRetries="2"/></services>
<services xmi:type="t:TransactionService" totalTranLifetimeTimeout="120"/></process:Server>"""
WORK = """<weblogic-ejb-jar><weblogic-enterprise-bean><ejb-name>Orders</ejb-name><message-driven-descriptor>
<pool><max-beans-in-free-pool>20</max-beans-in-free-pool></pool></message-driven-descriptor>
<dispatch-policy>work</dispatch-policy></weblogic-enterprise-bean>
<work-manager><name>work</name><fair-share-request-class><name>s</name><fair-share>80</fair-share>
</fair-share-request-class><max-threads-constraint><name>five</name><count>5</count></max-threads-constraint>
</work-manager></weblogic-ejb-jar>"""


def drifted(spec: ScenarioSpec, files: Mapping[str, bytes]) -> dict[str, str]:
    """Path and status of each difference."""
    return {line.path: line.status for line in drift_of(spec, files).differences}


def read(files: Mapping[str, bytes], platform: str = "") -> ScenarioSpec:
    return configuration_read(files, platform=platform).spec


def one_changed(platform: str, files: Files, chance: random.Random) -> None:
    """Change some settings in the files: these are named, and no other; compared with themselves none is."""
    spec, family = read(files, platform), PLATFORMS[platform]
    assert family.patch
    assert drifted(spec, files) == {}
    spots = [path for path, spot in family.read(files).spots.items() if spot.places or spot.additions]
    picked = chance.sample(spots, min(len(spots), chance.randint(1, 3)))
    chosen = others(spec, picked)
    scripts = family.patch(files, spec.system, chosen, "cafe").scripts
    after = {**files, **{item.filename: item.apply.encode(item.encoding) for item in scripts}}
    left_out = scripts[0].left_out if scripts else tuple(chosen)
    changed = {path for path in chosen if path not in left_out}
    assert drifted(spec, after).keys() == changed
    assert drifted(read(after, platform), after) == {}


@pytest.mark.parametrize("kind", KINDS)
def test_generated_files_do_not_drift_until_they_are_changed(kind: str) -> None:
    platform, made, _ = KINDS[kind]

    @examples(3, nightly=100)
    @given(files=made(), seed=st.integers(0, 2**32))
    def check(files: Files, seed: int) -> None:
        one_changed(platform, files, random.Random(seed))

    check()


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_five_hundred_changed_files_name_exactly_what_was_changed(kind: str) -> None:
    platform, made, _ = KINDS[kind]

    @examples(32, nightly=200)
    @given(files=made(), seed=st.integers(0, 2**32))
    def check(files: Files, seed: int) -> None:
        one_changed(platform, files, random.Random(seed))

    check()


@pytest.mark.parametrize(("platform", "path"), FILES, ids=lambda value: getattr(value, "name", value))
def test_public_files_do_not_drift_until_they_are_changed(platform: str, path: Path) -> None:
    one_changed(platform, {path.name: path.read_bytes(), **CHOSEN.get(path.name, {})}, random.Random(path.name))


@pytest.mark.parametrize("platform", PLATFORMS)
def test_an_exported_scenario_does_not_drift(platform: str) -> None:
    @examples(10, nightly=300)
    @given(case=choices(platform))
    def check(case: tuple[dict[str, Any], dict[str, Any]]) -> None:
        body, chosen = case
        for name, script in written(platform, body, chosen).items():
            if name != "yaml":
                continue
            before = parse(body)
            files = {script.filename: script.apply.encode()}
            old, new = settings_of(before), settings_of(read(files))
            changed = {path for path in {**old, **new} if old.get(path) != new.get(path)}
            assert drifted(read(files), files) == {}
            assert drifted(before, files).keys() == changed
            assert drifted(before, {script.filename: script.undo.encode()}) == {}

    check()


@pytest.mark.parametrize(
    ("files", "platform", "old", "new", "path", "values"),
    [
        ({"server.xml": ZOS}, "websphere", '"36"', '"40"', "queues.orders.settings.maximum_sessions", (36, 40)),
        ({"server.xml": ZOS}, "websphere-zos", '"36"', '"40"', "queues.orders.settings.maximum_sessions", (36, 40)),
        (
            {"server.xml": ZOS},
            "websphere",
            '"120"',
            '"60"',
            "servers.s.settings.total_transaction_timeout",
            (120, 60),
        ),
        ({"w.xml": WORK}, "weblogic", ">20<", ">30<", "queues.Orders.settings.max_beans_in_free_pool", (20, 30)),
        (
            {"w.xml": WORK},
            "weblogic",
            ">5<",
            ">6<",
            "servers.server.settings.work_managers.work.max_threads",
            (5, 6),
        ),
        (
            {"w.xml": WORK},
            "weblogic",
            ">80<",
            ">70<",
            "servers.server.settings.work_managers.work.fair_share",
            (80, 70),
        ),
        (
            {"a.sh": "imqcmd create dst -n orders -t q -o maxNumMsgs=5 -o limitBehavior=REJECT_NEWEST\n"},
            "openmq",
            "=5",
            "=6",
            "queues.orders.settings.max_num_msgs",
            (5, 6),
        ),
        (
            {"config.properties": "imq.autocreate.destination.maxTotalMsgBytes=3000000000\n"},
            "openmq",
            "=3000000000",
            "=3000000001",
            "queues.queue.settings.max_total_msg_bytes",
            (3_000_000_000, 3_000_000_001),
        ),
    ],
)
def test_a_changed_value_is_told_with_both_sides(
    files: dict[str, str], platform: str, old: str, new: str, path: str, values: tuple[Any, Any]
) -> None:
    spec = read({name: text.encode() for name, text in files.items()}, platform)
    changed = {name: text.replace(old, new).encode() for name, text in files.items()}
    (line,) = drift_of(spec, changed).differences
    assert (line.path, line.status, (line.scenario, line.file)) == (path, "changed", values)
    assert line.setting


def test_what_the_files_leave_out_is_missing_and_has_the_default() -> None:
    files = {"server.xml": ZOS.encode()}
    spec = read(files, "websphere")
    (line,) = drift_of(spec, {"server.xml": ZOS.replace('maxSessions="36"', "").encode()}).differences
    assert (line.status, line.scenario, line.file) == ("missing", 36, None)
    assert line.message == "no file says it; the default counts: 1"
    assert (line.kind, line.object, line.setting) == ("Queue", "orders", "Maximum sessions")


def test_whole_objects_are_one_line_each() -> None:
    files = {"server.xml": ZOS.encode()}
    other = {"server.xml": ZOS.replace('name="orders"', 'name="bills"').encode()}
    assert drifted(read(files, "websphere"), other) == {"queues.orders": "missing", "queues.bills": "extra"}
    without = {"w.xml": re.sub("<work-manager>.*</work-manager>", "", WORK, flags=re.DOTALL).encode()}
    work = "servers.server.settings.work_managers.work"
    assert drifted(read({"w.xml": WORK.encode()}), without) == {work: "missing"}


def test_of_several_clusters_one_has_to_be_named() -> None:
    clusters = "".join(f"<cluster name='{name}' config-ref='{name}-config'/>" for name in ("east", "west"))
    files = {"domain.xml": f"<domain><clusters>{clusters}</clusters><configs/></domain>".encode()}
    with pytest.raises(InvalidInput, match="2 clusters: east, west; name the one that is meant") as error:
        read(files)
    assert error.value.problems[0].path == "target"
    assert read({**files, CHOICE: b"west"}).servers


def test_how_many_servers_a_cluster_has_is_compared_where_the_files_say_it() -> None:
    domain = "<domain><clusters><cluster name='c' config-ref='k'>{}</cluster></clusters></domain>"
    files = {"domain.xml": domain.format("<server-ref ref='a'/><server-ref ref='b'/>").encode()}
    spec = read(files, "openmq")
    one = {"domain.xml": domain.format("<server-ref ref='a'/>").encode()}
    assert drifted(spec, one) == {"servers.server.instances": "changed"}


def test_a_constraint_may_be_inside_its_work_manager_or_beside_it() -> None:
    body = read({"w.xml": WORK.encode()}).body()
    body["servers"][0]["settings"] |= {"constraints": []}
    body["servers"][0]["settings"]["work_managers"][0]["max_threads"] = 5
    assert drifted(parse(body), {"w.xml": WORK.encode()}) == {}


def test_work_managers_that_nobody_imported_are_compared_too() -> None:
    body = without_identities(read({"w.xml": WORK.encode()}).body())
    assert drifted(parse(body), {"w.xml": WORK.encode()}) == {}
    changed = WORK.replace(">80<", ">70<").encode()
    assert drifted(parse(body), {"w.xml": changed}) == {
        "servers.server.settings.work_managers.work.fair_share": "changed"
    }
    again = {"scenario.yaml": yaml.safe_dump(body).encode()}
    assert drifted(parse(body), again) == {}


def test_load_and_assumptions_of_the_simulation_do_not_drift() -> None:
    body = read({"server.xml": ZOS.encode()}, "websphere-zos").body()
    body["queues"][0]["settings"] |= {"queue_agent_time": 0.5, "failure_rate": 0.1}
    body["queues"][0]["arrivals"] = {"kind": "constant", "rate": 99}
    body["servers"][0] |= {"cpus": 7, "name": "renamed"}
    body["queues"][0]["server"] = "renamed"
    assert drifted(parse(body), {"server.xml": ZOS.encode()}) == {}


def test_the_answer_is_a_sentence() -> None:
    spec = read({"server.xml": ZOS.encode()}, "websphere")
    same: Drift = drift_of(spec, {"server.xml": ZOS.encode()})
    assert re.fullmatch(r"No difference: \d+ settings are as in the scenario\.", same.sentence)
    changed = drift_of(spec, {"server.xml": ZOS.replace('"36"', '"9"').encode()})
    assert re.fullmatch(r"1 difference; \d+ settings are the same\.", changed.sentence)
    assert sum(changed.counts.values()) == len(changed.lines)
    assert changed.lines[0].status == "changed"
