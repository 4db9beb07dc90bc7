"""The JSON of a report as types, from which its JSON schema is made."""

from typing import Any, Literal

from planner.answers.values import Out
from simulations.analysis.estimates.summary import Derived, PointSummary
from simulations.platforms.shared.family import Claim


class ChangedBy(Out):
    """Who gave a value last."""

    version: int
    author: str
    at: str


class Superseded(Out):
    """The signed report that this one replaces, bound by its hash, and the scenario's versions since."""

    report: str
    payload_hash: str
    version: int
    versions_since: list[dict[str, Any]]


class DecisionBy(Out):
    """Who decides and until when; empty where that is not known."""

    decider: str
    by: str


class Question(Out):
    """The question that the report answers."""

    scenario: str
    note: str
    objectives: list[dict[str, Any]]
    sweep: list[dict[str, Any]]


class PlatformNamed(Out):
    """The platform's family."""

    name: str
    title: str
    vendor: str


class ServerRow(Out):
    """One server; ``threads``: the most of each instance, None where no queue uses it."""

    name: str
    cpus: int
    instances: int
    threads: int | None
    background: list[dict[str, Any]]
    queues: list[str]


class SettingRow(Out):
    """One setting; value and default in its base unit."""

    path: str
    entity: str
    title: str
    native: str
    meaning: str
    value: Any
    default: Any
    changed: bool
    unit: str
    unlimited: float | None = None
    source: str
    trust: Literal["source", "assumed", "unverified"]
    changed_by: ChangedBy | None


class RuleNamed(Out):
    """A rule of the platform's family."""

    id: str
    title: str


class WorkRow(Out):
    """The work of one queue; percentiles of the time inside ``onMessage`` in seconds."""

    name: str
    kind: str
    server: str
    producers: int
    message_size: float | dict[str, Any]
    arrivals: dict[str, Any]
    service: dict[str, Any]
    service_percentiles: dict[str, float]
    given_by: ChangedBy | None
    placeholder: bool = False
    """Whether an import made up arrivals or service that were not replaced since."""


class ChoiceMade(Out):
    """The choice, points by their index."""

    chosen: int | None
    present: int | None
    runner_up: int | None
    metric: str
    word: Literal["met", "missed", "unresolved", ""]
    probability: float


class Change(Out):
    """A difference to the baseline with its 95 % interval."""

    value: float
    low: float
    high: float
    unit: str
    paired: bool
    verdict: str


class Changes(Out):
    """Differences by point and metric."""

    baseline: int | None
    points: dict[str, dict[str, Change]]
    notes: list[str]


class ScriptWritten(Out):
    """A script with the part that takes it back, and the hashes of both."""

    format: str
    filename: str
    apply: str
    undo: str
    left_out: list[str]
    encoding: str
    reasons: dict[str, str]
    since: int
    changes: list[dict[str, Any]]
    sha256: dict[Literal["apply", "undo"], str]


class PointRow(Out):
    """One point: its summary, formula answers and explanation."""

    summary: PointSummary
    derived: list[Derived]
    claims: list[Claim]


class MetricNamed(Out):
    """A metric that the points have."""

    name: str
    title: str
    unit: str
    meaning: str


class Payload(Out):
    """Everything that a report says; numbers in base units (seconds, bytes, per second)."""

    payload: Literal[2]
    title: str
    made_at: str
    prepared_by: str
    supersedes: Superseded | None
    decision: DecisionBy
    question: Question
    platform: PlatformNamed
    servers: list[ServerRow]
    settings: list[SettingRow]
    rules: list[RuleNamed]
    workload: list[WorkRow]
    calibration: dict[str, Any] | None
    choice: ChoiceMade
    changes: Changes
    experiments: list[dict[str, Any]]
    scripts: list[ScriptWritten]
    drift: dict[str, Any] | None = None
    """What files in use said differently from the version when the report was made; None without files."""
    points: list[PointRow]
    turn: dict[str, Any] | None = None
    """Where the first objective turns along the sweep, with its sentence; None where that is not known."""
    metrics: list[MetricNamed]
    method: dict[str, Any]
    reproduction: dict[str, Any]


class ReportJson(Payload):
    """A report as it is downloaded."""

    id: str
    payload_hash: str
    """SHA-256 of the payload, its keys sorted, without ``id`` and ``payload_hash``."""


def report_schema() -> dict[str, Any]:
    """Return the JSON schema of a report's JSON."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **ReportJson.model_json_schema()}
