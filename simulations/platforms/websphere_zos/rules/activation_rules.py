"""The rules of WebSphere for z/OS about activation specifications, as data."""

from simulations.analysis.estimates.summary import Source
from simulations.platforms.shared.activation import ADVANCED, COMMAND
from simulations.platforms.shared.rules import Rule, per_queue, per_server
from simulations.platforms.websphere_zos.rules import activation_checks as checks
from simulations.platforms.websphere_zos.sources import IN_FLIGHT, TIMEOUTS

ACTIVATION_RULES: tuple[Rule, ...] = (
    Rule(
        "websphere-zos.in-flight-positive",
        "error",
        "The in-flight limit lets messages through",
        Source(IN_FLIGHT, "in-flight limit of an activation specification"),
        per_queue(checks.takes_messages),
    ),
    Rule(
        "websphere-zos.in-flight-2xwt",
        "warning",
        "The in-flight limit is at least twice the worker threads",
        Source(ADVANCED, "Maximum server sessions and workload management"),
        per_queue(checks.limit_covers_threads),
    ),
    Rule(
        "websphere-zos.in-flight-bounds-queue",
        "warning",
        "The in-flight limit still bounds the WLM queue",
        Source(ADVANCED, "Maximum server sessions and workload management"),
        per_queue(checks.limit_bounds_queue),
    ),
    Rule(
        "websphere-zos.server-sessions-survive-quiet-times",
        "info",
        "Server sessions outlive the time between two messages",
        Source(ADVANCED, "Server session pool timeout"),
        per_queue(checks.sessions_stay),
    ),
    Rule(
        "websphere-zos.failure-count-ignored",
        "info",
        "The failure delivery count counts only where failures stop the endpoint",
        Source(COMMAND, "failureDeliveryCount"),
        per_queue(checks.count_ignored),
    ),
    Rule(
        "websphere-zos.endpoint-settings-ignored",
        "info",
        "Settings of a listener port or an activation specification count only with it",
        Source(IN_FLIGHT, "listener ports and activation specifications"),
        per_queue(checks.settings_ignored),
    ),
    Rule(
        "websphere-zos.dispatch-timeout-above-transaction",
        "info",
        "The WLM dispatch timeout is above the maximum transaction timeout",
        Source(TIMEOUTS, "relations between the timeouts"),
        per_server(checks.dispatch_above_transaction),
    ),
    Rule(
        "websphere-zos.mdb-timeouts-ignored",
        "info",
        "The MDB timeouts count only for listener ports",
        Source(TIMEOUTS, "control_region_wlm_dispatch_timeout"),
        per_server(checks.mdb_timeouts_ignored),
    ),
)
