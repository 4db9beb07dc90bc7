"""What happened is told to those who asked for it: signed, once more where it fails, and not for ever."""

import hashlib
import hmac
import json
import time
from dataclasses import asdict
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import override_settings
from django.utils import timezone
from pydantic_core import to_json
from pytest_django import DjangoCaptureOnCommitCallbacks

from planner import services
from planner.celery import app
from planner.jobs import deliveries
from planner.jobs.deliveries import MOST_FAILURES, PAUSES, deliveries_forget, deliveries_send_due, delivery_attempt
from planner.jobs.execute import run_compute, run_finish, run_points_save
from planner.jobs.leases import job_claim, job_end, jobs_reap
from planner.models import AuditEvent, Calibration, Delivery, ReportState, Run, RunStatus, Scenario, Webhook
from planner.services.rows import Issued
from planner.settings.environment import Environment
from planner.tasks import delivery_attempt as delivery_task
from simulations.pipeline.spark.executors import InlineExecutor
from tests.claims import taken
from tests.planner.conftest import Listener, summary_of
from tests.telemetry import fit_of
from tests.waiting import PATIENCE


def ended(run: Run, *, fail: bool = False) -> None:
    claimed = taken(run)
    if fail:
        job_end(claimed, to=RunStatus.FAILED, error={"code": "point_failed", "message": "secret details"})
        return
    run_points_save(run=claimed, summaries=[summary_of(0), summary_of(1)], partial=False)
    run_finish(run=claimed)


def due_again() -> None:
    Delivery.objects.update(due_at=timezone.now() - timedelta(seconds=1))


def test_the_end_of_a_run_is_told_with_a_signature(run: Run, issued: Issued[Webhook], listener: Listener) -> None:
    ended(run)
    delivery = Delivery.objects.get()
    began = int(time.time())
    assert delivery_attempt(delivery_id=delivery.pk) is True
    ((headers, content),) = listener.got
    body = json.loads(content)
    run.refresh_from_db()
    assert (
        (body["event"], body["id"])
        == ("run.succeeded", delivery.pk)
        == (
            headers["Sluice-Event"],
            headers["Sluice-Delivery"],
        )
    )
    assert (body["data"]["id"], body["data"]["result_hash"]) == (run.pk, run.result_hash)
    told = dict(part.split("=") for part in headers["Sluice-Signature"].split(","))
    expected = hmac.new(issued.secret.encode(), f"{told['t']}.".encode() + content, hashlib.sha256).hexdigest()
    assert hmac.compare_digest(told["v1"], expected)
    assert began <= int(told["t"]) <= time.time()
    delivery.refresh_from_db()
    assert (delivery.status, delivery.attempts, delivery.answered) == ("delivered", 1, 200)
    assert delivery_attempt(delivery_id=delivery.pk) is None
    assert len(listener.got) == 1


@pytest.mark.parametrize("how", ["fail", "cancel", "give up"])
def test_every_end_is_told_once(run: Run, issued: Issued[Webhook], how: str) -> None:
    if how == "fail":
        ended(run, fail=True)
    elif how == "cancel":
        services.job_cancel(run, actor=run.owner)
        services.job_cancel(run, actor=run.owner)
    else:
        job_claim(Run, key=run.pk, worker="w1")
        Run.objects.update(attempt=9, heartbeat_at=timezone.now() - timedelta(minutes=1))
        jobs_reap(Run)
    event = Delivery.objects.get()
    assert event.event == ("run.cancelled" if how == "cancel" else "run.failed")
    assert "secret details" not in event.body


@pytest.mark.django_db(transaction=True)  # the heartbeat of the computation has a connection of its own
def test_experiments_and_signed_reports_are_told(
    owner: User, stranger: User, scenario: Scenario, run: Run, issued: Issued[Webhook]
) -> None:
    asked = services.experiment_prepare(version=scenario.version, owner=owner, question={"type": "headroom"})().run
    services.job_cancel(asked, actor=owner)
    assert Delivery.objects.get().event == "experiment.cancelled"
    run_compute(run_id=run.pk, worker="w1", executor_of=lambda _: InlineExecutor())
    run.refresh_from_db()
    stranger.is_superuser = True
    stranger.save()
    report = services.report_create(run=run, owner=owner)
    for actor, state in ((owner, "in_review"), (stranger, "signed")):
        report = services.report_step(report=report, actor=actor, to=ReportState(state))
    told = Delivery.objects.get(target=report.pk)
    assert (told.event, json.loads(told.body)["data"]["state"]) == ("report.signed", "signed")


def test_only_what_was_asked_for_and_only_the_owner_is_told(
    owner: User, stranger: User, run: Run, listener: Listener
) -> None:
    services.webhook_create(owner=owner, url=listener.address, events=["run.failed"])
    services.webhook_create(owner=stranger, url=listener.address)
    ended(run)
    assert not Delivery.objects.exists()


def watched(owner: User, *, mean: float, **more: Any) -> Calibration:
    """A calibration that computes, and what it will have found."""
    fit = json.loads(to_json(asdict(fit_of()), inf_nan_mode="null"))
    fit["service_mean"] = {"value": mean, "low": 0.99 * mean, "high": 1.01 * mean, "unit": "s"}
    made = Calibration.objects.create(owner=owner, name="Orders", location="/logs/orders.csv", **more)
    made.result = {"queues": [fit]}
    return made


def finish(made: Calibration) -> Calibration:
    claimed = job_claim(Calibration, key=made.pk, worker="w1")
    assert claimed is not None
    job_end(claimed, to=RunStatus.SUCCEEDED, result=made.result, validated=True)
    return claimed


def test_a_calibration_tells_what_has_changed_since_the_one_that_the_scenario_rests_on(
    owner: User, scenario: Scenario, issued: Issued[Webhook]
) -> None:
    plan = finish(watched(owner, mean=0.5, scenario=scenario))
    finish(watched(owner, mean=0.505))
    assert not Delivery.objects.exists()
    slow = finish(watched(owner, mean=0.51))
    assert not Delivery.objects.exists(), "2 % are no change worth a word"
    slower = finish(watched(owner, mean=0.59))
    told = Delivery.objects.get()
    data = json.loads(told.body)["data"]
    assert (told.event, told.target, data["since"]) == ("calibration.changed", slower.pk, plan.pk)
    (change,) = data["changes"]
    assert change["sentence"] == "mean time of one delivery: 500 ms, now 590 ms, +18 % ± 1.5 %."
    assert data["url"].endswith(f"/telemetry/{slower.pk}/")
    assert slow.before == plan


def test_a_calibration_that_fails_is_told_and_what_is_wrong_stays_here(owner: User, issued: Issued[Webhook]) -> None:
    claimed = job_claim(Calibration, key=watched(owner, mean=0.5).pk, worker="w1")
    assert claimed is not None
    job_end(claimed, to=RunStatus.FAILED, error={"code": "telemetry_refused", "message": "secret details"})
    told = Delivery.objects.get()
    assert (told.event, json.loads(told.body)["data"]["error"]) == ("calibration.failed", "telemetry_refused")
    assert "secret details" not in told.body


def test_a_run_that_goes_back_tells_nothing(run: Run, issued: Issued[Webhook]) -> None:
    services.job_pause(run, actor=run.owner)
    services.job_resume(run, actor=run.owner)
    assert not Delivery.objects.exists()


def test_what_fails_is_tried_again_later_and_given_up_in_the_end(
    run: Run, issued: Issued[Webhook], listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses = tuple(100 * pause for pause in PAUSES)
    monkeypatch.setattr(deliveries, "PAUSES", pauses)
    listener.status = 503
    ended(run)
    key = Delivery.objects.get().pk
    for number, pause in enumerate(pauses, start=1):
        began = timezone.now()
        assert delivery_attempt(delivery_id=key) is False
        row = Delivery.objects.get()
        assert row.due_at is not None
        assert (row.status, row.attempts, row.answered) == ("pending", number, 503)
        assert began <= row.due_at - timedelta(seconds=pause) <= timezone.now()
        assert delivery_attempt(delivery_id=key) is None, "not before it is due"
        due_again()
    assert delivery_attempt(delivery_id=key) is False
    row = Delivery.objects.get()
    assert (row.status, row.attempts, row.problem) == ("failed", 6, "the answer was 503, not 2xx")
    assert len({headers["Sluice-Delivery"] for headers, _ in listener.got}) == 1
    assert len(listener.got) == 6


def test_a_redirect_is_a_failure(run: Run, issued: Issued[Webhook], listener: Listener) -> None:
    listener.status = 301
    ended(run)
    delivery_attempt(delivery_id=Delivery.objects.get().pk)
    assert "redirects are not followed" in Delivery.objects.get().problem


def test_a_webhook_that_always_fails_is_deactivated_with_the_reason(
    run: Run, issued: Issued[Webhook], listener: Listener
) -> None:
    listener.status = 500
    ended(run)
    Webhook.objects.update(failures=MOST_FAILURES - 1)
    delivery_attempt(delivery_id=Delivery.objects.get().pk)
    webhook = Webhook.objects.get()
    assert webhook.disabled_reason == "20 attempts in a row failed; the last one: the answer was 500, not 2xx"
    assert AuditEvent.objects.filter(action="webhook.deactivate", actor=None).count() == 1
    due_again()
    assert delivery_attempt(delivery_id=Delivery.objects.get().pk) is False
    assert (Delivery.objects.get().status, len(listener.got)) == ("failed", 1)
    services.webhook_activate(webhook=webhook, actor=run.owner)
    assert (webhook.disabled_at, webhook.failures, webhook.disabled_reason) == (None, 0, "")


def test_one_success_forgets_the_failures(run: Run, issued: Issued[Webhook]) -> None:
    Webhook.objects.update(failures=MOST_FAILURES - 1)
    ended(run)
    delivery_attempt(delivery_id=Delivery.objects.get().pk)
    assert Webhook.objects.get().failures == 0


def test_nothing_goes_to_a_deleted_webhook(run: Run, issued: Issued[Webhook], listener: Listener) -> None:
    ended(run)
    services.webhook_delete(webhook=issued.row, actor=run.owner)
    delivery_attempt(delivery_id=Delivery.objects.get().pk)
    assert (Delivery.objects.get().problem, listener.got) == ("the webhook is deleted", [])


def test_an_address_that_became_private_is_not_called(run: Run, issued: Issued[Webhook], listener: Listener) -> None:
    ended(run)
    values = {**settings.ENVIRONMENT.model_dump(), "webhook_loopback": False}
    with override_settings(ENVIRONMENT=Environment.model_validate(values)):
        assert delivery_attempt(delivery_id=Delivery.objects.get().pk) is False
    assert listener.got == []
    assert "https" in Delivery.objects.get().problem


def test_the_task_stands_in_a_line_of_its_own_that_every_worker_serves(
    run: Run, issued: Issued[Webhook], django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    assert set(app.amqp.queues.consume_from) == {"celery", "deliveries"}
    with app.connection_for_write() as link, link.SimpleQueue("deliveries") as mailbox:
        mailbox.clear()
        with django_capture_on_commit_callbacks(execute=True):
            ended(run)
        message = mailbox.get(timeout=PATIENCE)
        message.ack()
    assert (message.headers["task"], message.payload[0]) == (delivery_task.name, [Delivery.objects.get().pk])
    assert Delivery.objects.get().sent_at is not None


def test_what_is_due_is_sent_again_but_not_all_the_time(run: Run, issued: Issued[Webhook], listener: Listener) -> None:
    ended(run)
    assert deliveries_send_due() == 1
    assert deliveries_send_due() == 0, "it is on its way"
    listener.status = 500
    delivery_attempt(delivery_id=Delivery.objects.get().pk)
    assert deliveries_send_due() == 0, "not yet"
    past = timezone.now() - timedelta(seconds=1)
    Delivery.objects.update(due_at=past, sent_at=past - timedelta(seconds=10))
    assert deliveries_send_due() == 1


def test_deliveries_are_forgotten_with_the_replications(run: Run, issued: Issued[Webhook]) -> None:
    ended(run)
    Delivery.objects.update(created_at=timezone.now() - timedelta(days=400))
    assert deliveries_forget(days=90) == 0, "it is still on its way"
    delivery_attempt(delivery_id=Delivery.objects.get().pk)
    Delivery.objects.update(finished_at=timezone.now() - timedelta(days=91))
    assert deliveries_forget(days=0) == 0
    assert deliveries_forget(days=90) == 1


def test_a_worker_that_died_in_the_middle_is_followed_by_another(
    run: Run, issued: Issued[Webhook], monkeypatch: Any
) -> None:
    def died(*about: Any, **more: Any) -> int:
        raise KeyboardInterrupt

    ended(run)
    key = Delivery.objects.get().pk
    with monkeypatch.context() as patch:
        patch.setattr(deliveries, "post", died)
        with pytest.raises(KeyboardInterrupt):
            delivery_attempt(delivery_id=key)
    assert delivery_attempt(delivery_id=key) is None, "the first worker may still be at it"
    due_again()
    assert delivery_attempt(delivery_id=key) is True
