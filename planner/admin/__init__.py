"""The admin site: servers, queues and tags may be changed; what proves a result is only shown."""

from planner.admin.access import ApiTokenAdmin, AuditEventAdmin, ServiceAccountAdmin
from planner.admin.calibrations import CalibrationAdmin
from planner.admin.configuration import ExportAdmin, ImportAdmin
from planner.admin.inventory import QueueAdmin, ServerAdmin
from planner.admin.reports import ReportAdmin, ReportStepAdmin, ShareLinkAdmin
from planner.admin.runs import PointResultAdmin, RunAdmin
from planner.admin.scenarios import ScenarioAdmin, ScenarioVersionAdmin
from planner.admin.webhooks import DeliveryAdmin, WebhookAdmin
