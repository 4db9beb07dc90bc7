"""The rules of WebSphere for z/OS about time limits, and what ends a servant."""

from simulations.declarations.system import Queue, Server, System
from simulations.platforms.shared.laws import quantile_of
from simulations.platforms.shared.queues import number, service_of, settings_of
from simulations.platforms.shared.rules import Verdict, ignored, judged, per_queue, per_server
from simulations.platforms.websphere_zos import formulas
from simulations.platforms.websphere_zos.parameters import ListenerPort, ServerSettings
from simulations.platforms.websphere_zos.sources import ABEND, THROTTLE, TIMEOUTS


@per_queue("websphere-zos.queue-timeout-tail", "error", THROTTLE, "MDB timeout with a raised high threshold")
def queue_timeout_tail(system: System, server: Server, queue: Queue, port: ListenerPort) -> Verdict | None:
    """The last record of a full window is taken before the queue timeout."""
    limit, wait = formulas.queue_timeout(server, queue), formulas.tail_wait(system, server)
    if limit == 0:
        return None
    most = formulas.largest_safe_sessions(system, server, queue)
    details = {"tail_wait_s": wait, "queue_timeout_s": limit, "max_sessions": most}
    windows = "the windows of all listeners" if len(system.queues_of(server)) > 1 else "the window"
    full = f"By formula, with all {formulas.worker_threads(server)} threads and {windows} full"
    last = f"{full}, the last record waits about {number(wait)} s"
    good = f"{last}, the limit is {number(limit)} s."
    problem = f"{last}, above the queue timeout of {number(limit)} s: it is rejected and delivered again later."
    name, each = "maximum_sessions", most
    if port.activated:
        name, each = "maximum_server_sessions", formulas.sessions_within(server, port, most)
    return judged(wait < limit, good, problem, {f"settings.{name}": each} if each else {}, details)


@per_queue("websphere-zos.mdb-timeout-covers-service", "error", TIMEOUTS, "control_region_mdb_request_timeout")
def timeout_covers_service(server: Server, queue: Queue) -> Verdict | None:
    """Nearly every onMessage ends within the MDB request timeout."""
    limit = formulas.request_timeout(server, queue)
    if limit == 0:
        return None
    slow = quantile_of(service_of(queue), 0.999)
    details = {"service_p999_s": slow, "mdb_request_timeout_s": limit}
    good = f"99.9 % of the onMessage calls end within {number(slow)} s of {number(limit)} s."
    word, setting = ("MDB request", "mdb_request_timeout")
    if formulas.is_dispatched(queue):
        word, setting = ("WLM dispatch", "wlm_dispatch_timeout")
    problem = (
        f"One onMessage in a thousand takes longer than {number(slow)} s, the {word} timeout is {number(limit)} s "
        f"and includes the wait for a thread."
    )
    return judged(slow < limit, good, problem, {f"{server.path}.settings.{setting}": 2 * slow}, details)


@per_server("websphere-zos.mdb-timeout-above-transaction", "info", TIMEOUTS, "relations between the timeouts")
def timeout_above_transaction(system: System, server: Server, settings: ServerSettings) -> Verdict | None:
    """The MDB request timeout is above the maximum transaction timeout."""
    queues = system.queues_of(server)
    if settings.mdb_request_timeout == 0 or (queues and all(formulas.is_dispatched(queue) for queue in queues)):
        return None
    return above_transaction("MDB request timeout", settings, "mdb_request_timeout", " The shipped defaults do this.")


def above_transaction(title: str, settings: ServerSettings, setting: str, note: str = "") -> Verdict:
    """Return the verdict on a timeout, ``setting``, that has to be above that of transactions."""
    limit, bound = vars(settings)[setting], settings.maximum_transaction_timeout
    good = f"{number(limit)} s is above the maximum transaction timeout of {number(bound)} s."
    problem = (
        f"The {title} {number(limit)} s is not above the maximum transaction timeout of {number(bound)} s: "
        f"a long transaction is ended on its thread instead of being rolled back.{note}"
    )
    return judged(limit > bound, good, problem, {f"settings.{setting}": bound + 60})


@per_server("websphere-zos.queue-timeout-percent-ignored", "info", TIMEOUTS, "control_region_mdb_queue_timeout_percent")
def percent_ignored(settings: ServerSettings) -> Verdict | None:
    """The queue timeout percent counts only with an MDB request timeout."""
    message = "Without an MDB request timeout the queue timeout percent does nothing."
    return None if settings.mdb_request_timeout > 0 else ignored(settings, message, "mdb_queue_timeout_percent")


def slow_queues(system: System, server: Server, share: float = 0.999) -> list[str]:
    """Return the queues on which more deliveries than all but a ``share`` can reach their time limit."""
    wait = formulas.tail_wait(system, server)
    return [
        queue.name
        for queue in system.queues_of(server)
        if 0 < formulas.request_timeout(server, queue) <= wait + quantile_of(service_of(queue), share)
    ]


def times_out(system: System, server: Server, queue: Queue, share: float) -> bool:
    """Return whether so many can on this queue, or on one whose timeouts end servants with all that they run."""
    slow, action = slow_queues(system, server, share), settings_of(server, ServerSettings).dispatch_timeout_action
    return queue.name in slow or (action == "restart_servant" and bool(slow))


@per_server("websphere-zos.restart-loses-neighbours", "warning", ABEND, "ABEND EC3 reason 04130008")
def restart_loses_neighbours(system: System, server: Server, settings: ServerSettings) -> Verdict | None:
    """A dispatch timeout does not end a servant that runs other messages."""
    threads, slow = formulas.threads_per_servant(settings, server.cpus), slow_queues(system, server)
    if settings.dispatch_timeout_action != "restart_servant":
        return None
    good = "A dispatch timeout is rare or harms no other message."
    others = f"up to {threads - 1} other messages that it runs are rolled back and delivered again"
    away = f"it is away for {number(formulas.servant_outage(settings))} s"
    problem = f"A dispatch timeout ends the servant: {others}, and {away}. It can come to that on {', '.join(slow)}."
    return judged(not slow or threads == 1, good, problem, {"settings.dispatch_timeout_action": "interrupt"})
