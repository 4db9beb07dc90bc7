"""What the written scripts do: applied they make the chosen settings and nothing else, undone all is as before."""

import ast
import re
from typing import Any

import pytest
import yaml
from hypothesis import given

from simulations.declarations.problems import InvalidInput
from simulations.platforms import PLATFORMS
from simulations.scenario.spec import parse
from tests.examples import examples
from tests.simulations.platforms.choosing import choices, settings_of, written
from tests.simulations.platforms.consoles import Wlst, Wsadmin
from tests.simulations.platforms.samples import scenario_body

MANY = examples(20, nightly=1_000)
IMQCMD = re.compile(
    r"    step \S+ (?:'[qt]:[^'\n]+'|[qt]:[\w.:/=,+@%-]+) (?P<key>\w+)"
    r"(?: (?:-?\d+(?:\.\d+)?[bkm]?|[A-Z_]+|true|false)){2}"
)
KEYS = {
    "consumerFlowLimit",
    "maxNumMsgs",
    "maxTotalMsgBytes",
    "limitBehavior",
    "maxNumProducers",
    "maxBytesPerMsg",
    "maxNumActiveConsumers",
    "maxNumBackupConsumers",
    "useDMQ",
}
ASADMIN = re.compile(
    r"    step (?:'[^'\n]+'|\S+) \"(?:configs\.config|resources\.connector-connection-pool)"
    r"\.\$\(dotted \"\$(?:CONFIG|POOL)\"\)\" [\w.-]+(?: (?:[\w.,=-]+|'')){2}"
)
MQSC = re.compile(r"    step (?:'[^'\n]+'|\S+) \"\$QUEUE\d*\" BOTHRESH \d+ \d+")
"""Grammar of the two tools, as far as the steps use it: type and name, or dotted name; key, both values."""


@pytest.mark.parametrize("platform", ["websphere", "websphere-zos"])
def test_wsadmin_scripts_change_and_take_back(platform: str) -> None:
    @MANY
    @given(case=choices(platform))
    def check(case: tuple[dict[str, Any], dict[str, Any]]) -> None:
        script = written(platform, *case).get("wsadmin")
        if script is None:
            return
        console = Wsadmin()
        console.server("payments", "orders", "other")
        console.server("elsewhere", "orders")
        settings = case[0]["queues"][0]["settings"]
        if "activation_spec" in (settings.get("mode"), settings.get("endpoint")):
            console.add("J2CActivationSpec", console.getid("/Server:payments/"), name="orders")
        untouched = {key for key in console.kinds if console._below(key, console.getid("/Server:elsewhere/"))}
        console.run(script.undo, anyway=True)
        before = console.snapshot()
        console.run(script.apply)
        assert console.snapshot() != before
        assert not untouched & set(console.snapshot())
        console.run(script.undo)
        assert console.snapshot() == before

    check()


@pytest.mark.parametrize("ending", ["\n", "\r", "\x0b", "\x85", "\u2028", "\u202e", "\u2066"])
def test_no_text_can_end_or_turn_the_comment_that_names_it(ending: str) -> None:
    text = f"dead{ending}import os"
    settings = {"error_destination": text, "work_manager": text}
    body = {**scenario_body("weblogic", settings=settings), "name": text}
    shared = {"name": text, "kind": "capacity", "count": 3}
    body["servers"][0]["settings"] = {"work_managers": [{"name": text}], "constraints": [shared]}
    with pytest.raises(InvalidInput) as error:
        parse(body)
    assert {item.pointer for item in error.value.problems if "use one line of text" in item.message} == {
        "/name",
        "/queues/0/settings/error_destination",
        "/queues/0/settings/work_manager",
        "/servers/0/settings/work_managers/0/name",
        "/servers/0/settings/constraints/0/name",
    }


HOSTILE = ('a\'; rm -rf "$HOME" #', "\"\"\"'''", "Aufträge \\ 😀", "]]><!--", "{{x}}: &a", "e\u0301 \u05d0")


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_stays_a_name(name: str) -> None:
    body = scenario_body("weblogic")
    server, queue = body["servers"][0]["name"], body["queues"][0]["name"]
    chosen = {
        f"servers.{server}.settings.work_managers": [{"name": name, "max_threads": 3}],
        f"queues.{queue}.settings.error_destination": name,
    }
    scripts = written("weblogic", body, chosen)
    assert scripts["wlst"].apply.isascii()
    domain = Wlst(servers=[server], destinations=[queue, name])
    domain.run(scripts["wlst"].apply)
    assert ("WorkManager", name) in domain.domain.getSelfTuning().held
    domain.run(scripts["wlst"].undo)
    assert ("WorkManager", name) not in domain.domain.getSelfTuning().held
    assert set(yaml.safe_load(scripts["wdt"].apply)["resources"]["SelfTuning"]["WorkManager"]) == {name}
    again = settings_of(parse(yaml.safe_load(scripts["yaml"].apply)))
    assert again[f"queues.{queue}.settings.error_destination"] == name


@pytest.mark.parametrize("platform", PLATFORMS)
def test_every_format_keeps_its_grammar_and_names_the_hash(platform: str) -> None:
    @MANY
    @given(case=choices(platform))
    def check(case: tuple[dict[str, Any], dict[str, Any]]) -> None:
        for script in written(platform, *case).values():
            for text in (script.apply, script.undo):
                assert "cafe" in text.splitlines()[0] + text.splitlines()[1]
                GRAMMARS[script.format](text)
            assert set(script.left_out) < set(case[1])
            for path in script.left_out:
                assert script.format in ("mqsc", "properties") or path in script.apply

    check()


def _shell(text: str, grammar: re.Pattern[str]) -> None:
    lines = [line for line in text.splitlines() if line.startswith("    step ")]
    assert lines
    for line in lines:
        assert grammar.fullmatch(line), line


def _imqcmd(text: str) -> None:
    _shell(text, IMQCMD)
    assert {found["key"] for found in IMQCMD.finditer(text)} <= KEYS


def _lines(text: str, grammar: str) -> None:
    for line in text.splitlines():
        assert re.fullmatch(grammar, line), line


GRAMMARS: dict[str, Any] = {
    "yaml": yaml.safe_load,
    "wdt": yaml.safe_load,
    "wlst": ast.parse,
    "wsadmin": ast.parse,
    "imqcmd": _imqcmd,
    "asadmin": lambda text: _shell(text, ASADMIN),
    "mqsc": lambda text: _shell(text, MQSC),
    "properties": lambda text: _lines(text, r"#.*|[\w.]+=[\w.-]+"),
}


def test_the_mode_of_a_port_is_one_property_of_the_vendor() -> None:
    """Job J4: non-ASF mode is switched by the receive timeout; in ASF mode a timeout changes nothing."""
    body = scenario_body("websphere")
    switched = {"queues.orders.settings.mode": "non_asf", "queues.orders.settings.receive_timeout": "104s"}
    console = Wsadmin()
    console.server("payments", "orders")
    script = written("websphere", body, switched)["wsadmin"]
    console.run(script.apply)
    properties = [values for key, values in console.attributes.items() if console.kinds[key] == "Property"]
    assert properties == [{"name": "NON.ASF.RECEIVE.TIMEOUT", "value": "104000"}]
    console.run(script.undo)
    assert properties[0]["value"] == "0"
    assert "wsadmin" not in written("websphere", body, {"queues.orders.settings.receive_timeout": "104s"})


def test_a_property_of_the_service_is_left_out_while_its_ports_differ() -> None:
    body = scenario_body("websphere-zos")
    body["queues"].append({**body["queues"][0], "name": "other"})
    one = {"queues.orders.settings.low_equals_high": True, "queues.orders.settings.maximum_sessions": 36}
    script = written("websphere-zos", body, one)["wsadmin"]
    assert script.left_out == ("queues.orders.settings.low_equals_high",)
    assert "LOW.EQUALS.HIGH" not in script.apply
    both = {**one, "queues.other.settings.low_equals_high": True}
    assert "LOW.EQUALS.HIGH" in written("websphere-zos", body, both)["wsadmin"].apply


def test_a_script_for_a_domain_without_the_server_ends_before_it_changes_anything() -> None:
    chosen = {"servers.payments.settings.work_managers": [{"name": "work", "max_threads": 40}]}
    script = written("weblogic", scenario_body("weblogic"), chosen)["wlst"]
    with pytest.raises(Exception, match="no Server or Cluster payments"):
        Wlst(servers=[], destinations=[]).run(script.apply)
