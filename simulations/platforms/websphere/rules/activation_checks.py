"""The rules of WebSphere about activation specifications: their threads, and settings that a mode does not read."""

from simulations.declarations.system import Queue, Server, System
from simulations.platforms.shared.activation import ADVANCED, COMMAND, SETTINGS, session_rules
from simulations.platforms.shared.listener_port import SERVICE, of_ports
from simulations.platforms.shared.queues import number
from simulations.platforms.shared.rules import Verdict, ignored, judged, listed, per_queue, per_server
from simulations.platforms.websphere import formulas
from simulations.platforms.websphere.parameters import OF_SELECTORS, SPEC_ONLY, ListenerPort, ServerSettings
from simulations.platforms.websphere.rules.port_checks import pool_has_threads
from simulations.platforms.websphere.sources import ADAPTER_POOL, ALL_SESSIONS, THROTTLING

OF_PORTS = (*of_ports(ListenerPort), *OF_SELECTORS)
OF_ENDPOINTS = ("maximum_concurrent_endpoints", "mdb_pool_maximum")
OF_SESSIONS = ("maximum_server_sessions", "server_session_idle_timeout", "start_timeout")


@per_server("websphere.adapter-pool-covers-sessions", "error", ADAPTER_POOL, ALL_SESSIONS)
def adapter_pool_covers(system: System, server: Server) -> Verdict | None:
    """The resource adapter has a thread for every server session."""
    return pool_has_threads(system, server, "adapter", "WMQJCAResourceAdapter pool", "adapter_pool_maximum")


@per_queue("websphere.start-timeout-covers-wait", "warning", COMMAND, "startTimeout")
def starts_in_time(system: System, server: Server, queue: Queue, port: ListenerPort) -> Verdict | None:
    """A scheduled message gets a thread before the start timeout."""
    wait, limit = formulas.start_wait(system, server, queue), port.start_timeout
    if wait == 0 or limit == 0:
        return None
    details = {"start_wait_s": wait, "start_timeout_s": limit}
    good = f"A scheduled message waits up to about {number(wait)} s for a thread."
    problem = (
        f"A scheduled message waits up to about {number(wait)} s for a thread, above the start timeout of "
        f"{number(limit)} s: it returns to its queue and is delivered again."
    )
    total = formulas.sessions_of_server(system, server, "adapter")
    return judged(wait < limit, good, problem, {f"{server.path}.settings.adapter_pool_maximum": total}, details)


@per_queue("websphere.bean-pool-covers-endpoints", "warning", THROTTLING, "maximum concurrent endpoints and bean pool")
def bean_pool_covers(queue: Queue, port: ListenerPort) -> Verdict | None:
    """There is a bean for every endpoint of the default messaging provider."""
    if formulas.group_of(queue) != "endpoints":
        return None
    most, beans = port.maximum_concurrent_endpoints, port.mdb_pool_maximum
    good = f"The bean pool of {beans} covers the {most} endpoints."
    problem = f"The bean pool of {beans} is below the {most} endpoints: the others wait for a bean."
    return judged(most <= beans, good, problem, {"settings.mdb_pool_maximum": most})


SESSIONS_STAY, COUNT_IGNORED = session_rules("websphere", lambda queue: formulas.group_of(queue) == "adapter")


@per_queue("websphere.activation-settings-ignored", "info", ADVANCED, "activation specification")
def spec_ignored(port: ListenerPort) -> Verdict | None:
    """Settings of an activation specification count only with its provider."""
    if not port.activated:
        return listed(port, "With a listener port", (*SETTINGS, *SPEC_ONLY))
    if port.provider == "ibm_mq":
        return listed(port, "With an activation specification of IBM MQ", OF_ENDPOINTS)
    return listed(port, "With the default messaging provider", OF_SESSIONS)


@per_queue("websphere.port-settings-ignored", "info", ADVANCED, "activation specification")
def port_ignored(port: ListenerPort) -> Verdict | None:
    """Settings of a listener port count only with a listener port."""
    return listed(port, "With an activation specification", OF_PORTS) if port.activated else None


@per_queue("websphere.bmt-rollback-ignored", "info", SERVICE, "NON.ASF.BMT.ROLLBACK.ENABLED", trust="unverified")
def bmt_ignored(port: ListenerPort) -> Verdict | None:
    """The rollback for bean-managed transactions and the cost of selectors count only in non-ASF mode."""
    return listed(port, "In ASF mode", ("bmt_rollback", *OF_SELECTORS)) if port.mode == "asf" else None


@per_server("websphere.adapter-pool-ignored", "info", ADAPTER_POOL, "use by activation specifications")
def pool_ignored(system: System, server: Server, settings: ServerSettings) -> Verdict | None:
    """The pool of the resource adapter counts only with activation specifications."""
    if formulas.queues_of(system, server, "adapter"):
        return None
    message = "The WMQJCAResourceAdapter pool does nothing: no activation specification of IBM MQ uses it."
    return ignored(settings, message, "adapter_pool_maximum")
