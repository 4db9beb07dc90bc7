"""What is stored. Everything that decides a run's numbers is copied into the run and never changes afterwards."""

from planner.models.access import JOB_ERROR, ApiToken, AuditEvent, Delivery, DeliveryStatus, IdempotentAnswer, Scope
from planner.models.access import ServiceAccount, Webhook, WebhookEvent, audit
from planner.models.calibration import Calibration
from planner.models.configuration import Export, Import, ImportedFile
from planner.models.inventory import Queue, Server
from planner.models.report import Report, ReportComment, ReportFile, ReportState, ReportStep, ShareLink
from planner.models.run import ACTIVE, Job, PointResult, Run, RunKind, RunStatus
from planner.models.scenario import Baseline, SavedView, Scenario, ScenarioVersion
from planner.models.team import Invitation, Membership, Role, Team
