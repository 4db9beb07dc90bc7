"""Ctrl-C in the middle: neither the tests nor the first start leave a process behind."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from planner.settings.environment import BASE_DIR
from tests.waiting import PATIENCE, wait_until

pytestmark = [pytest.mark.faults, pytest.mark.slow]

PRESSES = 6
"""Of Ctrl-C: an interrupt that arrives inside a finalizer is ignored by Python."""
COMPILERS = min(os.cpu_count() or 1, 3)
WAITING_TEST = """
import os
import time
from pathlib import Path
from simulations.pipeline.spark.server import free_port
from tests.e2e.conftest import WORKER, serving

def test_that_waits(tmp_path: Path) -> None:
    variables = {**os.environ, "STATE_DIR": str(tmp_path), "BROKER_URL": "redis://127.0.0.1:1/0"}
    with serving(tmp_path, free_port(), variables, worker=WORKER):
        Path(__file__).with_name("serves").touch()
        time.sleep(600)
"""
STARTING = """
import os, sys
from pathlib import Path
from planner.runtime.supervisor import Supervisor
folder = Path(sys.argv[1])
compiling = [sys.executable, "-c", "from simulations.pipeline.spark.warm import compile_kernels; compile_kernels()"]
with Supervisor([], folder=folder, logs=folder, say=print) as supervisor:
    sys.exit(supervisor.run(compiling, os.environ))
"""


@pytest.fixture(autouse=True)
def _interruptible() -> Iterator[None]:
    """Let what a test starts hear Ctrl-C: a shell's job in the background ignores it, and so would all below it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def started(command: list[str], folder: Path, **variables: str) -> "subprocess.Popen[bytes]":
    """Start a program as a terminal does: in a group of its own, which Ctrl-C reaches as a whole."""
    with (folder / "output").open("wb") as output:
        return subprocess.Popen(
            [sys.executable, *command],
            cwd=BASE_DIR,
            env={**os.environ, "PYTHONPATH": str(BASE_DIR), **variables},
            stdout=output,
            stderr=output,
            start_new_session=True,
        )


def interrupt(process: "subprocess.Popen[bytes]", folder: Path) -> None:
    """Press Ctrl-C, again where Python has lost the first, and see every process end that it had started."""
    descendants = psutil.Process(process.pid).children(recursive=True)
    assert descendants
    for _ in range(PRESSES):
        os.killpg(process.pid, signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(PATIENCE / 3)
            break
    else:
        pytest.fail(f"still there: {commands(process)}\n{(folder / 'output').read_text()}")
    assert process.returncode != 0
    _, alive = psutil.wait_procs(descendants, timeout=PATIENCE)
    assert [one.cmdline() for one in alive] == []


def commands(process: "subprocess.Popen[bytes]") -> list[str]:
    """The command lines of what the program has started."""
    found = []
    for child in psutil.Process(process.pid).children(recursive=True):
        try:
            found.append(" ".join(child.cmdline()))
        except psutil.Error:
            continue
    return found


@pytest.mark.nightly
def test_interrupted_tests_leave_no_web_server(tmp_path: Path) -> None:
    file = tmp_path / "test_waiting.py"
    file.write_text(WAITING_TEST)
    tests = ["-m", "pytest", "-c", str(BASE_DIR / "pyproject.toml"), f"--rootdir={tmp_path}"]
    process = started([*tests, "-n", "1", str(file)], tmp_path)
    wait_until(
        lambda: (tmp_path / "serves").exists() or process.poll() is not None, "the services of the test have started"
    )
    assert process.poll() is None, (tmp_path / "output").read_text()
    assert {name for name in ("uvicorn", "celery") for command in commands(process) if name in command} == {
        "uvicorn",
        "celery",
    }
    interrupt(process, tmp_path)


def test_an_interrupted_start_leaves_no_compiler(tmp_path: Path) -> None:
    process = started(["-c", STARTING, str(tmp_path)], tmp_path, NUMBA_CACHE_DIR=str(tmp_path / "cache"))

    def compiling() -> bool:
        return sum("spawn_main" in command for command in commands(process)) == COMPILERS

    wait_until(lambda: compiling() or process.poll() is not None, "the compilers have started")
    assert process.poll() is None, (tmp_path / "output").read_text()
    interrupt(process, tmp_path)
