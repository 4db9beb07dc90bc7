"""Refuses servers, and stores of their destinations, that make no sense."""

import math
from collections.abc import Iterator

from simulations.engine.network.model import FlowControl, NetworkSpec, Outage, Pool, PoolGrowth, Stream, Thresholds
from simulations.engine.packing.streams import staging_of
from simulations.engine.records.codes import Staging

_MOST_INSTANCES = 2**15 - 1
BAD_OUTAGE = "an outage needs a start, a duration and instances that are not negative"


def finite(*values: float) -> bool:
    """Say whether all ``values`` are numbers that are neither negative nor infinite."""
    return all(math.isfinite(value) and value >= 0.0 for value in values)


def is_crossed(thresholds: FlowControl | Thresholds) -> bool:
    """Say whether a low threshold is above its high one."""
    return thresholds.messages_low > thresholds.messages_high or thresholds.bytes_low > thresholds.bytes_high


def is_sound(outage: Outage | None) -> bool:
    """Say whether the ``outage``, if there is one, has a start and a duration that make sense."""
    return outage is None or finite(outage.start, outage.duration)


def problems_of_pool(pool: Pool) -> Iterator[str]:
    """Yield what is wrong with ``pool`` by itself."""
    if min(pool.instances, pool.cpus, pool.threads_per_servant, pool.servants_max) < 1:
        yield "instances, CPUs, threads and servants must be at least 1"
    if pool.instances > _MOST_INSTANCES:
        yield f"there can be at most {_MOST_INSTANCES} instances"
    if not 1 <= pool.servants_min <= pool.servants_max:
        yield "servants_min must be in 1..servants_max"
    if not finite(pool.servant_start_time, pool.growth_interval) or pool.growth_interval == 0.0:
        yield "servant_start_time must not be negative, growth_interval must be above 0"
    if pool.queue_capacity < 0 or not finite(pool.restart_time):
        yield "queue_capacity and restart_time must not be negative"
    if pool.outage_instances < 0 or not is_sound(pool.outage):
        yield BAD_OUTAGE
    for constraint in pool.constraints:
        if min(constraint.minimum, constraint.maximum, constraint.capacity) < 0:
            yield "constraints must not be negative"


def problems_of_sharing(network: NetworkSpec, stream: Stream) -> Iterator[str]:
    """Yield what is wrong between ``stream`` and the outages of its servers or the store it shares."""
    if not is_sound(stream.outage):
        yield BAD_OUTAGE
    pool = network.pools[stream.pool]
    leaves = pool.outage is not None or pool.queue_capacity > 0
    settled = pool.growth in (PoolGrowth.FIXED, PoolGrowth.SERVANTS)
    if leaves and not (settled and staging_of(stream) in (Staging.DIRECT, Staging.GATED)):
        yield "a server that may go away needs servants, and queues with a gate or with nothing before the threads"
    if stream.store is not None and not 0 <= stream.store < len(network.stores):
        yield "a store is named that the network does not have"
    if stream.store is not None and stream.quota is None and stream.flow is None:
        yield "a store counts what producers send: its streams need flow control, or a quota if only one without bounds"
