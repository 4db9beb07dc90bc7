"""Plans: which points come first, which join, which are settled."""

import math
from collections.abc import Callable
from typing import Any

from simulations.experiment.inputs import input_ranges
from simulations.experiment.planning import plan_of

from simulations.analysis.estimates.summary import PointSummary
from simulations.experiment.grids import Grid, GridPlan
from simulations.experiment.headrooms import HeadroomPlan, headroom_of, ladder
from simulations.experiment.points import Point
from simulations.experiment.questions import SensitivityQuestion
from simulations.experiment.reading import read_question
from simulations.experiment.sensitivities import SensitivityPlan
from simulations.scenario.spec import parse
from tests.simulations.experiment.answers import SESSIONS, answer
from tests.simulations.pipeline.doubles import BODY

SPEC = parse(BODY)
RATE = "queues.orders.arrivals.rate"
LIMIT = [{"metric": "latency.p95", "at_most": 0.8}]


def followed(
    question: dict[str, Any], truth: Callable[[Point], PointSummary]
) -> tuple[list[int], dict[int, PointSummary]]:
    """Follow a plan to its end; return how many points each round added, and the answers."""
    plan = plan_of(read_question(question, SPEC), SPEC)
    answers: dict[int, PointSummary] = {}
    points, added = plan.first(), []
    while points:
        added.append(len(points))
        answers |= {point.index: truth(point) for point in points}
        points = plan.steer(answers).more
    return added, answers


def question(**more: Any) -> dict[str, Any]:
    knobs = [
        {"path": SESSIONS, "values": list(range(20, 60))},
        {"path": RATE, "from": 30, "to": 69, "steps": 40},
    ]
    return {"type": "sweep", "knobs": knobs, "subject_to": LIMIT, **more}


def test_a_flat_map_is_not_refined() -> None:
    added, answers = followed(question(), lambda point: answer(point.index, point.overrides, 0.5))
    assert len(added) == 1
    assert len(answers) <= 131


def test_refinement_follows_the_contour() -> None:
    def truth(point: Point) -> PointSummary:
        late = point.overrides[SESSIONS] - 20 < point.overrides[RATE] - 30
        return answer(point.index, point.overrides, 0.85 if late else 0.75)

    _, answers = followed(question(), truth)
    assert len(answers) < 800
    diagonal = {(20 + step, 30 + step) for step in range(40)}
    known = {(summary.overrides[SESSIONS], summary.overrides[RATE]) for summary in answers.values()}
    assert diagonal <= known


def test_every_cell_is_a_point_once_and_the_baseline_is_its_own_cell() -> None:
    plan = plan_of(read_question({"type": "sweep", "knobs": {"max_sessions": [18, 36, 50]}}, SPEC), SPEC)
    assert isinstance(plan, GridPlan)
    assert [(point.index, point.overrides[SESSIONS]) for point in plan.first()] == [(0, 36), (1, 18), (3, 50)]


def test_a_cell_whose_values_do_not_fit_together_stays_empty() -> None:
    least, most = "servers.payments.settings.min_servants", "servers.payments.settings.max_servants"
    knobs = [{"path": least, "values": [1, 3]}, {"path": most, "values": [2, 4]}]
    body = {**SPEC.body(), "sweep": []}
    body["servers"][0]["settings"] |= {"min_servants": 1, "max_servants": 4}
    spec = parse(body)
    plan = plan_of(read_question({"type": "sweep", "knobs": knobs}, spec), spec)
    cells = [(point.overrides[least], point.overrides[most]) for point in plan.first()]
    assert (3, 2) not in cells
    assert set(cells) == {(1, 2), (1, 4), (3, 4)}


def test_small_grids_start_whole_and_large_ones_coarse() -> None:
    small = Grid(("a", "b"), (tuple(range(10)), tuple(range(10))))
    large = Grid(("a", "b"), (tuple(range(40)), tuple(range(40))))
    assert small.coarse() == (1, 1)
    assert math.prod(len(line) for line in large.positions(large.coarse())) <= 130
    assert all(line[0] == 0 and line[-1] == 39 for line in large.positions(large.coarse()))


def test_the_ladder_narrows_around_the_limit() -> None:
    def truth(point: Point) -> PointSummary:
        return answer(point.index, point.overrides, 0.8 * float(point.overrides["arrivals"]) / 1.35)

    added, answers = followed({"type": "headroom", "subject_to": LIMIT}, truth)
    plan = plan_of(read_question({"type": "headroom", "subject_to": LIMIT}, SPEC), SPEC)
    assert isinstance(plan, HeadroomPlan)
    found = headroom_of(plan.spec.objectives, answers)
    assert found.missed is not None
    assert found.carried <= 1.35 < found.missed <= 1.02 * found.carried
    assert sum(added) <= 33
    assert ladder(1.0, 4.0)[::4] == [1.0, 2.0, 4.0]


def test_a_sensitivity_changes_one_input_at_a_time_and_settles_what_is_clear() -> None:
    inputs = {SESSIONS: [18, 50], RATE: 0.1}
    plan = plan_of(read_question({"type": "sensitivity", "inputs": inputs}, SPEC), SPEC)
    assert isinstance(plan, SensitivityPlan)
    points = plan.first()
    assert [dict(point.overrides) for point in points] == [
        {},
        {SESSIONS: 18},
        {SESSIONS: 50},
        {RATE: 54.0},
        {RATE: 66.0},
    ]


def test_a_sensitivity_asks_only_for_what_the_simulation_sees() -> None:
    """Settings of an activation specification, and those that only rules read, have no influence on a port."""
    found = input_ranges(SensitivityQuestion(), SPEC)
    names = {path.rsplit(".", 1)[-1] for path in found}
    assert {"arrivals", "mean", "maximum_sessions"} <= names
    assert not {"maximum_server_sessions", "in_flight_constant", "recovery_retries"} & names
    given = SensitivityQuestion(inputs={"servers.payments.settings.recovery_retries": 0.5})
    assert list(input_ranges(given, SPEC)) == ["servers.payments.settings.recovery_retries"], "who asks is answered"
