"""The gate as a pipeline calls it: exit codes, the sentence why, JUnit XML."""

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

from tests.planner.management.commands.conftest import call, called

MET = {"objectives": [{"metric": "latency.p95", "queue": "orders", "at_most": "5s"}]}


def written(folder: Path, scenario: dict[str, Any], slo: object) -> tuple[object, ...]:
    """Write both files; return the words of the command."""
    (folder / "scenario.yaml").write_text(yaml.safe_dump(scenario))
    (folder / "slo.yaml").write_text(yaml.safe_dump(slo))
    return "check_slo", folder / "scenario.yaml", "--slo", folder / "slo.yaml"


def with_sessions(body: dict[str, Any], sessions: int) -> dict[str, Any]:
    body["queues"][0]["settings"]["maximum_sessions"] = sessions
    return body


def test_a_kept_objective_ends_with_0(state: Path, tmp_path: Path, body: dict[str, Any]) -> None:
    done = call(state, *written(tmp_path, with_sessions(body, 36), MET), "--junit", tmp_path / "out.xml")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("met    latency.p95 of orders is ")
    suite = ElementTree.parse(tmp_path / "out.xml").getroot()[0]  # noqa: S314 - written a moment ago
    assert (suite.get("tests"), suite.get("failures")) == ("1", "0")


def test_a_broken_objective_ends_with_1_and_says_why(
    tmp_path: Path, body: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    done = called(capsys, *written(tmp_path, with_sessions(body, 18), MET), "--junit", tmp_path / "out.xml")
    assert done.returncode == 1
    assert "BROKEN latency.p95 of orders does not exist. Unstable: orders grows by" in done.stdout
    assert "websphere-zos.low-covers-threads" in done.stdout
    case = ElementTree.parse(tmp_path / "out.xml").getroot()[0][0]  # noqa: S314 - written a moment ago
    assert case.get("name") == "latency.p95 of orders at most 5 s"
    failure = case.find("failure")
    assert failure is not None
    assert "websphere-zos.low-covers-threads" in (failure.text or "")


def test_invalid_input_ends_with_2_and_names_every_field(
    tmp_path: Path, body: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    body["queues"][0]["producers"] = 0
    sweep = [{"path": "queues.orders.nope", "values": [1]}]
    slo = {"objectives": [{"metric": "latency.p96", "at_most": "1s"}], "laod": 2}
    done = called(capsys, *written(tmp_path, {**body, "sweep": sweep}, slo), "--set", "nonsense")
    assert done.returncode == 2
    assert done.stderr.startswith("The input has 5 problems:\n")
    for told in ("queues.orders.producers: ", "sweep.0.path: ", "slo.yaml: objectives.0.metric: ", "slo.yaml: laod: "):
        assert f"\n{told}" in done.stderr
    assert "PATH=VALUE" in done.stderr


def test_a_sweep_that_cannot_be_is_invalid_input_although_the_gate_leaves_it_out(
    tmp_path: Path, body: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    body["sweep"] = [{"path": "queues.nope.producers", "values": [1]}]
    done = called(capsys, *written(tmp_path, body, MET))
    assert (done.returncode, done.stdout) == (2, "")
