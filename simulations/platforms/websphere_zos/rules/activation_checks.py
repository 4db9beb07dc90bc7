"""The rules of WebSphere for z/OS about activation specifications: the in-flight limit, settings that nobody reads."""

import math

from simulations.declarations.system import Queue, Server, System
from simulations.platforms.shared.activation import ADVANCED, SETTINGS, is_spec, session_rules
from simulations.platforms.shared.listener_port import of_ports
from simulations.platforms.shared.queues import number
from simulations.platforms.shared.rules import Verdict, ignored, judged, listed, per_queue, per_server
from simulations.platforms.websphere_zos import formulas
from simulations.platforms.websphere_zos.parameters import SPEC_ONLY, ListenerPort, ServerSettings
from simulations.platforms.websphere_zos.rules.session_checks import above_transaction
from simulations.platforms.websphere_zos.sources import IN_FLIGHT, TIMEOUTS

OF_PORTS = of_ports(ListenerPort)
FACTOR, CONSTANT = "settings.in_flight_scale_factor", "settings.in_flight_constant"
SESSIONS = "settings.maximum_server_sessions"
WLM = "Maximum server sessions and workload management"


@per_queue(
    "websphere-zos.in-flight-positive", "error", IN_FLIGHT, "in-flight limit of an activation specification", is_spec
)
def takes_messages(server: Server, queue: Queue) -> Verdict | None:
    """The in-flight limit lets messages through."""
    limit = formulas.thresholds(server, queue)[0]
    good = f"{limit} messages may be in flight when all servants are active."
    problem = "The in-flight limit is 0: no message is ever taken. The simulation takes one at a time."
    return judged(limit > 0, good, problem, {FACTOR: 1.0})


@per_queue("websphere-zos.in-flight-2xwt", "warning", ADVANCED, WLM, is_spec)
def limit_covers_threads(server: Server, queue: Queue, spec: ListenerPort) -> Verdict | None:
    """The in-flight limit is at least twice the worker threads."""
    threads = formulas.worker_threads(server)
    limit = formulas.thresholds(server, queue)[0]
    if limit == 0:
        return None
    details = {"in_flight_limit": limit, "baseline_sessions": 2 * threads}
    good = f"{limit} messages in flight are at least 2 × {threads}; priorities of WLM may need more."
    problem = f"{limit} messages in flight are below twice the worker threads, 2 × {threads} = {2 * threads}."
    needed = formulas.sessions_reaching(server, spec, 2 * threads)
    fix: dict[str, object] = {SESSIONS: needed} if needed else {CONSTANT: 2 * threads}
    return judged(limit >= 2 * threads, good, problem, fix, details)


@per_queue("websphere-zos.in-flight-bounds-queue", "warning", ADVANCED, WLM, is_spec)
def limit_bounds_queue(server: Server, queue: Queue, settings: ServerSettings) -> Verdict | None:
    """The in-flight limit still bounds the WLM queue."""
    limit, threads = formulas.thresholds(server, queue)[0], formulas.worker_threads(server)
    good = f"{limit} messages in flight bound the WLM queue."
    problem = (
        f"{limit} messages in flight are {number(round(limit / threads))} times the {threads} threads: a flood of "
        f"messages can overload the WLM queue."
    )
    most = formulas.servants(settings)[1]
    each = math.ceil(formulas.sessions_for(threads, threads) / most)
    return judged(limit < 100 * threads, good, problem, {SESSIONS: each, FACTOR: 1.0, CONSTANT: 0})


SESSIONS_STAY, COUNT_IGNORED = session_rules("websphere-zos", is_spec)


@per_queue("websphere-zos.endpoint-settings-ignored", "info", IN_FLIGHT, "listener ports and activation specifications")
def settings_ignored(port: ListenerPort) -> Verdict | None:
    """Settings of a listener port or an activation specification count only with it."""
    if port.activated:
        return listed(port, "With an activation specification", OF_PORTS)
    return listed(port, "With a listener port", (*SETTINGS, *SPEC_ONLY))


@per_server("websphere-zos.dispatch-timeout-above-transaction", "info", TIMEOUTS, "relations between the timeouts")
def dispatch_above_transaction(system: System, server: Server, settings: ServerSettings) -> Verdict | None:
    """The WLM dispatch timeout is above the maximum transaction timeout."""
    limit, bound = settings.wlm_dispatch_timeout, settings.maximum_transaction_timeout
    if limit == 0 or not any(formulas.is_dispatched(queue) for queue in system.queues_of(server)):
        return None
    return above_transaction("WLM dispatch timeout", limit, bound, "wlm_dispatch_timeout")


@per_server("websphere-zos.mdb-timeouts-ignored", "info", TIMEOUTS, "control_region_wlm_dispatch_timeout")
def mdb_timeouts_ignored(system: System, server: Server, settings: ServerSettings) -> Verdict | None:
    """The MDB timeouts count only for listener ports."""
    queues = system.queues_of(server)
    if not queues or not all(formulas.is_dispatched(queue) for queue in queues):
        return None
    message = "The MDB request timeout does nothing here: the WLM dispatch timeout bounds every queue of this server."
    return ignored(settings, message, "mdb_request_timeout", "mdb_queue_timeout_percent")
