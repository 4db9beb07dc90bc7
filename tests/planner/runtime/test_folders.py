"""The folders of an installation."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from planner.runtime.folders import LONGEST, only_one, prepare_state, socket_folder
from planner.runtime.processes import StartProblem
from planner.settings.environment import BASE_DIR


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
        assert len(str(folder)) <= LONGEST
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
