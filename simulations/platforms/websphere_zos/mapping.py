"""From settings to what the engine simulates, seconds and counts."""

from dataclasses import replace

from simulations.declarations.system import Queue, Server, System
from simulations.engine.network import model
from simulations.platforms.shared.listener_port import has_ports, redelivery_of
from simulations.platforms.shared.networks import network_of
from simulations.platforms.shared.outages import absence_of
from simulations.platforms.shared.queues import copies_of, settings_of
from simulations.platforms.websphere_zos import formulas
from simulations.platforms.websphere_zos.parameters import ListenerPort, ServerSettings


def build_network(system: System, horizon: model.Horizon) -> model.NetworkSpec:
    """Return the network: one pool per server, one gate per listener port or activation specification."""
    return network_of(system, horizon, _pool, _stream)


def _pool(system: System, server: Server) -> model.Pool:
    settings = settings_of(server, ServerSettings)
    least, most = formulas.servants(settings)
    tries = settings.recovery_retries if settings.zos_recovery else 0
    settled = least == most or settings.servant_start_time == 0
    return model.Pool(
        instances=server.instances,
        cpus=server.cpus,
        threads_per_servant=formulas.threads_per_servant(settings, server.cpus),
        servants_min=least,
        servants_max=most,
        servant_start_time=settings.servant_start_time,
        growth=model.PoolGrowth.FIXED if settled else model.PoolGrowth.SERVANTS,
        queue_capacity=settings.wlm_queue_capacity or 0,
        restart_time=settings.restart_time,
        outage=absence_of(server, tries, settings.recovery_interval, at_once=not has_ports(system, server)),
    )


def _stream(system: System, queue: Queue, plain: model.Stream) -> model.Stream:
    server, port = system.server_of(queue), settings_of(queue, ListenerPort)
    return replace(
        plain,
        gate=_gate(server, queue),
        concurrency=0 if port.activated else port.session_pool_maximum or 0,
        timeouts=_timeouts(server, queue),
        redelivery=redelivery_of(port),
        copies=copies_of(queue, each_instance=queue.kind == "topic"),
    )


def _gate(server: Server, queue: Queue) -> model.Gate:
    """The throttle of a port, or the plain limit of an activation specification; a gate lets one through at least."""
    high, low = formulas.thresholds(server, queue)
    port = settings_of(queue, ListenerPort)
    early = port.in_flight_from == "taken"
    return model.Gate(max(1, high), max(low, 1) if high == low else low, port.queue_agent_time, early)


def _timeouts(server: Server, queue: Queue) -> model.Timeouts | None:
    limit = formulas.request_timeout(server, queue)
    if limit == 0:
        return None
    restart = settings_of(server, ServerSettings).dispatch_timeout_action == "restart_servant"
    return model.Timeouts(
        queue=formulas.queue_timeout(server, queue),
        dispatch=limit,
        action=model.TimeoutAction.RESTART_SERVANT if restart else model.TimeoutAction.INTERRUPT,
    )
