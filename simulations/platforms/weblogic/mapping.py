"""From settings to what the engine simulates: shares and constraints of one pool, polling or pushed consumers."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from simulations.declarations.system import Background, Queue, Server, System
from simulations.engine.network.model import (
    Constraint,
    Dispatch,
    Exhausted,
    FlowControl,
    Horizon,
    LimitBehaviour,
    NetworkSpec,
    Poller,
    PollerKind,
    Pool,
    PoolGrowth,
    Quota,
    Redelivery,
    Stream,
    Transaction,
)
from simulations.platforms.shared.networks import background_stream, queue_stream, resources_of
from simulations.platforms.shared.queues import copies_of, is_saturated, settings_of
from simulations.platforms.weblogic import formulas
from simulations.platforms.weblogic.parameters.mdb import MdbSettings
from simulations.platforms.weblogic.parameters.server import Kind, ServerSettings, WorkManager, WorkSettings

FIELDS: Mapping[Kind, str] = {"min_threads": "minimum", "max_threads": "maximum", "capacity": "capacity"}
"""What a constraint of a work manager is to the engine."""


class Constraints:
    """The constraints of one server as the engine numbers them: a shared one once, an inline one per work manager."""

    def __init__(self, server: Server) -> None:
        shared = settings_of(server, ServerSettings).constraints
        self._counts = {item.name: item.count for item in shared}
        self._all: list[Constraint] = []
        self._index: dict[tuple[str, str], int] = {}

    @property
    def all(self) -> tuple[Constraint, ...]:
        """All constraints that were asked for, in the order of their numbers."""
        return tuple(self._all)

    def of_manager(self, manager: WorkManager) -> tuple[int, ...]:
        """Return the numbers of the constraints of a work manager."""
        found = []
        for kind in FIELDS:
            value = getattr(manager, kind)
            if isinstance(value, str):
                found.append(self._number(("shared", value), kind, self._counts[value]))
            elif value is not None:
                found.append(self._number((kind, manager.name), kind, value))
        return tuple(found)

    def of_queue(self, manager: WorkManager, execute_queue_size: int | None) -> tuple[int, ...]:
        """Return the numbers for an MDB; an execute queue of its own reserves its threads instead."""
        if execute_queue_size is None:
            return self.of_manager(manager)
        self._all.append(Constraint(minimum=execute_queue_size, maximum=execute_queue_size))
        return (len(self._all) - 1,)

    def _number(self, key: tuple[str, str], kind: Kind, count: int) -> int:
        if key not in self._index:
            self._index[key] = len(self._all)
            self._all.append(Constraint(**{FIELDS[kind]: count}))
        return self._index[key]


def build_network(system: System, horizon: Horizon) -> NetworkSpec:
    """Return the network: one pool per server with the constraints of its work managers and execute queues."""
    sizes, indices = resources_of(system)
    pools: list[Pool] = []
    mdbs: dict[str, Stream] = {}
    others: list[Stream] = []
    for index, server in enumerate(system.servers):
        constraints, shares = Constraints(server), _shares(system, server)
        for queue in system.queues_of(server):
            mdbs[queue.name] = _stream(queue, server, queue_stream(queue, index, indices), constraints, shares)
        others.extend(_background(server, work, index, constraints, shares) for work in server.background)
        pools.append(_pool(server, constraints.all))
    return NetworkSpec(tuple(pools), (*(mdbs[queue.name] for queue in system.queues), *others), horizon, sizes)


def _shares(system: System, server: Server) -> dict[str, float]:
    """Weight of each stream by work manager: several streams of one work manager divide its fair share."""
    names = [settings_of(queue, MdbSettings).work_manager for queue in system.queues_of(server)]
    users = Counter(names + [settings_of(work, WorkSettings).work_manager for work in server.background])
    return {name: weight / users[name] for name, weight in formulas.weights(system, server).items()}


def _pool(server: Server, constraints: tuple[Constraint, ...]) -> Pool:
    settings = settings_of(server, ServerSettings)
    if not settings.self_tuning:
        threads = settings.default_thread_pool_size
        return Pool(server.instances, server.cpus, threads_per_servant=threads, constraints=constraints)
    return Pool(
        instances=server.instances,
        cpus=server.cpus,
        threads_per_servant=formulas.threads_of(server),
        dispatch=Dispatch.THREAD_TIME if settings.share_rule == "thread_time" else Dispatch.NEXT_THREAD,
        growth=PoolGrowth.INSTANT if settings.thread_growth == "instant" else PoolGrowth.HISTORY,
        constraints=constraints,
    )


def _background(
    server: Server, work: Background, pool: int, constraints: Constraints, shares: Mapping[str, float]
) -> Stream:
    manager = formulas.manager_of(server, settings_of(work, WorkSettings).work_manager)
    stream = background_stream(work, pool, weight=shares[manager.name], goal=_goal(server, manager))
    return replace(stream, constraint=constraints.of_manager(manager))


def _stream(
    queue: Queue, server: Server, plain: Stream, constraints: Constraints, shares: Mapping[str, float]
) -> Stream:
    mdb = settings_of(queue, MdbSettings)
    manager = formulas.manager_of(server, mdb.work_manager)
    return replace(
        plain,
        concurrency=formulas.concurrency(server, queue).maximum,
        weight=shares[mdb.work_manager],
        goal=_goal(server, manager),
        constraint=constraints.of_queue(manager, mdb.execute_queue_size),
        poller=_poller(server, queue, mdb),
        pipeline=mdb.messages_maximum if formulas.is_asynchronous(queue) else 0,
        transaction=_transaction(queue, mdb),
        redelivery=_redelivery(mdb),
        quota=_quota(queue, mdb),
        flow=_flow(queue, mdb),
        copies=copies_of(queue, each_instance=formulas.goes_to_each_server(queue)),
    )


def _poller(server: Server, queue: Queue, mdb: MdbSettings) -> Poller | None:
    """The dedicated thread of a Compatibility topic is a poller that never leaves; it is counted with the pool."""
    if formulas.has_own_thread(queue):
        return Poller(PollerKind.EAGER, 1)
    if not formulas.polls(queue):
        return None
    if mdb.use_81_style_polling:
        return Poller(PollerKind.LEGACY, formulas.concurrency(server, queue).maximum, interval=mdb.poll_interval)
    return Poller(PollerKind.TOKEN, formulas.concurrency(server, queue).maximum)


def _transaction(queue: Queue, mdb: MdbSettings) -> Transaction | None:
    if not mdb.transactional:
        return None
    return Transaction(formulas.batch_size(queue), mdb.commit_time, mdb.transaction_timeout)


def _redelivery(mdb: MdbSettings) -> Redelivery:
    """The limit counts redeliveries, the engine counts deliveries; -1 is for ever."""
    exhausted = Exhausted.DEAD_LETTER if mdb.error_destination else Exhausted.DROP
    return Redelivery(delay=mdb.redelivery_delay, limit=mdb.redelivery_limit + 1, exhausted=exhausted)


def _quota(queue: Queue, mdb: MdbSettings) -> Quota | None:
    if not _has_producers(queue) or (mdb.messages_quota < 0 and mdb.bytes_quota < 0):
        return None
    one_way = mdb.one_way_send_mode == "enabled" or (mdb.one_way_send_mode == "topicOnly" and queue.kind == "topic")
    fifo = mdb.blocking_send_policy == "FIFO"
    return Quota(
        messages=max(0, mdb.messages_quota),
        bytes=float(max(0, mdb.bytes_quota)),
        behaviour=LimitBehaviour.BLOCK_FIFO if fifo else LimitBehaviour.BLOCK_PREEMPTIVE,
        send_timeout=mdb.send_timeout,
        one_way_window=mdb.one_way_send_window if one_way else 1,
    )


def _flow(queue: Queue, mdb: MdbSettings) -> FlowControl | None:
    if (
        not _has_producers(queue)
        or not mdb.flow_control_enabled
        or max(mdb.messages_threshold_high, mdb.bytes_threshold_high) < 0
    ):
        return None
    return FlowControl(
        maximum=float(mdb.flow_maximum),
        minimum=float(mdb.flow_minimum),
        interval=mdb.flow_interval,
        steps=mdb.flow_steps,
        messages_high=max(0, mdb.messages_threshold_high),
        messages_low=max(0, mdb.messages_threshold_low),
        bytes_high=float(max(0, mdb.bytes_threshold_high)),
        bytes_low=float(max(0, mdb.bytes_threshold_low)),
    )


def _has_producers(queue: Queue) -> bool:
    """Limits of producers are simulated for one destination that all of them send to."""
    return not is_saturated(queue) and not formulas.goes_to_each_server(queue)


def _goal(server: Server, manager: WorkManager) -> float:
    """Response-time goals steer the self-tuning pool that divides thread time; other pools know none."""
    settings = settings_of(server, ServerSettings)
    steered = settings.self_tuning and settings.share_rule == "thread_time"
    return (manager.response_time_goal or 0.0) if steered else 0.0
