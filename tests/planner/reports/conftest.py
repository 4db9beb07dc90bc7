"""A report of a run whose answers a test chose, without simulating."""

import pytest
from django.contrib.auth.models import User

from planner import services
from planner.jobs.execute import run_finish, run_points_save
from planner.models import Report, Run
from tests.claims import taken
from tests.planner.conftest import summary_of


@pytest.fixture
def finished(run: Run) -> Run:
    """A run that succeeded: the second point is worse than the first."""
    claimed = taken(run)
    run_points_save(run=claimed, summaries=[summary_of(0), summary_of(1, 0.3)], partial=False)
    run_finish(run=claimed, timings={"total": 1.5})
    run.refresh_from_db()
    return run


@pytest.fixture
def report(finished: Run, owner: User) -> Report:
    """A draft about it."""
    made = services.report_create(run=finished, owner=owner, title="Decision")
    made.refresh_from_db()
    return made
