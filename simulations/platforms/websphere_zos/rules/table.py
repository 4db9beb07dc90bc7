"""The rules of WebSphere for z/OS as data."""

from simulations.analysis.estimates.summary import Source
from simulations.platforms.shared.listener_port import MQ_BACKOUT, PORT, backout_before_retries, retries_stop_port
from simulations.platforms.shared.rules import Rule, per_queue, per_server
from simulations.platforms.websphere_zos.rules import servant_checks, session_checks, throttle_checks
from simulations.platforms.websphere_zos.rules.activation_rules import ACTIVATION_RULES
from simulations.platforms.websphere_zos.rules.servant_rules import SERVANT_RULES
from simulations.platforms.websphere_zos.rules.throttle_checks import per_port
from simulations.platforms.websphere_zos.sources import ABEND, INSTANCES, ORB, OWN_MODEL, THROTTLE, TIMEOUTS

OWN = Source(OWN_MODEL, "capacity of one port", "assumed")
RULES: tuple[Rule, ...] = (
    Rule(
        "websphere-zos.stable",
        "error",
        "Fewer messages arrive than the settings carry",
        OWN,
        per_queue(throttle_checks.stable),
    ),
    Rule(
        "websphere-zos.low-covers-threads",
        "error",
        "The low threshold covers the worker threads",
        Source(THROTTLE, "no idle thread behind a blocked throttle"),
        per_port(throttle_checks.low_covers_threads),
    ),
    Rule(
        "websphere-zos.2xwt",
        "warning",
        "Maximum sessions is at least twice the worker threads",
        Source(THROTTLE, "twice the worker threads of all servants"),
        per_port(throttle_checks.twice_the_threads),
    ),
    Rule(
        "websphere-zos.sessions-above-threads",
        "warning",
        "Every worker thread can serve the port",
        Source(THROTTLE, "deliberately low Maximum sessions"),
        per_port(throttle_checks.sessions_above_threads),
    ),
    Rule(
        "websphere-zos.ready-backlog",
        "info",
        "A port with bursts keeps prepared messages ready",
        Source(THROTTLE, "high threshold 2 × (WT + N)"),
        per_port(throttle_checks.bursts_find_backlog),
    ),
    Rule(
        "websphere-zos.throttle-bypassed",
        "warning",
        "Maximum sessions still bounds the WLM queue",
        Source(THROTTLE, "very large high threshold"),
        per_port(throttle_checks.bypassed),
    ),
    Rule(
        "websphere-zos.order-needs-one-session",
        "info",
        "Only one session on one member keeps the order of arrival",
        Source(THROTTLE, "high threshold of 1"),
        per_queue(throttle_checks.order),
    ),
    Rule(
        "websphere-zos.agent-keeps-up",
        "warning",
        "The queue agent is not the limit",
        OWN,
        per_queue(throttle_checks.agent_keeps_up),
    ),
    Rule(
        "websphere-zos.one-low-threshold-rule",
        "error",
        "All ports of a server use the same low threshold rule",
        Source(THROTTLE, "custom property of the message listener service"),
        per_server(throttle_checks.one_low_rule),
    ),
    Rule(
        "websphere-zos.shared-threads",
        "info",
        "Ports of one server share its worker threads",
        Source(THROTTLE, "in-flight count of each listener port"),
        per_server(throttle_checks.shared_threads),
    ),
    Rule(
        "websphere-zos.queue-timeout-tail",
        "error",
        "The last record of a full window is taken before the queue timeout",
        Source(THROTTLE, "MDB timeout with a raised high threshold"),
        per_queue(session_checks.queue_timeout_tail),
    ),
    Rule(
        "websphere-zos.mdb-timeout-covers-service",
        "error",
        "Nearly every onMessage ends within the MDB request timeout",
        Source(TIMEOUTS, "control_region_mdb_request_timeout"),
        per_queue(session_checks.timeout_covers_service),
    ),
    Rule(
        "websphere-zos.mdb-timeout-above-transaction",
        "info",
        "The MDB request timeout is above the maximum transaction timeout",
        Source(TIMEOUTS, "relations between the timeouts"),
        per_server(session_checks.timeout_above_transaction),
    ),
    Rule(
        "websphere-zos.queue-timeout-percent-ignored",
        "info",
        "The queue timeout percent counts only with an MDB request timeout",
        Source(TIMEOUTS, "control_region_mdb_queue_timeout_percent"),
        per_server(session_checks.percent_ignored),
    ),
    Rule(
        "websphere-zos.restart-loses-neighbours",
        "warning",
        "A dispatch timeout does not end a servant that runs other messages",
        Source(ABEND, "ABEND EC3 reason 04130008"),
        per_server(servant_checks.restart_loses_neighbours),
    ),
    Rule(
        "websphere-zos.retries-stop-port",
        "warning",
        "One bad message does not stop the listener port",
        Source(PORT, "Maximum retries"),
        per_queue(retries_stop_port),
    ),
    Rule(
        "websphere-zos.backout-before-retries",
        "error",
        "The backout threshold is not above Maximum retries",
        Source(MQ_BACKOUT, "BOTHRESH"),
        per_queue(backout_before_retries),
    ),
    Rule(
        "websphere-zos.custom-threads-ignored",
        "info",
        "The custom thread count counts only with the profile CUSTOM",
        Source(ORB, "Workload profile, CUSTOM"),
        per_server(session_checks.custom_threads_ignored),
    ),
    Rule(
        "websphere-zos.thread-rule-ignored",
        "info",
        "The thread rule counts only with the profiles IOBOUND and CPUBOUND",
        Source(ORB, "Workload profile"),
        per_server(session_checks.thread_rule_ignored),
    ),
    Rule(
        "websphere-zos.servants-start-late",
        "warning",
        "All servants run before the work arrives",
        Source(INSTANCES, "Minimum number of instances"),
        per_server(session_checks.servants_start_late),
    ),
    *SERVANT_RULES,
    *ACTIVATION_RULES,
)
