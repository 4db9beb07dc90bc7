"""Plans of points: a product of axes, each point a scenario of its own, every forbidden value named."""

from typing import Any

import pytest

from simulations.declarations.problems import InvalidInput
from simulations.experiment import expansion, values_of, with_overrides
from simulations.scenario.axes import MAX_POINTS
from simulations.scenario.runsettings import Axis
from simulations.scenario.spec import ScenarioSpec, parse
from tests.simulations.platforms.samples import scenario_body

SESSIONS = "queues.orders.settings.maximum_sessions"


def swept(*axes: dict[str, Any]) -> ScenarioSpec:
    return parse({**scenario_body("websphere-zos"), "sweep": list(axes)})


def axis(**body: Any) -> Axis:
    return Axis.model_validate({"path": "x", **body})


def test_without_a_sweep_there_is_one_point() -> None:
    points = expansion(swept()).points
    assert [(point.index, dict(point.overrides)) for point in points] == [(0, {})]


def test_axes_make_a_product_in_their_order() -> None:
    points = expansion(
        swept({"path": SESSIONS, "values": [18, 36]}, {"path": "servers.payments.cpus", "values": [1, 2, 3]})
    ).points
    assert len(points) == 6
    assert points[1].overrides == {SESSIONS: 18, "servers.payments.cpus": 2}
    assert points[5].spec.queues[0].settings.model_dump()["maximum_sessions"] == 36
    assert all(not point.spec.sweep for point in points)


@pytest.mark.parametrize(
    ("body", "values"),
    [
        ({"from": 10, "to": 20, "steps": 3}, (10, 15, 20)),
        ({"from": 1, "to": 4, "steps": 9}, (1, 2, 3, 4)),
        ({"from": 1, "to": 100, "steps": 3, "scale": "log"}, (1, 10, 100)),
        ({"from": 0.1, "to": 0.3, "steps": 3}, (0.1, 0.2, 0.3)),
        ({"values": ["IOBOUND", "LONGWAIT"]}, ("IOBOUND", "LONGWAIT")),
    ],
)
def test_values_of_an_axis(body: dict[str, Any], values: tuple[Any, ...]) -> None:
    found = values_of(axis(**body))
    assert found == values if isinstance(values[0], str) else found == pytest.approx(values)


def test_forbidden_values_and_unknown_paths_are_all_named() -> None:
    with pytest.raises(InvalidInput) as error:
        expansion(swept({"path": SESSIONS, "values": [0, 1, -3]}, {"path": "queues.order.arrivals", "values": [1]}))
    assert "did you mean 'orders'?" in str(error.value)
    with pytest.raises(InvalidInput) as error:
        expansion(swept({"path": SESSIONS, "values": [0, 1, -3]}))
    assert len(error.value.problems) == 2


def test_a_plan_too_large_is_refused_before_it_is_made() -> None:
    axes = [{"path": f"queues.orders.settings.a{i}", "from": 0, "to": 1, "steps": 100_000} for i in range(3)]
    with pytest.raises(InvalidInput, match=f"at most {MAX_POINTS}"):
        expansion(swept(*axes))


def test_overrides_reach_nested_values_by_name_or_index() -> None:
    spec = swept()
    changed = with_overrides(spec, {"queues.0.arrivals.rate": "50/s", SESSIONS: 7})
    assert changed.queues[0].arrivals.model_dump()["rate"] == 50.0
    assert changed.queues[0].settings.model_dump()["maximum_sessions"] == 7
    assert (
        with_overrides(spec, {"queues.orders.arrivals": {"kind": "saturated"}}).queues[0].arrivals.kind == "saturated"
    )
    for path in ("queues.orders.arrivals.rate.deep", "nothing", "queues.9.name", "queues.².name", "queues.٠.name"):
        with pytest.raises(InvalidInput, match="unknown"):
            with_overrides(spec, {path: 1})


def test_a_range_has_as_many_points_as_steps_where_the_setting_is_no_whole_number() -> None:
    path = "queues.orders.service.cpu"
    points = expansion(swept({"path": path, "from": 0, "to": 1, "steps": 5})).points
    assert [point.overrides[path] for point in points] == [0.0, 0.25, 0.5, 0.75, 1.0]
    whole = expansion(swept({"path": SESSIONS, "from": 1.0, "to": "4", "steps": 9})).points
    assert [repr(point.overrides[SESSIONS]) for point in whole] == ["1", "2", "3", "4"]


def test_a_key_of_the_horizon_takes_the_place_of_the_one_that_was_given() -> None:
    spec = swept({"path": "run.horizon.time", "values": ["5s", 10]})
    assert [point.spec.run.horizon.model_dump() for point in expansion(spec).points] == [{"time": 5.0}, {"time": 10.0}]
    assert (
        with_overrides(spec, {"run.horizon.until": "drained", "run.horizon.messages": 500}).run.horizon.messages == 500
    )
    with pytest.raises(InvalidInput, match="did you mean 'time'"):
        with_overrides(spec, {"run.horizon.tine": 1})


LEAST, MOST = "servers.payments.settings.min_servants", "servers.payments.settings.max_servants"


def test_a_cell_whose_values_do_not_fit_together_is_invalid_and_the_others_go_on() -> None:
    found = expansion(swept({"path": LEAST, "values": [1, 4]}, {"path": MOST, "values": [3, 5]}))
    assert [(point.index, point.overrides) for point in found.points] == [
        (0, {LEAST: 1, MOST: 3}),
        (1, {LEAST: 1, MOST: 5}),
        (3, {LEAST: 4, MOST: 5}),
    ]
    (invalid,) = found.invalid
    assert (invalid.index, invalid.status, invalid.overrides) == (2, "invalid", {LEAST: 4, MOST: 3})
    assert "servers.payments.settings" in invalid.problems[0]
    assert len(found) == 4


def test_a_sweep_of_which_no_cell_fits_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"servers\.payments\.settings: "):
        expansion(swept({"path": LEAST, "values": [4, 5]}, {"path": MOST, "values": [2, 3]}))


@pytest.mark.parametrize("factor", ["abc", 0, -1.0, True, float("inf"), [2]])
def test_a_factor_on_the_arrivals_that_is_none_is_refused(factor: Any) -> None:
    with pytest.raises(InvalidInput, match="a number above 0"):
        with_overrides(swept(), {"arrivals": factor})


def test_unknown_paths_and_forbidden_values_are_told_together() -> None:
    wrong = {"run.sed": 1, "run.seed": -3, "queues.orders.settings.maximum_sessions": 0}
    with pytest.raises(InvalidInput) as error:
        with_overrides(swept(), wrong)
    paths = {item.path for item in error.value.problems}
    assert paths == {"run.sed", "run.seed", "queues.orders.settings.maximum_sessions"}
