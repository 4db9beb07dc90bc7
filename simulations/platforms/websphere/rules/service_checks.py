"""The rules of WebSphere about what a service or factory says: pools, handles, states; and what a port carries."""

from collections.abc import Mapping

from simulations.declarations.system import Queue, Server, System
from simulations.platforms.shared import listener_port
from simulations.platforms.shared.activation import is_port
from simulations.platforms.shared.listener_port import POOLS, PORT, SERVICE, TRANSACTIONS, ports_come_back
from simulations.platforms.shared.queues import number, quiet_time
from simulations.platforms.shared.rules import Verdict, carries, ignored, judged, outlives, per_queue, per_server
from simulations.platforms.websphere import formulas
from simulations.platforms.websphere.parameters import ListenerPort, ServerSettings
from simulations.platforms.websphere.sources import LISTENER_POOL, MODES, OWN_MODEL

MOST_THREADS = 100_000
"""The largest listener pool."""


@per_queue("websphere.migrate-listener-ports", "info", MODES, "stabilized listener ports", is_port)
def stabilized(queue: Queue) -> Verdict | None:
    """Listener ports give way to activation specifications."""
    message = (
        f"Listener ports such as that of {queue.name!r} are a stabilized feature since version 7: plan the move to an "
        f"activation specification once no member runs an older release. Maximum server sessions "
        f"{formulas.sessions(queue)} keeps what works in parallel."
    )
    return Verdict("ok", message)


@per_queue("websphere.port-starts", "error", PORT, "Initial state", is_port)
def port_starts(port: ListenerPort) -> Verdict | None:
    """The listener port starts with its server."""
    good = "The port takes messages when its server has started."
    problem = "The port stays stopped after a start of its server: no message is processed until somebody starts it."
    return judged(port.initial_state == "START", good, problem, {"settings.initial_state": "START"})


@per_queue("websphere.session-pool-covers-sessions", "error", POOLS, "maximum of the session pool", is_port)
def session_pool(queue: Queue, port: ListenerPort) -> Verdict | None:
    """The session pool of the factory covers the sessions of the port."""
    return listener_port.session_pool_covers(port, formulas.sessions_asked_for(queue))


@per_server("websphere.connection-pool-covers-ports", "error", POOLS, "maximum of the connection pool")
def connection_pool(system: System, server: Server, settings: ServerSettings) -> Verdict | None:
    """The connection pool of the factory covers the ports."""
    ports = len(formulas.queues_of(system, server, "listener"))
    most = settings.connection_pool_maximum
    if ports == 0:
        return None
    good = f"The connection pool of {most} is enough for all ports: {ports}."
    problem = f"{ports} ports need a connection each, their factory gives {most}: the others cannot start."
    return judged(ports <= most, good, problem, {"settings.connection_pool_maximum": ports})


@per_server("websphere.listener-pool-bounds", "info", LISTENER_POOL, "Minimum size")
def pool_bounds(settings: ServerSettings) -> Verdict | None:
    """The minimum of the listener pool is not above its maximum."""
    least, most = settings.listener_pool_minimum, settings.listener_pool_maximum
    if least <= most or settings.listener_pool_growable:
        return None
    message = f"The listener pool never has the {least} threads of its minimum: its maximum is {most}."
    return Verdict("violated", message, {"settings.listener_pool_minimum": most})


@per_queue("websphere.threads-survive-quiet-times", "info", LISTENER_POOL, "Thread inactivity timeout")
def threads_survive(
    system: System, server: Server, queue: Queue, port: ListenerPort, settings: ServerSettings
) -> Verdict | None:
    """Listener threads outlive the time between two messages."""
    gap = quiet_time(system, queue)
    above = formulas.sessions_asked_for(queue) > settings.listener_pool_minimum
    if port.mode != "asf" or gap is None or not above:
        return None
    limit = settings.listener_pool_inactivity
    ends = f"threads above the minimum end after {number(limit)} s: each burst makes them anew"
    fix = {f"{server.path}.settings.listener_pool_minimum": formulas.sessions_asked_for(queue)}
    return outlives(gap, limit, "threads above the minimum rarely end", ends, fix)


@per_queue("websphere.handles-survive-quiet-times", "info", SERVICE, "MQJMS.POOLING.TIMEOUT", trust="unverified")
def handles_survive(
    system: System, server: Server, queue: Queue, port: ListenerPort, settings: ServerSettings
) -> Verdict | None:
    """Handles to IBM MQ outlive the time between two messages."""
    gap, spare = quiet_time(system, queue), formulas.spare_handles(system, server)
    limit = settings.pooling_timeout
    if gap is None or spare == 0 or port.activated:
        return None
    closed = f"{spare} handles to IBM MQ are closed after {number(limit)} s without use"
    ends = f"{closed}: they are opened again for the next messages"
    fix = {f"{server.path}.settings.pooling_timeout": 2 * gap}
    return outlives(gap, limit, "handles to IBM MQ stay open", ends, fix)


@per_queue("websphere.session-pool-properties-ignored", "info", SERVICE, "SERVER.SESSION.POOL properties", is_port)
def reaper_ignored(port: ListenerPort) -> Verdict | None:
    """The properties of the server session pool count only in ASF mode."""
    if port.mode == "non_asf":
        message = "The properties of the server session pool do nothing in non-ASF mode."
        return ignored(port, message, "session_reap_time", "session_unused_timeout")
    message = "The reap time does nothing: with an unused timeout of 0 no server session is given back."
    return None if port.session_unused_timeout > 0 else ignored(port, message, "session_reap_time")


@per_server("websphere.one-receive-timeout", "error", MODES, "NON.ASF.RECEIVE.TIMEOUT of the message listener service")
def one_receive_timeout(system: System, server: Server) -> Verdict | None:
    """All ports of a server use the same mode and receive timeout."""
    queues = formulas.queues_of(system, server, "listener")
    waits = {formulas.port_of(queue).wait for queue in queues}
    good = "All ports of the server use the same mode and receive timeout."
    problem = "NON.ASF.RECEIVE.TIMEOUT is one custom property of the whole listener service: its ports cannot differ."
    asf = {"mode": "asf", "receive_timeout": 0.0}
    fix = {f"{queue.path}.settings.{name}": value for queue in queues for name, value in asf.items()}
    return judged(len(waits) == 1, good, problem, fix) if len(queues) > 1 else None


PORTS_COME_BACK = per_server("websphere.ports-come-back", "warning", SERVICE, "MAX.RECOVERY.RETRIES")(ports_come_back)


@per_server("websphere.restart-needed", "info", SERVICE, "DYNAMIC.CONFIGURATION.ENABLED")
def restart_needed(system: System, server: Server, settings: ServerSettings) -> Verdict | None:
    """When changed listener ports act."""
    if not formulas.queues_of(system, server, "listener"):
        return None
    at_once = settings.dynamic_configuration
    when = "at once, without a restart of the server" if at_once else "after the next restart of the server"
    return Verdict("ok", f"Changed listener ports act {when}.")


MAXIMUM_TIMEOUT = per_server(
    "websphere.maximum-transaction-timeout", "warning", TRANSACTIONS, "Maximum transaction timeout"
)(listener_port.maximum_covers_total)


@per_queue("websphere.stable", "error", OWN_MODEL, "capacity of one port", trust="assumed")
def stable(system: System, server: Server, queue: Queue) -> Verdict | None:
    """Fewer messages arrive than the settings carry."""
    return carries(system, queue, formulas.carried, lambda rate, _: _carrying(system, server, queue, rate))


def _carrying(system: System, server: Server, queue: Queue, rate: float) -> dict[str, object]:
    """Sessions that carry the rate, with a thread and a place in the session pool for each; none for a topic."""
    needed, group = int(rate * formulas.session_time(queue) / server.instances) + 1, formulas.group_of(queue)
    if queue.kind == "topic" or needed > MOST_THREADS:
        return {}
    fix: dict[str, object] = {f"settings.{name}": needed for name in _BOUNDS[group]}
    pool = formulas.port_of(queue).session_pool_maximum
    if group == "listener" and pool is not None and pool < needed:
        fix["settings.session_pool_maximum"] = needed
    if formulas.waits(queue):  # other ports hold their threads, too
        needed += formulas.sessions_of_server(system, server) - formulas.sessions(queue)
    if group in POOL_SETTINGS and formulas.group_threads(system, server, group) < needed:
        fix[f"{server.path}.settings.{POOL_SETTINGS[group]}"] = needed
    return fix


POOL_SETTINGS: Mapping[formulas.Group, str] = {"listener": "listener_pool_maximum", "adapter": "adapter_pool_maximum"}
"""The setting that bounds the threads of a group."""
_BOUNDS: Mapping[formulas.Group, tuple[str, ...]] = {
    "listener": ("maximum_sessions",),
    "adapter": ("maximum_server_sessions",),
    "endpoints": ("maximum_concurrent_endpoints", "mdb_pool_maximum"),
}
