"""The tiny family's system as a network: one pool per server, one stream per queue."""

from simulations.declarations.system import System
from simulations.engine.network.model import Horizon, NetworkSpec, Pool, Stream
from simulations.platforms.shared.laws import arrivals_of, law_of
from simulations.platforms.shared.queues import settings_of
from tests.simulations.platforms.tiny.parameters import ServerSettings


def build_network(system: System, horizon: Horizon) -> NetworkSpec:
    """Return what the engine simulates."""
    places = {server.name: index for index, server in enumerate(system.servers)}
    pools = tuple(
        Pool(threads_per_servant=settings_of(server, ServerSettings).threads, cpus=server.cpus)
        for server in system.servers
    )
    streams = tuple(
        Stream(
            queue.name,
            places[queue.server],
            arrivals_of(queue.arrivals),
            law_of(queue.service),
            cpu_share=queue.service.cpu,
        )
        for queue in system.queues
    )
    return NetworkSpec(pools, streams, horizon)
