"""What commands read: overrides, scenarios and files, and all problems together."""

from pathlib import Path
from typing import Any

import grpc
import pytest
import yaml
from django.core.management.base import CommandError

from planner.management import command_line
from planner.management.command_line import override, read_scenario, together
from planner.management.exits import EXIT_DEFECT, EXIT_UNAVAILABLE
from simulations.declarations.problems import InvalidInput
from simulations.experiment import expansion
from simulations.pipeline.spark.executors import Cancelled
from simulations.pipeline.spark.session import SparkUnavailable
from simulations.pipeline.work import PointFailed
from simulations.scenario.spec import parse
from tests.scenarios import listener_port


@pytest.mark.parametrize(
    ("text", "path", "value"),
    [
        ("run.seed=7", "run.seed", 7),
        (" run.seed =7", "run.seed", 7),
        ("sweep=[]", "sweep", []),
        ("queues.q.service.mean=100ms", "queues.q.service.mean", "100ms"),
        ("a=b=c", "a", "b=c"),
    ],
)
def test_an_override_is_a_path_and_a_yaml_value(text: str, path: str, value: object) -> None:
    assert override(text) == (path, value)


@pytest.mark.parametrize("text", ["run.seed", "=7", ""])
def test_what_is_no_override_is_named_with_its_option(text: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        override(text, "--cure")
    (problem,) = refused.value.problems
    assert (problem.path, problem.code) == ("--cure", "not_an_override")
    assert repr(text) in problem.message


def test_problems_of_all_readers_come_together() -> None:
    with pytest.raises(InvalidInput) as refused:
        together(lambda: override("one"), lambda: override("a=1"), lambda: override("two"))
    assert ["'one'" in refused.value.problems[0].message, "'two'" in refused.value.problems[1].message] == [True, True]
    assert together(lambda: 1, lambda: 2) == [1, 2]


def test_overrides_change_the_scenario_that_was_read(tmp_path: Path, body: dict[str, Any]) -> None:
    path = tmp_path / "scenario.yaml"
    path.write_text(yaml.safe_dump(body))
    assert read_scenario(path, []).run.seed == 42
    assert read_scenario(path, ["run.seed=7", "sweep=[]"]).run.seed == 7


def test_wrong_overrides_are_named_even_when_the_file_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "scenario.yaml"
    path.write_text("sluice: 1")
    with pytest.raises(InvalidInput) as refused:
        read_scenario(path, ["nonsense"])
    assert len(refused.value.problems) > 1
    assert refused.value.problems[-1].path == "--set"


def test_a_log_becomes_the_arrivals_of_its_queue(tmp_path: Path, body: dict[str, Any]) -> None:
    path, log = tmp_path / "scenario.yaml", tmp_path / "log.csv"
    path.write_text(yaml.safe_dump(body))
    log.write_text("minute,messages\n0,30\n60,90\n")
    queue = body["queues"][0]["name"]
    found = read_scenario(path, ["sweep=[]"], [f"{queue}={log}"]).queues[0].arrivals
    assert found.model_dump() == {"kind": "counts", "every": 60.0, "counts": (30, 90), "scale": 1.0}
    for wrong in (f"{queue}={tmp_path / 'none'}", queue, f"nobody={log}"):
        with pytest.raises(InvalidInput):
            read_scenario(path, ["sweep=[]"], [wrong])
    with pytest.raises(InvalidInput) as refused:
        read_scenario(path, ["nonsense"], [f"{queue}={tmp_path / 'none'}", queue])
    assert len(refused.value.problems) == 3
    drained = read_scenario(path, ["sweep=[]", "run.horizon={until: drained}"], [f"{queue}={log}"])
    assert drained.run.horizon.until == "drained"


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

    monkeypatch.setattr(command_line, "run_rounds", failing)
    spec = parse(listener_port("Fails"))
    command_line.simulated(spec, expansion(spec).points)


def test_points_are_answered_in_their_order() -> None:
    plan = {"horizon": {"messages": 300}, "replications": {"min": 2, "max": 2}}
    sweep = [{"path": "queues.orders.settings.maximum_sessions", "values": [18, 36]}]
    spec = parse(listener_port("Ordered", run=plan, sweep=sweep))
    points = expansion(spec).points
    answers = command_line.simulated(spec, points[::-1])
    assert [answer.index for answer in answers] == [0, 1]
    assert [answer.overrides for answer in answers] == [dict(point.overrides) for point in points]
