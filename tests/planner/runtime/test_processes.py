"""A child of the supervisor: its log, its end, and the user it runs as."""

import os
import pwd
import signal
import sys
from pathlib import Path

import pytest

from planner.runtime import processes
from planner.runtime.processes import Child, Service, as_user
from tests.waiting import wait_until

STUBBORN = (
    "import signal, sys, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(600)"
)
PATIENT = """
import os, time
print("first", flush=True)
while not os.path.exists("go"):
    time.sleep(0.01)
print("second")
"""


def child(folder: Path, program: str, **more: object) -> Child:
    service = Service("one", [sys.executable, "-c", program], dict(os.environ), lambda: True, **more)  # type: ignore[arg-type]
    return Child(service, folder / "one.log", folder=folder)


def test_it_is_prepared_before_it_starts_and_its_output_is_kept(tmp_path: Path) -> None:
    prepared = tmp_path / "prepared"
    started = child(tmp_path, "import os; print(os.path.exists('prepared'))", prepare=prepared.touch)
    wait_until(lambda: started.exit_code() is not None, "it has ended")
    assert started.exit_code() == 0
    assert (tmp_path / "one.log").read_text() == "True\n"


def test_one_that_ignores_its_signal_is_killed(tmp_path: Path) -> None:
    stubborn = child(tmp_path, STUBBORN, stops=((signal.SIGTERM, 0.1),))
    wait_until(lambda: (tmp_path / "one.log").read_text() == "up\n", "it ignores the signal")
    assert stubborn.exit_code() is None
    stubborn.stop(hurried=lambda: False)
    assert stubborn.exit_code() == -signal.SIGKILL


def test_a_log_that_has_grown_large_is_put_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "LOG_LIMIT", 3)
    (tmp_path / "one.log").write_text("old words")
    child(tmp_path, "").process.wait()
    assert ((tmp_path / "one.log").read_text(), (tmp_path / "one.log.1").read_text()) == ("", "old words")


def test_a_log_is_put_aside_while_its_process_writes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log, aside = tmp_path / "one.log", tmp_path / "one.log.1"
    writer = child(tmp_path, PATIENT)
    wait_until(lambda: log.read_text() == "first\n", "it has written")
    monkeypatch.setattr(processes, "LOG_LIMIT", 3)
    processes.keep_small(log)
    assert (log.read_text(), aside.read_text()) == ("", "first\n")
    (tmp_path / "go").touch()
    writer.process.wait()
    assert log.read_text() == "second\n", "at the beginning of the file, not behind a hole"


def test_another_user_comes_with_its_own_group_and_no_other() -> None:
    assert as_user(None) == {}
    assert as_user("nobody") == {"user": "nobody", "group": pwd.getpwnam("nobody").pw_gid, "extra_groups": []}
