"""The rules of WebSphere for z/OS about the MDB throttle: sessions, thresholds, backlog, order, what they carry."""

from functools import partial

from simulations.declarations.system import Queue, Server, System
from simulations.platforms.shared import rules
from simulations.platforms.shared.activation import is_port
from simulations.platforms.shared.family import changed_system, changes_of
from simulations.platforms.shared.laws import arrivals_of
from simulations.platforms.shared.queues import mean_service, number, settings_of
from simulations.platforms.shared.rules import Verdict, carries, judged, per_queue, per_server
from simulations.platforms.websphere_zos import formulas
from simulations.platforms.websphere_zos.parameters import ListenerPort, ServerSettings
from simulations.platforms.websphere_zos.sources import OWN_MODEL, THROTTLE

SESSIONS = "settings.maximum_sessions"
LOW_EQUALS_HIGH = "settings.low_equals_high"
READY, BYPASSED = "high threshold 2 × (WT + N); N = WT", "very large high threshold; from 100 × WT"


@per_queue("websphere-zos.stable", "error", OWN_MODEL, "capacity of one port", trust="assumed")
def stable(system: System, queue: Queue) -> Verdict | None:
    """Fewer messages arrive than the settings carry."""
    return carries(system, queue, formulas.carried, partial(_carrying, system, queue))


def _carrying(system: System, queue: Queue, rate: float, most: float) -> dict[str, object]:
    """Sessions that keep all threads busy where that is enough, more members otherwise."""
    server, port = system.server_of(queue), settings_of(queue, ListenerPort)
    high, setting = 2 * formulas.worker_threads(server), "maximum_sessions"
    if port.activated:
        high, setting = formulas.sessions_reaching(server, port, high), "maximum_server_sessions"
    raised: dict[str, object] = {f"{queue.path}.settings.{setting}": high} if high else {}
    changed = changed_system(system, changes_of(system, raised))
    enough = formulas.carried(changed, changed.queues[system.queues.index(queue)])
    return raised if enough is not None and enough > rate else rules.more_members(server, queue, rate, most)


@per_queue("websphere-zos.low-covers-threads", "error", THROTTLE, "no idle thread behind a blocked throttle", is_port)
def low_covers_threads(server: Server, port: ListenerPort) -> Verdict:
    """The low threshold covers the worker threads."""
    threads = formulas.worker_threads(server)
    low = formulas.low_threshold(port)
    details = {"low_threshold": low, "worker_threads": threads}
    good = f"The low threshold {low} keeps the {threads} threads busy."
    problem = (
        f"The low threshold {low} is below the {threads} threads: while the throttle is blocked, threads can run out "
        f"of work."
    )
    return judged(low >= threads - 1, good, problem, {SESSIONS: 2 * threads}, details)


@per_queue("websphere-zos.2xwt", "warning", THROTTLE, "twice the worker threads of all servants", is_port)
def twice_the_threads(server: Server, port: ListenerPort) -> Verdict | None:
    """Maximum sessions is at least twice the worker threads."""
    threads = formulas.worker_threads(server)
    if port.low_equals_high:
        return None
    details = {"maximum_sessions": port.maximum_sessions, "baseline_sessions": 2 * threads}
    good = f"Maximum sessions {port.maximum_sessions} is at least 2 × {threads}."
    doubled = f"2 × {threads} = {2 * threads}"
    problem = f"Maximum sessions {port.maximum_sessions} is below twice the worker threads, {doubled}."
    return judged(port.maximum_sessions >= 2 * threads, good, problem, {SESSIONS: 2 * threads}, details)


@per_queue("websphere-zos.sessions-above-threads", "warning", THROTTLE, "deliberately low Maximum sessions", is_port)
def sessions_above_threads(server: Server, port: ListenerPort) -> Verdict:
    """Every worker thread can serve the port."""
    sessions, threads = port.maximum_sessions, formulas.worker_threads(server)
    if sessions >= threads:
        return Verdict("ok", "Every thread can serve this port.")
    message = (
        f"At most {sessions} of {threads} threads can ever serve this port. That is right only where a back end or "
        f"the order of messages asks for it."
    )
    return Verdict("violated", message, {SESSIONS: 2 * threads}, {"unreachable_threads": threads - sessions})


@per_queue("websphere-zos.ready-backlog", "info", THROTTLE, READY, is_port, trust="assumed")
def bursts_find_backlog(server: Server, queue: Queue, port: ListenerPort) -> Verdict | None:
    """A port with bursts keeps prepared messages ready."""
    if not arrivals_of(queue.arrivals).count:
        return None
    threads, sessions = formulas.worker_threads(server), port.maximum_sessions
    backlog = formulas.ready_backlog(sessions, threads)
    good = f"{backlog} prepared messages are ready at each release."
    problem = (
        f"Messages come in bursts, but no prepared message is left when the throttle opens. Advised is N = {threads}, "
        f"one for each thread: our assumption."
    )
    fix = {SESSIONS: formulas.sessions_for(threads, threads)}
    return judged(backlog > 0, good, problem, fix, {"backlog": backlog})


@per_queue("websphere-zos.throttle-bypassed", "warning", THROTTLE, BYPASSED, is_port, trust="assumed")
def bypassed(server: Server, port: ListenerPort) -> Verdict:
    """Maximum sessions still bounds the WLM queue."""
    sessions, threads = port.maximum_sessions, formulas.worker_threads(server)
    good = f"Maximum sessions {sessions} bounds the WLM queue."
    problem = (
        f"Maximum sessions {sessions} is {number(round(sessions / threads))} times the {threads} threads: the throttle "
        f"is off in effect and a flood of messages can overload the WLM queue. That this begins at 100 times is our "
        f"assumption."
    )
    return judged(sessions < 100 * threads, good, problem, {SESSIONS: formulas.sessions_for(threads, threads)})


@per_queue("websphere-zos.urgent-overtake", "info", THROTTLE, "in-flight count of each listener port", is_port)
def urgent_overtake(server: Server, port: ListenerPort) -> Verdict | None:
    """Urgent messages overtake nearly all that wait."""
    if not 0 < port.urgent_share < 1:
        return None
    sessions, enough = port.maximum_sessions, 2 * formulas.worker_threads(server)
    good = f"At most {sessions} messages are in flight; urgent ones overtake all others that wait."
    problem = (
        f"Up to {sessions} messages are in flight, where urgent ones do not overtake; Maximum sessions {enough} keeps "
        f"all threads busy and lets them overtake the rest."
    )
    return judged(sessions <= enough, good, problem, {SESSIONS: enough})


@per_server("websphere-zos.queue-bears-throttles", "error", THROTTLE, "overload of the WLM queue", trust="source")
def queue_bears(system: System, server: Server, settings: ServerSettings) -> Verdict | None:
    """The WLM queue bears what all throttles let through."""
    capacity = settings.wlm_queue_capacity
    queues = system.queues_of(server)
    if capacity is None or not queues:
        return None
    threads, most = formulas.threads_ready(server), formulas.queued_most(system, server)
    which = "all" if threads == formulas.worker_threads(server) else "only the first"
    good = f"At most {most} records wait on the WLM queue while {which} {threads} threads work; it bears {capacity}."
    problem = (
        f"The throttles let {most} records wait on the WLM queue while {which} {threads} threads work, it bears "
        f"{capacity}. A flood of messages makes the server fail."
    )
    highs = {queue.path: formulas.thresholds(server, queue)[0] for queue in queues if is_port(queue)}
    largest = max(highs, key=highs.__getitem__, default="")
    fewer = highs.get(largest, 0) - (most - capacity)
    fix = {f"{largest}.{SESSIONS}": fewer} if fewer > 0 else {}
    return judged(most <= capacity, good, problem, fix, {"queued_most": most, "capacity": capacity})


@per_queue("websphere-zos.order-needs-one-session", "info", THROTTLE, "high threshold of 1")
def order(server: Server, queue: Queue, port: ListenerPort) -> Verdict:
    """Only one session on one member keeps the order of arrival."""
    sessions = formulas.thresholds(server, queue)[0]
    what = "an in-flight limit of" if port.activated else "Maximum sessions"
    if sessions > 1:
        return Verdict("ok", f"With {what} {sessions} messages can overtake each other; only 1 keeps their order.")
    if 0 < port.urgent_share < 1:
        return Verdict("ok", "Urgent messages overtake the others.")
    upper = f"{what[0].upper()}{what[1:]} 1"
    if server.instances > 1:
        message = f"{upper} keeps the order in one member only; {server.instances} members work in parallel."
        return Verdict("violated", message, {f"{server.path}.instances": 1})
    return Verdict("ok", f"{upper} keeps the order of arrival.", details=rules.ONE_AT_A_TIME)


@per_queue("websphere-zos.agent-keeps-up", "warning", OWN_MODEL, "capacity of one port", trust="assumed")
def agent_keeps_up(server: Server, queue: Queue, port: ListenerPort) -> Verdict | None:
    """The queue agent is not the limit."""
    agent = port.queue_agent_time
    if agent == 0 or queue.service.cpu > 0 or port.downstream is not None:
        return None
    parallel = min(formulas.worker_threads(server), formulas.thresholds(server, queue)[0])
    needed, possible = parallel / mean_service(queue), 1 / agent
    details = {"agent_rate": possible, "thread_rate": needed}
    good = f"The queue agent prepares up to {number(possible)} messages per second."
    agent_rate = f"The one queue agent prepares {number(possible)} messages per second"
    problem = f"{agent_rate}, its threads could run {number(needed)}: at full load it is the limit of this port."
    return judged(possible >= needed, good, problem, {}, details)


@per_server(
    "websphere-zos.one-low-threshold-rule", "error", THROTTLE, "custom property of the message listener service"
)
def one_low_rule(system: System, server: Server) -> Verdict | None:
    """All ports of a server use the same low threshold rule."""
    queues = list(filter(is_port, system.queues_of(server)))
    if len(queues) < 2:
        return None
    good = "All ports of the server use the same low threshold rule."
    problem = "LOW.EQUALS.HIGH is one custom property of the whole listener service: its ports cannot differ in it."
    fix = {f"{queue.path}.{LOW_EQUALS_HIGH}": False for queue in queues}
    return judged(len({settings_of(queue, ListenerPort).low_equals_high for queue in queues}) == 1, good, problem, fix)


@per_server("websphere-zos.shared-threads", "info", THROTTLE, "in-flight count of each listener port")
def shared_threads(system: System, server: Server) -> Verdict | None:
    """Ports of one server share its worker threads."""
    ports = system.queues_of(server)
    if len(ports) < 2:
        return None
    total = sum(formulas.thresholds(server, queue)[0] for queue in ports)
    threads = formulas.worker_threads(server)
    message = (
        f"{len(ports)} listeners share {threads} threads; each has its own throttle, together they may put "
        f"{total} messages in flight."
    )
    return Verdict("ok", message, details={"in_flight_total": total, "worker_threads": threads})
