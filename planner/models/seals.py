"""The hashes that hold a report and its sign-off together."""

import hashlib
import json
from datetime import datetime

from planner.models import Report

SIGN = "planner.sign_report"
"""Permission to send reports back, to review and to sign them."""
REVIEW = "planner.review_report"
"""Permission to review reports and to send them back."""
LONGEST_SHARE = 90
"""Days after which every share link has ended."""


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


def share_digest(secret: str) -> str:
    """Return what is stored of a link's secret; 192 random bits need no slow hash."""
    return hashlib.sha256(secret.encode()).hexdigest()
