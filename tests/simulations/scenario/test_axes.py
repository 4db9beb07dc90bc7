"""Axes are read against the scenario they vary: paths exist, values are as the scenario holds them."""

from typing import Any

import pytest

from simulations.scenario.axes import AxisReader, size_problems
from simulations.scenario.runsettings import Axis
from simulations.scenario.spec import parse, scenario_model
from tests.simulations.platforms.samples import scenario_body
from tests.simulations.scenario.problems import problems

ZOS = "websphere-zos"
SESSIONS = "queues.orders.settings.maximum_sessions"
MEAN = "queues.orders.service.mean"
SERVANTS = "servers.payments.settings.min_servants"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"path": MEAN, "values": ["1ms", "200ms"]}, {"path": MEAN, "values": [0.001, "0.2"]}),
        (
            {"path": MEAN, "from": "1ms", "to": "10ms", "steps": 4},
            {"path": MEAN, "from": 0.001, "to": 0.01, "steps": 4},
        ),
        ({"path": SESSIONS, "values": ["18", 36.0]}, {"path": SESSIONS, "values": [18, 36]}),
        ({"path": SERVANTS, "values": ["5"]}, {"path": SERVANTS, "values": [5]}),
    ],
)
def test_two_spellings_of_a_sweep_are_one_scenario(one: dict[str, Any], other: dict[str, Any]) -> None:
    first, second = parse(scenario_body(ZOS) | {"sweep": [one]}), parse(scenario_body(ZOS) | {"sweep": [other]})
    assert first.body() == second.body()
    assert first.content_hash() == second.content_hash()
    assert parse(first.body()) == first


@pytest.mark.parametrize(
    ("axis", "pointer", "message"),
    [
        ({"path": "queues.ordrs.producers", "values": [1]}, "path", "did you mean 'orders'?"),
        ({"path": "nope.deeper", "values": [1]}, "path", "no key 'nope'"),
        ({"path": "queues.orders.producers.deeper", "values": [1]}, "path", "nothing lies below"),
        ({"path": "queues.orders.service.meen", "values": [1]}, "path", "did you mean 'mean'?"),
        ({"path": "run.horizon.tine", "values": [1]}, "path", "did you mean 'time'?"),
        ({"path": "sweep", "values": [1]}, "path", "unknown"),
        ({"path": SESSIONS, "from": 0.5, "to": 3, "steps": 2}, "from", "must be a whole number"),
        ({"path": MEAN, "from": "1/s", "to": "3s", "steps": 2}, "from", "is not understood"),
        ({"path": "queues.orders.service.cpu", "from": "0%", "to": 1, "steps": 2, "scale": "log"}, "from", "above 0"),
        ({"path": "servers.payments.settings.workload_profile", "values": ["IO"]}, "values/0", "IOBOUND"),
        ({"path": "queues.orders.server", "from": "a", "to": "b", "steps": 2}, "from", "give values"),
    ],
)
def test_an_axis_that_no_point_could_have_is_refused(axis: dict[str, Any], pointer: str, message: str) -> None:
    found = problems(scenario_body(ZOS) | {"sweep": [axis]})
    assert set(found) == {f"/sweep/0/{pointer}"}
    assert message in found[f"/sweep/0/{pointer}"]


def test_what_only_another_setting_forbids_is_left_to_the_point() -> None:
    most = "servers.payments.settings.max_servants"
    body = scenario_body(ZOS, server={"min_servants": 3, "max_servants": 3})
    reader = AxisReader(body, scenario_model(ZOS))
    assert reader.read(Axis(path=most, values=("1", 4)), ("sweep", 0)).values == (1, 4)
    assert reader.problems == []
    reader.read(Axis(path=most, values=(0, True)), ("sweep", 1))
    assert [item.pointer for item in reader.problems] == ["/sweep/1/values/0", "/sweep/1/values/1"]


@pytest.mark.parametrize(("place", "what"), [("sweep", "sweep"), ("knobs", "grid")])
def test_a_plan_is_too_large_by_one_point(place: str, what: str) -> None:
    axes = (Axis(path="a", values=(1, 2, 3)), Axis.model_validate({"path": "b", "from": 0, "to": 1, "steps": 2}))
    assert size_problems(axes, most=6, place=place) == []
    (found,) = size_problems(axes, most=5, place=place)
    assert (found.pointer, found.value) == (f"/{place}", "6")
    assert found.message.startswith(f"the {what} has 6 points, at most 5 are allowed")


def test_a_setting_is_swept_once() -> None:
    axis = {"path": "queues.orders.service.mean", "values": [1]}
    found = problems(scenario_body(ZOS) | {"sweep": [axis, {**axis, "values": [2]}]})
    assert list(found) == ["/sweep/1/path"]
