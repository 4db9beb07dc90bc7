"""A child of the supervisor: its log, its end, and the user it runs as."""

import os
import pwd
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from planner.runtime import processes
from planner.runtime.processes import (
    LONGEST_PATH,
    Child,
    Service,
    StartProblem,
    as_user,
    only_one,
    prepare_state,
    socket_folder,
)
from planner.settings.environment import BASE_DIR
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


def test_the_state_folder_is_private(tmp_path: Path) -> None:
    state = tmp_path / "state"
    prepare_state(state)
    assert state.stat().st_mode & 0o777 == 0o700


def test_a_file_in_the_way_is_a_problem_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("not a folder")
    with pytest.raises(StartProblem, match="set STATE_DIR"):
        prepare_state(tmp_path / "state")


@pytest.mark.parametrize("part", ["", "log", "broker", "postgres", "store"])
def test_a_folder_on_a_read_only_disk_is_named_before_anything_starts(tmp_path: Path, part: str) -> None:
    state = tmp_path / "state"
    (state / part).mkdir(parents=True)
    script = """
mount -t tmpfs -o ro none "$1" || exit 9
exec env STATE_DIR="$2" "$0" -m planner.runtime cluster --port 1
"""
    words = ["unshare", "--map-root-user", "--mount", "sh", "-c", script, sys.executable, str(state / part), str(state)]
    done = subprocess.run(words, cwd=BASE_DIR, capture_output=True, text=True, check=False)
    if done.returncode == 9 or "unshare failed" in done.stderr:
        pytest.skip("no mounts of one's own on this machine")
    remedy = "make it writable for this user, or set STATE_DIR to a folder of your own."
    assert done.stdout == f"Sluice cannot write to its data folder {state / part} (Read-only file system): {remedy}\n"
    assert (done.returncode, done.stderr) == (1, "")


def test_sockets_have_short_private_paths_however_deep_the_state_folder_is(tmp_path: Path) -> None:
    state = tmp_path / ("deep" * 20)
    folder = socket_folder(state)
    try:
        assert len(str(folder)) <= LONGEST_PATH
        assert folder.stat().st_mode & 0o777 == 0o700
        assert socket_folder(state) == folder
        folder.chmod(0o755)
        with pytest.raises(StartProblem, match="not private"):
            socket_folder(state)
    finally:
        folder.rmdir()


def test_a_second_supervisor_is_told_which_process_is_the_first(tmp_path: Path) -> None:
    prepare_state(tmp_path)
    told = f"process {os.getpid()}\\): end it with `kill {os.getpid()}`"
    with only_one(tmp_path), pytest.raises(StartProblem, match=told), only_one(tmp_path):
        pass
    with only_one(tmp_path):
        pass
