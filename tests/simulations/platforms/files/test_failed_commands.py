"""Shell scripts when one call of a vendor's command fails, in any of four manners: all changes are made or none."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given

from simulations.platforms import PLATFORMS
from simulations.platforms.shared.family import Script
from simulations.scenario.spec import parse
from tests.examples import NIGHTLY, examples
from tests.simulations.platforms.hosts import MANNERS, Host
from tests.simulations.platforms.named_files import NAMES, openmq
from tests.simulations.platforms.samples import scenario_body
from tests.simulations.platforms.script_names import commands

HEAD = {"BROKER": "host:7676", "ADMIN": "admin", "PASSFILE": "pass", "MANAGER": "QM1", "APPLY": "1"}
TOOLS = ("imqcmd", "asadmin", "mqsc")
SOME = 6
"""Failures that one run of the suite tries of each script; by night each call fails in each manner."""


def script_of(tool: str, names: list[str]) -> Script:
    """A script with several changes of objects that have these names."""
    if tool == "mqsc":
        body = scenario_body("websphere")
        part = {"role": "mq_queue", "name": names[0]}
        body["queues"][0]["identity"] = {"name": "port", "kind": "ListenerPort", "parts": [part]}
        chosen = {"queues.orders.settings.backout_threshold": 5}
        found = PLATFORMS["websphere"].write(parse(body).system, chosen, "cafe")
    else:
        possible = [name.replace("=", "-") for name in names]  # asadmin takes what follows = for the value
        files = {name: text.encode() for name, text in openmq(possible).items()}
        spec = parse(PLATFORMS["openmq"].read(files).scenario)
        server = {"max_pool_size": 48, "steady_pool_size": 4}
        queue = {"max_num_msgs": 500, "consumer_flow_limit": 64, "max_bytes_per_msg": 5000}
        chosen = {f"{item.path}.settings.{name}": value for item in spec.servers for name, value in server.items()}
        chosen |= {f"{item.path}.settings.{name}": value for item in spec.queues for name, value in queue.items()}
        found = PLATFORMS["openmq"].write(spec.system, chosen, "cafe")
    return next(item for item in found if item.format == tool)


def state_of(tool: str, script: Script) -> dict[str, dict[str, str]]:
    """What the machine holds before: every value that the script expects."""
    state: dict[str, dict[str, str]] = {"asadmin": {}}
    for _, entity, key, before, _ in commands(script.apply):
        if tool == "asadmin":
            owner, _, option = key.rpartition("options.")
            held = (f"{owner}options", f"a=b,{option}={before}") if owner else (key, before)
            state["asadmin"] |= {f"{entity}.{held[0]}": held[1], f"{entity}.name": "x"}
        else:
            state.setdefault(entity, {})[key] = before
    return state


def failures(calls: int, seed: str) -> Iterator[tuple[int, str]]:
    """Call and manner of each failure that is tried."""
    every = [(call, manner) for call in range(1, calls + 1) for manner in MANNERS]
    yield from every if NIGHTLY else random.Random(seed).sample(every, SOME)


@pytest.mark.slow
@pytest.mark.parametrize("tool", TOOLS)
def test_a_call_that_fails_leaves_all_changes_or_none(tmp_path: Path, tool: str) -> None:
    @examples(2, nightly=8)
    @given(names=NAMES)
    def check(names: list[str]) -> None:
        script = script_of(tool, names)
        before = state_of(tool, script)
        host = Host(tmp_path, before)
        code, printed = host.run(script.apply, HEAD)
        assert (code, "To take them back" in printed) == (0, True), printed
        after, undo = host.state, host.run(script.undo, HEAD)
        assert (undo[0], host.state) == (0, before), undo[1]
        host.run(script.apply, HEAD)
        for call, manner in failures(host.calls, names[0]):
            host.state = before
            code, printed = host.run(script.apply, HEAD, fail_at=call, manner=manner)
            assert host.state in (before, after), (call, manner, printed)
            assert (host.state == after) == (code == 0), (call, manner, printed)

    check()


@pytest.mark.parametrize("tool", TOOLS)
def test_the_commands_that_are_printed_take_the_changes_back(tmp_path: Path, tool: str) -> None:
    script = script_of(tool, ['PAY\'s "Q" $1', "conf.a/b", "pool:1", "Bestell übung", "注文", *"abcdefg"])
    before = state_of(tool, script)
    host = Host(tmp_path, before)
    _, printed = host.run(script.apply, HEAD)
    assert host.state != before
    lines = printed.partition("run the undo script or:\n")[2].splitlines()
    if tool == "mqsc":
        lines = [f"runmqsc QM1 <<'END'\n{line}\nEND" for line in lines]
    host.run("\n".join(lines), {})
    assert host.state == before
