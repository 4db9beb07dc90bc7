"""imqcmd and asadmin scripts in a real shell, over commands that keep their values in a file."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from simulations.declarations.identity import without_identities
from simulations.declarations.path_text import path_of
from simulations.platforms import PLATFORMS
from simulations.platforms.openmq.files.broker import LABELS
from simulations.platforms.shared.family import Script
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import scenario_body

COMMAND = f"""#!{sys.executable} -SE
import json, os, sys
tool, words = os.path.basename(sys.argv[0]), sys.argv[1:]
place = os.environ["STATE"]
state = json.load(open(place))
if tool == "imqcmd":
    assert words[6 if words[0] == "query" else 8:] == ["-b", "host:7676", "-u", "admin", "-passfile", "pass", "-f"]
    held = state[words[3] + ":" + words[5]]
    if words[0] == "query":
        print("Destination Name    " + words[5])
        labels = {LABELS!r}
        for label, key in labels.items():
            if key in held:
                value = held[key]
                print(label + "    " + ("unlimited (-1)" if value == "-1" else value))
    pair = words[7] if words[0] == "update" else ""
    state.setdefault("commands", []).extend([" ".join([tool, *words])] if pair else [])
else:
    held = state["asadmin"]
    if words[0] == "get":
        print(words[1] + "=" + held[words[1]])
    pair = words[1] if words[0] == "set" else ""
if pair:
    state["sets"] += 1
    json.dump(state, open(place, "w"))
    if state["sets"] == state["fail_at"]:
        sys.exit(1)
    key, _, value = pair.partition("=")
    held[key] = value
    json.dump(state, open(place, "w"))
"""
FILLED = {"BROKER": "host:7676", "ADMIN": "admin", "PASSFILE": "pass", "CONFIG": "shop-config", "POOL": "factory"}
POOL = "configs.config.shop-config.mdb-container.max-pool-size"
CHOSEN: dict[str, Any] = {
    "queues.orders.settings.max_num_msgs": 500,
    "queues.orders.settings.limit_behavior": "FLOW_CONTROL",
    "queues.orders.settings.destination_consumer_flow_limit": 64,
    "servers.payments.settings.max_pool_size": 48,
    "servers.payments.settings.steady_pool_size": 4,
}


class Host:
    """A machine with the two commands; ``state`` is what they have set, ``commands`` what imqcmd was last told."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.file = folder, folder / "state.json"
        for tool in ("imqcmd", "asadmin"):
            (folder / tool).write_text(COMMAND)
            (folder / tool).chmod(0o755)
        self.commands = ""
        base = POOL.rpartition(".")[0]
        self.state: dict[str, Any] = {
            "q:orders": {
                "maxNumMsgs": "-1",
                "limitBehavior": "REJECT_NEWEST",
                "consumerFlowLimit": "1000",
                "maxNumProducers": "100",
            },
            "asadmin": {POOL: "32", f"{base}.steady-pool-size": "1"},
        }

    def run(self, text: str, head: dict[str, str], *, fail_at: int = 0) -> tuple[int, str]:
        """Run the script with variables at its head set; return the exit code and what it prints."""
        for name, value in head.items():
            assert text.count(f"\n{name}=") <= 1
            for empty in (f"\n{name}=  #", f"\n{name}=0  #"):
                text = text.replace(empty, f"\n{name}={value}  #")
        self.file.write_text(json.dumps({**self.state, "sets": 0, "fail_at": fail_at}))
        environment = {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}", "STATE": str(self.file)}
        done = subprocess.run(["/bin/sh", "-c", text], env=environment, capture_output=True, text=True, check=False)
        state = json.loads(self.file.read_text())
        self.commands = "\n".join(state.get("commands", ()))
        self.state = {key: value for key, value in state.items() if key not in ("sets", "fail_at", "commands")}
        return done.returncode, done.stdout + done.stderr


@pytest.fixture
def host(tmp_path: Path) -> Host:
    """A machine as the scenario has it."""
    return Host(tmp_path)


def script_of(tool: str) -> Script:
    found = PLATFORMS["openmq"].write(parse(scenario_body("openmq")).system, CHOSEN, "cafe")
    return next(item for item in found if item.format == tool)


@pytest.mark.parametrize("tool", ["imqcmd", "asadmin"])
def test_a_plan_then_all_changes_and_back(host: Host, tool: str) -> None:
    script, before = script_of(tool), host.state
    code, printed = host.run(script.apply, FILLED)
    assert (code, host.state) == (0, before), printed
    assert "wanted" in printed
    code, printed = host.run(script.apply, {**FILLED, "APPLY": "1"})
    assert code == 0, printed
    assert "read back" in printed
    after = {"imqcmd": ("q:orders", "maxNumMsgs", "500"), "asadmin": ("asadmin", POOL, "48")}[tool]
    assert host.state[after[0]][after[1]] == after[2]
    code, printed = host.run(script.undo, {**FILLED, "APPLY": "1"})
    assert (code, host.state) == (0, before), printed


@pytest.mark.parametrize("tool", ["imqcmd", "asadmin"])
def test_what_is_missing_differs_or_is_not_filled_in_ends_the_script(host: Host, tool: str) -> None:
    script, entity, key = script_of(tool), *{"imqcmd": ("q:orders", "maxNumMsgs"), "asadmin": ("asadmin", POOL)}[tool]
    code, printed = host.run(script.apply, {"APPLY": "1"})
    assert code != 0
    assert "fill it in at the head" in printed
    host.state[entity][key] = "77"
    before = json.loads(json.dumps(host.state))
    code, printed = host.run(script.apply, {**FILLED, "APPLY": "1"})
    assert (code, host.state) == (1, before)
    assert "present '77', expected" in printed
    code, printed = host.run(script.apply, {**FILLED, "APPLY": "1", "ANYWAY": "1"})
    assert code == 0, printed
    del host.state[entity][key]
    before = json.loads(json.dumps(host.state))
    code, printed = host.run(script.apply, {**FILLED, "APPLY": "1", "ANYWAY": "1"})
    assert (code, host.state) == (1, before)
    assert "STOP" in printed


@pytest.mark.parametrize("tool", ["imqcmd", "asadmin"])
def test_a_change_that_fails_takes_back_those_before_it(host: Host, tool: str) -> None:
    script, before = script_of(tool), json.loads(json.dumps(host.state))
    for fail_at in (1, 2):
        code, printed = host.run(script.apply, {**FILLED, "APPLY": "1"}, fail_at=fail_at)
        assert (code, host.state) == (1, before)
        assert f"FAILED at change {fail_at}" in printed


DOMAIN = b"""<domain><clusters><cluster name="shop" config-ref="shop-config"/><cluster name="b" config-ref="b-config"/>
</clusters><configs><config name="server-config"><mdb-container max-pool-size="7"/></config>
<config name="shop-config"><mdb-container max-pool-size="32"/></config></configs>
<resources><connector-connection-pool name="jms/Factory" resource-adapter-name="jmsra"/></resources></domain>"""


def test_configuration_and_pool_are_those_that_the_settings_were_read_from() -> None:
    spec = parse(PLATFORMS["openmq"].read({"domain.xml": DOMAIN}).scenario)
    chosen = {"servers.server.settings.max_pool_size": 48, "queues.queue.settings.consumer_flow_limit": 64}
    for system, config, pool in (
        (spec.system, "shop-config", "jms/Factory"),
        (parse(without_identities(spec.body())).system, "", ""),
    ):
        found = PLATFORMS["openmq"].write(system, chosen, "cafe")
        text = next(item.apply for item in found if item.format == "asadmin")
        assert (f"\nCONFIG={config}  #" in text, f"\nPOOL={pool}  #" in text) == (True, True)
        assert "server-config" not in text


def test_a_pool_that_queues_share_gets_one_list_of_options(host: Host) -> None:
    spec = parse(PLATFORMS["openmq"].read({"domain.xml": TWO_QUEUES, "config.txt": TWO_DESTINATIONS}).scenario)
    paths = [path_of("queues", queue.name, "settings", "consumer_flow_limit") for queue in spec.queues]
    assert len(paths) == 2
    found = {item.format: item for item in PLATFORMS["openmq"].write(spec.system, dict.fromkeys(paths, 64), "cafe")}
    steps = [line for line in found["asadmin"].apply.splitlines() if line.startswith("    step ")]
    assert len(steps) == 1
    assert "imqConsumerFlowLimit=64" in steps[0]
    option = "resources.connector-connection-pool.jms/My\\.Factory.property.options"
    host.state["asadmin"][option] = ""
    code, printed = host.run(found["asadmin"].apply, {**FILLED, "APPLY": "1"})
    assert code == 0, printed
    assert host.state["asadmin"][option] == "imqConsumerFlowLimit=64"
    alone = {item.format: item for item in PLATFORMS["openmq"].write(spec.system, {paths[0]: 64}, "cafe")}
    assert "asadmin" not in alone


TWO_QUEUES = DOMAIN.replace(b"jms/Factory", b"jms/My.Factory")
TWO_DESTINATIONS = b"imqcmd create dst -t q -n PAY.ORDERS\nimqcmd create dst -t q -n Bestell\xc3\xbcbung\n"


def test_an_activation_property_is_no_property_of_the_broker() -> None:
    system = parse(scenario_body("openmq")).system
    paths = [f"queues.orders.settings.{name}" for name in ("redelivery_attempts", "max_consecutive_rollbacks")]
    found = {item.format: item for item in PLATFORMS["openmq"].write(system, dict.fromkeys(paths, 3), "cafe")}
    assert "endpointException" not in found["properties"].apply
    assert found["properties"].left_out == (paths[0],)
