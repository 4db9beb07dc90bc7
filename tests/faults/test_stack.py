"""Which processes belong to an installation, and which are left over; with processes that stand for its parts."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.faults.stack import Stack, gone
from tests.waiting import PATIENCE, wait_until

SLEEP = "import time; time.sleep(600)"
PARENT = f"""
import subprocess, sys
for name in ("celery", "uvicorn"):
    subprocess.Popen([sys.executable, "-c", "{SLEEP}", name], start_new_session=True)
{SLEEP}
"""


@pytest.fixture
def stack(tmp_path: Path) -> Iterator[Stack]:
    running = Stack(tmp_path / "state", tmp_path / "output", 1)
    running.process = subprocess.Popen([sys.executable, "-c", PARENT], env={**os.environ, **running.own})
    wait_until(lambda: len(running.family()) == 3 and running.processes("web"), "all three run")
    try:
        yield running
    finally:
        for process in (*running.family(), *running.strays(set())):
            process.kill()
        running.process.wait()


def test_parts_are_told_by_their_command_lines(stack: Stack) -> None:
    (worker,), (web,), (supervisor,) = map(stack.processes, ("worker", "web", "supervisor"))
    assert {worker, web, supervisor} == stack.family()
    assert supervisor.pid == stack.process.pid
    assert stack.processes("broker") == stack.processes("Python of Spark") == []


def test_what_outlives_the_supervisor_is_a_stray(stack: Stack) -> None:
    assert stack.strays(stack.family()) == []
    left = {*stack.processes("worker"), *stack.processes("web")}
    stack.process.kill()
    stack.process.wait()
    assert set(stack.strays(set())) == left, "found by their environment"
    for process in left:
        process.kill()
    assert all(gone(process, within=PATIENCE) for process in left)
    assert stack.strays(left) == []


def test_processes_of_others_are_never_strays(stack: Stack, tmp_path: Path) -> None:
    environment = {**os.environ, "STATE_DIR": str(tmp_path / "other")}
    with subprocess.Popen([sys.executable, "-c", SLEEP], env=environment, start_new_session=True) as other:
        assert psutil.Process(other.pid) not in stack.strays(set())
        other.kill()
