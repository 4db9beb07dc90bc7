"""`manage.py restore FILE`: put back what `manage.py backup` wrote, and say how to undo that."""

import sqlite3
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, connection
from django.utils import timezone

from planner.management.backups import BackupRefused, backup_put_back, backup_unpacked, backup_write, database_put_aside
from planner.management.exits import EXIT_INVALID
from planner.runtime.processes import StartProblem, only_one, prepare_state

SESSIONS = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"


class Command(BaseCommand):
    """Refuses while Sluice runs; what is there now is backed up first."""

    help = "Put back a backup; what is there now is kept in a backup of its own. Exit codes: 0 done, 2 refused."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="file that `manage.py backup` made")

    def handle(self, *args: Any, **options: Any) -> None:
        state = settings.ENVIRONMENT.state_dir
        try:
            prepare_state(state)
            with only_one(state), TemporaryDirectory(dir=state, prefix="restore-") as name:
                _refuse_connected()
                self._restore(options["file"].absolute(), Path(name))
        except (BackupRefused, StartProblem) as error:
            raise CommandError(f"Nothing was changed. {error}", returncode=EXIT_INVALID) from error

    def _restore(self, file: Path, folder: Path) -> None:
        manifest = backup_unpacked(file, folder)
        self.stdout.write(f"{file} is whole: made {manifest['made']}, {len(manifest['files'])} files")
        undo = self._kept(settings.ENVIRONMENT.state_dir / f"before-restore-{timezone.now():%Y%m%dT%H%M%S}")
        try:
            backup_put_back(folder)
            call_command("migrate", interactive=False, verbosity=0)
        except (BackupRefused, DatabaseError) as error:
            raise CommandError(f"Stopped half-way: {error}\n{undo}") from error
        self.stdout.write(f"Database, key and results are back. Start Sluice again.\n{undo}")

    def _kept(self, name: Path) -> str:
        """Keep what is there now; return how it comes back."""
        try:
            backup_write(name.with_suffix(".tar.gz"))
        except (DatabaseError, sqlite3.Error):
            database_put_aside(name.with_suffix(".sqlite3"))
            return f"The database that was there cannot be read; it is kept as {name}.sqlite3"
        return f"To undo this: manage.py restore {name}.tar.gz"


def _refuse_connected() -> None:
    """Raise BackupRefused when others use the database; of SQLite the lock of the state folder tells."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(SESSIONS)
            (others,) = cursor.fetchone()
        if others:
            raise BackupRefused(f"{others} other connection(s) use the database: stop web and workers first")
