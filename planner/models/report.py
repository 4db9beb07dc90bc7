"""Reports: a run's answer at one moment, kept for good, and the hashes that hold it and its sign-off together."""

import hashlib
import json
from datetime import datetime
from typing import Literal

from django.conf import settings
from django.db import models

from planner.models.bases import Dated, ImmutableModel
from planner.models.identity import id_field
from planner.models.run import Run

SIGN = "planner.sign_report"
"""Permission to send reports back, to review and to sign them."""
REVIEW = "planner.review_report"
"""Permission to review reports and to send them back."""
LONGEST_SHARE = 90
"""Days after which every share link has ended."""


_First = Literal["summary", "question", "system", "workload", "assumptions", "validation", "results"]
_Second = Literal["recommendation", "sensitivity", "risks", "method", "reproduce", "signoff", "checklist"]
Section = Literal[_First, _Second]
"""The anchors of a report's sections."""
LONGEST_COMMENT = 2000


class ReportState(models.TextChoices):
    """How far the sign-off has come; the payload is frozen from the start."""

    DRAFT = "draft"
    IN_REVIEW = "in_review"
    REVIEWED = "reviewed"
    SIGNED = "signed"


class Report(Dated):
    """A report. ``payload`` holds every number that it shows; it never changes, only ``state`` does."""

    says = "{0.title}"
    held_by = "run__version__scenario"
    id = id_field("rep")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="reports")
    run = models.ForeignKey(Run, models.PROTECT, related_name="reports")
    title = models.CharField(max_length=200)
    state = models.CharField(max_length=12, choices=ReportState, default=ReportState.DRAFT)
    payload = models.JSONField(editable=False)
    payload_hash = models.CharField(max_length=64, editable=False)
    html_hash = models.CharField(
        max_length=64,
        blank=True,
        default="",
        help_text="SHA-256 of the HTML file that is kept since the report was signed.",
    )
    supersedes = models.ForeignKey(
        "self",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="superseded_by",
        help_text="The signed report of the same scenario that this one replaces.",
    )

    class Meta(Dated.Meta):
        permissions = (
            ("sign_report", "Can review and sign the reports of others"),
            ("review_report", "Can review the reports of others"),
        )
        indexes = (models.Index(fields=("owner", "-created_at", "-id"), name="report_of_owner"),)
        constraints = (
            models.CheckConstraint(condition=models.Q(state__in=ReportState.values), name="report_state_known"),
        )


class ReportFile(ImmutableModel):
    """A file of a signed report, given as it was then: the HTML since the signature, the PDF since its first print."""

    says = "{0.report_id}.{0.kind}"
    KINDS = (("html", "HTML"), ("pdf", "PDF"))
    id = models.BigAutoField(primary_key=True)
    report = models.ForeignKey(Report, models.CASCADE, related_name="files")
    kind = models.CharField(max_length=4, choices=KINDS)
    content = models.BinaryField(help_text="The file, packed by gzip.")
    sha256 = models.CharField(max_length=64, help_text="Of the file itself.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("report", "kind")
        constraints = (models.UniqueConstraint(fields=("report", "kind"), name="report_file_once"),)


class ReportStep(ImmutableModel):
    """One step of the sign-off. ``digest`` covers the payload, the step and the step before: a chain of hashes."""

    says = "{0.report_id} {0.state}"
    id = models.BigAutoField(primary_key=True)
    report = models.ForeignKey(Report, models.CASCADE, related_name="steps")
    state = models.CharField(max_length=12, choices=ReportState)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    comment = models.CharField(max_length=1000, blank=True, default="")
    digest = models.CharField(max_length=64)
    at = models.DateTimeField()

    class Meta:
        ordering = ("id",)


class ReportComment(Dated):
    """What somebody noted at a section, for whoever may read the report here; no part of it and of its files."""

    says = "{0.report_id} {0.section}"
    held_by = "report__run__version__scenario"
    id = id_field("cmt")
    report = models.ForeignKey(Report, models.CASCADE, related_name="comments")
    section = models.CharField(max_length=20)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    text = models.CharField(max_length=LONGEST_COMMENT)


class ShareLink(Dated):
    """An address at which anybody may read one report until it expires; only the hash of its secret is stored."""

    says = "{0.report_id} until {0.expires_at:%Y-%m-%d}"
    held_by = "report__run__version__scenario"
    id = id_field("shr")
    report = models.ForeignKey(Report, models.CASCADE, related_name="share_links")
    digest = models.CharField(max_length=64, unique=True, editable=False)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")


def payload_digest(payload: object) -> str:
    """Return the SHA-256 of a payload."""
    return hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()


def file_digest(content: bytes) -> str:
    """Return the SHA-256 of a file."""
    return hashlib.sha256(content).hexdigest()


def step_digest(report: Report, previous: str, state: str, actor: int, comment: str, at: datetime) -> str:
    """Return the SHA-256 over the payload's hash, the step before and this step."""
    parts = [report.payload_hash, previous, str(state), actor, comment, at.isoformat()]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def chain_holds(report: Report) -> bool:
    """Whether payload and steps are what was hashed when each step was taken."""
    digest = ""
    for step in report.steps.all():
        digest = step_digest(report, digest, step.state, step.actor_id, step.comment, step.at)
        if digest != step.digest:
            return False
    return payload_digest(report.payload) == report.payload_hash


def secret_digest(secret: str) -> str:
    """Return what is stored of a link's or token's secret; 160 random bits or more need no slow hash."""
    return hashlib.sha256(secret.encode()).hexdigest()
