"""The command of the installation: what stops a start, and the addresses that other terminals read."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from planner.runtime import __main__ as runtime
from planner.runtime.processes import StartProblem
from planner.settings.environment import BASE_DIR
from tests.waiting import PATIENCE

EXAMPLE_FAILS = """
import sys
from pathlib import Path
from planner.runtime import __main__ as runtime
from planner.runtime.processes import prepare_state
from planner.runtime.services import plan_installation
from planner.runtime.supervisor import Supervisor
from planner.settings.environment import load
from simulations.pipeline.spark.server import free_port
plan = plan_installation(load(), port=free_port())
state = plan.environment.state_dir
prepare_state(state)
runtime._manage = lambda *words: [sys.executable, "-c", "raise SystemExit(3)"]
with Supervisor([[]] * 4, folder=state, logs=state / "log", say=runtime.say) as supervisor:
    sys.exit(runtime._serve(supervisor, plan, serve=sys.argv[1] == "serve"))
"""


def test_what_stops_the_start_is_said_without_a_trace(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(command: str, *, port: int) -> int:
        raise StartProblem(f"{command} cannot use port {port}")

    monkeypatch.setattr(runtime, "run", stopped)
    monkeypatch.setattr(sys, "argv", ["planner.runtime", "up", "--port", "8123"])
    assert runtime.main() == 1
    assert capsys.readouterr().out == "up cannot use port 8123\n"


def test_a_cluster_has_a_state_folder_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(runtime, "run", lambda command, *, port: 0)
    monkeypatch.setattr(runtime, "state_dir", lambda: tmp_path)
    monkeypatch.setenv("STATE_DIR", "restored afterwards")
    monkeypatch.delenv("STATE_DIR")
    monkeypatch.setattr(sys, "argv", ["planner.runtime", "cluster"])
    assert runtime.main() == 0
    assert os.environ["STATE_DIR"] == str(tmp_path / "cluster")


def test_the_addresses_can_be_read_as_long_as_the_services_run(tmp_path: Path) -> None:
    file = tmp_path / "services.env"
    with runtime._known_addresses(file, {"BROKER_URL": "redis+socket:///a b"}):
        assert file.read_text() == "BROKER_URL='redis+socket:///a b'\n"
    assert not file.exists()


def test_a_worked_example_that_fails_ends_the_demo_and_nothing_else(tmp_path: Path) -> None:
    words, environment = [sys.executable, "-c", EXAMPLE_FAILS], {**os.environ, "STATE_DIR": str(tmp_path / "state")}
    demo = subprocess.run([*words, "demo"], cwd=BASE_DIR, env=environment, timeout=PATIENCE, check=False)
    assert demo.returncode == 3
    with subprocess.Popen(
        [*words, "serve"], cwd=BASE_DIR, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert any("Sluice serves" in line for line in process.stdout)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 3
