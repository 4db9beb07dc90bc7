"""The formulas of Open MQ's credit window: effective limit, threshold, parallelism, memory, redeliveries."""

import math

import numpy as np

from simulations.analysis.theory.laws import law_mean, survival
from simulations.analysis.theory.throttle import window_mean_busy
from simulations.declarations.system import Queue, Server, System
from simulations.declarations.workload import Exponential
from simulations.engine.network.model import Law, LawKind
from simulations.platforms.openmq.parameters import InstanceSettings, MdbSettings
from simulations.platforms.shared.laws import arrivals_of
from simulations.platforms.shared.queues import MAX_INT, is_simple, mean_service, settings_of, size_of

NO_TIME = 0.005
"""Share of the time between two top-ups that a round trip may take and still count as nothing."""
PRODUCER_BATCH = 1000
"""Most messages that a resumed producer may send at once."""


def mdb_of(queue: Queue) -> MdbSettings:
    """Return the settings of the bean that takes the messages of a queue."""
    return settings_of(queue, MdbSettings)


def is_shared_topic(server: Server, queue: Queue) -> bool:
    """True for a topic in a cluster: the instances share one subscription."""
    return queue.kind == "topic" and server.instances > 1


def effective_limit(server: Server, queue: Queue) -> int:
    """Return E, the messages sent ahead to one instance: the lower limit that is set, MAX_INT when none is."""
    mdb = mdb_of(queue)
    if not mdb.prefetch:
        return 1
    broker = mdb.shared_consumer_flow_limit if is_shared_topic(server, queue) else mdb.destination_consumer_flow_limit
    limits = [limit for limit in (mdb.consumer_flow_limit, broker) if limit > 0]
    return min(limits, default=MAX_INT)


def threshold(limit: int, percent: float) -> int:
    """Return t, the unconsumed messages at which the client asks again: limit × percent, below the limit."""
    return min(int(limit * percent / 100), limit - 1)


def threshold_of(server: Server, queue: Queue) -> int:
    """Return t of an MDB; 0 without prefetch."""
    mdb = mdb_of(queue)
    return threshold(effective_limit(server, queue), mdb.consumer_flow_threshold) if mdb.prefetch else 0


def pool_size(server: Server, queue: Queue) -> int:
    """Return the beans of one instance that can run in parallel: pool and work threads."""
    settings = settings_of(server, InstanceSettings)
    own = mdb_of(queue).bean_pool_maximum
    return min(settings.max_pool_size if own is None else own, settings.thread_pool_maximum)


def connection_marks(server: Server) -> tuple[int, int]:
    """Return the most unconsumed messages that the connection allows, and how many are left when it takes more.

    With metering the limit is looked at only after each ``connection_flow_count`` messages: fewer than the limit are
    left when a batch of so many begins. MAX_INT when the limit is off.
    """
    settings = settings_of(server, InstanceSettings)
    limit, count = settings.connection_flow_limit, settings.connection_flow_count
    if not settings.connection_flow_limit_enabled:
        return MAX_INT, MAX_INT
    return (limit - 1 + count, limit - 1) if count else (limit, limit)


def max_concurrency(server: Server, queue: Queue) -> int:
    """Return the most parallel onMessage of one instance."""
    return min(pool_size(server, queue), effective_limit(server, queue), connection_marks(server)[0])


def mean_concurrency(server: Server, queue: Queue) -> float:
    """Return the mean parallel onMessage of one instance while the queue is never empty and the broker answers at once.
    Exact for exponential service; an upper bound with a round trip, and where both windows let beans run dry."""
    low, high = narrower_window(server, queue)
    return window_mean_busy(high, low, pool_size(server, queue))


def narrower_window(server: Server, queue: Queue) -> tuple[int, int]:
    """Return low and high mark of the consumer's window or the connection's, whichever keeps fewer beans busy."""
    beans, (high, low) = pool_size(server, queue), connection_marks(server)
    own = (threshold_of(server, queue), effective_limit(server, queue))
    if window_mean_busy(high, low, beans) < window_mean_busy(own[1], own[0], beans):
        return low, high
    return own


def limit_for_full_pool(beans: int, percent: float, consumed: float = 0.0) -> int | None:
    """Return the smallest limit whose threshold covers the pool and what is ``consumed`` in a round trip. None when no
    limit does (a threshold of 0 %)."""
    needed = beans + consumed
    if percent <= 0:
        return None
    limit = math.ceil(round(needed * 100 / percent, 9))
    while threshold(limit, percent) < needed:
        limit += 1
    return limit


def consumed_in_round_trip(server: Server, queue: Queue) -> float:
    """Return the messages that a full pool of one instance consumes during one round trip."""
    return pool_size(server, queue) * mdb_of(queue).round_trip / mean_service(queue)


def heap_bytes(server: Server, queue: Queue) -> float | None:
    """Return the mean bytes of as many messages as are sent ahead to one instance, or None when nothing limits them."""
    limit = min(effective_limit(server, queue), connection_marks(server)[0])
    return None if limit == MAX_INT else limit * law_mean(sizes_of(queue))


def producer_batch(mdb: MdbSettings) -> int:
    """Return the messages that a resumed producer may send: the room divided by the producers, 1 to 1000."""
    if mdb.max_num_msgs <= 0:
        return PRODUCER_BATCH
    return min(PRODUCER_BATCH, max(1, mdb.max_num_msgs // sharing_producers(mdb)))


def sharing_producers(mdb: MdbSettings) -> int:
    """Return among how many producers a destination divides its room: 100 where any number may connect."""
    return mdb.max_num_producers if mdb.max_num_producers > 0 else 100


def active_consumers(server: Server, queue: Queue) -> int:
    """Return the instances that get messages of the destination; every instance gets those of a topic."""
    most = mdb_of(queue).max_active_consumers
    return server.instances if queue.kind == "topic" or most < 0 else min(server.instances, most)


def backup_consumers(server: Server, queue: Queue) -> int:
    """Return the instances that wait to replace an active one; the rest is refused."""
    most, idle = mdb_of(queue).max_backup_consumers, server.instances - active_consumers(server, queue)
    return idle if most < 0 else min(idle, most)


def working_instances(system: System, server: Server) -> int:
    """Return the instances that are simulated: the active ones where one MDB has its server for itself."""
    queues = system.queues_of(server)
    alone = len(queues) == 1 and not server.background
    return active_consumers(server, queues[0]) if alone else server.instances


def sizes_of(queue: Queue) -> Law:
    """Return the law of the sizes of the messages in bytes: those of a trace, or the one that is declared."""
    written = arrivals_of(queue.arrivals).sizes
    return Law(LawKind.EMPIRICAL, values=written) if written else size_of(queue)


def refused_share(queue: Queue) -> float:
    """Return the share of messages that are too large for the destination."""
    limit = mdb_of(queue).max_bytes_per_msg
    return float(survival(sizes_of(queue), np.array([float(limit)]))[0]) if limit > 0 else 0.0


def carried(system: System, queue: Queue) -> float | None:
    """Return the largest throughput in messages per second over all instances, or None without closed form."""
    server = system.server_of(queue)
    if not is_simple(system, queue) or queue.service.cpu > 0 or mdb_of(queue).messages_per_commit > 1:
        return None
    each = mean_concurrency(server, queue) / mean_service(queue)
    if (is_dry(server, queue) and not is_exact(server, queue)) or metered_rate(server, queue) < 2 * each:
        return None
    return working_instances(system, server) * each


def most_carried(system: System, queue: Queue) -> float:
    """Return the messages per second that all beans complete while they are always busy: no more is ever carried."""
    server = system.server_of(queue)
    return working_instances(system, server) * pool_size(server, queue) / mean_service(queue)


def is_dry(server: Server, queue: Queue) -> bool:
    """True when beans run out of messages at top-ups although the queue is never empty."""
    covered = pool_size(server, queue) - 1 + consumed_in_round_trip(server, queue)
    high, low = connection_marks(server)
    return threshold_of(server, queue) < covered or min(low, high - 1) < covered


def is_exact(server: Server, queue: Queue) -> bool:
    """True where the law of a window that runs dry holds: exponential service on its own, nothing else in the way."""
    low, high = narrower_window(server, queue)
    cycle = (high - low) * mean_service(queue) / mean_concurrency(server, queue)
    alone = isinstance(queue.service, Exponential) and queue.service.cpu == 0 and connection_marks(server)[0] == MAX_INT
    return alone and mdb_of(queue).round_trip <= NO_TIME * cycle


def ideal(server: Server, queue: Queue) -> str:
    """Return for what ``mean_concurrency`` holds, as a phrase."""
    full = "for a queue that is never empty"
    return full if is_exact(server, queue) else f"{full}, exponential times and a broker that answers at once"


def metered_rate(server: Server, queue: Queue) -> float:
    """Return the messages per second that one connection brings when each batch of them waits for an answer."""
    count, wait = settings_of(server, InstanceSettings).connection_flow_count, mdb_of(queue).round_trip
    return count / wait if count and wait else math.inf


def tries(server: Server) -> int:
    """Return how often the container tries to connect its MDBs to a broker that was away."""
    settings = settings_of(server, InstanceSettings)
    return settings.reconnect_retries if settings.reconnect_enabled else 0
