"""From what was asked to a complete question: names, defaults, and every problem at its place."""

from typing import Any

import pytest

from simulations.declarations.problems import InvalidInput
from simulations.experiment.questions import HeadroomQuestion, Optimize, SensitivityQuestion, Sweep
from simulations.experiment.reading import points_planned, read_question
from simulations.scenario.runsettings import Objective
from simulations.scenario.spec import parse
from tests.simulations.experiment.answers import RATE, SESSIONS, SPEC
from tests.simulations.pipeline.doubles import BODY


def problems(body: object) -> dict[str, str]:
    with pytest.raises(InvalidInput) as error:
        read_question(body, SPEC)
    return {item.pointer: item.message for item in error.value.problems}


def test_what_is_left_out_comes_from_the_scenario() -> None:
    spec = parse({**BODY, "objectives": [{"metric": "latency.p95", "at_most": "2s"}]})
    question = read_question({"type": "optimize"}, spec)
    assert isinstance(question, Optimize)
    assert (question.kpi, question.knobs) == ("latency.p95", spec.sweep)
    assert question.subject_to == spec.objectives
    assert (question.effort.messages, question.effort.precision) == (2000, 0.02)
    assert question.effort.replications == spec.run.replications
    assert points_planned(question) == 5


def test_names_of_people_become_paths_and_metrics() -> None:
    body = {
        "type": "sweep",
        "knobs": {"max_sessions": [18, 36], "arrivals": {"from": 0.5, "to": 2, "steps": 3}},
        "kpis": ["order.overtaken_fraction", "timeouts"],
        "subject_to": [
            {"kpi": "latency.p95", "op": "<=", "value": "800ms"},
            {"metric": "throughput", "at_least": "50/s"},
        ],
        "baseline": {"maxSessions": 50},
    }
    question = read_question(body, SPEC)
    assert isinstance(question, Sweep)
    assert [axis.path for axis in question.knobs] == [SESSIONS, "arrivals"]
    assert (question.kpi, question.kpis) == ("overtaken_fraction", ("overtaken_fraction", "timeouts.share"))
    assert question.baseline == {SESSIONS: 50}
    assert question.subject_to == (
        Objective(metric="latency.p95", at_most=0.8),
        Objective(metric="throughput", at_least=50.0),
    )
    assert points_planned(question) == 7


def test_what_is_saved_is_a_knob_a_resource_or_a_metric() -> None:
    asked = {"type": "optimize", "knobs": {"max_sessions": [18, 36]}}
    question = read_question({**asked, "minimize": ["sessions", "cpus", "latency.mean"]}, SPEC)
    assert isinstance(question, Optimize)
    assert question.minimize == (SESSIONS, "cpus", "latency.mean")
    assert "cannot be saved; did you mean 'threads'" in problems({**asked, "minimize": ["thread"]})["/minimize/0"]


def test_headrooms_and_sensitivities_are_complete_too() -> None:
    headroom = read_question({"type": "headroom"}, SPEC)
    assert isinstance(headroom, HeadroomQuestion)
    assert points_planned(headroom) == 33
    found = read_question({"type": "sensitivity", "inputs": {"arrivals": 0.1, "max_sessions": [18, 50]}}, SPEC)
    assert isinstance(found, SensitivityQuestion)
    assert found.inputs == {"arrivals": [0.9, 1.1], SESSIONS: [18, 50]}
    assert points_planned(found) == 5


@pytest.mark.parametrize(
    ("body", "pointer", "message"),
    [
        ([], "", "a question is a mapping"),
        ({"type": "optimise"}, "/type", "did you mean 'optimize'?"),
        ({"type": "sweep", "kpi": "latency.p59"}, "/kpi", "unknown metric 'latency.p59'"),
        ({"type": "sweep", "kpi": "latency.max"}, "/kpi", "an extreme has no confidence interval"),
        ({"type": "sweep", "knobs": {"max_sesions": [1]}}, "/knobs/max_sesions", "no setting is called"),
        ({"type": "sweep", "knobs": {"max_sessions": [0]}}, "/knobs/0/values/0", "maximum_sessions"),
        ({"type": "sweep", "knobs": [{"path": RATE, "from": 1, "to": 2, "steps": 100_000}] * 2}, "/knobs", "points"),
        ({"type": "sweep", "subject_to": [{"kpi": "latency.p95", "op": "<", "value": 1}]}, "/subject_to/0/op", "<="),
        (
            {"type": "sweep", "subject_to": [{"kpi": "latency.p95", "op": "<=", "value": "2 miles"}]},
            "/subject_to/0/value",
            "is not understood",
        ),
        ({"type": "headroom", "least": True}, "/least", "true and false are none"),
        ({"type": "sensitivity", "inputs": {"max_sessions": 2}}, f"/inputs/{SESSIONS}", "between 0 and 1"),
    ],
)
def test_every_problem_is_named_at_its_place(body: object, pointer: str, message: str) -> None:
    assert message in problems(body)[pointer]


def test_without_knobs_anywhere_one_is_asked_for() -> None:
    spec = parse({**BODY, "sweep": []})
    with pytest.raises(InvalidInput, match="name at least one setting"):
        read_question({"type": "sweep"}, spec)


def test_a_question_that_was_read_reads_the_same() -> None:
    body: dict[str, Any] = {"type": "optimize", "knobs": {"max_sessions": [18, 36]}, "minimize": ["threads"]}
    question = read_question(body, SPEC)
    assert read_question(question.model_dump(mode="json", by_alias=True), SPEC) == question
