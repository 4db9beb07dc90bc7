"""Every object that an exported script names exists in the imported files under exactly that name, kind and place."""

import re
import shlex
from collections.abc import Mapping
from typing import Any

import yaml
from hypothesis import given
from hypothesis import strategies as st

from simulations.declarations.texts import keys_in
from simulations.platforms import PLATFORMS
from simulations.platforms.shared.family import Script
from simulations.scenario.spec import ScenarioSpec, parse
from tests.examples import examples
from tests.simulations.platforms.named_files import NAMES, openmq, weblogic, websphere
from tests.simulations.platforms.script_names import named_in_model, named_in_wlst, steps

MANY = examples(25, nightly=2_000)


def changed(spec: ScenarioSpec, settings: Mapping[str, Mapping[str, Any]]) -> dict[str, Script]:
    """The scripts that change the settings of each server and queue that has them."""
    entities: tuple[Any, ...] = (*spec.system.servers, *spec.system.queues)
    chosen = {
        f"{entity.path}.settings.{name}": value
        for entity in entities
        for name, value in settings[keys_in(entity.path)[0]].items()
    }
    return {script.format: script for script in spec.family.write(spec.system, chosen, "cafe")}


def read(platform: str, files: Mapping[str, str]) -> ScenarioSpec:
    return parse(PLATFORMS[platform].read({name: text.encode() for name, text in files.items()}).scenario)


@MANY
@given(names=NAMES)
def test_scripts_for_weblogic(names: list[str]) -> None:
    files, known = weblogic(names)
    spec = read("weblogic", files)
    (server,) = spec.body()["servers"]
    (manager,) = server["settings"]["work_managers"]
    (constraint,) = server["settings"]["constraints"]
    settings: dict[str, dict[str, Any]] = {
        "servers": {
            "thread_pool_maximum": 50,
            "work_managers": [{**manager, "fair_share": 33}],
            "constraints": [{**constraint, "count": 9}],
        },
        "queues": {"redelivery_limit": 4, "messages_maximum": 5},
    }
    scripts = changed(spec, settings)
    for text in (scripts["wlst"].apply, scripts["wlst"].undo):
        assert set(named_in_wlst(text)) == known - {(names[0], "Quota", names[4])}
    assert set(named_in_model(scripts["wdt"].apply)) == known - {(names[0], "Quota", names[4])}
    first = next(queue for queue in spec.queues if queue.identity and queue.identity.name == names[1])
    limited = spec.family.write(spec.system, {f"{first.path}.settings.messages_quota": 300}, "cafe")
    model = yaml.safe_load(next(item.apply for item in limited if item.format == "wdt"))
    assert list(model["resources"]["JMSSystemResource"][names[0]]["JmsResource"]["Quota"]) == [names[4]]


@MANY
@given(names=NAMES)
def test_scripts_for_open_mq(names: list[str]) -> None:
    spec = read("openmq", openmq(names))
    settings = {"servers": {"max_pool_size": 48}, "queues": {"max_num_msgs": 500, "consumer_flow_limit": 64}}
    scripts = changed(spec, settings)
    for text in (scripts["imqcmd"].apply, scripts["imqcmd"].undo):
        lines = [shlex.split(line) for line in text.splitlines() if line.startswith("    step ")]
        assert {line[2] for line in lines} == {f"q:{names[3]}", f"t:{names[4]}"}
    for text in (scripts["asadmin"].apply, scripts["asadmin"].undo):
        head = [shlex.split(line, comments=True)[0] for line in re.findall(r"^(?:CONFIG|POOL)\w*=.*$", text, re.M)]
        assert set(head) == {f"CONFIG={names[1]}", f"POOL={names[2]}"}
        assert set(re.findall(r'\$\(dotted "\$(\w+)"\)', text)) == {"CONFIG", "POOL"}


@MANY
@given(names=NAMES, platform=st.sampled_from(["websphere", "websphere-zos"]))
def test_scripts_for_websphere(names: list[str], platform: str) -> None:
    spec = read(platform, websphere(names))
    queue = {"maximum_sessions": 9, "maximum_server_sessions": 33}
    scripts = changed(spec, {"servers": {"total_transaction_timeout": 77}, "queues": queue})
    for text in (scripts["wsadmin"].apply, scripts["wsadmin"].undo):
        found = [(kind, at) for kind, at, _ in steps(text)]
        assert {at[0] for kind, at in found if kind in ("Attribute", "Child")} == {names[0]}
        assert {at[2] for kind, at in found if kind == "Attribute" and at[1] == "ListenerPort"} == {names[1], names[2]}
        assert {at[1] for kind, at in found if kind == "Spec"} == {names[3]}
