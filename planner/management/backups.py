"""One file with all of an installation that cannot be made again, and the way back from it.

The file is a compressed tar archive: the database as its own tool writes it, the key that signs sessions, the results,
and last a manifest with versions and the checksum of every other member.
"""

import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import tarfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from planner.runtime.database import client_program
from simulations import ENGINE_VERSION

FORMAT = 1
MANIFEST, KEY, STORE = "manifest.json", "secret_key", "store/"
DATABASE = {"sqlite": "database.sqlite3", "postgresql": "database.dump"}
"""Kind of database -> its member."""
UNREADABLE = (OSError, EOFError, zlib.error, tarfile.TarError, ValueError, KeyError)


class BackupRefused(Exception):
    """The backup cannot be made or restored; the message says why and what to do."""


def backup_write(file: Path) -> Mapping[str, Any]:
    """Write the file, readable by this user alone, and return its manifest. Sluice may run meanwhile. Raises
    BackupRefused when the file exists or the database cannot be dumped. A file under its name is complete."""
    if file.exists():
        raise BackupRefused(f"{file} exists: choose another name")
    draft = file.with_name(f"{file.name}.part")
    try:
        with TemporaryDirectory(dir=file.parent, prefix=".sluice-") as name, draft.open("xb") as raw:
            draft.chmod(0o600)
            manifest = _manifest()
            # The database first: a result that came after it is harmless.
            dump = _dumped(Path(name))
            with tarfile.open(fileobj=raw, mode="w:gz", compresslevel=1) as archive:
                manifest["files"] = dict(_added(archive, dump))
                (Path(name) / MANIFEST).write_text(json.dumps(manifest, indent=2))
                archive.add(Path(name) / MANIFEST, MANIFEST)
        draft.rename(file)
    except OSError as error:
        raise BackupRefused(f"{file} cannot be written: {error.strerror or error}") from error
    finally:
        draft.unlink(missing_ok=True)
    return manifest


def backup_unpacked(file: Path, folder: Path) -> Mapping[str, Any]:
    """Unpack a backup into an empty folder and return its manifest. Raises BackupRefused for a file that is no backup,
    is damaged, or does not fit this installation."""
    sums: dict[str, str] = {}
    try:
        with tarfile.open(file) as archive:
            for member in archive:
                known = member.name in (MANIFEST, KEY, *DATABASE.values()) or member.name.startswith(STORE)
                if not member.isfile() or not known:
                    raise ValueError(f"it holds {member.name}")
                archive.extract(member, folder, filter="data")
                with (folder / member.name).open("rb") as unpacked:
                    sums[member.name] = hashlib.file_digest(unpacked, "sha256").hexdigest()
        manifest: dict[str, Any] = json.loads((folder / MANIFEST).read_text())
        if manifest["product"] != "Sluice" or manifest["files"] != {k: v for k, v in sums.items() if k != MANIFEST}:
            raise ValueError("what it holds is not what its manifest lists")
    except UNREADABLE as error:
        raise BackupRefused(f"{file} is no backup of Sluice, or it is damaged ({error})") from error
    _refuse_unfit(manifest)
    return manifest


def backup_put_back(folder: Path) -> None:
    """Replace database and key by those of an unpacked backup and add its results. Nothing else may use them."""
    dump = folder / DATABASE[connection.vendor]
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            tables = ", ".join(map(connection.ops.quote_name, connection.introspection.table_names(cursor)))
            if tables:
                cursor.execute(f"DROP TABLE {tables} CASCADE")
        _postgresql("pg_restore", ["--no-owner", "--single-transaction", "--exit-on-error"], str(dump))
    else:
        connection.close()
        file = Path(connection.settings_dict["NAME"])
        for ending in ("-wal", "-shm"):
            file.with_name(file.name + ending).unlink(missing_ok=True)
        shutil.move(dump, file)
    if (folder / KEY).exists():
        (folder / KEY).replace(settings.ENVIRONMENT.state_dir / KEY)
    for path in (folder / STORE).rglob("*"):
        target = settings.ENVIRONMENT.store / path.relative_to(folder / STORE)
        if path.is_file():
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            shutil.move(path, target)


def _manifest() -> dict[str, Any]:
    applied = MigrationLoader(connection).applied_migrations
    return {
        "product": "Sluice",
        "format": FORMAT,
        "made": timezone.now().isoformat(timespec="seconds"),
        "engine": ENGINE_VERSION,
        "database": connection.vendor,
        "migrations": sorted(f"{app}.{name}" for app, name in applied),
    }


def _added(archive: tarfile.TarFile, dump: Path) -> Iterator[tuple[str, str]]:
    """Add every member; yield its name and checksum."""
    store = settings.ENVIRONMENT.store
    results = ((STORE + path.relative_to(store).as_posix(), path) for path in sorted(store.rglob("[!.]*")))
    for name, path in ((dump.name, dump), (KEY, settings.ENVIRONMENT.state_dir / KEY), *results):
        with suppress(FileNotFoundError, IsADirectoryError), path.open("rb") as file:  # retention may delete meanwhile
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            file.seek(0)
            archive.addfile(archive.gettarinfo(arcname=name, fileobj=file), file)
            yield name, digest


def _refuse_unfit(manifest: Mapping[str, Any]) -> None:
    if manifest["database"] != connection.vendor:
        raise BackupRefused(
            f"The backup holds a {manifest['database']} database and this installation uses {connection.vendor}: "
            "set DATABASE_URL to a database of that kind"
        )
    known = {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations or ()}
    newer = sorted(set(manifest["migrations"]) - known)
    if newer or manifest["format"] > FORMAT:
        raise BackupRefused(f"The backup is of a newer Sluice ({', '.join(newer) or 'format'}): update Sluice first")


def _dumped(folder: Path) -> Path:
    path = folder / DATABASE[connection.vendor]
    if connection.vendor == "postgresql":
        _postgresql("pg_dump", ["--format=custom", "--no-owner", "--no-privileges", f"--file={path}"])
    else:
        connection.ensure_connection()
        with closing(sqlite3.connect(path)) as copy:
            connection.connection.backup(copy)
    return path


def database_put_aside(file: Path) -> None:
    """Move a SQLite database that cannot be read out of the way. Raises BackupRefused for another kind."""
    if connection.vendor != "sqlite":
        raise BackupRefused("the database cannot be read")
    connection.close()
    Path(connection.settings_dict["NAME"]).rename(file)


def _postgresql(program: str, options: list[str], *files: str) -> None:
    connection.ensure_connection()
    server = connection.connection.info.server_version // 10_000
    arguments, environment = connection.client.settings_to_cmd_args_env(connection.settings_dict, [])
    *place, database = arguments[1:]
    command = [str(client_program(program, server=server)), *options, *place, f"--dbname={database}", *files]
    done = subprocess.run(  # noqa: S603 - our own command line
        command, env={**os.environ, **(environment or {})}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise BackupRefused(f"{program} failed: {done.stderr.strip()}")
