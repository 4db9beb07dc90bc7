"""What may go from the results store: first said, then done."""

import os
import time
from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import override_settings
from django.utils import timezone

from planner import services
from planner.jobs.calibrate import calibration_folder, calibration_source
from planner.models import Calibration, Run, RunStatus
from simulations.declarations.problems import InvalidInput

pytestmark = pytest.mark.django_db


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Path]:
    """A results store of its own."""
    environment = settings.ENVIRONMENT.model_copy(update={"store_url": str(tmp_path)})
    with override_settings(ENVIRONMENT=environment):
        yield tmp_path


def folder(store: Path, run_id: str, *, days: float) -> Path:
    """A run's folder, last changed so many days ago."""
    path, then = store / run_id, time.time() - days * 86_400
    path.mkdir()
    for name in ("replications-1.parquet", "summaries.parquet"):
        (path / name).write_bytes(b"x" * 1_000_000)
        os.utime(path / name, (then, then))
    os.utime(path, (then, then))
    return path


def said(*arguments: str) -> str:
    output = StringIO()
    call_command("retain", *arguments, stdout=output)
    return output.getvalue()


def test_it_lists_first_and_deletes_only_when_told(store: Path, run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(status=RunStatus.SUCCEEDED, result_hash="0" * 64)
    done, gone = folder(store, run.pk, days=100), folder(store, "run_gone", days=2)
    listed = said()
    assert f"{run.pk}       1.0 MB  1 file: unchanged for 90 days" in listed
    assert "run_gone       2.0 MB  its folder: its run no longer exists" in listed
    assert "Would be removed: 2 runs, 3.0 MB (with --apply)" in listed
    assert len(list(done.iterdir())) == 2
    assert gone.exists()
    assert "Removed: 2 runs, 3.0 MB" in said("--apply")
    assert [path.name for path in done.iterdir()] == ["summaries.parquet"]
    assert not gone.exists()
    assert "Would be removed: 0 runs, 0.0 MB\n" in said()


def test_replications_of_runs_under_way_stay_and_0_days_keeps_all(store: Path, run: Run) -> None:
    folder(store, run.pk, days=100)
    assert "0 runs" in said("--days", "1")
    services.job_pause(run, actor=run.owner)
    assert "0 runs" in said("--days", "1"), "a paused run goes on from what is stored"
    Run.objects.filter(pk=run.pk).update(status=RunStatus.SUCCEEDED, result_hash="0" * 64)
    assert "1 run, 1.0 MB" in said("--days", "1")
    assert "0 runs" in said("--days", "0")


def test_an_uploaded_log_goes_some_days_after_the_end(store: Path, run: Run) -> None:
    made = services.calibration_store(
        draft=services.calibration_draft(owner=run.owner, location="orders.csv", content=[b"x" * 1_000_000])
    )
    (upload,) = calibration_folder(calibration=made).iterdir()
    then = time.time() - 100 * 86_400
    os.utime(upload, (then, then))
    assert "0 runs" in said()
    over = Calibration.objects.filter(pk=made.pk)
    over.update(status=RunStatus.FAILED, finished_at=timezone.now() - timedelta(days=80))
    assert "0 runs" in said()
    over.update(finished_at=timezone.now() - timedelta(days=95))
    assert f"{made.pk}       1.0 MB  1 file: unchanged for 90 days" in said("--apply")
    assert not upload.exists()
    with pytest.raises(InvalidInput, match="no longer kept"):
        calibration_source(calibration=made)


def test_a_negative_age_is_refused(store: Path) -> None:
    with pytest.raises(CommandError, match="0 or more"):
        said("--days", "-1")
