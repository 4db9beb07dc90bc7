"""The form of a search: knobs as text, questions read back."""

from typing import Any

import pytest

from frontend.explore.form import default_question, explore_form, question_of, searchable
from simulations.scenario.spec import parse
from tests.scenarios import SESSIONS, listener_port

SWEEP = [{"path": SESSIONS, "values": [18, 36]}]
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


def test_what_costs_something_is_saved_only_where_objectives_are_kept() -> None:
    threads = [{"path": "servers.payments.settings.max_servants", "values": [3, 4]}]
    assert default_question(parse(listener_port("Form", sweep=threads)))["minimize"] == []
    wanted = default_question(parse(listener_port("Form", sweep=threads, objectives=SLO)))["minimize"]
    assert wanted == ["servers.payments.settings.max_servants"]
