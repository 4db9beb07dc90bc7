"""imqcmd and asadmin scripts in a real shell, over commands that keep their values in a file."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

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


def script_of(tool: str, files: dict[str, bytes] | None = None) -> Script:
    system = parse(scenario_body("openmq")).system
    found = PLATFORMS["openmq"].write(system, CHOSEN, "cafe", files)
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


def test_the_script_targets_the_configuration_that_the_settings_were_read_from() -> None:
    script = script_of("asadmin", {"domain.xml": DOMAIN})
    assert "\nCONFIG=shop-config  #" in script.apply
    assert "server-config" not in script.apply
    assert "\nCONFIG=  #" in script_of("asadmin").apply


def test_the_pool_of_a_factory_is_that_of_the_files() -> None:
    system = parse(scenario_body("openmq")).system
    chosen = {"queues.orders.settings.consumer_flow_limit": 64}
    for files, name in (({"domain.xml": DOMAIN}, "jms/Factory"), (None, "")):
        found = PLATFORMS["openmq"].write(system, chosen, "cafe", files)
        assert f"\nPOOL={name}  #" in next(item.apply for item in found if item.format == "asadmin")


def test_an_activation_property_is_no_property_of_the_broker() -> None:
    system = parse(scenario_body("openmq")).system
    paths = [f"queues.orders.settings.{name}" for name in ("redelivery_attempts", "max_consecutive_rollbacks")]
    found = {item.format: item for item in PLATFORMS["openmq"].write(system, dict.fromkeys(paths, 3), "cafe")}
    assert "endpointException" not in found["properties"].apply
    assert found["properties"].left_out == (paths[0],)
