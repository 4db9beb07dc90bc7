"""One setting for several workloads at the command line."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.planner.management.commands.test_optimise import SESSIONS, asked, body


def robust(folder: Path, first: dict[str, Any], other: dict[str, Any], *more: str) -> tuple[int, Any]:
    path = folder / "other.yaml"
    path.write_text(yaml.safe_dump(other))
    return asked(folder, first, str(path), *more, command="robust")


def test_the_setting_that_carries_both_workloads_is_chosen(tmp_path: Path) -> None:
    """Two sessions of 200 ms carry 10/s at most: enough for the first workload only."""
    vary = ("--vary", f"{SESSIONS}=2,36", "--weight", "3", "--weight", "1")
    code, found = robust(tmp_path, body(rate="4/s"), body(rate="30/s"), *vary, "--json")
    assert (code, found["status"], found["metric"]) == (0, "found", "latency.p95")
    for name in ("least_worst", "least_regret", "least_weighted"):
        assert found[name] == {SESSIONS: 36}
    few, many = found["settings"]
    assert few["overrides"] == {SESSIONS: 2}
    assert list(few["values"].values())[1] is None
    assert all(value["value"] == 0 for value in many["regrets"].values())
    assert found["elapsed_s"] > 0


def test_the_table_names_the_choices(tmp_path: Path) -> None:
    code, text = robust(tmp_path, body(rate="4/s"), body(rate="30/s"), "--vary", f"{SESSIONS}=2,36")
    assert code == 0
    assert "overloaded" in text
    assert "Least regret: Maximum sessions 36." in text


def test_objectives_that_no_setting_meets_end_with_code_one(tmp_path: Path) -> None:
    strict = body(rate="30/s", objectives=[{"metric": "latency.mean", "at_most": "100ms"}])
    code, found = robust(tmp_path, body(rate="4/s"), strict, "--vary", f"{SESSIONS}=36,50", "--json")
    assert (code, found["status"], found["least_regret"]) == (1, "infeasible", None)


def test_weights_and_grids_that_do_not_fit_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert robust(tmp_path, body(), body(), "--vary", f"{SESSIONS}=36", "--weight", "1")[0] == 2
    assert "--weight: give one weight above 0 for each of the 2 files" in capsys.readouterr().err
    assert robust(tmp_path, body(), body(), "--vary", f"{SESSIONS}=1:500")[0] == 2
    assert "--vary: these are 500 settings" in capsys.readouterr().err
