"""Calibrations: a log in, a fitted workload with its diagnostics and the account of its rows out."""

from datetime import datetime
from typing import Annotated, Any, ClassVar

from pydantic import Field

from planner.api.schemas.common import In, Out, Stored
from planner.models import RunStatus
from simulations.pipeline.telemetry.changes import Change
from simulations.pipeline.telemetry.fitting.holdout import Check
from simulations.pipeline.telemetry.fitting.verdict import Verdict
from simulations.pipeline.telemetry.reading.report import Quarantine


class CalibrationIn(In):
    """Which log, and what shall be made of it. Sent as JSON with ``location``, or as multipart with ``file``."""

    location: Annotated[str, Field(max_length=1000)] = ""
    """Path or URL of a log, below one of the installation's TELEMETRY_ROOTS: CSV, JSON lines, Parquet, OpenTelemetry
    spans or the answer of a Prometheus range query. It says itself whether it holds messages or metric samples."""
    name: Annotated[str, Field(max_length=200)] = ""
    """Name of the scenario; left out: made from the log's name."""
    scenario: Annotated[str, Field(max_length=40)] = ""
    """Id of a scenario whose settings are kept and whose queues get the fitted work; left out: a plain one is made."""
    every_hours: Annotated[int, Field(ge=0, le=8760)] = 0
    """Hours after which what has changed at the location since is calibrated, again and again; 0: not repeated."""


class FittedOut(Out):
    """What a scenario needs to know of a queue."""

    arrivals: dict[str, Any]
    service: dict[str, Any]
    provenance: str
    """Of the distribution of service times: fitted, or assumed where samples show only its mean."""
    failure_rate: float
    threads: int
    """Messages that all instances together process at a time."""


class ChangesOut(Out):
    """What has changed for sure since an earlier calibration; nothing where no difference is larger than chance."""

    changes: list[Change]


class CalibrationLine(Stored):
    """A calibration in a list."""

    name: str
    status: RunStatus
    location: str
    uploaded: bool
    base: str | None
    """Id of the scenario whose settings are kept."""
    every_hours: int
    due_at: datetime | None
    """When it is repeated next; null for what is not, and for all but the newest of a series."""
    since: datetime | None
    """Files that have not changed since then were left out."""
    progress: dict[str, Any]
    error: dict[str, Any] | None
    validated: bool | None
    """Whether every prediction came near enough; null before the end."""
    scenario: str | None
    """Id of the scenario that was made of it."""
    started_at: datetime | None
    finished_at: datetime | None
    sources: ClassVar = {"base": "base.scenario_id", "scenario": "scenario_id"}


class CalibrationOut(CalibrationLine):
    """A calibration; the parts below are null before the end."""

    layout: str | None
    """What the log held: messages, or samples as samples, intervals, imqcmd, wldf, pmi."""
    quarantine: Quarantine | None
    fitted: dict[str, FittedOut] | None
    diagnostics: dict[str, dict[str, Any]] | None
    """By queue: families tried with their goodness, intervals, dispersion, rates by minute and hour of the week,
    concurrency, failures, messages by instance; of samples means with intervals and their course."""
    assumed: list[str] | None
    """What the scenario needs and the log does not say, a sentence each."""
    skipped: dict[str, str] | None
    """Queues that were left out, and why."""
    checks: list[Check] | None
    verdict: Verdict | None
    body: dict[str, Any] | None
    """The scenario, ready to run."""
