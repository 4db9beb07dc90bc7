"""From settings to what the engine simulates: pollers on the threads of the message listener service."""

from collections.abc import Mapping

from simulations.engine.network import (
    Constraint,
    Gate,
    Horizon,
    NetworkSpec,
    Poller,
    PollerKind,
    Pool,
    Stream,
    Timeouts,
    Transaction,
)
from simulations.platforms.common import (
    background_stream,
    copies_of,
    downstream_of,
    drawn_sizes,
    mean_size,
    resources_of,
    service_of,
    settings_of,
)
from simulations.platforms.laws import arrivals_of
from simulations.platforms.listener_port import redelivery_of
from simulations.platforms.websphere.formulas import (
    group_of,
    group_threads,
    groups,
    sessions,
    sessions_of_server,
    shortage,
)
from simulations.platforms.websphere.parameters import ListenerPort, ServerSettings
from simulations.system import Queue, Server, System


def build_network(system: System, horizon: Horizon) -> NetworkSpec:
    """Return the network: one pool per server, one poller per listener port."""
    sizes, indices = resources_of(system)
    order = {server.name: index for index, server in enumerate(system.servers)}
    ports = [_stream(system, queue, order[queue.server], indices) for queue in system.queues]
    others = [background_stream(work, order[server.name]) for server in system.servers for work in server.background]
    return NetworkSpec(tuple(_pool(system, server) for server in system.servers), (*ports, *others), horizon, sizes)


def _pool(system: System, server: Server) -> Pool:
    """The threads of all groups; where there are several, each is bounded by its own number.

    Threads beyond the sessions never run. They are left out there: one group's would seem to wait for another's gate.
    """
    used = groups(system, server)
    counts = [group_threads(system, server, group) for group in used]
    bounds: tuple[Constraint, ...] = ()
    if len(used) > 1:
        wanted = [sessions_of_server(system, server, group) for group in used]
        counts = [min(pair) for pair in zip(counts, wanted, strict=True)]
        bounds = tuple(Constraint(maximum=count) for count in counts)
    return Pool(instances=server.instances, cpus=server.cpus, threads_per_servant=sum(counts), constraints=bounds)


def _stream(system: System, queue: Queue, pool: int, indices: Mapping[str, int]) -> Stream:
    server, port = system.server_of(queue), settings_of(queue, ListenerPort)
    waits, start = port.mode == "non_asf", _start_timeout(system, server, queue)
    used = groups(system, server)
    return Stream(
        name=queue.name,
        pool=pool,
        arrivals=arrivals_of(queue.arrivals),
        service=service_of(queue),
        cpu_share=queue.service.cpu,
        producers=queue.producers,
        message_size=mean_size(queue),
        size_law=drawn_sizes(queue),
        concurrency=min(sessions(queue), group_threads(system, server, group_of(queue))) if start else sessions(queue),
        constraint=(used.index(group_of(queue)),) if len(used) > 1 else (),
        gate=Gate(sessions(queue), sessions(queue)) if start is not None else None,
        timeouts=start,
        poller=Poller(
            PollerKind.EAGER if waits else PollerKind.ON_MESSAGE,
            sessions(queue),
            receive_timeout=port.receive_timeout if waits else 0.0,
        ),
        transaction=Transaction(
            batch=port.maximum_messages if port.mode == "asf" else 1,
            lifetime=settings_of(server, ServerSettings).total_transaction_timeout,
        ),
        redelivery=redelivery_of(port),
        copies=copies_of(queue, each_instance=queue.kind == "topic"),
        downstream=downstream_of(queue, indices),
        failure_rate=port.failure_rate,
        poison_rate=port.poison_rate,
    )


def _start_timeout(system: System, server: Server, queue: Queue) -> Timeouts | None:
    """The wait for a thread of the resource adapter, where that can be: a message holds a session meanwhile."""
    limit = settings_of(queue, ListenerPort).start_timeout
    may_wait = group_of(queue) == "adapter" and shortage(system, server, "adapter") > 0
    return Timeouts(queue=limit) if may_wait and limit > 0 else None
