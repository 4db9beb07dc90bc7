"""The bootstrap, with a Python of its own and packages from a folder: it needs no network."""

import subprocess
import sys
from collections import namedtuple
from pathlib import Path

import pytest

from planner.runtime import bootstrap

PROGRAM = Path(bootstrap.__file__)


def run(folder: Path, requirements: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, str(PROGRAM), str(folder), str(requirements)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def installed(folder: Path, requirements: Path) -> None:
    """What a finished installation leaves."""
    folder.mkdir()
    (folder / "installed").write_text(bootstrap._fingerprint(requirements) + "\n")


def test_an_installation_of_the_same_packages_is_left_alone(tmp_path: Path) -> None:
    requirements = tmp_path / "requirements.txt"
    requirements.write_text("six==1.17.0\n")
    installed(tmp_path / "venv", requirements)
    done = run(tmp_path / "venv", requirements)
    assert (done.returncode, done.stdout) == (0, "")


def test_a_changed_pin_in_an_included_file_is_noticed(tmp_path: Path) -> None:
    base, more = tmp_path / "base.txt", tmp_path / "more.txt"
    base.write_text("six==1.17.0\n")
    more.write_text("-r base.txt\n")
    before = bootstrap._fingerprint(more)
    base.write_text("six==1.16.0\n")
    assert bootstrap._fingerprint(more) != before


def test_an_old_python_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    with pytest.raises(bootstrap.Problem, match=r"Python 3\.11 or newer"):
        bootstrap.main(tmp_path / "venv", tmp_path / "requirements.txt")


def test_a_full_disk_is_said_before_anything_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage(10, 9, 1))
    (tmp_path / "requirements.txt").write_text("")
    with pytest.raises(bootstrap.Problem, match="GB are free"):
        bootstrap.main(tmp_path / "venv", tmp_path / "requirements.txt")
    assert not (tmp_path / "venv").exists()


def test_a_folder_of_somebody_else_is_said_without_a_trace(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("")
    (tmp_path / "file").write_text("")
    done = run(tmp_path / "file" / "venv", tmp_path / "requirements.txt")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert str(tmp_path / "file") in done.stderr


@pytest.mark.parametrize(
    ("output", "sentence"),
    [
        ("error: dns error: failed to lookup address", "The package index cannot be reached"),
        ("OSError: [Errno 28] No space left on device", "The disk is full"),
        ("ERROR: something else", "could not be installed"),
    ],
)
def test_a_failed_installation_is_explained(output: str, sentence: str) -> None:
    assert sentence in bootstrap._explained(output)
    assert output in bootstrap._explained(output)
