"""The search in the order of cost: what it simulates, what it leaves out and why, and where it ends."""

from typing import Any

from simulations.analysis.estimates.summary import PointSummary
from simulations.experiment.choice import Best, best_of
from simulations.experiment.grids import GridPlan
from simulations.experiment.points import Point
from simulations.experiment.questions import Optimize, asked_spec
from simulations.experiment.reading import read_question
from simulations.experiment.search import SearchPlan, in_order
from simulations.pipeline.experiments import plan_of
from simulations.scenario.spec import parse
from tests.simulations.experiment.answers import LIMIT, SESSIONS, SPEC, answer, followed

SERVANTS, CPUS = "servers.payments.settings.max_servants", "servers.payments.cpus"
KNOBS = [{"path": SESSIONS, "values": list(range(1, 101))}, {"path": SERVANTS, "values": list(range(3, 103))}]


def asked(**more: Any) -> dict[str, Any]:
    return {"type": "optimize", "knobs": KNOBS, "minimize": ["threads"], "subject_to": LIMIT, **more}


def question(**more: Any) -> Optimize:
    found = read_question(asked(**more), SPEC)
    assert isinstance(found, Optimize)
    return found


def needs_40(point: Point) -> PointSummary:
    """Forty sessions meet the objective, whatever else is set."""
    value = 0.5 if point.overrides[SESSIONS] >= 40 else 0.9
    return answer(point.index, point.overrides, value)


def found(answers: dict[int, PointSummary], **more: Any) -> Best:
    return best_of(question(**more), asked_spec(question(**more), SPEC), answers)


def test_ten_thousand_settings_take_the_cheapest_hundred() -> None:
    _, answers = followed(asked(), needs_40)
    assert len(answers) <= 101
    best = found(answers)
    assert best.chosen is not None
    assert best.chosen.summary.overrides == {SESSIONS: 40, SERVANTS: 3}
    assert best.probability >= 0.99


def test_dearer_settings_join_as_long_as_none_meets_the_objectives() -> None:
    """Only from six servants on: everything cheaper is simulated, nothing dearer."""

    def truth(point: Point) -> PointSummary:
        return answer(point.index, point.overrides, 0.5 if point.overrides[SERVANTS] >= 6 else 0.9)

    _, answers = followed(asked(), truth)
    servants = {summary.overrides[SERVANTS] for summary in answers.values()}
    assert servants >= {3, 4, 5, 6}
    assert max(servants) <= 7
    best = found(answers)
    assert best.chosen is not None
    assert best.chosen.summary.overrides[SERVANTS] == 6


def test_overload_by_closed_form_is_not_simulated_but_for_one_that_explains_it() -> None:
    """Sessions are saved: those that do not carry 60/s are left out; one of them says why nothing cheaper will do."""
    knobs = [{"path": SESSIONS, "values": list(range(1, 201))}]

    def truth(point: Point) -> PointSummary:
        carried = point.overrides[SESSIONS] >= 16
        return answer(point.index, point.overrides, 0.5 if carried else None)

    _, answers = followed(asked(knobs=knobs, minimize=["max_sessions"]), truth)
    cheap = [summary for summary in answers.values() if summary.status == "unstable"]
    assert len(cheap) <= 4
    assert len(answers) <= 70


def test_the_same_network_is_simulated_once() -> None:
    """The threads of a profile that is not chosen change nothing that the engine sees."""
    idle = "servers.payments.settings.custom_threads"
    knobs = [{"path": SESSIONS, "values": list(range(31, 61))}, {"path": idle, "values": list(range(1, 101))}]
    plan = plan_of(question(knobs=knobs, minimize=["max_sessions"]), SPEC)
    assert isinstance(plan, SearchPlan)
    sessions = [point.overrides[SESSIONS] for point in plan.first()[1:]]
    assert sessions == list(range(31, 61))


def test_small_grids_and_equal_costs_are_maps() -> None:
    small = question(knobs=[{"path": SESSIONS, "values": [18, 36]}])
    free = question(minimize=[])
    level = question(
        knobs=[*KNOBS[:1], {"path": SERVANTS, "values": [3, 4]}, {"path": CPUS, "values": list(range(1, 21))}]
    )
    for item in (small, free, level):
        assert in_order(item, SPEC) is None
        assert isinstance(plan_of(item, SPEC), GridPlan)


def test_settings_that_do_not_fit_together_are_left_out() -> None:
    body = {**SPEC.body(), "sweep": []}
    body["servers"][0]["settings"] |= {"min_servants": 1, "max_servants": 4}
    spec = parse(body)
    least = "servers.payments.settings.min_servants"
    knobs = [{"path": least, "values": [1, 4]}, {"path": SERVANTS, "values": list(range(1, 101))}]
    asking = read_question(asked(knobs=knobs), spec)
    plan = plan_of(asking, spec)
    assert isinstance(plan, SearchPlan)
    points = [point for point in plan.first() if point.index]
    assert points
    assert all(point.overrides[least] <= point.overrides[SERVANTS] for point in points)
