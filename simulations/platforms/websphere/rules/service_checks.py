"""Checks of the rules about the listener pool, sessions, handles and states: what a service or factory says."""

from simulations.platforms.shared.listener_port import maximum_covers_total, session_pool_covers
from simulations.platforms.shared.queues import defaults_again, number, quiet_time, settings_of
from simulations.platforms.shared.rules import Verdict
from simulations.platforms.websphere.formulas import port_of, queues_of, sessions_asked_for, spare_handles
from simulations.platforms.websphere.parameters.server import ServerSettings
from simulations.system import Queue, Server, System


def _settings(server: Server) -> ServerSettings:
    return settings_of(server, ServerSettings)


def port_starts(_: System, __: Server, queue: Queue) -> Verdict | None:
    """A port that nobody starts."""
    if port_of(queue).activated:
        return None
    if port_of(queue).initial_state == "START":
        return Verdict("ok", "The port takes messages when its server has started.")
    message = "The port stays stopped after a start of its server: no message is processed until somebody starts it."
    return Verdict("violated", message, {"settings.initial_state": "START"})


def session_pool(system: System, server: Server, queue: Queue) -> Verdict | None:
    """The session pool of the connection factory."""
    return None if port_of(queue).activated else session_pool_covers(system, server, queue, sessions_asked_for(queue))


def connection_pool(system: System, server: Server) -> Verdict | None:
    """The connection pool of the factory against the ports that take a connection each."""
    ports, most = len(queues_of(system, server, "listener")), _settings(server).connection_pool_maximum
    if ports == 0:
        return None
    if ports <= most:
        return Verdict("ok", f"The connection pool of {most} covers the {ports} ports.")
    message = f"{ports} ports need a connection each, their factory gives {most}: the others cannot start."
    return Verdict("violated", message, {"settings.connection_pool_maximum": ports})


def pool_bounds(_: System, server: Server) -> Verdict | None:
    """A minimum of the listener pool above its maximum."""
    settings = _settings(server)
    least, most = settings.listener_pool_minimum, settings.listener_pool_maximum
    if least <= most or settings.listener_pool_growable:
        return None
    message = f"The listener pool never has the {least} threads of its minimum: its maximum is {most}."
    return Verdict("violated", message, {"settings.listener_pool_minimum": most})


def threads_survive(_: System, server: Server, queue: Queue) -> Verdict | None:
    """Threads above the minimum that end between two messages."""
    settings, gap = _settings(server), quiet_time(server, queue)
    above = sessions_asked_for(queue) > settings.listener_pool_minimum
    if port_of(queue).mode != "asf" or gap is None or not above:
        return None
    limit = settings.listener_pool_inactivity
    if gap <= limit:
        return Verdict("ok", f"A message comes every {number(gap)} s: threads above the minimum rarely end.")
    message = (
        f"A message comes every {number(gap)} s and threads above the minimum end after {number(limit)} s: each burst "
        f"makes them anew."
    )
    fix = {f"servers.{server.name}.settings.listener_pool_minimum": sessions_asked_for(queue)}
    return Verdict("violated", message, fix)


def handles_survive(system: System, server: Server, queue: Queue) -> Verdict | None:
    """Handles beyond the threshold that are closed between two messages."""
    gap, spare, limit = quiet_time(server, queue), spare_handles(system, server), _settings(server).pooling_timeout
    if gap is None or spare == 0 or port_of(queue).activated:
        return None
    if gap <= limit:
        return Verdict("ok", f"A message comes every {number(gap)} s: handles to IBM MQ stay open.")
    message = (
        f"A message comes every {number(gap)} s and {spare} handles to IBM MQ are closed after {number(limit)} s "
        f"without use: they are opened again for the next messages."
    )
    return Verdict("violated", message, {f"servers.{server.name}.settings.pooling_timeout": 2 * gap})


def reaper_ignored(_: System, __: Server, queue: Queue) -> Verdict | None:
    """Properties of the session pool in a mode that does not read them, or a reaper that has nothing to do."""
    port = port_of(queue)
    if port.activated:
        return None
    both, reap = (
        defaults_again(port, "session_reap_time", "session_unused_timeout"),
        defaults_again(port, "session_reap_time"),
    )
    if port.mode == "non_asf" and both:
        return Verdict("ignored", "The properties of the server session pool do nothing in non-ASF mode.", both)
    if port.session_unused_timeout == 0 and reap:
        message = "The reap time does nothing: with an unused timeout of 0 no server session is given back."
        return Verdict("ignored", message, reap)
    return None


def bmt_ignored(_: System, __: Server, queue: Queue) -> Verdict | None:
    """A property of non-ASF mode in ASF mode."""
    port = port_of(queue)
    if port.mode != "asf" or not port.bmt_rollback:
        return None
    message = "The rollback for bean-managed transactions does nothing in ASF mode."
    return Verdict("ignored", message, {"settings.bmt_rollback": False})


def restart_needed(system: System, server: Server) -> Verdict | None:
    """When changes of the ports act."""
    if not queues_of(system, server, "listener"):
        return None
    if _settings(server).dynamic_configuration:
        return Verdict("ok", "Changed listener ports act at once, without a restart of the server.")
    return Verdict("ok", "Changed listener ports act after the next restart of the server.")


def maximum_timeout(_: System, server: Server) -> Verdict:
    """The two timeouts of the transaction service."""
    return maximum_covers_total(server, _settings(server).total_transaction_timeout)
