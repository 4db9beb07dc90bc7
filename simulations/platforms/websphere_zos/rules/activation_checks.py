"""Checks of the rules about activation specifications on z/OS: the in-flight limit, and settings that nobody reads."""

import math

from simulations.platforms.shared.activation import SETTINGS, failure_count_ignored, sessions_survive, unread
from simulations.platforms.shared.queues import defaults_again, number, settings_of
from simulations.platforms.shared.rules import Verdict
from simulations.platforms.websphere_zos.formulas import (
    is_dispatched,
    servants,
    sessions_for,
    sessions_reaching,
    thresholds,
    worker_threads,
)
from simulations.platforms.websphere_zos.parameters.activation import SPEC_ONLY
from simulations.platforms.websphere_zos.parameters.server import ListenerPort, ServerSettings
from simulations.platforms.websphere_zos.rules.session_checks import above_transaction
from simulations.system import Queue, Server, System

OF_PORTS = ("maximum_sessions", "low_equals_high", "maximum_retries", "session_pool_maximum")
"""Settings that only a listener port reads."""
FACTOR, CONSTANT, SESSIONS = (
    "settings.in_flight_scale_factor",
    "settings.in_flight_constant",
    "settings.maximum_server_sessions",
)


def _spec(queue: Queue) -> ListenerPort:
    return settings_of(queue, ListenerPort)


def takes_messages(_: System, server: Server, queue: Queue) -> Verdict | None:
    """An in-flight limit of 0."""
    if not _spec(queue).activated:
        return None
    limit = thresholds(server, queue)[0]
    if limit > 0:
        return Verdict("ok", f"{limit} messages may be in flight when all servants are active.")
    message = "The in-flight limit is 0: no message is ever taken. The simulation takes one at a time."
    return Verdict("violated", message, {FACTOR: 1.0})


def limit_covers_threads(_: System, server: Server, queue: Queue) -> Verdict | None:
    """The in-flight limit against twice the worker threads."""
    spec, threads = _spec(queue), worker_threads(server)
    limit = thresholds(server, queue)[0]
    if not spec.activated or limit == 0:
        return None
    details = {"in_flight_limit": limit, "baseline_sessions": 2 * threads}
    if limit >= 2 * threads:
        message = f"{limit} messages in flight are at least 2 × {threads}; priorities of WLM may need more."
        return Verdict("ok", message, details=details)
    message = f"{limit} messages in flight are below twice the worker threads, 2 × {threads} = {2 * threads}."
    needed = sessions_reaching(server, spec, 2 * threads)
    return Verdict("violated", message, {SESSIONS: needed} if needed else {CONSTANT: 2 * threads}, details)


def limit_bounds_queue(_: System, server: Server, queue: Queue) -> Verdict | None:
    """An in-flight limit so high that it bounds nothing."""
    limit, threads = thresholds(server, queue)[0], worker_threads(server)
    if not _spec(queue).activated:
        return None
    if limit < 100 * threads:
        return Verdict("ok", f"{limit} messages in flight bound the WLM queue.")
    message = (
        f"{limit} messages in flight are {number(round(limit / threads))} times the {threads} threads: a flood of "
        f"messages can overload the WLM queue."
    )
    each = math.ceil(sessions_for(threads, threads) / servants(settings_of(server, ServerSettings))[1])
    return Verdict("violated", message, {SESSIONS: each, FACTOR: 1.0, CONSTANT: 0})


def sessions_stay(_: System, server: Server, queue: Queue) -> Verdict | None:
    """Server sessions that are closed between two messages."""
    return sessions_survive(server, queue, _spec(queue))


def count_ignored(_: System, __: Server, queue: Queue) -> Verdict | None:
    """A failure delivery count that nobody reads."""
    return failure_count_ignored(_spec(queue))


def settings_ignored(_: System, __: Server, queue: Queue) -> Verdict | None:
    """Settings of the kind of endpoint that is not there."""
    port = _spec(queue)
    who = "an activation specification" if port.activated else "a listener port"
    return unread(port, who, OF_PORTS if port.activated else (*SETTINGS, *SPEC_ONLY))


def dispatch_above_transaction(system: System, server: Server) -> Verdict | None:
    """The WLM dispatch timeout against the maximum transaction timeout, where it counts."""
    settings = settings_of(server, ServerSettings)
    limit, bound = settings.wlm_dispatch_timeout, settings.maximum_transaction_timeout
    if limit == 0 or not any(is_dispatched(queue) for queue in system.queues_of(server)):
        return None
    return above_transaction("WLM dispatch timeout", limit, bound, "wlm_dispatch_timeout")


def mdb_timeouts_ignored(system: System, server: Server) -> Verdict | None:
    """MDB timeouts where every queue is bounded by the WLM dispatch timeout."""
    queues = system.queues_of(server)
    fix = defaults_again(settings_of(server, ServerSettings), "mdb_request_timeout", "mdb_queue_timeout_percent")
    if not fix or not queues or not all(is_dispatched(queue) for queue in queues):
        return None
    message = "The MDB request timeout does nothing here: the WLM dispatch timeout bounds every queue of this server."
    return Verdict("ignored", message, fix)
