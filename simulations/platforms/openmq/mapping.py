"""From settings to what the engine simulates: a credit window per instance before its pool of beans."""

from collections.abc import Mapping

from simulations.engine.network import (
    Exhausted,
    Horizon,
    LimitBehaviour,
    NetworkSpec,
    Pool,
    Quota,
    Redelivery,
    Stream,
    Window,
)
from simulations.platforms.common import (
    background_stream,
    downstream_of,
    is_saturated,
    resources_of,
    service_of,
    settings_of,
)
from simulations.platforms.laws import arrivals_of
from simulations.platforms.openmq.formulas import effective_limit, pool_size, producer_batch, threshold_of
from simulations.platforms.openmq.parameters import InstanceSettings, MdbSettings
from simulations.system import Queue, Server, System


def build_network(system: System, horizon: Horizon) -> NetworkSpec:
    """Return the network: one pool of threads per server, one window per MDB.

    In a cluster the instances share a topic's subscription, so each message is processed once, as from a queue.
    """
    sizes, indices = resources_of(system)
    order = {server.name: index for index, server in enumerate(system.servers)}
    mdbs = [_stream(queue, system.server_of(queue), order[queue.server], indices) for queue in system.queues]
    others = [background_stream(work, order[server.name]) for server in system.servers for work in server.background]
    return NetworkSpec(tuple(_pool(server) for server in system.servers), (*mdbs, *others), horizon, sizes)


def _pool(server: Server) -> Pool:
    threads = settings_of(server, InstanceSettings).thread_pool_maximum
    return Pool(instances=server.instances, cpus=server.cpus, threads_per_servant=threads)


def _stream(queue: Queue, server: Server, pool: int, indices: Mapping[str, int]) -> Stream:
    mdb = settings_of(queue, MdbSettings)
    return Stream(
        name=queue.name,
        pool=pool,
        arrivals=arrivals_of(queue.arrivals),
        service=service_of(queue),
        cpu_share=queue.service.cpu,
        producers=queue.producers,
        message_size=queue.message_size,
        concurrency=pool_size(server, queue),
        window=_window(server, queue, mdb),
        redelivery=_redelivery(mdb),
        quota=_quota(queue, mdb),
        downstream=downstream_of(queue, indices),
        failure_rate=mdb.failure_rate,
        poison_rate=mdb.poison_rate,
    )


def _window(server: Server, queue: Queue, mdb: MdbSettings) -> Window:
    settings = settings_of(server, InstanceSettings)
    return Window(
        limit=effective_limit(server, queue),
        threshold=threshold_of(server, queue),
        round_trip=mdb.round_trip,
        connection_limit=settings.connection_flow_limit if settings.connection_flow_limit_enabled else 0,
        connection_count=settings.connection_flow_count,
    )


def _redelivery(mdb: MdbSettings) -> Redelivery:
    if mdb.failure_mode == "rollback":
        return Redelivery(limit=mdb.max_consecutive_rollbacks, exhausted=Exhausted.DEAD_LETTER)
    return Redelivery(
        delay=mdb.redelivery_interval,
        limit=1 + mdb.redelivery_attempts,
        exhausted=Exhausted.DEAD_LETTER,
        in_place=True,
    )


def _quota(queue: Queue, mdb: MdbSettings) -> Quota | None:
    """A queue that is never empty has no producers to limit."""
    if is_saturated(queue) or (mdb.max_num_msgs < 0 and mdb.max_total_msg_bytes == 0):
        return None
    flow = mdb.limit_behavior == "FLOW_CONTROL"
    return Quota(
        messages=max(0, mdb.max_num_msgs),
        bytes=mdb.max_total_msg_bytes,
        behaviour=LimitBehaviour[mdb.limit_behavior],
        producer_batch=producer_batch(mdb) if flow else 0,
    )
