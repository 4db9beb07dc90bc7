"""From settings to what the engine simulates: shares and constraints of one pool, polling or pushed consumers."""

import math
from collections.abc import Mapping
from dataclasses import replace

from simulations.declarations.system import Background, Queue, Server, System
from simulations.engine.network import model
from simulations.platforms.shared.networks import network_of
from simulations.platforms.shared.outages import absence_of
from simulations.platforms.shared.queues import copies_of, is_saturated, settings_of
from simulations.platforms.weblogic import formulas
from simulations.platforms.weblogic.parameters import Kind, MdbSettings, ServerSettings, WorkManager

FIELDS: Mapping[Kind, str] = {"min_threads": "minimum", "max_threads": "maximum", "capacity": "capacity"}
"""What a constraint of a work manager is to the engine."""
Constraints = dict[tuple[str, str], model.Constraint]
"""Constraints of one server by kind and owner, in the order of their numbers."""


def build_network(system: System, horizon: model.Horizon) -> model.NetworkSpec:
    """Return the network: one pool per server with the constraints of its work managers, and threads beside it."""
    network = network_of(system, horizon, _pool, _stream, _shared)
    stores = tuple(_thresholds(queue) for queue in _stores(system).values())
    return replace(_with_own_threads(system, network), stores=stores)


def _with_own_threads(system: System, network: model.NetworkSpec) -> model.NetworkSpec:
    """The network in which beans with threads of their own take none of the pool, nor do its constraints bind them."""
    pools, streams = list(network.pools), list(network.streams)
    for q, queue in enumerate(system.queues):
        threads, host = formulas.own_threads(system.server_of(queue), queue), streams[q].pool
        if threads:
            streams[q] = replace(streams[q], pool=len(pools), constraint=())
            own = replace(
                pools[host], threads_per_servant=threads, growth=model.PoolGrowth.FIXED, constraints=(), host=host
            )
            pools.append(own)
    return replace(network, pools=tuple(pools), streams=tuple(streams))


def _stores(system: System) -> dict[tuple[str, str], Queue]:
    """The JMS servers whose thresholds count, by server and name, each with the first destination that states them."""
    stores: dict[tuple[str, str], Queue] = {}
    for queue in system.queues:
        mdb = formulas.mdb_of(queue)
        if mdb.jms_server and max(mdb.messages_threshold_high, mdb.bytes_threshold_high) >= 0:
            stores.setdefault((queue.server, mdb.jms_server), queue)
    return stores


def _thresholds(queue: Queue) -> model.Thresholds:
    mdb = formulas.mdb_of(queue)
    return model.Thresholds(
        messages_high=max(0, mdb.messages_threshold_high),
        messages_low=max(0, mdb.messages_threshold_low),
        bytes_high=float(max(0, mdb.bytes_threshold_high)),
        bytes_low=float(max(0, mdb.bytes_threshold_low)),
    )


def _constraints(system: System, server: Server) -> Constraints:
    """All constraints of a server: a shared one once, an inline one per work manager."""
    users: tuple[Queue | Background, ...] = (*system.queues_of(server), *server.background)
    managers = (formulas.work_of(server, item) for item in users)
    return {key: item for manager in managers for key, item in _of_manager(server, manager).items()}


def _of_manager(server: Server, manager: WorkManager) -> Constraints:
    constraints: Constraints = {}
    for kind, field in FIELDS.items():
        value, count = getattr(manager, kind), formulas.count_of(server, manager, kind)
        if count is not None:
            key = ("shared", value) if isinstance(value, str) else (kind, manager.name)
            constraints[key] = model.Constraint(**{field: count})
    return constraints


def _pool(system: System, server: Server) -> model.Pool:
    settings, constraints = settings_of(server, ServerSettings), tuple(_constraints(system, server).values())
    threads = formulas.threads_of(server)
    pool = model.Pool(server.instances, server.cpus, threads_per_servant=threads, constraints=constraints)
    if not settings.self_tuning:
        return pool
    dispatch = model.Dispatch.THREAD_TIME if settings.share_rule == "thread_time" else model.Dispatch.NEXT_THREAD
    return replace(pool, dispatch=dispatch, growth=model.PoolGrowth[settings.thread_growth.upper()])


def _shared(system: System, server: Server, item: Queue | Background, plain: model.Stream) -> model.Stream:
    """The stream of a bean or other work with what its work manager gives it; several divide its fair share. Goals
    steer the self-tuning pool that divides thread time; other pools know none."""
    manager, settings = formulas.work_of(server, item), settings_of(server, ServerSettings)
    users, every = formulas.users(system, server)[manager.name], list(_constraints(system, server))
    steered = settings.self_tuning and settings.share_rule == "thread_time"
    return replace(
        plain,
        weight=formulas.weights(system, server)[manager.name] / users if users else 1.0,
        goal=(manager.response_time_goal or 0.0) if steered else 0.0,
        constraint=tuple(every.index(key) for key in _of_manager(server, manager)),
    )


def _stream(system: System, queue: Queue, plain: model.Stream) -> model.Stream:
    server, mdb = system.server_of(queue), formulas.mdb_of(queue)
    transaction = model.Transaction(formulas.batch_size(queue), mdb.commit_time, mdb.transaction_timeout)
    return replace(
        _shared(system, server, queue, plain),
        concurrency=formulas.concurrency(server, queue).maximum,
        poller=_poller(server, queue, mdb),
        pipeline=mdb.messages_maximum if formulas.is_asynchronous(queue) else 0,
        transaction=transaction if mdb.transactional else None,
        redelivery=_redelivery(mdb),
        absence=absence_of(server, math.inf, mdb.jms_polling_interval),
        loss_rate=mdb.acknowledged_failures if formulas.may_lose(queue) else 0.0,
        quota=_quota(system, queue, mdb),
        flow=_flow(queue, mdb),
        store=_store(system, queue),
        copies=copies_of(queue, each_instance=formulas.goes_to_each_server(queue)),
    )


def _poller(server: Server, queue: Queue, mdb: MdbSettings) -> model.Poller | None:
    """The dedicated thread of a Compatibility topic is a poller that never leaves."""
    if formulas.has_own_thread(queue):
        return model.Poller(model.PollerKind.EAGER, 1)
    if not formulas.polls(queue):
        return None
    parallel = formulas.concurrency(server, queue).maximum
    if mdb.use_81_style_polling:
        return model.Poller(model.PollerKind.LEGACY, parallel, interval=mdb.poll_interval)
    return model.Poller(model.PollerKind.TOKEN, parallel)


def _redelivery(mdb: MdbSettings) -> model.Redelivery:
    """The limit counts redeliveries, the engine counts deliveries; -1 is for ever."""
    exhausted = model.Exhausted.DEAD_LETTER if mdb.error_destination else model.Exhausted.DROP
    return model.Redelivery(delay=mdb.redelivery_delay, limit=mdb.redelivery_limit + 1, exhausted=exhausted)


def _quota(system: System, queue: Queue, mdb: MdbSettings) -> model.Quota | None:
    unbounded = mdb.messages_quota < 0 and mdb.bytes_quota < 0
    if not _has_producers(queue) or (unbounded and _store(system, queue) is None):
        return None
    one_way = mdb.one_way_send_mode == "enabled" or (mdb.one_way_send_mode == "topicOnly" and queue.kind == "topic")
    in_order = mdb.blocking_send_policy == "FIFO"
    return model.Quota(
        messages=max(0, mdb.messages_quota),
        bytes=float(max(0, mdb.bytes_quota)),
        behaviour=model.LimitBehaviour.BLOCK_FIFO if in_order else model.LimitBehaviour.BLOCK_PREEMPTIVE,
        send_timeout=mdb.send_timeout,
        one_way_window=mdb.one_way_send_window if one_way else 1,
    )


def _flow(queue: Queue, mdb: MdbSettings) -> model.FlowControl | None:
    if not _has_producers(queue) or not formulas.is_armed_ever(mdb):
        return None
    return model.FlowControl(
        maximum=float(mdb.flow_maximum),
        minimum=float(mdb.flow_minimum),
        interval=mdb.flow_interval,
        steps=mdb.flow_steps,
        marks=model.Thresholds() if mdb.jms_server else _thresholds(queue),
        messages_per_producer=mdb.messages_per_producer,
    )


def _store(system: System, queue: Queue) -> int | None:
    """The number of the store whose thresholds count the queue's messages."""
    key = (queue.server, formulas.mdb_of(queue).jms_server)
    stores = list(_stores(system))
    return stores.index(key) if key in stores and _has_producers(queue) else None


def _has_producers(queue: Queue) -> bool:
    """Limits of producers are simulated for one destination that all of them send to."""
    return not is_saturated(queue) and not formulas.goes_to_each_server(queue)
