"""What is stored. Everything that decides a run's numbers is copied into the run and never changes afterwards."""

from planner.models.access import JOB_ERROR, ApiToken, AuditEvent, IdempotentAnswer, Scope, audit
from planner.models.baseline import Baseline
from planner.models.calibration import Calibration
from planner.models.configuration import Export, Import, ImportedFile
from planner.models.inventory import Queue, Server
from planner.models.job import Job, RunStatus
from planner.models.report import Report, ReportFile, ReportState, ReportStep, ShareLink
from planner.models.run import ACTIVE, PointResult, Run, RunKind
from planner.models.scenario import Scenario, ScenarioVersion
from planner.models.service import ServiceAccount
from planner.models.view import SavedView
from planner.models.webhook import Delivery, DeliveryStatus, Webhook, WebhookEvent

__all__ = [
    "ACTIVE",
    "JOB_ERROR",
    "ApiToken",
    "AuditEvent",
    "Baseline",
    "Calibration",
    "Delivery",
    "DeliveryStatus",
    "Export",
    "IdempotentAnswer",
    "Import",
    "ImportedFile",
    "Job",
    "PointResult",
    "Queue",
    "Report",
    "ReportFile",
    "ReportState",
    "ReportStep",
    "Run",
    "RunKind",
    "RunStatus",
    "SavedView",
    "Scenario",
    "ScenarioVersion",
    "Scope",
    "Server",
    "ServiceAccount",
    "ShareLink",
    "Webhook",
    "WebhookEvent",
    "audit",
]
