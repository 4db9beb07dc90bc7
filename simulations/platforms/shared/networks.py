"""From a system to what the engine simulates, as far as it is the same for every family."""

from collections.abc import Callable, Mapping

from simulations.declarations.system import Background, Queue, Server, System
from simulations.engine.network.model import Downstream, Horizon, NetworkSpec, Pool, Stream
from simulations.platforms.shared.laws import arrivals_of, law_of
from simulations.platforms.shared.queues import QueueParameters, drawn_sizes, mean_size, service_of, settings_of


def network_of(
    system: System, horizon: Horizon, *, pool: Callable[[Server], Pool], stream: Callable[[Queue, Stream], Stream]
) -> NetworkSpec:
    """Return the network: a pool for each server, then a stream for each queue and for each background work.

    ``stream`` says what the settings of a queue change in the stream that every family would make of it.
    """
    sizes, indices = resources_of(system)
    order = {server.name: index for index, server in enumerate(system.servers)}
    queues = [stream(queue, queue_stream(queue, order[queue.server], indices)) for queue in system.queues]
    others = [background_stream(work, order[server.name]) for server in system.servers for work in server.background]
    return NetworkSpec(tuple(pool(server) for server in system.servers), (*queues, *others), horizon, sizes)


def resources_of(system: System) -> tuple[tuple[int, ...], Mapping[str, int]]:
    """Return the sizes of the downstream resources and the index of each name.

    Where two queues give one resource different limits the smaller one counts.
    """
    limits: dict[str, int] = {}
    for queue in system.queues:
        resource = settings_of(queue, QueueParameters).downstream
        if resource is not None:
            limits[resource.name] = min(resource.limit, limits.get(resource.name, resource.limit))
    return tuple(limits.values()), {name: index for index, name in enumerate(limits)}


def queue_stream(queue: Queue, pool: int, indices: Mapping[str, int]) -> Stream:
    """Return the stream of a queue as far as no vendor's setting shapes it; ``indices``: of ``resources_of``."""
    settings = settings_of(queue, QueueParameters)
    resource = settings.downstream
    return Stream(
        name=queue.name,
        pool=pool,
        arrivals=arrivals_of(queue.arrivals),
        service=service_of(queue),
        cpu_share=queue.service.cpu,
        producers=queue.producers,
        message_size=mean_size(queue),
        size_law=drawn_sizes(queue),
        downstream=None if resource is None else Downstream(indices[resource.name], resource.share),
        failure_rate=settings.failure_rate,
        poison_rate=settings.poison_rate,
    )


def background_stream(work: Background, pool: int, *, weight: float = 1.0, goal: float = 0.0) -> Stream:
    """Return the stream of background work: it enters the thread queue directly."""
    return Stream(
        name=work.name,
        pool=pool,
        arrivals=arrivals_of(work.arrivals),
        service=law_of(work.service),
        cpu_share=work.service.cpu,
        background=True,
        weight=weight,
        goal=goal,
    )
