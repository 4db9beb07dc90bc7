"""Grids: which cells come first, which join, and where the baseline lies."""

import math
from typing import Any

from simulations.analysis.estimates.summary import PointSummary
from simulations.experiment.grids import Grid, GridPlan, cells_of
from simulations.experiment.points import Point
from simulations.experiment.reading import read_question
from simulations.pipeline.experiments import plan_of
from simulations.scenario.spec import parse
from tests.simulations.experiment.answers import LIMIT, RATE, SESSIONS, SPEC, answer, followed


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


def test_answers_lie_in_their_cells_and_the_baseline_where_its_values_are() -> None:
    grid = Grid(("a", "b"), ((1, 2), (0.5, 1.0)))
    answers = [answer(0, {"a": 2, "b": 1}, 0.1), answer(1, {"a": 1, "b": 0.5}, 0.2), answer(2, {"a": 1, "b": 1.0}, 0.3)]
    cells = cells_of(grid, {item.index: item for item in answers})
    assert {cell: item.index for cell, item in cells.items()} == {(1, 1): 0, (0, 0): 1, (0, 1): 2}
    outside = cells_of(grid, {0: answer(0, {"a": 3, "b": 0.5}, 0.3)})
    assert not outside, "the scenario's own values need not be searched"
    assert [grid.number(cell) for cell in [(0, 0), (0, 1), (1, 0), (1, 1)]] == [1, 2, 3, 4]
