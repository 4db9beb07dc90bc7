"""Simulating for a command: answers in the order of the points, and how the process ends when it cannot."""

import grpc
import pytest
from django.core.management.base import CommandError

from planner.management import simulating
from planner.management.exits import EXIT_DEFECT, EXIT_UNAVAILABLE
from simulations.experiment import expand
from simulations.pipeline.spark.executors import Cancelled
from simulations.pipeline.spark.session import SparkUnavailable
from simulations.pipeline.work import PointFailed
from simulations.scenario.spec import parse
from tests.scenarios import listener_port


@pytest.mark.parametrize("error", [SparkUnavailable("away"), Cancelled(), grpc.RpcError("reset")], ids=repr)
def test_a_service_that_fails_ends_with_3(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: Exception
) -> None:
    with pytest.raises(SystemExit) as end:
        _simulate_with(monkeypatch, error)
    assert end.value.code == EXIT_UNAVAILABLE
    assert capsys.readouterr().err.startswith("Spark ")


def test_a_point_that_fails_is_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CommandError) as end:
        _simulate_with(monkeypatch, PointFailed("point 0"))
    assert end.value.returncode == EXIT_DEFECT


def _simulate_with(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def failing(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(simulating, "run_rounds", failing)
    spec = parse(listener_port("Fails"))
    simulating.simulated(spec, expand(spec))


def test_points_are_answered_in_their_order() -> None:
    plan = {"horizon": {"messages": 300}, "replications": {"min": 2, "max": 2}}
    sweep = [{"path": "queues.orders.settings.maximum_sessions", "values": [18, 36]}]
    spec = parse(listener_port("Ordered", run=plan, sweep=sweep))
    points = expand(spec)
    answers = simulating.simulated(spec, points[::-1])
    assert [answer.index for answer in answers] == [0, 1]
    assert [answer.overrides for answer in answers] == [dict(point.overrides) for point in points]
