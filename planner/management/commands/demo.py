"""`manage.py demo`: the worked example of the vendor's document, run by worker and Spark, as a table."""

import time
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse

from planner import services
from planner.answers.text_tables import results_table
from planner.models import Run, RunStatus, Scenario
from planner.selectors import run_points

PRESET = "surge-backlog"
LOOK_SECONDS = 0.25
LIMIT_SECONDS = 900.0


class Command(BaseCommand):
    """Needs running services: `make up` and `make demo` call it; it may be called while `make up` runs."""

    help = "Run the preset 'Surge backlog' through Celery and Spark and print its result table."

    def handle(self, *args: Any, **options: Any) -> None:
        """Start the run (an equal one that is done is the answer at once), wait for it, print it."""
        owner = User.objects.filter(is_superuser=True).order_by("pk").first()
        scenario = Scenario.objects.filter(owner=owner, preset=PRESET).first()
        if owner is None or scenario is None:
            raise CommandError("the preset is not there: run `manage.py install` first")
        began = time.monotonic()
        started = services.run_start(version=scenario.version, owner=owner)
        self.stdout.write(f"\n{scenario.name}: run {started.run.pk} sweeps the maximum sessions of the listener port")
        run = self._finished(started.run)
        if run.status != RunStatus.SUCCEEDED:
            raise CommandError(f"the run {run.status}: {(run.error or {}).get('message', 'no reason was stored')}")
        origin = "as computed before" if started.cached else f"in {time.monotonic() - began:.1f} s"
        self.stdout.write(results_table(run.parsed, [point.summary for point in run_points(run=run)]))
        self.stdout.write(f"95 % intervals, seed {run.seed}, engine {run.engine_version}, {origin}")
        self.stdout.write(
            f"The same numbers as a page: {settings.ENVIRONMENT.public_url}{reverse('run', args=[run.pk])}"
        )

    def _finished(self, run: Run) -> Run:
        limit, shown = time.monotonic() + LIMIT_SECONDS, None
        while not run.final:
            if time.monotonic() > limit:
                raise CommandError(f"run {run.pk} is still {run.status} after {LIMIT_SECONDS / 60:.0f} minutes")
            if run.status != shown:
                shown = run.status
                self.stdout.write(f"  {shown}")
            time.sleep(LOOK_SECONDS)
            run.refresh_from_db()
        return run
