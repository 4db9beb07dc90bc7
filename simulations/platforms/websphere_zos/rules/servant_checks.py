"""Checks of the rules about servants that end, service classes, recovery and settings that count only with them."""

from simulations.platforms.shared.laws import quantile_of
from simulations.platforms.shared.listener_port import (
    has_ports,
    maximum_covers_total,
    ports_come_back,
    session_pool_covers,
)
from simulations.platforms.shared.queues import defaults_again, number, service_of, settings_of
from simulations.platforms.shared.rules import Verdict
from simulations.platforms.websphere_zos.formulas import (
    is_dispatched,
    queue_timeout,
    request_timeout,
    servant_outage,
    servants,
    threads_per_servant,
    worker_threads,
)
from simulations.platforms.websphere_zos.parameters.server import ListenerPort, ServerSettings
from simulations.system import Queue, Server, System


def _settings(server: Server) -> ServerSettings:
    return settings_of(server, ServerSettings)


def slow_queues(system: System, server: Server) -> list[str]:
    """Return the queues on which more than one onMessage in a thousand reaches its time limit."""
    return [
        queue.name
        for queue in system.queues_of(server)
        if 0 < request_timeout(server, queue) <= quantile_of(service_of(queue), 0.999)
    ]


def restart_loses_neighbours(system: System, server: Server) -> Verdict | None:
    """A servant that ends at a dispatch timeout takes its other messages with it."""
    settings = _settings(server)
    threads = threads_per_servant(settings, server.cpus)
    if settings.dispatch_timeout_action != "restart_servant":
        return None
    slow = slow_queues(system, server)
    if not slow or threads == 1:
        return Verdict("ok", "A dispatch timeout is rare or harms no other message.")
    message = (
        f"A dispatch timeout ends the servant: up to {threads - 1} other messages are lost with it and the servant is "
        f"away for {number(servant_outage(settings))} s. Long calls are expected on {', '.join(slow)}."
    )
    return Verdict("violated", message, {"settings.dispatch_timeout_action": "interrupt"})


def last_servant_spared(system: System, server: Server) -> Verdict | None:
    """A dispatch timeout that ends the only servant."""
    settings = _settings(server)
    ends = settings.dispatch_timeout_action == "restart_servant" and slow_queues(system, server)
    if not ends or servants(settings)[0] > 1:
        return None
    if settings.save_last_servant:
        return Verdict("ok", "The last servant is spared when a dispatch timeout ends servants.")
    message = (
        f"A dispatch timeout ends the only servant that is sure to run: for {number(servant_outage(settings))} s "
        f"nothing is processed."
    )
    return Verdict("violated", message, {"settings.save_last_servant": True})


def listeners_pause(system: System, server: Server) -> Verdict | None:
    """Records that are queued while no servant runs, and wait longer than they may."""
    settings = _settings(server)
    if settings.dispatch_timeout_action != "restart_servant" or servants(settings)[0] > 1:
        return None
    limits = [limit for queue in system.queues_of(server) if (limit := queue_timeout(server, queue)) > 0]
    away = servant_outage(settings)
    if settings.pause_without_servant or not limits or away < min(limits):
        return Verdict("ok", "Records do not run out of time while a servant is started.")
    message = (
        f"While the only servant is away for {number(away)} s the listeners go on: records run into the queue timeout "
        f"of {number(min(limits))} s."
    )
    return Verdict("violated", message, {"settings.pause_without_servant": True})


def end_settings_ignored(_: System, server: Server) -> Verdict | None:
    """Settings of a servant's end where a dispatch timeout ends none."""
    settings = _settings(server)
    given = {
        "settings.stalled_thread_threshold": settings.stalled_thread_threshold,
        "settings.timeout_delay": settings.timeout_delay,
        "settings.save_last_servant": settings.save_last_servant,
        "settings.pause_without_servant": settings.pause_without_servant,
    }
    set_ones = {path: type(value)(0) for path, value in given.items() if value}
    if settings.dispatch_timeout_action == "restart_servant" or not set_ones:
        return None
    names = ", ".join(path.removeprefix("settings.").replace("_", " ") for path in set_ones)
    return Verdict("ignored", f"Nothing ends a servant here, so this does nothing: {names}.", set_ones)


def servants_cover_classes(_: System, server: Server) -> Verdict | None:
    """Servants against the service classes of the work."""
    settings = _settings(server)
    most, classes = servants(settings)[1], settings.service_classes
    if classes == 1:
        return None
    if most >= classes:
        return Verdict("ok", f"{most} servants cover {classes} service classes.")
    message = f"{most} servants cannot serve {classes} service classes at a time: one of the classes starves."
    fix: dict[str, object] = {"settings.max_servants": max(classes, settings.max_servants)}
    return Verdict("violated", message, fix | {"settings.multiple_instances": True})


def instances_ignored(_: System, server: Server) -> Verdict | None:
    """Minimum and maximum of servants where there is exactly one."""
    settings = _settings(server)
    if settings.multiple_instances or settings.max_servants == 1:
        return None
    message = (
        f"{settings.min_servants} to {settings.max_servants} servants do nothing: multiple instances are not enabled, "
        f"there is one."
    )
    return Verdict("ignored", message, {"settings.multiple_instances": True})


def recovery_enabled(system: System, server: Server) -> Verdict | None:
    """Whether ports come back after a restart of the queue manager."""
    if not has_ports(system, server):
        return None
    if _settings(server).zos_recovery:
        return ports_come_back(system, server)
    message = "After a restart of the queue manager the ports stay down: ENABLE.ZOS.LP.RECOVERY is not set."
    return Verdict("violated", message, {"settings.zos_recovery": True})


def maximum_timeout(_: System, server: Server) -> Verdict:
    """The two timeouts of the transaction service."""
    return maximum_covers_total(server, _settings(server).total_transaction_timeout)


def transaction_covers_service(_: System, server: Server, queue: Queue) -> Verdict:
    """The transaction lifetime against the time that 99.9 % of the onMessage calls need."""
    lifetime, slow = _settings(server).total_transaction_timeout, quantile_of(service_of(queue), 0.999)
    if slow < lifetime:
        return Verdict("ok", f"99.9 % of the onMessage calls end within {number(slow)} s of {number(lifetime)} s.")
    message = (
        f"One onMessage in a thousand takes longer than {number(slow)} s, its transaction is marked for rollback after "
        f"{number(lifetime)} s."
    )
    fix = {f"servers.{server.name}.settings.total_transaction_timeout": 2 * slow}
    return Verdict("violated", message, fix)


def session_pool(system: System, server: Server, queue: Queue) -> Verdict | None:
    """The session pool of the connection factory against what can run at once."""
    port = settings_of(queue, ListenerPort)
    wanted = min(worker_threads(server), port.maximum_sessions)
    return None if port.activated else session_pool_covers(system, server, queue, wanted)


def durable_ignored(_: System, __: Server, queue: Queue) -> Verdict | None:
    """A subscription at a queue."""
    if queue.kind == "topic" or settings_of(queue, ListenerPort).durable_subscription:
        return None
    return Verdict("ignored", "A queue has no subscription.", {"settings.durable_subscription": True})


def dispatch_timeout_ignored(system: System, server: Server) -> Verdict | None:
    """The WLM dispatch timeout where no bean is bounded by it."""
    fix = defaults_again(_settings(server), "wlm_dispatch_timeout", "iiop_queue_timeout_percent")
    if not fix or any(is_dispatched(queue) for queue in system.queues_of(server)):
        return None
    message = (
        "The WLM dispatch timeout counts only for activation specifications and for topics without a durable "
        "subscription."
    )
    return Verdict("ignored", message, fix)
