"""`manage.py backup FILE`: one file with all that cannot be made again."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from planner.management.backups import BackupRefused, backup_write
from planner.management.exits import EXIT_INVALID
from planner.runtime.processes import StartProblem


class Command(BaseCommand):
    """Sluice may run meanwhile."""

    help = "Write database, key and results into one file. Exit codes: 0 done, 2 the file cannot be written."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="file that is made, for example sluice.tar.gz")

    def handle(self, *args: Any, **options: Any) -> None:
        file = options["file"].absolute()
        try:
            manifest = backup_write(file)
        except (BackupRefused, StartProblem) as error:
            raise CommandError(str(error), returncode=EXIT_INVALID) from error
        size = file.stat().st_size / 1e6
        self.stdout.write(f"{file}: {manifest['database']} database and {len(manifest['files'])} files, {size:.1f} MB")
        self.stdout.write(f"It holds the key of sessions: keep it private. To bring it back: manage.py restore {file}")
