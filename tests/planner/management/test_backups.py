"""A backup is whole or none, and nothing but a whole one of this installation's kind is unpacked."""

import io
import json
import sqlite3
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import override_settings

from planner.management.backups import DATABASE, KEY, MANIFEST, BackupRefused, backup_unpacked, backup_write

pytestmark = pytest.mark.django_db(transaction=True)
"""SQLite copies nothing of a database while a transaction holds it."""


@pytest.fixture(autouse=True)
def state(tmp_path: Path) -> Iterator[Path]:
    """A state folder with a key and a result."""
    folder = tmp_path / "state"
    (folder / "store" / "run_1").mkdir(parents=True)
    (folder / "store" / "run_1" / "summaries.parquet").write_bytes(b"numbers")
    (folder / "store" / "run_1" / ".summaries.parquet.draft").write_bytes(b"half")
    (folder / KEY).write_text("k" * 50)
    environment = settings.ENVIRONMENT.model_copy(update={"state_dir": folder, "store_url": ""})
    with override_settings(ENVIRONMENT=environment):
        yield folder


@pytest.fixture
def backup(tmp_path: Path, owner: User) -> Path:
    """A backup of it."""
    backup_write(tmp_path / "backup.tar.gz")
    return tmp_path / "backup.tar.gz"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where it is unpacked."""
    (tmp_path / "unpacked").mkdir()
    return tmp_path / "unpacked"


def rewritten(backup: Path, change: Callable[[dict[str, bytes]], object]) -> Path:
    """The backup with other members."""
    with tarfile.open(backup) as archive:
        members = {member.name: archive.extractfile(member).read() for member in archive}  # type: ignore[union-attr]
    change(members)
    with tarfile.open(backup, "w:gz") as archive:
        for name, content in members.items():
            about = tarfile.TarInfo(name)
            about.size = len(content)
            archive.addfile(about, io.BytesIO(content))
    return backup


def manifest_with(backup: Path, **changes: object) -> Path:
    def change(members: dict[str, bytes]) -> None:
        members[MANIFEST] = json.dumps({**json.loads(members[MANIFEST]), **changes}).encode()

    return rewritten(backup, change)


def test_it_holds_what_cannot_be_made_again_and_no_draft(backup: Path, folder: Path) -> None:
    manifest = backup_unpacked(backup, folder)
    assert set(manifest["files"]) == {DATABASE["sqlite"], KEY, "store/run_1/summaries.parquet"}
    assert (folder / "store" / "run_1" / "summaries.parquet").read_bytes() == b"numbers"
    with sqlite3.connect(folder / DATABASE["sqlite"]) as copy:
        assert copy.execute("SELECT username FROM auth_user").fetchall() == [("ada",)]
    copy.close()


def test_only_its_owner_reads_it_and_no_half_of_it_stays(backup: Path) -> None:
    assert backup.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in backup.parent.iterdir() if "part" in path.name or "sluice-" in path.name] == []


def test_a_file_that_exists_is_not_written_over(backup: Path) -> None:
    before = backup.read_bytes()
    with pytest.raises(BackupRefused, match="exists: choose another name"):
        backup_write(backup)
    assert backup.read_bytes() == before


def test_a_folder_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(BackupRefused, match=r"none/b.tar.gz cannot be written: No such file or directory"):
        backup_write(tmp_path / "none" / "b.tar.gz")


@pytest.mark.parametrize("cut", [100, -400])
def test_a_file_that_was_cut_off_is_refused(backup: Path, folder: Path, cut: int) -> None:
    backup.write_bytes(backup.read_bytes()[:cut])
    with pytest.raises(BackupRefused, match="no backup of Sluice, or it is damaged"):
        backup_unpacked(backup, folder)


def test_another_content_than_the_manifest_lists_is_refused(backup: Path, folder: Path) -> None:
    rewritten(backup, lambda members: members.update({KEY: b"x" * 50}))
    with pytest.raises(BackupRefused, match="what it holds is not what its manifest lists"):
        backup_unpacked(backup, folder)


@pytest.mark.parametrize("name", ["other.txt", "store/../../outside", "/etc/outside"])
def test_a_foreign_archive_is_refused_and_writes_nothing_outside(backup: Path, folder: Path, name: str) -> None:
    rewritten(backup, lambda members: members.update({name: b"x"}))
    with pytest.raises(BackupRefused, match="no backup of Sluice"):
        backup_unpacked(backup, folder)
    assert not (folder.parent.parent / "outside").exists()


def test_a_file_that_is_no_archive_is_refused(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "notes.txt").write_text("notes")
    with pytest.raises(BackupRefused, match=r"notes.txt is no backup of Sluice"):
        backup_unpacked(tmp_path / "notes.txt", folder)


def test_a_newer_schema_is_refused_and_an_older_one_is_not(backup: Path, folder: Path) -> None:
    manifest_with(backup, migrations=["planner.0001_initial"])
    assert backup_unpacked(backup, folder)["migrations"] == ["planner.0001_initial"]
    manifest_with(backup, migrations=["planner.9999_tomorrow"])
    with pytest.raises(BackupRefused, match=r"newer Sluice \(planner.9999_tomorrow\): update Sluice first"):
        backup_unpacked(backup, folder)


def test_another_kind_of_database_is_refused_with_the_way_out(backup: Path, folder: Path) -> None:
    manifest_with(backup, database="postgresql")
    with pytest.raises(BackupRefused, match="set DATABASE_URL to a database of that kind"):
        backup_unpacked(backup, folder)
