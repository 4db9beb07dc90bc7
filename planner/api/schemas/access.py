"""Tokens and reports."""

from datetime import UTC, date, datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AwareDatetime, Field

from planner.api.schemas.common import In, Out
from planner.models.seals import LONGEST_SHARE


def _in_utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise ValueError("lies outside the years 1 to 9999") from None


class TokenIn(In):
    """A new token."""

    name: Annotated[str, Field(min_length=1, max_length=100)]
    scopes: Annotated[tuple[str, ...], Field(max_length=10)]
    """Any of read, write, run, export, admin."""
    expires_at: Annotated[AwareDatetime, AfterValidator(_in_utc)] | None = None


class TokenOut(Out):
    """A token without its secret."""

    id: str
    name: str
    prefix: str
    scopes: list[str]
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None
    created_at: datetime


class NewTokenOut(Out):
    """A token with its secret, which is shown this once."""

    secret: str
    token: TokenOut


class TokensPage(Out):
    """One page of tokens."""

    items: list[TokenOut]
    next: str | None


class ScenarioReportIn(In):
    """What the report is called; the scenario's name when left out."""

    title: Annotated[str, Field(max_length=200)] = ""


class ReportIn(In):
    """A report to be frozen; without a title it gets the scenario's name. ``decider`` decides until ``decide_by``."""

    run: str
    title: Annotated[str, Field(max_length=200)] = ""
    decider: Annotated[str, Field(max_length=200)] = ""
    decide_by: date | None = None


class SignoffIn(In):
    """The next step of a report's sign-off."""

    to: Literal["draft", "in_review", "reviewed", "signed"]
    comment: Annotated[str, Field(max_length=1000)] = ""


class ShareLinkIn(In):
    """A link at which anybody may read the report for so many days."""

    days: Annotated[int, Field(ge=1, le=LONGEST_SHARE)] = 7


class ShareLinkOut(Out):
    """A new share link; ``address`` is shown this once and stored nowhere."""

    id: str
    report: str
    address: str
    expires_at: datetime


class ReportLine(Out):
    """A report without its content."""

    id: str
    run: str
    title: str
    state: str
    payload_hash: str
    created_at: datetime


class ReportOut(ReportLine):
    """A report with its content."""

    payload: dict[str, Any]


class ReportsPage(Out):
    """One page of reports."""

    items: list[ReportLine]
    next: str | None
