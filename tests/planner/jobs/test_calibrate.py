"""A calibration is computed once, by the same claim as a run, and ends in exactly one way."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import override_settings
from django.utils import timezone

from planner import services
from planner.errors import Conflict
from planner.jobs import spark_session
from planner.jobs.calibrate import calibration_compute, calibration_folder, calibration_source, upload_name
from planner.jobs.leases import job_claim, job_touch, jobs_reap
from planner.models import Calibration, RunStatus
from planner.settings.environment import Environment
from simulations.declarations.problems import InvalidInput
from simulations.pipeline.spark.session import SparkLink
from simulations.scenario.spec import parse
from tests.calibrations import completed
from tests.telemetry import TRUTH, Story

pytestmark = [pytest.mark.django_db(transaction=True)]


@pytest.fixture
def allowed(calibrated: Story) -> Iterator[Story]:
    """The log of the tests, in a folder from which this installation may read."""
    roots = {"telemetry_roots": (str(calibrated.path.parent),)}
    with override_settings(ENVIRONMENT=Environment.model_validate({**settings.ENVIRONMENT.model_dump(), **roots})):
        yield calibrated


def started(owner: User, story: Story, **more: Any) -> Calibration:
    return services.calibration_store(draft=services.calibration_draft(owner=owner, location=str(story.path), **more))


def compute(calibration: Calibration, link: SparkLink) -> Calibration:
    calibration_compute(calibration_id=calibration.pk, worker="w1", link_of=lambda: link)
    calibration.refresh_from_db()
    return calibration


def error_of(calibration: Calibration) -> dict[str, Any]:
    assert calibration.error is not None
    return dict(calibration.error)


def stored(owner: User, story: Story) -> Calibration:
    """A calibration whose result is there, without computing it again."""
    made = completed(started(owner, story), story)
    made.refresh_from_db()
    return made


@pytest.mark.spark
def test_an_upload_is_computed_and_its_rows_are_not_kept(
    owner: User, spark_link: SparkLink, calibrated: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    named: set[str] = set()

    def watched(calibration: Calibration, **changes: Any) -> RunStatus:
        status = job_touch(calibration, **changes)
        if "progress" in changes:
            named.add(Calibration.objects.get(pk=calibration.pk).spark_session)
        return status

    monkeypatch.setattr("planner.jobs.calibrate.job_touch", watched)
    content = [calibrated.path.read_bytes()]
    made = services.calibration_store(
        draft=services.calibration_draft(owner=owner, location="orders of May.csv", content=content, name="Orders")
    )
    compute(made, spark_link)
    assert (made.status, made.error, made.validated) == (RunStatus.SUCCEEDED, None, True)
    assert (named, made.spark_session) == ({spark_link.session_id}, "")
    assert made.result is not None
    assert made.result["quarantine"]["used"] == TRUTH.messages
    assert made.result["queues"][0]["concurrency"]["threads"] == TRUTH.threads
    folder = calibration_folder(calibration=made)
    assert [path.name for path in folder.iterdir()] == ["upload.csv"]


@pytest.mark.spark
def test_a_log_that_cannot_be_used_fails_with_the_reason(owner: User, spark_link: SparkLink) -> None:
    made = services.calibration_store(
        draft=services.calibration_draft(
            owner=owner, location="columns.csv", content=[b"arival,start,end,queue\n1,2,3,q"]
        )
    )
    compute(made, spark_link)
    assert made.status == RunStatus.FAILED
    assert error_of(made)["code"] == "telemetry_refused"
    assert "no column arrival" in error_of(made)["message"]


@pytest.mark.spark
def test_a_calibration_that_is_over_is_left_alone(owner: User, spark_link: SparkLink, allowed: Story) -> None:
    made = stored(owner, allowed)
    assert compute(made, spark_link).attempt == 1


@pytest.mark.spark
def test_a_silent_worker_loses_it_and_a_cancelled_one_stops(
    owner: User,
    spark_link: SparkLink,
    allowed: Story,
) -> None:
    made = started(owner, allowed)
    job_claim(Calibration, key=made.pk, worker="w1")
    Calibration.objects.filter(pk=made.pk).update(heartbeat_at=timezone.now() - timedelta(minutes=1))
    assert jobs_reap(Calibration) == [made.pk]
    job_claim(Calibration, key=made.pk, worker="w2")
    services.job_cancel(made, actor=owner)
    Calibration.objects.filter(pk=made.pk).update(heartbeat_at=timezone.now() - timedelta(minutes=1))
    jobs_reap(Calibration)
    assert compute(made, spark_link).status == RunStatus.CANCELLED
    again = services.job_retry(made, actor=owner)
    assert again.status == RunStatus.QUEUED


@pytest.mark.spark
def test_a_result_becomes_a_scenario_once(owner: User, allowed: Story) -> None:
    made = stored(owner, allowed)
    scenario = services.calibration_scenario(calibration=made, actor=owner)
    assert services.calibration_scenario(calibration=made, actor=owner).pk == scenario.pk
    assert parse(scenario.version.spec) == allowed.outcome.scenario
    assert made.result is not None
    assert scenario.version.note.endswith(made.result["verdict"]["title"].lower())
    unfinished = started(owner, allowed)
    with pytest.raises(Conflict):
        services.calibration_scenario(calibration=unfinished, actor=owner)


@pytest.mark.spark
def test_without_spark_the_message_says_what_to_do(
    owner: User, allowed: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spark_session, "SPARK_PATIENCE", 0.0)
    made = started(owner, allowed)
    calibration_compute(calibration_id=made.pk, worker="w1")
    made.refresh_from_db()
    assert error_of(made)["code"] == "spark_unavailable"
    assert "make up" in error_of(made)["message"]


@pytest.mark.parametrize("location", ["/etc/passwd.csv", "orders.csv", "s3a://bucket/orders.csv", "/tmp/../etc/x.csv"])  # noqa: S108
def test_nothing_may_be_read_unless_a_root_says_so(owner: User, location: str) -> None:
    with pytest.raises(InvalidInput, match="TELEMETRY_ROOTS"):
        services.calibration_store(draft=services.calibration_draft(owner=owner, location=location))
    assert not Calibration.objects.exists()


def test_an_upload_has_a_limit_and_a_known_format(owner: User) -> None:
    small = Environment.model_validate({**settings.ENVIRONMENT.model_dump(), "max_upload_bytes": 10_000})
    with override_settings(ENVIRONMENT=small), pytest.raises(InvalidInput, match="more than 10,000 bytes"):
        services.calibration_store(
            draft=services.calibration_draft(owner=owner, location="a.csv", content=[b"x" * 6_000, b"y" * 6_000])
        )
    with pytest.raises(InvalidInput, match="must end with"):
        services.calibration_store(draft=services.calibration_draft(owner=owner, location="a.csv.gz", content=[b"x"]))


@pytest.fixture
def roots(tmp_path: Path) -> Iterator[Path]:
    """A folder from which logs may be read, and a results store of its own."""
    changes = {"telemetry_roots": (str(tmp_path / "logs"),), "store_url": str(tmp_path / "store")}
    (tmp_path / "logs").mkdir()
    with override_settings(ENVIRONMENT=settings.ENVIRONMENT.model_copy(update=changes)):
        yield tmp_path


@pytest.mark.parametrize(
    ("location", "name"),
    [
        ("Orders of May.CSV", "upload.csv"),
        ("orders.parquet", "upload.parquet"),
        ("../../etc/passwd", "upload.unknown"),
        ("orders.csv.exe", "upload.unknown"),
    ],
)
def test_only_a_known_suffix_of_the_senders_name_is_kept(location: str, name: str) -> None:
    assert upload_name(location) == name


def test_a_location_below_a_root_is_read_under_its_own_name(roots: Path) -> None:
    location = str(roots / "logs" / "orders.csv")
    source = calibration_source(calibration=Calibration(location=location))
    assert source.location == f"file://{Path(location).resolve()}"
    with pytest.raises(InvalidInput, match="TELEMETRY_ROOTS") as caught:
        calibration_source(calibration=Calibration(location=str(roots / "elsewhere.csv")))
    assert caught.value.problems[0].path == "location"


def test_an_upload_is_read_from_its_own_folder_as_long_as_it_is_kept(roots: Path) -> None:
    uploaded = Calibration(location="orders of May.csv", uploaded=True)
    folder = calibration_folder(calibration=uploaded)
    assert folder == roots / "store" / uploaded.pk
    with pytest.raises(InvalidInput, match="no longer kept"):
        calibration_source(calibration=uploaded)
    folder.mkdir(parents=True)
    (folder / "upload.csv").write_text("arrival,start,end,queue\n")
    assert calibration_source(calibration=uploaded).location.endswith(f"{uploaded.pk}/upload.csv")
