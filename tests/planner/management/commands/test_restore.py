"""`manage.py restore`: back to what was, and from there to what was before."""

import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from planner.runtime.processes import only_one, prepare_state
from tests.planner.management.commands.conftest import call

pytestmark = pytest.mark.slow

PERSON = (
    "INSERT INTO auth_user (username, password, is_superuser, is_staff, is_active, first_name, last_name, email, "
    "date_joined) VALUES ('{}', '', false, false, true, '', '', '', '2026-01-01')"
)


def add(state: Path, name: str) -> None:
    """Let the database know another person."""
    with closing(sqlite3.connect(state / "sluice.sqlite3")) as database, database:
        database.execute(PERSON.format(name))


def people(state: Path) -> list[str]:
    with closing(sqlite3.connect(state / "sluice.sqlite3")) as database:
        return [name for (name,) in database.execute("SELECT username FROM auth_user ORDER BY username")]


@pytest.fixture(scope="module")
def backed_up(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An installation with one person, one result, and a backup next to it."""
    folder = tmp_path_factory.mktemp("installation") / "state"
    assert call(folder, "migrate", "-v0").returncode == 0
    add(folder, "ada")
    (folder / "store" / "run_1").mkdir(parents=True)
    (folder / "store" / "run_1" / "summaries.parquet").write_bytes(b"numbers")
    done = call(folder, "backup", folder.with_name("b.tar.gz"))
    assert done.returncode == 0, done.stderr
    assert "sqlite database and 3 files" in done.stdout
    return folder.parent


@pytest.fixture
def state(backed_up: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    shutil.copytree(backed_up, tmp_path, dirs_exist_ok=True)
    return tmp_path / "state"


def test_what_was_broken_is_back_and_that_can_be_undone(state: Path, tmp_path: Path) -> None:
    add(state, "eve")
    (state / "store" / "run_1" / "summaries.parquet").unlink()
    key = (state / "secret_key").read_text()
    (state / "secret_key").write_text("another" * 10)
    done = call(state, "restore", tmp_path / "b.tar.gz")
    assert done.returncode == 0, done.stderr
    assert people(state) == ["ada"]
    assert (state / "store" / "run_1" / "summaries.parquet").read_bytes() == b"numbers"
    assert (state / "secret_key").read_text() == key
    (undo,) = re.findall(r"To undo this: manage.py restore (\S+)", done.stdout)
    assert call(state, "restore", undo).returncode == 0
    assert people(state) == ["ada", "eve"]
    assert (state / "secret_key").read_text() == "another" * 10


@pytest.mark.nightly
def test_a_database_that_cannot_be_read_is_kept_aside(state: Path, tmp_path: Path) -> None:
    (state / "sluice.sqlite3").write_bytes(b"rubbish" * 1000)
    done = call(state, "restore", tmp_path / "b.tar.gz")
    assert done.returncode == 0, done.stderr
    assert people(state) == ["ada"]
    (kept,) = state.glob("before-restore-*.sqlite3")
    assert str(kept) in done.stdout
    assert kept.read_bytes() == b"rubbish" * 1000


def test_while_sluice_runs_nothing_is_changed(state: Path, tmp_path: Path) -> None:
    prepare_state(state)
    with only_one(state):
        refused = call(state, "restore", tmp_path / "b.tar.gz")
    assert refused.returncode == 2
    assert "Nothing was changed. Sluice already runs from" in refused.stderr


def test_a_damaged_file_changes_nothing(state: Path, tmp_path: Path) -> None:
    file = tmp_path / "b.tar.gz"
    file.write_bytes(file.read_bytes()[:-100])
    refused = call(state, "restore", file)
    assert refused.returncode == 2
    assert "Nothing was changed." in refused.stderr
    assert "no backup of Sluice, or it is damaged" in refused.stderr
    assert people(state) == ["ada"]
    assert not list(state.glob("before-restore-*"))
