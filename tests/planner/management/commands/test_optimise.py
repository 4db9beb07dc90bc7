"""The search at the command line: the contract of its JSON, its exit codes, and an answer that is known."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import call_command

from tests.scenarios import listener_port

SESSIONS = "queues.orders.settings.maximum_sessions"
RUN = {"horizon": {"messages": 6000}, "replications": {"min": 4, "max": 8}, "seed": 1}


def asked(folder: Path, body: dict[str, Any], *more: str, command: str = "optimise") -> tuple[int, Any]:
    """Return exit code and answer."""
    path, out = folder / "scenario.yaml", StringIO()
    path.write_text(yaml.safe_dump(body))
    code = 0
    try:
        call_command(command, str(path), *more, stdout=out)
    except SystemExit as ended:
        code = int(ended.code or 0)
    return code, json.loads(out.getvalue()) if "--json" in more and out.getvalue() else out.getvalue()


def body(**more: Any) -> dict[str, Any]:
    return listener_port("Search", run=RUN, **more)


def test_the_cheapest_that_meets_the_objective_is_found(tmp_path: Path) -> None:
    """Five sessions of 200 ms carry at most 25 messages per second: 10/s need few, 40/s are beyond them."""
    vary = ("--vary", f"{SESSIONS}=2,8,36", "--minimise", SESSIONS)
    code, found = asked(tmp_path, body(rate="10/s"), *vary, "--objective", "latency.p95<=2s", "--json")
    assert (code, found["status"]) == (0, "found")
    assert found["recommended"]["overrides"] == {SESSIONS: 8}
    assert found["recommended"]["metrics"]["latency.p95"]["ci95"][1] < 2
    assert found["probability"] >= 0.99
    assert found["nearest_cheaper"]["overrides"] == {SESSIONS: 2}
    assert found["nearest_cheaper"]["why_not"]
    assert found["binding"] == "throughput", "two sessions do not carry the load"
    assert (found["grid"], found["simulated"]) == (3, 3)
    assert found["elapsed_s"] > 0


def test_nothing_meets_what_is_shorter_than_the_work(tmp_path: Path) -> None:
    code, found = asked(tmp_path, body(), "--vary", f"{SESSIONS}=36,50", "--objective", "latency.mean<=100ms", "--json")
    assert (code, found["status"], found["recommended"]) == (1, "infeasible", None)
    assert found["probability"] >= 0.99
    assert "Mean latency" in found["reason"]


def test_a_bound_inside_the_interval_is_open_not_infeasible(tmp_path: Path) -> None:
    """Two replications say too little: the answer is that it cannot be told, with its own exit code."""
    short = {**RUN, "horizon": {"messages": 500}, "replications": {"min": 2, "max": 2}}
    thin = {**body(), "run": short}
    _, measured = asked(tmp_path, thin, "--vary", f"{SESSIONS}=36", "--json")
    value = measured["recommended"]["metrics"]["latency.p95"]["value"]
    bound = f"latency.p95<={0.98 * value}"
    code, found = asked(tmp_path, thin, "--vary", f"{SESSIONS}=36", "--objective", bound, "--json")
    assert (code, found["status"], found["recommended"]) == (4, "open", None)
    assert found["reason"].startswith("Cannot be told yet")


def test_the_table_says_how_sure_it_is(tmp_path: Path) -> None:
    vary = ("--vary", f"{SESSIONS}=2,36", "--minimise", SESSIONS, "--objective", "latency.p95<=3s")
    code, text = asked(tmp_path, body(rate="10/s"), *vary)
    assert code == 0
    assert text.startswith("Maximum sessions 36: latency.p95 ")
    assert "More than 99 % sure" in text
    assert "Nearest cheaper: Maximum sessions 2. Unstable" in text


def test_everything_wrong_is_told_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _ = asked(tmp_path, body(), "--vary", "maximum_sessions", "--objective", "fast")
    told = capsys.readouterr().err
    assert code == 2
    assert "--vary" in told
    assert "--objective" in told
