"""From settings to what the engine simulates: pollers on the threads of the message listener service."""

from collections.abc import Mapping

from simulations.engine.network import (
    Horizon,
    NetworkSpec,
    Poller,
    PollerKind,
    Pool,
    Stream,
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
from simulations.platforms.websphere.formulas import pool_threads, sessions
from simulations.platforms.websphere.parameters import ListenerPort, ServerSettings
from simulations.system import Queue, Server, System


def build_network(system: System, horizon: Horizon) -> NetworkSpec:
    """Return the network: one pool per server, one poller per listener port."""
    sizes, indices = resources_of(system)
    order = {server.name: index for index, server in enumerate(system.servers)}
    ports = [_stream(queue, system.server_of(queue), order[queue.server], indices) for queue in system.queues]
    others = [background_stream(work, order[server.name]) for server in system.servers for work in server.background]
    return NetworkSpec(tuple(_pool(system, server) for server in system.servers), (*ports, *others), horizon, sizes)


def _pool(system: System, server: Server) -> Pool:
    return Pool(instances=server.instances, cpus=server.cpus, threads_per_servant=pool_threads(system, server))


def _stream(queue: Queue, server: Server, pool: int, indices: Mapping[str, int]) -> Stream:
    port = settings_of(queue, ListenerPort)
    waits = port.mode == "non_asf"
    return Stream(
        name=queue.name,
        pool=pool,
        arrivals=arrivals_of(queue.arrivals),
        service=service_of(queue),
        cpu_share=queue.service.cpu,
        producers=queue.producers,
        message_size=mean_size(queue),
        size_law=drawn_sizes(queue),
        concurrency=sessions(queue),
        poller=Poller(
            PollerKind.EAGER if waits else PollerKind.ON_MESSAGE,
            sessions(queue),
            receive_timeout=port.receive_timeout if waits else 0.0,
        ),
        transaction=Transaction(
            batch=1 if waits else port.maximum_messages,
            lifetime=settings_of(server, ServerSettings).total_transaction_timeout,
        ),
        redelivery=redelivery_of(port),
        copies=copies_of(queue, each_instance=queue.kind == "topic"),
        downstream=downstream_of(queue, indices),
        failure_rate=port.failure_rate,
        poison_rate=port.poison_rate,
    )
