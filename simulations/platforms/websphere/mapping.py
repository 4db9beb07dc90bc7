"""From settings to what the engine simulates: pollers on the threads of the message listener service."""

from dataclasses import replace

from simulations.declarations.system import Queue, Server, System
from simulations.engine.network import model
from simulations.platforms.shared.listener_port import redelivery_of
from simulations.platforms.shared.networks import network_of
from simulations.platforms.shared.outages import absence_of
from simulations.platforms.shared.queues import copies_of, settings_of
from simulations.platforms.websphere import formulas
from simulations.platforms.websphere.parameters import ListenerPort, ServerSettings


def build_network(system: System, horizon: model.Horizon) -> model.NetworkSpec:
    """Return the network: one pool per server, one poller per listener port."""
    return network_of(system, horizon, _pool, _stream)


def _pool(system: System, server: Server) -> model.Pool:
    """The threads of all groups; where there are several, each is bounded by its own number. Threads beyond the
    sessions never run. They are left out there: one group's would seem to wait for another's gate."""
    used = formulas.groups(system, server)
    counts = [formulas.group_threads(system, server, group) for group in used]
    bounds: tuple[model.Constraint, ...] = ()
    if len(used) > 1:
        sessions = [formulas.sessions_of_server(system, server, group) for group in used]
        counts = [min(pair) for pair in zip(counts, sessions, strict=True)]
        bounds = tuple(model.Constraint(maximum=count) for count in counts)
    return model.Pool(instances=server.instances, cpus=server.cpus, threads_per_servant=sum(counts), constraints=bounds)


def _stream(system: System, queue: Queue, plain: model.Stream) -> model.Stream:
    server, port = system.server_of(queue), settings_of(queue, ListenerPort)
    settings = settings_of(server, ServerSettings)
    waits, start = port.mode == "non_asf", _start_timeout(system, server, queue)
    sessions, group, used = formulas.sessions(queue), formulas.group_of(queue), formulas.groups(system, server)
    poller = model.PollerKind.EAGER if waits else model.PollerKind.ON_MESSAGE
    return replace(
        plain,
        concurrency=min(sessions, formulas.group_threads(system, server, group)) if start else sessions,
        constraint=(used.index(group),) if len(used) > 1 else (),
        gate=model.Gate(sessions, sessions) if start is not None else None,
        timeouts=start,
        poller=model.Poller(poller, sessions, receive_timeout=port.wait),
        transaction=model.Transaction(
            batch=port.maximum_messages if port.mode == "asf" else 1,
            lifetime=settings.total_transaction_timeout,
        ),
        redelivery=redelivery_of(port),
        absence=absence_of(server, settings.recovery_retries, settings.recovery_interval, at_once=port.activated),
        search=formulas.search(queue),
        copies=copies_of(queue, each_instance=queue.kind == "topic"),
    )


def _start_timeout(system: System, server: Server, queue: Queue) -> model.Timeouts | None:
    """The wait for a thread of the resource adapter, where that can be: a message holds a session meanwhile."""
    limit = settings_of(queue, ListenerPort).start_timeout
    may_wait = formulas.group_of(queue) == "adapter" and formulas.shortage(system, server, "adapter") > 0
    return model.Timeouts(queue=limit) if may_wait and limit > 0 else None
