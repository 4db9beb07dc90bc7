"""The folders of an installation."""

import os
from pathlib import Path

import pytest

from planner.runtime.folders import LONGEST, only_one, prepare_state, socket_folder
from planner.runtime.processes import StartProblem


def test_the_state_folder_is_private(tmp_path: Path) -> None:
    state = tmp_path / "state"
    prepare_state(state)
    assert state.stat().st_mode & 0o777 == 0o700


def test_a_file_in_the_way_is_a_problem_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("not a folder")
    with pytest.raises(StartProblem, match="set STATE_DIR"):
        prepare_state(tmp_path / "state")


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
    with only_one(tmp_path), pytest.raises(StartProblem, match=f"process {os.getpid()}"), only_one(tmp_path):
        pass
    with only_one(tmp_path):
        pass
