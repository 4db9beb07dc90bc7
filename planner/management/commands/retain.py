"""`manage.py retain`: what the results store would forget, and with --apply, forgetting it."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from planner.jobs.housekeeping import removals, removals_text
from simulations.pipeline.archive.retention import remove


class Command(BaseCommand):
    """Workers do the same once an hour, with RETENTION_DAYS."""

    help = "List what the results store no longer needs; delete it only with --apply."

    def add_arguments(self, parser: CommandParser) -> None:
        days = settings.ENVIRONMENT.retention_days
        parser.add_argument(
            "--days", type=int, default=days, help=f"age of replications of finished runs, 0 keeps them ({days})"
        )
        parser.add_argument("--apply", action="store_true", help="delete what is listed")

    def handle(self, *args: Any, **options: Any) -> None:
        """List, one line per run, and delete when asked to. Raises CommandError for a negative age."""
        if options["days"] < 0:
            raise CommandError("--days: must be 0 or more")
        removed = removals(days=options["days"])
        for removal in removed:
            files = len(removal.paths)
            what = "its folder" if removal.paths[0].is_dir() else f"{files} file{'' if files == 1 else 's'}"
            self.stdout.write(f"{removal.run}  {removal.size / 1e6:8.1f} MB  {what}: {removal.why}")
        if options["apply"]:
            remove(removed)
            self.stdout.write(f"Removed: {removals_text(removed)}")
        else:
            self.stdout.write(f"Would be removed: {removals_text(removed)}" + (" (with --apply)" if removed else ""))
