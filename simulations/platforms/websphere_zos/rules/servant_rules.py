"""The rules of WebSphere for z/OS about servants, subscriptions and the services they use, as data."""

from simulations.analysis.estimates.summary import Source
from simulations.platforms.shared.listener_port import POOLS, SERVICE, TRANSACTIONS
from simulations.platforms.shared.rules import Rule, per_queue, per_server
from simulations.platforms.websphere_zos.rules import servant_checks
from simulations.platforms.websphere_zos.sources import INSTANCES, LISTENING, SERVANTS, TIMEOUTS

SERVANT_RULES: tuple[Rule, ...] = (
    Rule(
        "websphere-zos.last-servant-spared",
        "warning",
        "A dispatch timeout leaves a servant",
        Source(TIMEOUTS, "control_region_timeout_save_last_servant"),
        per_server(servant_checks.last_servant_spared),
    ),
    Rule(
        "websphere-zos.listeners-pause",
        "warning",
        "Records do not run out of time while no servant runs",
        Source(TIMEOUTS, "control_region_dreg_on_no_srs"),
        per_server(servant_checks.listeners_pause),
    ),
    Rule(
        "websphere-zos.servant-end-ignored",
        "info",
        "Settings of a servant's end count only where one ends",
        Source(TIMEOUTS, "timeouts that end a servant"),
        per_server(servant_checks.end_settings_ignored),
    ),
    Rule(
        "websphere-zos.servants-cover-classes",
        "warning",
        "There is a servant for each service class",
        Source(SERVANTS, "servants and service classes", "unverified"),
        per_server(servant_checks.servants_cover_classes),
    ),
    Rule(
        "websphere-zos.instances-ignored",
        "info",
        "Numbers of servants count only with multiple instances",
        Source(INSTANCES, "Multiple instances enabled"),
        per_server(servant_checks.instances_ignored),
    ),
    Rule(
        "websphere-zos.ports-come-back",
        "info",
        "Ports come back after a restart of the queue manager",
        Source(SERVICE, "ENABLE.ZOS.LP.RECOVERY"),
        per_server(servant_checks.recovery_enabled),
    ),
    Rule(
        "websphere-zos.maximum-transaction-timeout",
        "warning",
        "The maximum transaction timeout covers the total transaction lifetime",
        Source(TIMEOUTS, "relations between the timeouts"),
        per_server(servant_checks.maximum_timeout),
    ),
    Rule(
        "websphere-zos.transaction-covers-service",
        "error",
        "Nearly every onMessage ends within the transaction lifetime",
        Source(TRANSACTIONS, "Total transaction lifetime timeout"),
        per_queue(servant_checks.transaction_covers_service),
    ),
    Rule(
        "websphere-zos.session-pool-covers-sessions",
        "error",
        "The session pool of the factory covers what can run at once",
        Source(POOLS, "maximum of the session pool"),
        per_queue(servant_checks.session_pool),
    ),
    Rule(
        "websphere-zos.durable-subscription-ignored",
        "info",
        "A durable subscription counts only at a topic",
        Source(LISTENING, "non-durable subscriptions"),
        per_queue(servant_checks.durable_ignored),
    ),
    Rule(
        "websphere-zos.dispatch-timeout-ignored",
        "info",
        "The WLM dispatch timeout counts only for activation specifications and what a servant listens for",
        Source(LISTENING, "WLM dispatch timeout"),
        per_server(servant_checks.dispatch_timeout_ignored),
    ),
)
