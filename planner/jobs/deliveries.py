"""Notifying webhooks: one delivery for each event and webhook, tried until it arrives or is given up.

A delivery arrives at least once: a worker that dies after the answer sends it again, under the same id.
"""

import hashlib
import hmac
import json
import logging
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from planner.jobs.dispatch import job_send, send_now
from planner.models import Calibration, Delivery, DeliveryStatus, Report, Run, RunKind, RunStatus, Webhook, audit
from planner.models.team import beside
from planner.web.outbound import Policy, Refused, Unreachable, post

PAUSES = (10, 60, 300, 1800, 7200)
"""Seconds from a failed attempt to the next; after the last one the delivery is given up."""
MOST_FAILURES = 20
"""Failed attempts in a row, of whatever deliveries, after which a webhook is deactivated."""
CLAIMED = timedelta(minutes=1)
"""After this time a worker that has not reported the end of its attempt has died; an attempt takes seconds."""
LOST_AFTER = timedelta(minutes=5)
SENT_AT_ONCE = 100
PREFIX = "whs_"

logger = logging.getLogger(__name__)


def webhook_policy() -> Policy:
    """Return what the installation allows to be called."""
    environment = settings.ENVIRONMENT
    return Policy(environment.webhook_networks, loopback=environment.webhook_loopback)


def webhook_secret(webhook: Webhook) -> str:
    """Return the secret, which cannot be derived without the server's own key."""
    about = f"sluice.webhook:{webhook.pk}:{webhook.nonce}".encode()
    return PREFIX + hmac.new(settings.SECRET_KEY.encode(), about, hashlib.sha256).hexdigest()


def run_announce(*, run_id: str, status: RunStatus) -> None:
    """Tell webhooks how a run or an experiment ended, inside the transaction of the end."""
    run = Run.objects.select_related("version__scenario").get(pk=run_id)
    word = "run" if run.kind == RunKind.RUN else "experiment"
    about = {
        "kind": run.kind,
        "status": status.value,
        "scenario": run.version.scenario_id,
        "version": run.version.number,
        "result_hash": run.result_hash,
        "error": (run.error or {}).get("code"),
    }
    _announce(run, f"{word}.{status.value}", "runs", about)


def calibration_announce(*, calibration_id: str, status: RunStatus) -> None:
    """Tell webhooks that a calibration failed or that the system has moved, inside the transaction of the end."""
    row = Calibration.objects.get(pk=calibration_id)
    before = row.before if status == RunStatus.SUCCEEDED else None
    changes = [asdict(change) for change in row.changes_since(before)] if before else []
    about = {"name": row.name, "location": row.location, "validated": row.validated, "since": before and before.pk}
    if changes or status == RunStatus.FAILED:
        event = "calibration.changed" if changes else "calibration.failed"
        _announce(row, event, "telemetry", {**about, "changes": changes, "error": (row.error or {}).get("code")})


def report_announce(*, report: Report) -> None:
    """Tell webhooks that a report was signed, inside the transaction of the signature."""
    about = {"run": report.run_id, "state": report.state, "payload_hash": report.payload_hash}
    _announce(report, "report.signed", "reports", about)


def deliveries_send_due() -> int:
    """Send the tasks of deliveries that are due and not under way; return how many. Many processes may call it."""
    now = timezone.now()
    waiting = Q(sent_at=None) | Q(sent_at__lt=F("due_at")) | Q(sent_at__lt=now - LOST_AFTER)
    due = Delivery.objects.filter(waiting, status=DeliveryStatus.PENDING, due_at__lte=now).order_by("due_at")
    rows = list(due.only("pk")[:SENT_AT_ONCE])
    for row in rows:
        send_now(row)
    return len(rows)


def deliveries_forget(*, days: int) -> int:
    """Delete the record of deliveries that ended so many days ago; return how many. 0 keeps them."""
    if not days:
        return 0
    return Delivery.objects.filter(finished_at__lt=timezone.now() - timedelta(days=days)).delete()[0]


def delivery_attempt(*, delivery_id: str) -> bool | None:
    """Try a delivery; True when it arrived, None when there is nothing to do (not due, over, another worker's)."""
    now = timezone.now()
    due = Delivery.objects.filter(pk=delivery_id, status=DeliveryStatus.PENDING, due_at__lte=now)
    if due.update(due_at=now + CLAIMED, attempts=F("attempts") + 1) != 1:
        return None
    delivery = Delivery.objects.select_related("webhook").get(pk=delivery_id)
    webhook = delivery.webhook
    if webhook.deleted_at or webhook.disabled_at:
        _give_up(delivery, "the webhook is deleted" if webhook.deleted_at else "the webhook is deactivated")
        return False
    answered, trouble = _tried(delivery)
    if trouble:
        _failed(delivery, answered, trouble)
        return False
    _arrived(delivery, answered)
    return True


def signature(secret: str, body: str, at: int) -> str:
    """Return the header's value: the time, and the HMAC-SHA256 of time, a dot and the body."""
    return f"t={at},v1={hmac.new(secret.encode(), f'{at}.{body}'.encode(), hashlib.sha256).hexdigest()}"


def _announce(subject: Run | Report | Calibration, event: str, pages: str, about: Mapping[str, Any]) -> None:
    """Store a delivery for each webhook of owner or team that wants the event, and send it after the commit."""
    active = Webhook.objects.filter(beside(subject), deleted_at=None, disabled_at=None)
    wanted = [webhook for webhook in active if event in webhook.events]
    url = f"{settings.ENVIRONMENT.public_url}/{pages}/{subject.pk}/"
    deliver(wanted, event, {"id": subject.pk, **about, "url": url})


def deliver(webhooks: Iterable[Webhook], event: str, data: Mapping[str, Any]) -> list[Delivery]:
    """Store a delivery of the event, about the row whose id is in ``data``, for each webhook; sent after the commit."""
    now = timezone.now()
    rows = [Delivery(webhook=webhook, event=event, target=data["id"], due_at=now) for webhook in webhooks]
    for row in rows:
        row.body = json.dumps({"id": row.pk, "event": event, "at": now.isoformat(), "data": data})
    Delivery.objects.bulk_create(rows)
    for row in rows:
        job_send(row)
    return rows


def delivery_repeat(*, delivery: Delivery) -> Delivery:
    """Send what is over once more, under its id and with its body; what is under way stays as it is."""
    fresh = {"status": DeliveryStatus.PENDING, "attempts": 0, "due_at": timezone.now(), "finished_at": None}
    if Delivery.objects.exclude(status=DeliveryStatus.PENDING).filter(pk=delivery.pk).update(**fresh, sent_at=None):
        job_send(delivery)
    delivery.refresh_from_db()
    return delivery


def _tried(delivery: Delivery) -> tuple[int | None, str]:
    """The status that came back, and what is wrong with it; nothing when it arrived."""
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Sluice",
        "Sluice-Event": delivery.event,
        "Sluice-Delivery": delivery.pk,
        "Sluice-Signature": signature(webhook_secret(delivery.webhook), delivery.body, int(time.time())),
    }
    try:
        status = post(delivery.webhook.url, delivery.body.encode(), headers, webhook_policy())
    except (Refused, Unreachable) as error:
        return None, str(error)
    if 200 <= status < 300:
        return status, ""
    redirected = " (redirects are not followed)" if 300 <= status < 400 else ""
    return status, f"the answer was {status}{redirected}, not 2xx"


@transaction.atomic
def _arrived(delivery: Delivery, answered: int | None) -> None:
    _update(delivery, status=DeliveryStatus.DELIVERED, answered=answered, problem="", finished_at=timezone.now())
    Webhook.objects.filter(pk=delivery.webhook_id).update(failures=0)


@transaction.atomic
def _failed(delivery: Delivery, answered: int | None, trouble: str) -> None:
    logger.warning("%s, attempt %d: %s", delivery.pk, delivery.attempts, trouble)
    Webhook.objects.filter(pk=delivery.webhook_id).update(failures=F("failures") + 1)
    if delivery.attempts > len(PAUSES):
        _give_up(delivery, trouble, answered=answered)
    else:
        due_at = timezone.now() + timedelta(seconds=PAUSES[delivery.attempts - 1])
        _update(delivery, answered=answered, problem=trouble[:500], due_at=due_at)
    _deactivate_failing(delivery.webhook, trouble)


def _give_up(delivery: Delivery, trouble: str, **more: Any) -> None:
    _update(delivery, status=DeliveryStatus.FAILED, problem=trouble[:500], finished_at=timezone.now(), **more)


def _update(delivery: Delivery, **changes: Any) -> None:
    Delivery.objects.filter(pk=delivery.pk, status=DeliveryStatus.PENDING).update(**changes)


def _deactivate_failing(webhook: Webhook, trouble: str) -> None:
    failing = Webhook.objects.filter(pk=webhook.pk, failures__gte=MOST_FAILURES, disabled_at=None)
    reason = f"{MOST_FAILURES} attempts in a row failed; the last one: {trouble}"[:500]
    if failing.update(disabled_at=timezone.now(), disabled_reason=reason):
        audit(actor=None, action="webhook.deactivate", row=webhook, reason=reason)
