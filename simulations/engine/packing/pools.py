"""Packs the pools of a network: members, threads, servants, ports, constraints, sessions, resources."""

from typing import NamedTuple

import numpy as np

from simulations.engine.network.model import Pool, PoolGrowth, Stream, TimeoutAction, Timeouts
from simulations.engine.packing.numbering import UNLIMITED, Builder
from simulations.engine.records.codes import NONE, Kind, Staging, State
from simulations.engine.records.layout import Counter
from simulations.engine.records.record import Table, records
from simulations.engine.records.server import Constraint, Member, Port, Resource, Servant, Session, Thread
from simulations.engine.records.stream import Stream as StreamRecord


class Threads(NamedTuple):
    """Members and what belongs to them."""

    members: Table[Member]
    threads: Table[Thread]
    servants: Table[Servant]
    constraints: Table[Constraint]
    resources: Table[Resource]


def _fill_member(row: Member, pool: Pool, m: int, builder: Builder) -> None:
    late = pool.growth != PoolGrowth.FIXED
    row.threads = pool.threads
    row.existing = row.idle = row.target = pool.threads_per_servant * (pool.servants_min if late else pool.servants_max)
    row.cpus, row.direction, row.growth_interval = pool.cpus, 1, pool.growth_interval
    row.servants, row.threads_per_servant = pool.servants_max, pool.threads_per_servant
    row.servant_start_time, row.policy, row.growth = pool.servant_start_time, pool.dispatch, pool.growth
    row.constraints = len(pool.constraints)
    network = builder.network
    shared = any(network.machine(spec.pool) == row.pool and spec.cpu_share > 0.0 for spec in network.streams)
    row.cpu_slot = builder.timer(Kind.CPU_END, m, used=shared)
    looks_back = pool.growth == PoolGrowth.HISTORY
    row.growth_slot = builder.timer(Kind.GROWTH, m, used=looks_back, first=pool.growth_interval)
    outage = pool.outage if pool.outage_instances == 0 or row.instance < pool.outage_instances else None
    row.queue_capacity, row.restart_time = pool.queue_capacity, pool.restart_time
    row.failure_slot = builder.timer(Kind.FAILURE, m, used=pool.queue_capacity > 0)
    _, row.outage_time = builder.outage(Kind.OUTAGE, m, outage)
    row.return_slot = builder.timer(Kind.RETURN, m, used=pool.queue_capacity > 0 or outage is not None)


def _chain(threads: Table[Thread], first: int, last: int) -> int:
    """Link the threads from ``first`` up to ``last`` and return the head of the list."""
    if first == last:
        return NONE
    threads.next[first:last] = np.append(np.arange(first + 1, last), NONE)
    return first


def _fill_threads(row: Member, m: int, first: int, builder: Builder, tables: Threads) -> None:
    threads, last = tables.threads, first + int(row.threads)
    ready = first + int(row.existing)
    row.first_thread = first
    row.free, row.parked = _chain(threads, first, ready), _chain(threads, ready, last)
    threads.member[first:last] = m
    threads.servant[first:last] = row.first_servant + np.arange(row.threads) // row.threads_per_servant
    threads.state[ready:last] = State.ABSENT
    threads.batch[first:last] = builder.queue(int(row.threads)) + np.arange(row.threads)
    timeouts = [spec.timeouts for _, spec in builder.streams_of(row.pool) if spec.timeouts is not None]
    lost = any(timeout.action == TimeoutAction.RESTART_SERVANT for timeout in timeouts)
    late = row.growth == PoolGrowth.SERVANTS
    for i in range(int(row.servants)):
        servant = tables.servants[row.first_servant + i]
        servant.member, servant.first_thread = m, first + i * row.threads_per_servant
        servant.slot = builder.timer(Kind.SERVANT_READY, int(row.first_servant) + i, used=lost or late)


def pack_pools(builder: Builder) -> Threads:
    """Return members, threads, servants, constraints and resources; thread t has the timer t."""
    network = builder.network
    pools = [pool for pool in network.pools for _ in range(pool.instances)]
    tables = Threads(
        records(Member, len(pools)),
        records(Thread, sum(pool.threads for pool in pools)),
        records(Servant, sum(pool.servants_max for pool in pools)),
        records(Constraint, sum(len(pool.constraints) for pool in pools)),
        records(Resource, len(pools) * len(network.resources)),
    )
    for t in range(tables.threads.size):
        builder.timer(Kind.SERVICE_END, t)
    tables.threads.message = tables.threads.port = tables.threads.session = NONE
    tables.resources.waiters = builder.queue(tables.resources.size) + np.arange(tables.resources.size)
    first_thread = first_servant = first_constraint = m = 0
    for index, pool in enumerate(network.pools):
        for instance in range(pool.instances):
            row = tables.members[m]
            row.pool, row.instance = index, instance
            row.host = m if pool.host is None else np.flatnonzero(tables.members.pool == pool.host)[instance]
            row.first_resource = row.host * len(network.resources)
            row.first_servant, row.first_constraint = first_servant, first_constraint
            _fill_member(row, pool, m, builder)
            _fill_threads(row, m, first_thread, builder, tables)
            for i, constraint in enumerate(pool.constraints):
                bound = tables.constraints[first_constraint + i]
                bound.minimum, bound.maximum = constraint.minimum, constraint.maximum
                bound.capacity = constraint.capacity
            m, first_thread, first_servant = m + 1, first_thread + pool.threads, first_servant + pool.servants_max
            first_constraint += len(pool.constraints)
    members = tables.members
    room = np.bincount(members.host, members.threads, members.size).astype(np.int64)
    members.first_cpu = np.cumsum(room) - room
    for r, size in enumerate(network.resources):
        tables.resources.units[r :: len(network.resources)] = size
    return tables


def sessions_of(spec: Stream, pool: Pool) -> int:
    """Return how many sessions one instance of the stream has, each with its own pipeline; 0 = no pipeline."""
    from_poller = spec.poller.sessions if spec.poller is not None else 0
    return (spec.concurrency or from_poller or pool.threads) if spec.pipeline > 0 else 0


def _fill_flow(row: Port, spec: Stream, pool: Pool) -> None:
    """Pack what bounds the messages and threads of the port."""
    row.concurrency, row.high = spec.concurrency or UNLIMITED, UNLIMITED
    if spec.poller is not None:
        row.concurrency = min(int(row.concurrency), spec.poller.sessions)
        row.sessions, row.poll_interval = min(spec.poller.sessions, pool.threads), spec.poller.interval
    if spec.gate is not None:
        row.high, row.low, row.agent_time = spec.gate.high, spec.gate.low, spec.gate.agent_time
        row.from_start = spec.gate.from_start and spec.gate.agent_time > 0.0
    window = spec.window
    if window is not None:
        row.limit = row.credit = window.limit
        row.threshold, row.round_trip = window.threshold, window.round_trip
        row.connection_limit, row.connection_count = window.connection_limit, window.connection_count
    if spec.pipeline > 0:
        row.pipeline, row.sessions = spec.pipeline, sessions_of(spec, pool)
    row.batch_limit = spec.transaction.batch if spec.transaction is not None else 1


def _number(row: Port, p: int, builder: Builder) -> None:
    """Give the port its queues and timers."""
    row.assigned, row.prepared, row.running_list = builder.queue(), builder.queue(), builder.queue()
    row.waiters, row.ready, row.agent_message = builder.queue(), builder.queue(), NONE
    spec = builder.network.streams[row.stream]
    timeouts, windowed = spec.timeouts or Timeouts(), spec.window is not None
    kind = Kind.GRANT if windowed else Kind.AGENT_DONE
    row.agent_slot = builder.timer(kind, p, used=windowed or row.agent_time > 0.0)
    row.answer_slot = builder.timer(Kind.ANSWER, p, used=windowed)
    row.reject_slot = builder.timer(Kind.REJECTION, p, used=timeouts.queue > 0.0)
    row.dispatch_slot = builder.timer(Kind.DISPATCH_DEADLINE, p, used=timeouts.dispatch > 0.0)
    row.poll_slot = builder.timer(Kind.POLL_CYCLE, p, used=spec.poller is not None)


def pack_ports(
    builder: Builder, streams: Table[StreamRecord], members: Table[Member]
) -> tuple[Table[Port], Table[Counter]]:
    """Return ports and links; the ports of a member follow each other, in the order of the streams. The links of a port
    are the constraints that its stream names."""
    network = builder.network
    ports = records(Port, int(streams.instances.sum()))
    links: list[int] = []
    p = 0
    for m in range(members.size):
        member = members[m]
        mine = builder.streams_of(member.pool)
        member.first_port, member.ports = p, len(mine)
        member.goals = sum(spec.goal > 0.0 for _, spec in mine)
        for q, spec in mine:
            row = ports[p]
            row.stream, row.member, row.instance = q, m, member.instance
            row.destination = streams[q].destination + (row.instance if streams[q].copies else 0)
            if row.instance == 0:
                streams[q].first_port, streams[q].stride = p, len(mine)
            row.first_link, row.links = len(links), len(spec.constraint)
            links.extend(int(member.first_constraint) + c for c in spec.constraint)
            _fill_flow(row, spec, network.pools[spec.pool])
            _number(row, p, builder)
            p += 1
    table = records(Counter, max(len(links), 1))
    table.count[: len(links)] = links
    return ports, table


def pack_sessions(builder: Builder, streams: Table[StreamRecord], ports: Table[Port]) -> Table[Session]:
    """Return the sessions of the ports that have a pipeline."""
    piped = np.flatnonzero(streams.staging[ports.stream] == Staging.PIPELINE)
    counts = ports.sessions[piped]
    sessions = records(Session, int(counts.sum()))
    ports.first_session[piped] = np.cumsum(counts) - counts
    sessions.port, sessions.next = np.repeat(piped, counts), NONE
    sessions.queue = builder.queue(sessions.size) + np.arange(sessions.size)
    return sessions
