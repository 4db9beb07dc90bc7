"""The rules of WebSphere for z/OS as data, and the functions that check the throttle's own rules."""

from simulations.analysis.summary import Source
from simulations.analysis.theory.laws import arrival_rate, law_mean
from simulations.platforms.common import number, service_of, settings_of
from simulations.platforms.laws import arrivals_of
from simulations.platforms.listener_port import MQ_BACKOUT, PORT, backout_before_retries, retries_stop_port
from simulations.platforms.rules import Rule, Verdict, per_queue, per_server
from simulations.platforms.websphere_zos import limits
from simulations.platforms.websphere_zos.formulas import (
    carried,
    covers_threads,
    low_threshold,
    ready_backlog,
    sessions_for,
    worker_threads,
)
from simulations.platforms.websphere_zos.parameters import (
    ABEND,
    INSTANCES,
    ORB,
    OWN_MODEL,
    THROTTLE,
    TIMEOUTS,
    ListenerPort,
)
from simulations.system import Queue, Server, System

SESSIONS = "settings.maximum_sessions"
LOW_EQUALS_HIGH = "settings.low_equals_high"


def _low_covers_threads(_: System, server: Server, queue: Queue) -> Verdict:
    port, threads = settings_of(queue, ListenerPort), worker_threads(server)
    low = low_threshold(port)
    details = {"low_threshold": low, "worker_threads": threads}
    if covers_threads(server, queue):
        return Verdict("ok", f"The low threshold {low} keeps all {threads} threads busy.", details=details)
    message = (
        f"The low threshold {low} is below the {threads} threads: while the throttle is blocked, threads run out of "
        f"work. Raise Maximum sessions to at least {2 * threads}, or set LOW.EQUALS.HIGH."
    )
    return Verdict("violated", message, {SESSIONS: 2 * threads}, details)


def _twice_the_threads(_: System, server: Server, queue: Queue) -> Verdict | None:
    port, threads = settings_of(queue, ListenerPort), worker_threads(server)
    if port.low_equals_high:
        return None
    details = {"maximum_sessions": port.maximum_sessions, "baseline_sessions": 2 * threads}
    if port.maximum_sessions >= 2 * threads:
        return Verdict("ok", f"Maximum sessions {port.maximum_sessions} is at least 2 × {threads}.", details=details)
    message = (
        f"Maximum sessions {port.maximum_sessions} is below twice the worker threads, 2 × {threads} = {2 * threads}."
    )
    return Verdict("violated", message, {SESSIONS: 2 * threads}, details)


def _sessions_above_threads(_: System, server: Server, queue: Queue) -> Verdict:
    sessions, threads = settings_of(queue, ListenerPort).maximum_sessions, worker_threads(server)
    if sessions >= threads:
        return Verdict("ok", f"All {threads} threads can serve this port.")
    message = (
        f"At most {sessions} of {threads} threads can ever serve this port. That is right only where a back end or "
        f"the order of messages asks for it."
    )
    return Verdict("violated", message, {SESSIONS: 2 * threads}, {"unreachable_threads": threads - sessions})


def _ready_backlog(_: System, server: Server, queue: Queue) -> Verdict | None:
    if not arrivals_of(queue.arrivals).count:
        return None
    threads, sessions = worker_threads(server), settings_of(queue, ListenerPort).maximum_sessions
    backlog = ready_backlog(sessions, threads)
    if backlog > 0:
        return Verdict("ok", f"{backlog} prepared messages are ready at each release.", details={"backlog": backlog})
    advised = sessions_for(threads, threads)
    message = (
        f"Messages come in bursts, but no prepared message is left when the throttle opens. "
        f"Maximum sessions {advised} = 2 × ({threads} + {threads}) keeps one ready for each thread."
    )
    return Verdict("violated", message, {SESSIONS: advised}, {"backlog": backlog})


def _order(_: System, server: Server, queue: Queue) -> Verdict:
    sessions = settings_of(queue, ListenerPort).maximum_sessions
    if sessions > 1:
        message = f"With Maximum sessions {sessions} messages can overtake each other; only 1 keeps their order."
        return Verdict("ok", message)
    if server.instances > 1:
        message = f"Maximum sessions 1 keeps the order in one member only; {server.instances} members work in parallel."
        return Verdict("violated", message, {f"servers.{server.name}.instances": 1})
    return Verdict("ok", "Maximum sessions 1 keeps the order of arrival.")


def _bypassed(_: System, server: Server, queue: Queue) -> Verdict:
    sessions, threads = settings_of(queue, ListenerPort).maximum_sessions, worker_threads(server)
    ceiling = 100 * threads
    if sessions < ceiling:
        return Verdict("ok", f"Maximum sessions {sessions} bounds the WLM queue.")
    message = (
        f"Maximum sessions {sessions} is {number(round(sessions / threads))} times the {threads} threads: the throttle "
        f"is off in effect and a flood of messages can overload the WLM queue."
    )
    return Verdict("violated", message, {SESSIONS: sessions_for(threads, threads)})


def _one_low_rule(system: System, server: Server) -> Verdict | None:
    ports = [settings_of(queue, ListenerPort) for queue in system.queues_of(server)]
    if len(ports) < 2:
        return None
    if len({port.low_equals_high for port in ports}) == 1:
        return Verdict("ok", "All ports of the server use the same low threshold rule.")
    message = "LOW.EQUALS.HIGH is one custom property of the whole listener service: its ports cannot differ in it."
    fix = {f"queues.{queue.name}.{LOW_EQUALS_HIGH}": False for queue in system.queues_of(server)}
    return Verdict("violated", message, fix)


def _shared_threads(system: System, server: Server) -> Verdict | None:
    ports = system.queues_of(server)
    if len(ports) < 2:
        return None
    total = sum(settings_of(queue, ListenerPort).maximum_sessions for queue in ports)
    threads = worker_threads(server)
    message = (
        f"{len(ports)} listener ports share {threads} threads; each has its own throttle, together they may put "
        f"{total} messages in flight."
    )
    return Verdict("ok", message, details={"in_flight_total": total, "worker_threads": threads})


def _stable(system: System, __: Server, queue: Queue) -> Verdict | None:
    most, rate = carried(system, queue), arrival_rate(arrivals_of(queue.arrivals))
    if most is None or rate is None:
        return None
    details = {"carried_rate": most, "arrival_rate": rate}
    if rate < most:
        message = f"{number(rate)} of at most {number(round(most, 2))} messages per second arrive."
        return Verdict("ok", message, details=details)
    message = (
        f"{number(rate)} messages per second arrive, these settings carry {number(round(most, 1))}: the backlog grows "
        f"without end."
    )
    return Verdict("violated", message, details=details)


def _agent_keeps_up(_: System, server: Server, queue: Queue) -> Verdict | None:
    agent = settings_of(queue, ListenerPort).queue_agent_time
    if agent == 0:
        return None
    needed, possible = worker_threads(server) / law_mean(service_of(queue)), 1 / agent
    details = {"agent_rate": possible, "thread_rate": needed}
    if possible >= needed:
        return Verdict("ok", f"The queue agent prepares up to {number(possible)} messages per second.", details=details)
    message = (
        f"The one queue agent prepares {number(possible)} messages per second, the threads could run {number(needed)}: "
        f"the agent is the limit of this port."
    )
    return Verdict("violated", message, details=details)


def _at(document: str, place: str) -> Source:
    return Source(document, place)


HIGH, OWN = _at(THROTTLE, "Maximum sessions"), Source(OWN_MODEL, "capacity of one port", "assumed")
RULES: tuple[Rule, ...] = (
    Rule("websphere-zos.stable", "error", "Fewer messages arrive than the settings carry", OWN, per_queue(_stable)),
    Rule(
        "websphere-zos.low-covers-threads",
        "error",
        "The low threshold covers the worker threads",
        _at(THROTTLE, "no idle thread behind a blocked throttle"),
        per_queue(_low_covers_threads),
    ),
    Rule(
        "websphere-zos.2xwt",
        "warning",
        "Maximum sessions is at least twice the worker threads",
        _at(THROTTLE, "twice the worker threads of all servants"),
        per_queue(_twice_the_threads),
    ),
    Rule(
        "websphere-zos.sessions-above-threads",
        "warning",
        "Every worker thread can serve the port",
        _at(THROTTLE, "deliberately low Maximum sessions"),
        per_queue(_sessions_above_threads),
    ),
    Rule(
        "websphere-zos.ready-backlog",
        "info",
        "A port with bursts keeps prepared messages ready",
        _at(THROTTLE, "high threshold 2 × (WT + N)"),
        per_queue(_ready_backlog),
    ),
    Rule(
        "websphere-zos.throttle-bypassed",
        "warning",
        "Maximum sessions still bounds the WLM queue",
        _at(THROTTLE, "very large high threshold"),
        per_queue(_bypassed),
    ),
    Rule(
        "websphere-zos.order-needs-one-session",
        "info",
        "Only one session on one member keeps the order of arrival",
        _at(THROTTLE, "high threshold of 1"),
        per_queue(_order),
    ),
    Rule(
        "websphere-zos.agent-keeps-up", "warning", "The queue agent is not the limit", OWN, per_queue(_agent_keeps_up)
    ),
    Rule(
        "websphere-zos.one-low-threshold-rule",
        "error",
        "All ports of a server use the same low threshold rule",
        _at(THROTTLE, "custom property of the message listener service"),
        per_server(_one_low_rule),
    ),
    Rule(
        "websphere-zos.shared-threads",
        "info",
        "Ports of one server share its worker threads",
        _at(THROTTLE, "in-flight count of each listener port"),
        per_server(_shared_threads),
    ),
    Rule(
        "websphere-zos.queue-timeout-tail",
        "error",
        "The last record of a full window is taken before the queue timeout",
        _at(THROTTLE, "MDB timeout with a raised high threshold"),
        per_queue(limits.queue_timeout_tail),
    ),
    Rule(
        "websphere-zos.mdb-timeout-covers-service",
        "error",
        "Nearly every onMessage ends within the MDB request timeout",
        _at(TIMEOUTS, "control_region_mdb_request_timeout"),
        per_queue(limits.timeout_covers_service),
    ),
    Rule(
        "websphere-zos.mdb-timeout-above-transaction",
        "info",
        "The MDB request timeout is above the maximum transaction timeout",
        _at(TIMEOUTS, "relations between the timeouts"),
        per_server(limits.timeout_above_transaction),
    ),
    Rule(
        "websphere-zos.queue-timeout-percent-ignored",
        "info",
        "The queue timeout percent counts only with an MDB request timeout",
        _at(TIMEOUTS, "control_region_mdb_queue_timeout_percent"),
        per_server(limits.percent_ignored),
    ),
    Rule(
        "websphere-zos.restart-loses-neighbours",
        "warning",
        "A dispatch timeout does not end a servant that runs other messages",
        _at(ABEND, "ABEND EC3 reason 04130008"),
        per_server(limits.restart_loses_neighbours),
    ),
    Rule(
        "websphere-zos.retries-stop-port",
        "warning",
        "One bad message does not stop the listener port",
        _at(PORT, "Maximum retries"),
        per_queue(retries_stop_port),
    ),
    Rule(
        "websphere-zos.backout-before-retries",
        "error",
        "The backout threshold is not above Maximum retries",
        _at(MQ_BACKOUT, "BOTHRESH"),
        per_queue(backout_before_retries),
    ),
    Rule(
        "websphere-zos.custom-threads-ignored",
        "info",
        "The custom thread count counts only with the profile CUSTOM",
        _at(ORB, "Workload profile, CUSTOM"),
        per_server(limits.custom_threads_ignored),
    ),
    Rule(
        "websphere-zos.thread-rule-ignored",
        "info",
        "The thread rule counts only with the profiles IOBOUND and CPUBOUND",
        _at(ORB, "Workload profile"),
        per_server(limits.thread_rule_ignored),
    ),
    Rule(
        "websphere-zos.servants-start-late",
        "warning",
        "All servants run before the work arrives",
        _at(INSTANCES, "Minimum number of instances"),
        per_server(limits.servants_start_late),
    ),
)
