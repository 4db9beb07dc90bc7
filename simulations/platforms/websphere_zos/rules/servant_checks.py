"""The rules of WebSphere for z/OS about servants, transactions, recovery, and activation specifications."""

import math

from simulations.declarations.system import Queue, Server, System
from simulations.platforms.shared import listener_port
from simulations.platforms.shared.activation import ADVANCED, SETTINGS, is_spec, session_rules
from simulations.platforms.shared.laws import quantile_of
from simulations.platforms.shared.listener_port import POOLS, SERVICE, TRANSACTIONS, of_ports
from simulations.platforms.shared.queues import mean_service, number, service_of
from simulations.platforms.shared.rules import Verdict, ignored, is_no_topic, judged, listed, per_queue, per_server
from simulations.platforms.websphere_zos import formulas
from simulations.platforms.websphere_zos.parameters import SPEC_ONLY, ListenerPort, ServerSettings
from simulations.platforms.websphere_zos.rules.session_checks import above_transaction, slow_queues
from simulations.platforms.websphere_zos.sources import IN_FLIGHT, INSTANCES, LISTENING, ORB, SERVANTS, TIMEOUTS

OF_ENDS = ("stalled_thread_threshold", "timeout_delay", "save_last_servant", "pause_without_servant")
"""Settings that only count where a servant ends."""


@per_server("websphere-zos.custom-threads-ignored", "info", ORB, "Workload profile, CUSTOM")
def custom_threads_ignored(settings: ServerSettings) -> Verdict | None:
    """The custom thread count counts only with the profile CUSTOM."""
    if settings.custom_threads == 1 or settings.workload_profile == "CUSTOM":
        return None
    profile = settings.workload_profile
    message = f"The custom thread count {settings.custom_threads} does nothing with the profile {profile}."
    return Verdict("ignored", message, {"settings.workload_profile": "CUSTOM"})


@per_server("websphere-zos.thread-rule-ignored", "info", ORB, "Workload profile")
def thread_rule_ignored(settings: ServerSettings) -> Verdict | None:
    """The thread rule counts only with the profiles IOBOUND and CPUBOUND."""
    if settings.workload_profile in ("IOBOUND", "CPUBOUND"):
        return None
    message = f"Both thread rules are the same for the profile {settings.workload_profile}."
    return ignored(settings, message, "thread_rule")


@per_server("websphere-zos.servants-start-late", "warning", INSTANCES, "Minimum number of instances")
def servants_start_late(system: System, server: Server, settings: ServerSettings) -> Verdict | None:
    """All servants run before the work arrives."""
    least, most = formulas.servants(settings)
    if least == most:
        return None
    ready = formulas.threads_ready(server)
    heaviest = max((mean_service(queue) for queue in system.queues_of(server)), default=0.0)
    message = (
        f"{ready} of {formulas.worker_threads(server)} threads run at the start; each further servant needs "
        f"{number(settings.servant_start_time)} s while messages wait that take {number(heaviest)} s on average."
    )
    return Verdict("violated", message, {"settings.min_servants": most} if most <= 20 else {})


@per_server("websphere-zos.last-servant-spared", "warning", TIMEOUTS, "control_region_timeout_save_last_servant")
def last_servant_spared(system: System, server: Server, settings: ServerSettings) -> Verdict | None:
    """A dispatch timeout leaves a servant."""
    ends = settings.dispatch_timeout_action == "restart_servant" and slow_queues(system, server)
    if not ends or formulas.servants(settings)[0] > 1:
        return None
    good = "The last servant is spared when a dispatch timeout ends servants."
    problem = (
        f"A dispatch timeout ends the only servant that is sure to run: for "
        f"{number(formulas.servant_outage(settings))} s nothing is processed."
    )
    return judged(settings.save_last_servant, good, problem, {"settings.save_last_servant": True})


@per_server("websphere-zos.listeners-pause", "warning", TIMEOUTS, "control_region_dreg_on_no_srs")
def listeners_pause(system: System, server: Server, settings: ServerSettings) -> Verdict | None:
    """Records do not run out of time while no servant runs."""
    if settings.dispatch_timeout_action != "restart_servant" or formulas.servants(settings)[0] > 1:
        return None
    limits = [limit for queue in system.queues_of(server) if (limit := formulas.queue_timeout(server, queue)) > 0]
    away = formulas.servant_outage(settings)
    if settings.pause_without_servant or not limits or away < min(limits):
        return Verdict("ok", "Records do not run out of time while a servant is started.")
    message = (
        f"While the only servant is away for {number(away)} s the listeners go on: records run into the queue timeout "
        f"of {number(min(limits))} s."
    )
    return Verdict("violated", message, {"settings.pause_without_servant": True})


@per_server("websphere-zos.servant-end-ignored", "info", TIMEOUTS, "timeouts that end a servant")
def end_settings_ignored(settings: ServerSettings) -> Verdict | None:
    """Settings of a servant's end count only where one ends."""
    if settings.dispatch_timeout_action == "restart_servant":
        return None
    return listed(settings, "Nothing ends a servant here, so", OF_ENDS)


@per_server(
    "websphere-zos.servants-cover-classes", "warning", SERVANTS, "servants and service classes", trust="unverified"
)
def servants_cover_classes(settings: ServerSettings) -> Verdict | None:
    """There is a servant for each service class."""
    most, classes = formulas.servants(settings)[1], settings.service_classes
    if classes == 1:
        return None
    good = f"{most} servants cover {classes} service classes."
    problem = f"{most} servants cannot serve {classes} service classes at a time: one of the classes starves."
    fix: dict[str, object] = {"settings.max_servants": max(classes, settings.max_servants)}
    return judged(most >= classes, good, problem, fix | {"settings.multiple_instances": True})


@per_server("websphere-zos.instances-ignored", "info", INSTANCES, "Multiple instances enabled")
def instances_ignored(settings: ServerSettings) -> Verdict | None:
    """Numbers of servants count only with multiple instances."""
    if settings.multiple_instances or settings.max_servants == 1:
        return None
    message = (
        f"{settings.min_servants} to {settings.max_servants} servants do nothing: multiple instances are not enabled, "
        f"there is one."
    )
    return Verdict("ignored", message, {"settings.multiple_instances": True})


@per_server("websphere-zos.ports-come-back", "info", SERVICE, "ENABLE.ZOS.LP.RECOVERY")
def recovery_enabled(system: System, server: Server, settings: ServerSettings) -> Verdict | None:
    """Ports come back after a restart of the queue manager."""
    if not listener_port.has_ports(system, server):
        return None
    if settings.zos_recovery:
        return listener_port.ports_come_back(system, server, settings)
    message = "After a restart of the queue manager the ports stay down: ENABLE.ZOS.LP.RECOVERY is not set."
    return Verdict("violated", message, {"settings.zos_recovery": True})


MAXIMUM_TIMEOUT = per_server(
    "websphere-zos.maximum-transaction-timeout", "warning", TIMEOUTS, "relations between the timeouts"
)(listener_port.maximum_covers_total)


@per_queue("websphere-zos.transaction-covers-service", "error", TRANSACTIONS, "Total transaction lifetime timeout")
def transaction_covers_service(server: Server, queue: Queue, settings: ServerSettings) -> Verdict:
    """Nearly every onMessage ends within the transaction lifetime."""
    lifetime = settings.total_transaction_timeout
    slow = quantile_of(service_of(queue), 0.999)
    good = f"99.9 % of the onMessage calls end within {number(slow)} s of {number(lifetime)} s."
    problem = (
        f"One onMessage in a thousand takes longer than {number(slow)} s, its transaction is marked for rollback after "
        f"{number(lifetime)} s."
    )
    fix = {f"{server.path}.settings.total_transaction_timeout": 2 * slow}
    return judged(slow < lifetime, good, problem, fix)


@per_queue("websphere-zos.session-pool-covers-sessions", "error", POOLS, "maximum of the session pool")
def session_pool(server: Server, port: ListenerPort) -> Verdict | None:
    """The session pool of the factory covers what can run at once."""
    usable = min(formulas.worker_threads(server), port.maximum_sessions)
    return None if port.activated else listener_port.session_pool_covers(port, usable)


@per_queue("websphere-zos.durable-subscription-ignored", "info", LISTENING, "non-durable subscriptions", is_no_topic)
def durable_ignored(port: ListenerPort) -> Verdict | None:
    """A durable subscription counts only at a topic."""
    return ignored(port, "A queue has no subscription.", "durable_subscription")


@per_server("websphere-zos.dispatch-timeout-ignored", "info", LISTENING, "WLM dispatch timeout")
def dispatch_timeout_ignored(system: System, server: Server, settings: ServerSettings) -> Verdict | None:
    """The WLM dispatch timeout counts only for activation specifications and what a servant listens for."""
    if any(formulas.is_dispatched(queue) for queue in system.queues_of(server)):
        return None
    readers = "activation specifications and for topics without a durable subscription"
    message = f"The WLM dispatch timeout counts only for {readers}."
    return ignored(settings, message, "wlm_dispatch_timeout", "iiop_queue_timeout_percent")


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
    if settings.wlm_dispatch_timeout == 0 or not any(
        formulas.is_dispatched(queue) for queue in system.queues_of(server)
    ):
        return None
    return above_transaction("WLM dispatch timeout", settings, "wlm_dispatch_timeout")


@per_server("websphere-zos.mdb-timeouts-ignored", "info", TIMEOUTS, "control_region_wlm_dispatch_timeout")
def mdb_timeouts_ignored(system: System, server: Server, settings: ServerSettings) -> Verdict | None:
    """The MDB timeouts count only for listener ports."""
    queues = system.queues_of(server)
    if not queues or not all(formulas.is_dispatched(queue) for queue in queues):
        return None
    message = "The MDB request timeout does nothing here: the WLM dispatch timeout bounds every queue of this server."
    return ignored(settings, message, "mdb_request_timeout", "mdb_queue_timeout_percent")
