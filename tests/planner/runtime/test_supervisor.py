"""The supervisor with real processes: it starts, restarts, and leaves nothing behind."""

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from planner.runtime.processes import Service, StartProblem, end_leftovers
from planner.runtime.supervisor import STILL, Supervisor
from planner.settings.environment import BASE_DIR
from tests.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.faults

SERVER = """
import os, subprocess, sys, time
helper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
open(sys.argv[1], "a").write(f"{os.getpid()} {helper.pid}\\n")
time.sleep(600)
"""
"""Writes its process id and its helper's, then stays."""

SUPERVISOR = """
import sys
from pathlib import Path
from planner.runtime.supervisor import Supervisor
from tests.planner.runtime.test_supervisor import service, start
folder = Path(sys.argv[1])
with Supervisor([[service(folder, "one")], [service(folder, "two")]], folder=folder, logs=folder, say=print) as running:
    start(running)
    running.serve()
"""


def service(folder: Path, name: str, program: str = SERVER) -> Service:
    starts = folder / f"{name}.starts"
    command = [sys.executable, "-c", program, str(starts)]
    return Service(name, command, dict(os.environ), starts.exists, start_limit=PATIENCE)


def start(supervisor: Supervisor) -> None:
    for number in range(len(supervisor.stages)):
        supervisor.launch(number)
        supervisor.await_ready(number)


def starts_of(folder: Path, name: str) -> list[list[int]]:
    """The processes of every start so far, the service itself first."""
    file = folder / f"{name}.starts"
    lines = file.read_text().splitlines() if file.exists() else []
    return [[int(pid) for pid in line.split()] for line in lines]


def supervised(folder: Path) -> "subprocess.Popen[str]":
    """A supervisor of two services in a process of its own, started."""
    process = subprocess.Popen(
        [sys.executable, "-c", SUPERVISOR, str(folder)], cwd=BASE_DIR, stdout=subprocess.PIPE, text=True
    )
    wait_until(lambda: starts_of(folder, "one") and starts_of(folder, "two"), "both services have started")
    return process


def gone(pids: list[int]) -> bool:
    """Whether the processes ended; one that nobody has waited for yet counts as ended."""
    return all(not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE for pid in pids)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_stop_signal_ends_every_process(tmp_path: Path, number: signal.Signals) -> None:
    with supervised(tmp_path) as process:
        process.send_signal(number)
        output, _ = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0
    assert "Stopping" in output
    for name in ("one", "two"):
        assert gone(starts_of(tmp_path, name)[0])


def test_a_killed_supervisor_leaves_no_orphan(tmp_path: Path) -> None:
    with supervised(tmp_path) as process:
        process.kill()
        process.communicate(timeout=PATIENCE)
    pids = [pid for name in ("one", "two") for start in starts_of(tmp_path, name) for pid in start]
    wait_until(lambda: gone(pids), "the watchdog has ended the services")


def test_a_killed_service_and_its_helpers_are_replaced(tmp_path: Path) -> None:
    said: list[str] = []
    with Supervisor([[service(tmp_path, "one")]], folder=tmp_path, logs=tmp_path, say=said.append) as supervisor:
        start(supervisor)
        first = starts_of(tmp_path, "one")[0]
        os.kill(first[0], signal.SIGKILL)
        wait_until(lambda: len(starts_of(tmp_path, "one")) == 2, "it has started again", meanwhile=supervisor.tick)
        assert gone(first)
        assert "one ended (signal SIGKILL), starting it again in 0.5 s" in said
    wait_until(lambda: gone(starts_of(tmp_path, "one")[1]), "the second start has ended, too")


def test_the_pause_before_a_restart_doubles(tmp_path: Path) -> None:
    said: list[str] = []
    failing = service(tmp_path, "one", "import sys; open(sys.argv[1], 'a').write('1\\n'); sys.exit(3)")
    with Supervisor([[failing]], folder=tmp_path, logs=tmp_path, say=said.append) as supervisor:
        supervisor.launch(0)
        wait_until(lambda: len(starts_of(tmp_path, "one")) == 3, "three starts", meanwhile=supervisor.tick)
    pauses = [line.rsplit(" ", 2)[1] for line in said if "exit code 3" in line]
    assert pauses[:2] == ["0.5", "1.0"]


def test_a_service_that_does_not_start_is_a_problem_with_the_end_of_its_log(tmp_path: Path) -> None:
    broken = service(tmp_path, "one", "raise SystemExit('the licence has expired')")
    with (
        pytest.raises(StartProblem, match=r"one did not start:\nthe licence has expired"),
        Supervisor([[broken]], folder=tmp_path, logs=tmp_path, say=print) as supervisor,
    ):
        start(supervisor)


def test_a_service_that_ends_while_others_start_is_started_again(tmp_path: Path) -> None:
    said: list[str] = []
    second = (
        "import os, sys, time; os.path.exists(sys.argv[1]) and time.sleep(600); open(sys.argv[1], 'a').write('1 1\\n')"
    )
    awaited = replace(service(tmp_path, "one", second), ready=lambda: len(said) > 0)
    with Supervisor([[awaited]], folder=tmp_path, logs=tmp_path, say=said.append) as supervisor:
        start(supervisor)
        assert "one ended (exit code 0), starting it again in 0.5 s" in said


def test_the_end_of_the_log_is_that_of_the_last_start(tmp_path: Path) -> None:
    (tmp_path / "one.log").write_text("the answer of an earlier life\n")
    broken = service(tmp_path, "one", "raise SystemExit('the licence has expired')")
    with (
        pytest.raises(StartProblem, match=r"^one did not start:\nthe licence has expired$"),
        Supervisor([[broken]], folder=tmp_path, logs=tmp_path, say=print) as supervisor,
    ):
        start(supervisor)


def test_a_service_that_hangs_is_ended_and_started_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("planner.runtime.supervisor.LOOK", 0.1)
    monkeypatch.setattr("planner.runtime.supervisor.HUNG", 0.5)
    said: list[str] = []
    hung = service(tmp_path, "one")
    with Supervisor([[hung]], folder=tmp_path, logs=tmp_path, say=said.append) as supervisor:
        start(supervisor)
        first = starts_of(tmp_path, "one")[0]
        (tmp_path / "one.starts").unlink()
        wait_until(lambda: starts_of(tmp_path, "one"), "it has started again", meanwhile=supervisor.tick)
        assert gone(first)
    assert any(line.startswith("one has not answered for") for line in said)


@pytest.mark.parametrize("stopped", [0, 1])
def test_a_process_that_stands_still_is_ended_though_the_service_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stopped: int
) -> None:
    monkeypatch.setattr("planner.runtime.supervisor.LOOK", 0.1)
    said: list[str] = []
    answering = replace(service(tmp_path, "one"), ready=lambda: True)
    with Supervisor([[answering]], folder=tmp_path, logs=tmp_path, say=said.append) as supervisor:
        start(supervisor)
        wait_until(lambda: starts_of(tmp_path, "one"), "it has started", meanwhile=supervisor.tick)
        victim = starts_of(tmp_path, "one")[0][stopped]
        os.kill(victim, signal.SIGSTOP)
        wait_until(lambda: gone([victim]), "it is ended", meanwhile=supervisor.tick)
        if stopped == 0:
            wait_until(lambda: len(starts_of(tmp_path, "one")) > 1, "it has started again", meanwhile=supervisor.tick)
    assert f"one: process {victim} stands still, ending it" in said


def test_a_process_that_goes_on_in_time_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("planner.runtime.supervisor.LOOK", 0.0)
    said: list[str] = []
    answering = replace(service(tmp_path, "one"), ready=lambda: True)
    with Supervisor([[answering]], folder=tmp_path, logs=tmp_path, say=said.append) as supervisor:
        start(supervisor)
        wait_until(lambda: starts_of(tmp_path, "one"), "it has started", meanwhile=supervisor.tick)
        leader = starts_of(tmp_path, "one")[0][0]
        for _ in range(3):
            os.kill(leader, signal.SIGSTOP)
            wait_until(lambda: psutil.Process(leader).status() == psutil.STATUS_STOPPED, "it stands still")
            for _ in range(STILL - 1):
                supervisor.tick()
            os.kill(leader, signal.SIGCONT)
            supervisor.tick()
        assert not gone([leader])
    assert not [line for line in said if "stands still" in line]


def test_what_a_killed_supervisor_and_watchdog_leave_is_ended_by_the_next(tmp_path: Path) -> None:
    with supervised(tmp_path) as process:
        for child in psutil.Process(process.pid).children():
            if "watchdog.py" in str(child.cmdline()):
                child.kill()
        process.kill()
        process.communicate(timeout=PATIENCE)
    left = [pid for name in ("one", "two") for start in starts_of(tmp_path, name) for pid in start]
    assert not gone(left)
    os.kill(left[0], signal.SIGSTOP)
    assert {int(line.split()[1]) for line in end_leftovers(tmp_path)} == set(left)
    assert gone(left)
    assert end_leftovers(tmp_path) == []


def test_a_killed_watchdog_is_replaced_at_once(tmp_path: Path) -> None:
    with Supervisor([], folder=tmp_path, logs=tmp_path, say=print) as supervisor:
        first = supervisor._watchdog._process
        first.kill()
        first.wait()
        supervisor.tick()
        assert supervisor._watchdog._process.poll() is None


def test_a_new_watchdog_takes_over_from_a_killed_one(tmp_path: Path) -> None:
    with supervised(tmp_path) as process:
        watchdog = next(
            child for child in psutil.Process(process.pid).children() if "watchdog.py" in str(child.cmdline())
        )
        watchdog.kill()
        os.kill(starts_of(tmp_path, "two")[0][0], signal.SIGKILL)
        wait_until(lambda: len(starts_of(tmp_path, "two")) == 2, "the service has started again")
        process.kill()
        process.communicate(timeout=PATIENCE)
    wait_until(lambda: gone([*starts_of(tmp_path, "one")[0], *starts_of(tmp_path, "two")[1]]), "no process is left")


def test_a_command_runs_beside_the_services(tmp_path: Path) -> None:
    with Supervisor([], folder=tmp_path, logs=tmp_path, say=print) as supervisor:
        assert supervisor.run([sys.executable, "-c", "raise SystemExit(7)"], dict(os.environ)) == 7


def test_a_command_that_ended_beside_the_services_leaves_no_zombie(tmp_path: Path) -> None:
    with Supervisor([], folder=tmp_path, logs=tmp_path, say=print) as supervisor:
        with supervisor.beside([sys.executable, "-c", ""], dict(os.environ)) as job:
            wait_until(lambda: not psutil.pid_exists(job.pid), "nothing is left of it", meanwhile=supervisor.tick)
        with supervisor.beside([sys.executable, "-c", "import time; time.sleep(600)"], dict(os.environ)) as job:
            assert job.poll() is None
        assert job.returncode is not None


def test_services_start_while_a_command_runs(tmp_path: Path) -> None:
    said: list[str] = []
    with Supervisor([[service(tmp_path, "one")]], folder=tmp_path, logs=tmp_path, say=said.append) as supervisor:
        supervisor.launch(0)
        wait_until(
            lambda: any(line.startswith("one is ready") for line in said), "it is ready", meanwhile=supervisor.tick
        )
        supervisor.await_ready(0)
    assert len([line for line in said if line.startswith("one is ready")]) == 1
    assert not any("back" in line for line in said)


def test_a_service_that_ends_while_a_command_runs_has_not_started(tmp_path: Path) -> None:
    broken = service(tmp_path, "one", "raise SystemExit('the licence has expired')")
    with Supervisor([[broken]], folder=tmp_path, logs=tmp_path, say=print) as supervisor:
        supervisor.launch(0)
        assert supervisor.run([sys.executable, "-c", "import time; time.sleep(1)"], dict(os.environ)) == 0
        with pytest.raises(StartProblem, match="the licence has expired"):
            supervisor.await_ready(0)
