"""Checks of the rules about servants, time limits, retries and settings without effect."""

from simulations.analysis.theory.laws import law_mean
from simulations.platforms.shared.laws import quantile_of
from simulations.platforms.shared.queues import number, service_of, settings_of
from simulations.platforms.shared.rules import Verdict
from simulations.platforms.websphere_zos.formulas import (
    is_dispatched,
    largest_safe_sessions,
    queue_timeout,
    request_timeout,
    servants,
    sessions_within,
    tail_wait,
    threads_per_servant,
    worker_threads,
)
from simulations.platforms.websphere_zos.parameters.server import ListenerPort, ServerSettings
from simulations.system import Queue, Server, System


def queue_timeout_tail(_: System, server: Server, queue: Queue) -> Verdict | None:
    """The wait of the last record in a full window against the queue timeout."""
    limit, wait = queue_timeout(server, queue), tail_wait(server, queue)
    if limit == 0:
        return None
    details = {"tail_wait_s": wait, "queue_timeout_s": limit}
    if wait < limit:
        message = f"The last record of a full window waits about {number(wait)} s, the limit is {number(limit)} s."
        return Verdict("ok", message, details=details)
    most, port = largest_safe_sessions(server, queue), settings_of(queue, ListenerPort)
    message = (
        f"The last record of a full window waits about {number(wait)} s, above the queue timeout of {number(limit)} s: "
        f"it is rejected and delivered again later. At most {most} sessions would avoid that on average."
    )
    if not port.activated:
        return Verdict("violated", message, {"settings.maximum_sessions": most}, {**details, "max_sessions": most})
    each = sessions_within(server, port, most)
    fix: dict[str, object] = {"settings.maximum_server_sessions": each} if each else {}
    return Verdict(
        "violated", message.replace("sessions", "messages in flight"), fix, {**details, "max_sessions": most}
    )


def timeout_covers_service(_: System, server: Server, queue: Queue) -> Verdict | None:
    """The time limit of a message against the time that 99.9 % of the onMessage calls need."""
    limit = request_timeout(server, queue)
    if limit == 0:
        return None
    slow = quantile_of(service_of(queue), 0.999)
    details = {"service_p999_s": slow, "mdb_request_timeout_s": limit}
    if slow < limit:
        message = f"99.9 % of the onMessage calls end within {number(slow)} s of {number(limit)} s."
        return Verdict("ok", message, details=details)
    word, setting = ("MDB request", "mdb_request_timeout")
    if is_dispatched(queue):
        word, setting = ("WLM dispatch", "wlm_dispatch_timeout")
    message = (
        f"One onMessage in a thousand takes longer than {number(slow)} s, the {word} timeout is {number(limit)} s "
        f"and includes the wait for a thread."
    )
    return Verdict("violated", message, {f"servers.{server.name}.settings.{setting}": 2 * slow}, details)


def timeout_above_transaction(system: System, server: Server) -> Verdict | None:
    """The MDB request timeout against the maximum transaction timeout, where a queue is bounded by it."""
    settings, queues = settings_of(server, ServerSettings), system.queues_of(server)
    limit, bound = settings.mdb_request_timeout, settings.maximum_transaction_timeout
    if limit == 0 or (queues and all(is_dispatched(queue) for queue in queues)):
        return None
    return above_transaction(
        "MDB request timeout", limit, bound, "mdb_request_timeout", " The shipped defaults do this."
    )


def above_transaction(title: str, limit: float, bound: float, setting: str, note: str = "") -> Verdict:
    """Return the verdict on a timeout that has to be above ``bound``, that of transactions; both in seconds."""
    if limit > bound:
        return Verdict("ok", f"{number(limit)} s is above the maximum transaction timeout of {number(bound)} s.")
    message = (
        f"The {title} {number(limit)} s is not above the maximum transaction timeout of {number(bound)} s: "
        f"a long transaction is ended on its thread instead of being rolled back.{note}"
    )
    return Verdict("violated", message, {f"settings.{setting}": bound + 60})


def percent_ignored(_: System, server: Server) -> Verdict | None:
    """A queue timeout percent that was set although there is no MDB request timeout."""
    settings = settings_of(server, ServerSettings)
    if settings.mdb_request_timeout > 0 or settings.mdb_queue_timeout_percent == 99:
        return None
    message = "Without an MDB request timeout the queue timeout percent does nothing."
    return Verdict("ignored", message, {"settings.mdb_queue_timeout_percent": 99})


def custom_threads_ignored(_: System, server: Server) -> Verdict | None:
    """A custom thread count in a profile that does not read it."""
    settings = settings_of(server, ServerSettings)
    if settings.custom_threads == 1 or settings.workload_profile == "CUSTOM":
        return None
    message = (
        f"The custom thread count {settings.custom_threads} does nothing with the profile {settings.workload_profile}."
    )
    return Verdict("ignored", message, {"settings.workload_profile": "CUSTOM"})


def thread_rule_ignored(_: System, server: Server) -> Verdict | None:
    """A thread rule in a profile for which both of the vendor's tables agree."""
    settings = settings_of(server, ServerSettings)
    if settings.thread_rule == "capped" or settings.workload_profile in ("IOBOUND", "CPUBOUND"):
        return None
    message = f"Both thread rules are the same for the profile {settings.workload_profile}."
    return Verdict("ignored", message, {"settings.thread_rule": "capped"})


def servants_start_late(system: System, server: Server) -> Verdict | None:
    """Servants that are started only when work already waits."""
    settings = settings_of(server, ServerSettings)
    least, most = servants(settings)
    if least == most:
        return None
    ready = least * threads_per_servant(settings, server.cpus)
    heaviest = max((law_mean(service_of(queue)) for queue in system.queues_of(server)), default=0.0)
    message = (
        f"{ready} of {worker_threads(server)} threads run at the start; each further servant needs "
        f"{number(settings.servant_start_time)} s while messages of up to {number(heaviest)} s wait."
    )
    return Verdict("violated", message, {"settings.min_servants": most} if most <= 20 else {})
