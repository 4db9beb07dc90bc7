"""Reports, their sign-off and the links at which they may be read."""

from datetime import date, datetime
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, StringConstraints

from planner.api.schemas.common import In, Stored
from planner.models import ReportState
from planner.models.report import LONGEST_COMMENT, LONGEST_SHARE, Section


class ScenarioReportIn(In):
    """What the report is called; the scenario's name when left out."""

    title: Annotated[str, Field(max_length=200)] = ""


class ReportIn(In):
    """A report to be frozen; without a title it gets the scenario's name. ``decider`` decides until ``decide_by``.
    ``files`` beside these fields are those in use: the report says what they say differently from its version."""

    run: str
    title: Annotated[str, Field(max_length=200)] = ""
    decider: Annotated[str, Field(max_length=200)] = ""
    decide_by: date | None = None
    target: Annotated[str, Field(max_length=200)] = ""
    """Name of the cluster or server that is meant where the files have several."""


class SignoffIn(In):
    """The next step of a report's sign-off."""

    to: Literal["draft", "in_review", "reviewed", "signed"]
    comment: Annotated[str, Field(max_length=1000)] = ""


class ShareLinkIn(In):
    """A link at which anybody may read the report for so many days."""

    days: Annotated[int, Field(ge=1, le=LONGEST_SHARE)] = 7


class ShareLine(Stored):
    """A share link; its address is stored nowhere."""

    report: str
    expires_at: datetime
    sources: ClassVar = {"report": "report_id"}


class ShareLinkOut(ShareLine):
    """A new share link; ``address`` is shown this once."""

    address: str


class CommentIn(In):
    """A comment at a section of a report."""

    section: Section
    text: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_COMMENT)]


class CommentOut(Stored):
    """What somebody noted at a section of a report."""

    report: str
    section: Section
    author: str
    text: str
    sources: ClassVar = {"report": "report_id", "author": "author.username"}


class ReportLine(Stored):
    """A report without its content."""

    run: str
    title: str
    state: ReportState
    payload_hash: str
    sources: ClassVar = {"run": "run_id"}


class ReportOut(ReportLine):
    """A report with its content."""

    payload: dict[str, Any]
