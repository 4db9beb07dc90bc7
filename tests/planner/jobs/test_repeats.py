"""A series of calibrations: the newest knows when the next begins, and of many workers one begins it."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import override_settings
from django.utils import timezone

from planner import services
from planner.errors import Conflict
from planner.jobs.calibrate import calibration_repeat, calibration_source, calibrations_repeat_due
from planner.models import AuditEvent, Calibration, RunStatus
from simulations.declarations.problems import InvalidInput
from tests.calibrations import waiting


@pytest.fixture
def roots(tmp_path: Path) -> Iterator[Path]:
    """A folder from which this installation may read."""
    changed = settings.ENVIRONMENT.model_copy(update={"telemetry_roots": (str(tmp_path),)})
    with override_settings(ENVIRONMENT=changed):
        yield tmp_path


@pytest.fixture
def daily(owner: User, roots: Path) -> Calibration:
    """A calibration of a location that is repeated every day, done and due for some minutes."""
    draft = services.calibration_draft(owner=owner, location=str(roots / "orders.csv"), name="Orders", every_hours=24)
    made = services.calibration_store(draft=draft)
    assert made.due_at == made.created_at + timedelta(hours=24)
    return over(made, created_at=timezone.now() - timedelta(hours=24, minutes=5))


def over(calibration: Calibration, **more: object) -> Calibration:
    changes = {"status": RunStatus.SUCCEEDED, "validated": True, **more}
    Calibration.objects.filter(pk=calibration.pk).update(**changes)
    calibration.refresh_from_db()
    return calibration


def newest() -> Calibration:
    return Calibration.objects.order_by("created_at", "pk").reverse()[0]


def test_what_is_due_is_begun_once_with_the_same_settings(daily: Calibration) -> None:
    calibrations_repeat_due()
    calibrations_repeat_due()
    made = newest()
    assert Calibration.objects.count() == 2
    assert (made.status, made.owner_id, made.name, made.location) == (
        RunStatus.QUEUED,
        daily.owner_id,
        "Orders",
        daily.location,
    )
    assert (made.since, made.every_hours) == (daily.created_at, 24)
    daily.refresh_from_db()
    assert daily.due_at is None
    told = AuditEvent.objects.get(action="calibration.repeat")
    assert (told.actor_id, told.target) == (None, made.pk)


def test_what_was_missed_does_not_pile_up(daily: Calibration) -> None:
    over(daily, created_at=timezone.now() - timedelta(days=9, hours=3))
    calibrations_repeat_due()
    over(newest())
    calibrations_repeat_due()
    assert Calibration.objects.count() == 2


def test_nothing_is_begun_before_its_time_while_it_is_computed_or_for_who_has_left(daily: Calibration) -> None:
    over(daily, status=RunStatus.QUEUED, validated=None)
    calibrations_repeat_due()
    over(daily, created_at=timezone.now() - timedelta(hours=23))
    calibrations_repeat_due()
    over(daily, created_at=timezone.now() - timedelta(hours=25))
    User.objects.update(is_active=False)
    calibrations_repeat_due()
    assert Calibration.objects.count() == 1
    User.objects.update(is_active=True)
    calibrations_repeat_due()
    assert Calibration.objects.count() == 2


def test_what_a_failed_one_did_not_read_is_read_by_the_next(daily: Calibration) -> None:
    read_until = daily.created_at
    calibrations_repeat_due()
    failed = over(newest(), status=RunStatus.FAILED, validated=None, created_at=timezone.now() - timedelta(hours=25))
    over(daily, created_at=timezone.now() - timedelta(hours=49))
    calibrations_repeat_due()
    assert newest().pk != failed.pk
    assert newest().since == read_until


def test_only_one_of_two_who_know_the_same_repeats_it(daily: Calibration) -> None:
    same = Calibration.objects.get(pk=daily.pk)
    assert calibration_repeat(daily, actor=daily.owner).since == daily.created_at
    with pytest.raises(Conflict, match="just been repeated"):
        calibration_repeat(same)
    assert Calibration.objects.count() == 2


def test_a_series_ends_where_it_is_stopped(daily: Calibration) -> None:
    for _ in range(2):
        assert services.calibration_stop(daily, actor=daily.owner).due_at is None
    calibrations_repeat_due()
    assert Calibration.objects.count() == 1
    assert AuditEvent.objects.filter(action="calibration.stop").count() == 1
    assert calibration_repeat(daily, actor=daily.owner).due_at is None


def test_uploads_are_not_repeated(owner: User) -> None:
    with pytest.raises(Conflict, match="send the new log"):
        calibration_repeat(waiting(owner), actor=owner)
    with pytest.raises(InvalidInput, match="an upload cannot be read again") as caught:
        services.calibration_draft(owner=owner, location="a.csv", content=[b"x"], every_hours=1)
    assert [item.path for item in caught.value.problems] == ["every_hours"]


def test_a_root_that_is_no_longer_allowed_ends_in_a_failure_that_says_so(daily: Calibration) -> None:
    calibrations_repeat_due()
    source = calibration_source(calibration=newest())
    assert source.options == {"modifiedAfter": f"{daily.created_at:%Y-%m-%dT%H:%M:%S}"}
    none = settings.ENVIRONMENT.model_copy(update={"telemetry_roots": ()})
    with override_settings(ENVIRONMENT=none), pytest.raises(InvalidInput, match="TELEMETRY_ROOTS"):
        calibration_source(calibration=newest())
