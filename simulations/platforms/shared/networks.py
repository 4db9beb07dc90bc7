"""From a system to what the engine simulates, as far as it is the same for every family."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from simulations.analysis.theory.laws import law_mean
from simulations.declarations.system import Background, Queue, Server, System
from simulations.engine.network.model import Downstream, Horizon, LawKind, NetworkSpec, Outage, Pool, Send, Stream
from simulations.platforms.shared.laws import arrivals_of, law_of
from simulations.platforms.shared.outages import outage_of
from simulations.platforms.shared.queues import QueueParameters, service_of, settings_of, size_of


def network_of(
    system: System,
    horizon: Horizon,
    pool: Callable[[System, Server], Pool],
    stream: Callable[[System, Queue, Stream], Stream],
    background: Callable[[System, Server, Background, Stream], Stream] = lambda _system, _server, _work, plain: plain,
) -> NetworkSpec:
    """Return the network: a pool for each server, then a stream for each queue and for each background work. ``stream``
    and ``background`` say what settings change in the stream that every family would make."""
    limits = _resources(system)
    order = {server.name: index for index, server in enumerate(system.servers)}
    queues = [
        stream(system, queue, _of_queue(system, queue, order[queue.server], list(limits))) for queue in system.queues
    ]
    others = [
        background(system, server, work, _of_background(work, order[server.name]))
        for server in system.servers
        for work in server.background
    ]
    pools = tuple(_leaving(server, pool(system, server)) for server in system.servers)
    return NetworkSpec(pools, (*queues, *others), horizon, tuple(limits.values()))


def _leaving(server: Server, pool: Pool) -> Pool:
    """The pool of a server with the outage of its members."""
    outage = outage_of(server)
    if outage is None or outage.cause != "server":
        return pool
    return replace(pool, outage=Outage(outage.start, outage.duration), outage_instances=outage.members)


def _resources(system: System) -> Mapping[str, int]:
    """Sizes of the downstream resources; where two queues give one different limits the smaller one counts."""
    limits: dict[str, int] = {}
    for queue in system.queues:
        resource = settings_of(queue, QueueParameters).downstream
        if resource is not None:
            limits[resource.name] = min(resource.limit, limits.get(resource.name, resource.limit))
    return limits


def _of_queue(system: System, queue: Queue, pool: int, resources: list[str]) -> Stream:
    """The stream of a queue as far as no vendor's setting shapes it."""
    places = {each.name: index for index, each in enumerate(system.queues)}
    settings, sizes = settings_of(queue, QueueParameters), size_of(queue)
    resource, away = settings.downstream, settings.downstream_outage
    return Stream(
        name=queue.name,
        pool=pool,
        arrivals=arrivals_of(queue.arrivals),
        service=service_of(queue),
        cpu_share=queue.service.cpu,
        producers=queue.producers,
        message_size=law_mean(sizes),
        size_law=None if sizes.kind is LawKind.CONSTANT else sizes,
        downstream=None if resource is None else Downstream(resources.index(resource.name), resource.share),
        failure_rate=settings.failure_rate,
        poison_rate=settings.poison_rate,
        urgent_share=settings.urgent_share,
        outage=None if away is None else Outage(away.start, away.duration),
        sends=tuple(Send(places[item.name], item.messages) for item in queue.sends),
    )


def _of_background(work: Background, pool: int) -> Stream:
    """The stream of background work: it enters the thread queue directly."""
    return Stream(
        name=work.name,
        pool=pool,
        arrivals=arrivals_of(work.arrivals),
        service=law_of(work.service),
        cpu_share=work.service.cpu,
        background=True,
    )
