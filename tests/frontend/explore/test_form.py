"""The form of a search: knobs as text, questions read back."""

from typing import Any

import pytest

from frontend.explore.form import default_question, explore_form, question_of, searchable
from frontend.workbench.inventory import first_scenario
from planner.answers.curves import values_around
from simulations.experiment.names import setting_at
from simulations.experiment.points import value_at
from simulations.scenario.spec import parse
from tests.scenarios import SESSIONS, listener_port
from tests.simulations.platforms.samples import scenario_body

SWEEP = [{"path": SESSIONS, "values": [18, 36]}]
SETTINGS = {
    "websphere-zos": "maximum_sessions",
    "websphere": "maximum_sessions",
    "weblogic": "max_threads",
    "openmq": "consumer_flow_limit",
}
"""What limits first in a scenario from nothing."""
SLO = [{"metric": "latency.p95", "at_most": "800ms"}]


@pytest.mark.parametrize(
    ("text", "axis"),
    [
        ("18, 36", {"values": [18, 36]}),
        ("18 to 200 in 40", {"from": "18", "to": "200", "steps": 40, "scale": "linear"}),
        ("1e2..1e4, 5 log steps", {"from": "1e2", "to": "1e4", "steps": 5, "scale": "log"}),
        ("many", {"values": ["many"]}),
    ],
)
def test_values_are_a_list_or_a_range(text: str, axis: dict[str, Any]) -> None:
    asked = question_of({"path0": SESSIONS, "values0": text, "path1": "", "minimize": SESSIONS})
    assert asked == {"type": "optimize", "minimize": [SESSIONS], "knobs": [{"path": SESSIONS, **axis}]}


def test_a_form_without_knobs_asks_for_the_scenarios_own_sweep() -> None:
    assert question_of({"minimize": ""}) == {"type": "optimize", "minimize": []}


def test_the_form_shows_the_scenarios_sweep_and_what_was_asked() -> None:
    spec = parse(listener_port("Form", sweep=SWEEP))
    form = explore_form(spec, {})
    assert form.knobs == ((SESSIONS, "18, 36"), ("", ""))
    assert form.savings[:2] == (("", "nothing: the best latency"), (SESSIONS, searchable(spec)[SESSIONS]))
    axis = {"path": SESSIONS, "from": 18, "to": 2000, "steps": 40, "scale": "log"}
    asked = explore_form(spec, {"knobs": [axis], "minimize": ["cpus"]}, ("a problem",))
    assert asked.knobs[0][1] == "18 to 2000 in 40 log"
    assert (asked.minimize, asked.problems) == ("cpus", ("a problem",))


@pytest.mark.parametrize(("platform", "setting"), SETTINGS.items())
def test_without_a_sweep_the_first_limit_is_searched_over_its_curve(platform: str, setting: str) -> None:
    spec = parse(first_scenario(platform))
    question = default_question(spec)
    (knob,) = question["knobs"]
    assert (knob["path"].rpartition(".")[2], question["minimize"]) == (setting, [])
    present = value_at(spec, knob["path"])
    limit = setting_at(spec, knob["path"])
    assert limit
    assert set(knob["values"]) == {*values_around(limit.declaration, present), present}
    form = explore_form(spec, question)
    assert form.knobs[0] == (knob["path"], ", ".join(map(str, knob["values"])))


def test_values_that_the_scenario_forbids_are_not_searched() -> None:
    servants = {"min_servants": 3, "max_servants": 4}
    body = scenario_body("websphere-zos", server=servants, queue={"endpoint": "activation_spec"})
    (knob,) = default_question(parse(body))["knobs"]
    assert knob["path"].endswith("max_servants")
    assert knob["values"][:2] == (3, 4)


def test_the_first_limit_is_that_of_the_queue_with_an_objective() -> None:
    body = listener_port("Form", objectives=[{**SLO[0], "queue": "second"}])
    body["queues"].append({**body["queues"][0], "name": "second"})
    assert default_question(parse(body))["knobs"][0]["path"] == "queues.second.settings.maximum_sessions"


def test_what_costs_something_is_saved_only_where_objectives_are_kept() -> None:
    threads = [{"path": "servers.payments.settings.max_servants", "values": [3, 4]}]
    assert default_question(parse(listener_port("Form", sweep=threads)))["minimize"] == []
    wanted = default_question(parse(listener_port("Form", sweep=threads, objectives=SLO)))["minimize"]
    assert wanted == ["servers.payments.settings.max_servants"]
