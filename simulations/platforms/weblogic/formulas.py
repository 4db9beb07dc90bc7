"""WebLogic's formulas: the concurrency table, shares of threads, batches, flow control, what a bean carries."""

import math
from collections import Counter
from dataclasses import dataclass

from simulations.analysis.theory.mechanisms import admitted, ascent, batch_capacity, descent
from simulations.declarations.parameters import Verification
from simulations.declarations.system import Background, Queue, Server, System
from simulations.platforms.shared.laws import quantile_of_sum
from simulations.platforms.shared.queues import is_simple, mean_service, offered_rate, service_of, settings_of
from simulations.platforms.weblogic.parameters import Kind, MdbSettings, ServerSettings, WorkManager
from simulations.platforms.weblogic.parameters.server import DEFAULT_FAIR_SHARE

SELF_TUNED_LIMIT = 16
"""Most instances of a bean whose work manager has no max-threads-constraint."""


@dataclass(frozen=True)
class Concurrency:
    """Instances of a bean that run in parallel on one server: reserved threads, the ceiling, and why."""

    minimum: int
    maximum: int
    row: str
    trust: Verification = "source"


@dataclass(frozen=True)
class FlowTable:
    """Limits of one producer in messages per second after each step, down and back, and what it sends on the way."""

    step_s: float
    ratio: float
    down: tuple[float, ...]
    up: tuple[float, ...]
    admitted_down: float
    admitted_up: float


def mdb_of(queue: Queue) -> MdbSettings:
    """Return the settings of the bean that takes the messages of a queue."""
    return settings_of(queue, MdbSettings)


def manager_of(server: Server, name: str) -> WorkManager:
    """Return the work manager; one that is not declared behaves as ``default``."""
    declared = settings_of(server, ServerSettings).work_managers
    manager = next((item for item in declared if item.name == name), None)
    return manager or WorkManager(name=name)


def work_of(server: Server, item: Queue | Background) -> WorkManager:
    """Return the work manager whose threads run a bean or other work."""
    return manager_of(server, vars(item.settings)["work_manager"])


def count_of(server: Server, manager: WorkManager, kind: Kind) -> int | None:
    """Return the count of a constraint, given as a number or by the name of a shared one; None = no constraint."""
    value = getattr(manager, kind)
    if not isinstance(value, str):
        return None if value is None else int(value)
    shared = settings_of(server, ServerSettings).constraints
    return next(item.count for item in shared if item.name == value)


def is_single_threaded_topic(queue: Queue) -> bool:
    """True for transactional MDBs on topics in Compatibility mode: always one instance."""
    mdb = mdb_of(queue)
    return queue.kind == "topic" and mdb.transactional and mdb.topic_messages_distribution_mode == "Compatibility"


def is_at_provider(queue: Queue) -> bool:
    """True for beans without transactions on foreign destinations: they run on threads of the provider."""
    mdb = mdb_of(queue)
    return mdb.destination == "foreign" and not mdb.transactional


def may_lose(queue: Queue) -> bool:
    """True for several such beans on a topic, where a delivery that fails may be acknowledged."""
    return is_at_provider(queue) and queue.kind == "topic" and mdb_of(queue).max_beans_in_free_pool > 1


def pools_of(server: Server, queue: Queue) -> int:
    """Return the free pools of the bean on one server: one per member of a distributed queue that it connects to."""
    every = mdb_of(queue).distributed_destination_connection == "EveryMember"
    return server.instances if every and queue.kind == "queue" else 1


def concurrency(server: Server, queue: Queue) -> Concurrency:
    """Return what the vendor's table says of one free pool, for all pools of the bean on one server."""
    pools, each = pools_of(server, queue), _of_pool(server, queue)
    if pools == 1:
        return each
    row = f"{pools} members × ({each.row})"
    return Concurrency(each.minimum, pools * each.maximum, row, each.trust)


def is_self_tuned(server: Server, queue: Queue) -> bool:
    """True in the rows of the table that a work manager's max-threads-constraint decides, or else the limit of 16."""
    tuned = settings_of(server, ServerSettings).self_tuning and mdb_of(queue).execute_queue_size is None
    return tuned and not is_single_threaded_topic(queue)


def _of_pool(server: Server, queue: Queue) -> Concurrency:
    """Return the row of the vendor's table that applies, with its numbers."""
    mdb, settings = mdb_of(queue), settings_of(server, ServerSettings)
    beans, manager = mdb.max_beans_in_free_pool, work_of(server, queue)
    most = count_of(server, manager, "max_threads")
    least = min(count_of(server, manager, "min_threads") or 0, beans)
    if is_single_threaded_topic(queue):
        return Concurrency(0, 1, "transactional topic in Compatibility mode: 1")
    if mdb.execute_queue_size is not None:
        size = min(mdb.execute_queue_size, beans)
        return Concurrency(size, size, f"execute queue: min({mdb.execute_queue_size}, {beans})")
    if not settings.self_tuning:
        half = settings.default_thread_pool_size // 2 + 1
        row = f"self-tuning off: min({settings.default_thread_pool_size} / 2 + 1, {beans})"
        return Concurrency(0, min(half, beans), row, "unverified")
    if most is not None:
        return Concurrency(min(least, most), min(most, beans), f"max-threads-constraint: min({most}, {beans})")
    row = f"no max-threads-constraint: min({beans}, {SELF_TUNED_LIMIT})"
    return Concurrency(min(least, SELF_TUNED_LIMIT), min(beans, SELF_TUNED_LIMIT), row)


def goes_to_each_server(queue: Queue) -> bool:
    """True for topics of which every server gets every message."""
    mode = mdb_of(queue).topic_messages_distribution_mode
    return queue.kind == "topic" and mode != "One-Copy-Per-Application"


def offered(system: System, queue: Queue) -> float | None:
    """Return the messages per second for all servers together; None without a long-run rate."""
    return offered_rate(system, queue, carried, goes_to_each_server)


def polls(queue: Queue) -> bool:
    """True when threads of the dispatch policy poll for messages: foreign queues and batches, in a transaction."""
    mdb = mdb_of(queue)
    if not mdb.transactional or is_single_threaded_topic(queue):
        return False
    return (mdb.destination == "foreign" and queue.kind == "queue") or mdb.max_messages_in_transaction > 1


def has_own_thread(queue: Queue) -> bool:
    """True when a dedicated thread outside the pool polls: Compatibility topics with batches, foreign topics."""
    mdb = mdb_of(queue)
    return is_single_threaded_topic(queue) and (mdb.destination == "foreign" or mdb.max_messages_in_transaction > 1)


def own_threads(server: Server, queue: Queue) -> int:
    """Return the bean's threads beside the pool: the dedicated one, its provider's, an execute queue's; 0 = none."""
    if has_own_thread(queue):
        return 1
    own = is_at_provider(queue) or mdb_of(queue).execute_queue_size is not None
    return concurrency(server, queue).maximum if own else 0


def is_asynchronous(queue: Queue) -> bool:
    """True when messages are pushed to the bean's sessions and wait there."""
    return not polls(queue) and not has_own_thread(queue) and mdb_of(queue).destination == "weblogic"


def batch_size(queue: Queue) -> int:
    """Return the most messages of one transaction; 1 without transactions."""
    mdb = mdb_of(queue)
    return mdb.max_messages_in_transaction if mdb.transactional else 1


def transaction_time(queue: Queue) -> float:
    """Return the seconds that 99 % of the full batches take at most, with their commit."""
    mdb = mdb_of(queue)
    return quantile_of_sum(service_of(queue), batch_size(queue), 0.99) + mdb.commit_time


def suspensions(mdb: MdbSettings) -> int | None:
    """Return the failures in a row after which the suspension is at its longest; None where it never gets there."""
    if not mdb.init_suspend > 0:
        return None
    return max(0, math.ceil(math.log2(mdb.max_suspend / mdb.init_suspend))) + 1 if mdb.max_suspend > 0 else 1


def threads_of(server: Server) -> int:
    """Return the most threads of one server."""
    settings = settings_of(server, ServerSettings)
    return settings.thread_pool_maximum if settings.self_tuning else settings.default_thread_pool_size


def pooled(system: System, server: Server) -> list[Queue | Background]:
    """Return the queues whose beans run on threads of the pool, and the server's other work."""
    return [*(queue for queue in system.queues_of(server) if not own_threads(server, queue)), *server.background]


def users(system: System, server: Server) -> Counter[str]:
    """Return how many beans and other work of the server get threads of the pool by each work manager."""
    return Counter(vars(item.settings)["work_manager"] for item in pooled(system, server))


def weights(system: System, server: Server) -> dict[str, float]:
    """Return the fair share of each work manager that work of the pool uses; goals count as the default share."""
    names = users(system, server)
    return {name: float(manager_of(server, name).fair_share or DEFAULT_FAIR_SHARE) for name in names}


def carried(system: System, queue: Queue) -> float | None:
    """Return the largest throughput in messages per second over all servers, or None without closed form."""
    server, mdb = system.server_of(queue), mdb_of(queue)
    if not is_simple(system, queue) or queue.service.cpu > 0:
        return None
    parallel = own_threads(server, queue) or min(concurrency(server, queue).maximum, threads_of(server))
    mean = mean_service(queue)
    commit = mdb.commit_time if mdb.transactional else 0.0
    return server.instances * batch_capacity(batch_size(queue), mean, commit, parallel)


def flow_table(maximum: float, minimum: float, interval: float, steps: int) -> FlowTable:
    """Return the table; with an interval of 0 the limit jumps, so nothing is sent on the way."""
    down, up = descent(maximum, minimum, steps), ascent(maximum, minimum, steps)
    return FlowTable(
        step_s=interval / steps,
        ratio=(minimum / maximum) ** (1 / steps),
        down=down,
        up=up,
        admitted_down=admitted(down, interval) if interval > 0 else 0.0,
        admitted_up=admitted(up, interval) if interval > 0 else 0.0,
    )


def table_of(mdb: MdbSettings) -> FlowTable:
    """Return the table of the queue's connection factory."""
    return flow_table(mdb.flow_maximum, mdb.flow_minimum, mdb.flow_interval, mdb.flow_steps)


def is_armed_ever(mdb: MdbSettings) -> bool:
    """True when flow control is on and a threshold can trigger it."""
    return mdb.flow_control_enabled and max(mdb.messages_threshold_high, mdb.bytes_threshold_high) >= 0
