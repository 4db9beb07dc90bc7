"""The whole installation, as `make up` starts it: four real services, killed and stopped."""

import http.client
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil
import pytest

from planner.settings.environment import BASE_DIR
from simulations.pipeline.spark.server import free_port
from tests.services import launched, wait_until_served
from tests.waiting import PATIENCE, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.faults, pytest.mark.spark, pytest.mark.redis]

SIGNS = {"broker": "unixsocket", "spark": "SparkConnectServer", "worker": "celery", "web": "uvicorn"}
"""What the command line of each service contains."""


@dataclass
class Installation:
    """A running `make up`."""

    process: "subprocess.Popen[bytes]"
    state: Path
    port: int
    output: Path

    def said(self) -> str:
        return self.output.read_text()

    def children(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)

    def child(self, name: str) -> psutil.Process | None:
        direct = psutil.Process(self.process.pid).children()
        return next((child for child in direct if SIGNS[name] in " ".join(child.cmdline())), None)

    def get(self, path: str) -> int:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request("GET", path, headers={"Host": "localhost"})
            return connection.getresponse().status
        finally:
            connection.close()


@pytest.fixture(scope="module")
def running() -> Iterator[Installation]:
    with TemporaryDirectory(prefix="sluice-up-", ignore_cleanup_errors=True) as name:
        state, port = Path(name) / "state", free_port()
        output = Path(name) / "output"
        process, watchdog = launched("up", port, output=output, STATE_DIR=str(state))
        try:
            wait_until_served(process, output)
            yield Installation(process, state, port, output)
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(PATIENCE)
            watchdog.close()


def test_it_prints_the_answer_of_the_worked_example(running: Installation) -> None:
    rows = re.findall(r"^(\d+) +(ok|unstable) ", running.said(), re.MULTILINE)
    assert rows == [("18", "unstable"), ("36", "ok"), ("50", "ok"), ("100", "ok")]
    assert "Administrator: admin   password: in" in running.said()
    assert (running.state / "first_password").read_text() not in running.said()


def test_it_serves_pages_and_api(running: Installation) -> None:
    assert running.get("/login/") == 200
    assert running.get("/api/v1/health/live") == 200
    assert running.get("/api/v1/runs") == 401
    sheets = list((running.state / "static" / "frontend" / "site").glob("base.*.css"))
    assert [running.get(f"/static/frontend/site/{sheet.name}") for sheet in sheets] == [200]


def test_what_it_writes_is_private(running: Installation) -> None:
    assert running.state.stat().st_mode & 0o777 == 0o700
    secret = [path for path in running.state.rglob("*") if running.state / "static" not in (path, *path.parents)]
    assert [path for path in secret if path.lstat().st_mode & 0o077] == []


@pytest.mark.parametrize("name", list(SIGNS))
def test_a_killed_service_comes_back(running: Installation, name: str) -> None:
    before = running.child(name)
    assert before is not None
    times = running.said().count(f"{name} is back")
    before.kill()
    wait_until(lambda: running.said().count(f"{name} is back") > times, f"{name} is back")
    after = running.child(name)
    assert after is not None
    assert after.pid != before.pid
    assert running.get("/login/") == 200


def test_it_computes_after_all_that(running: Installation) -> None:
    environment = {**os.environ, "STATE_DIR": str(running.state)}
    command = [sys.executable, "manage.py", "simulate", "planner/presets/order.yaml", "--spark", "--json"]
    answer = subprocess.run(command, cwd=BASE_DIR, env=environment, capture_output=True, text=True, check=False)
    assert '"points"' in answer.stdout, answer.stderr


def test_a_second_one_in_the_same_folder_is_refused(running: Installation) -> None:
    command = [sys.executable, "-m", "planner.runtime", "up", "--port", str(free_port())]
    environment = {**os.environ, "STATE_DIR": str(running.state)}
    second = subprocess.run(command, cwd=BASE_DIR, env=environment, capture_output=True, text=True, check=False)
    assert second.returncode == 1
    assert f"already runs from {running.state} (process {running.process.pid}): end it with `kill" in second.stdout


def test_ctrl_c_leaves_nothing_behind(running: Installation) -> None:
    processes = running.children()
    assert len(processes) >= len(SIGNS)
    running.process.send_signal(signal.SIGINT)
    assert running.process.wait(PATIENCE) == 0
    _, alive = psutil.wait_procs(processes, timeout=PATIENCE)
    assert alive == []
    assert not (running.state / "run" / "services.env").exists()
