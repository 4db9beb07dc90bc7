"""Packs a checked ``NetworkSpec`` into the arrays of the loop."""

from typing import Any

import numpy as np

from simulations.engine import layout
from simulations.engine.layout import FOREVER, NONE, Kind, Staging, State
from simulations.engine.network import (
    ArrivalKind,
    Law,
    LawKind,
    NetworkSpec,
    Pool,
    Stream,
    TimeoutAction,
)
from simulations.engine.results import BINS, SEGMENTS, SERIES_BINS, TIMELINE_SAMPLES
from simulations.engine.streams import Purpose, stream_key

FIRST_CAPACITY = 1024
_SAMPLES_EXPECTED = 700


def records(kind: np.dtype[Any], size: int) -> Any:
    """Return ``size`` zeroed records whose fields are attributes, compiled or not."""
    return np.zeros(size, dtype=kind).view(np.recarray)


class _Slots:
    """Numbers the timers of the agenda as they are asked for."""

    def __init__(self) -> None:
        self.kinds: list[Kind] = []
        self.entities: list[int] = []

    def add(self, kind: Kind, entity: int) -> int:
        self.kinds.append(kind)
        self.entities.append(entity)
        return len(self.kinds) - 1

    def table(self) -> Any:
        slots = records(layout.SLOT, len(self.kinds))
        slots.kind = self.kinds
        slots.entity = self.entities
        slots.order = (np.array(self.kinds, dtype=np.int64) << 48) + np.array(self.entities, dtype=np.int64)
        slots.place = NONE
        return slots


class _Values:
    """Collects the value lists of laws and arrivals in one array."""

    def __init__(self) -> None:
        self.items: list[float] = []

    def add(self, values: tuple[float, ...]) -> int:
        first = len(self.items)
        self.items.extend(values)
        return first

    def law(self, row: Any, law: Law) -> None:
        row.kind, row.a, row.b, row.c = int(law.kind), law.a, law.b, law.c
        row.first, row.count = self.add(law.values), len(law.values)


def _burst(spec: Stream) -> int:
    """Return the most messages of the stream that arrive at one instant."""
    arrivals = spec.arrivals
    if arrivals.kind in (ArrivalKind.SURGE, ArrivalKind.PERIODIC):
        return arrivals.count
    if arrivals.kind == ArrivalKind.TRACE:
        return int(np.unique(arrivals.instants, return_counts=True)[1].max())
    return 1


def staging_of(spec: Stream) -> Staging:
    """Return what stands between the stream's destination and the threads."""
    return Staging.GATED if spec.gate is not None else Staging.DIRECT


def finite_messages(spec: Stream) -> int:
    """Return how many messages the stream will ever have; 0 = without end."""
    arrivals = spec.arrivals
    if arrivals.kind == ArrivalKind.SURGE and arrivals.rate == 0.0:
        return arrivals.count
    return len(arrivals.instants) if arrivals.kind == ArrivalKind.TRACE else 0


def _fill_arrivals(row: Any, spec: Stream, values: _Values) -> None:
    arrivals = spec.arrivals
    row.arrival_kind = int(arrivals.kind)
    row.rate, row.rate_off = arrivals.rate, arrivals.rate_off
    row.mean_on, row.mean_off = arrivals.mean_on, arrivals.mean_off
    row.start, row.period, row.count = arrivals.start, arrivals.period, arrivals.count
    row.saturated = arrivals.kind == ArrivalKind.SATURATED
    row.burst = _burst(spec)
    row.first_value, row.values = values.add(arrivals.instants), len(arrivals.instants)
    values.add(arrivals.rates)
    if arrivals.kind == ArrivalKind.TRACE:
        row.count = len(arrivals.instants)


def _fill_deliveries(row: Any, spec: Stream) -> None:
    timeouts = spec.timeouts
    if timeouts is not None:
        row.queue_timeout, row.dispatch_timeout = timeouts.queue, timeouts.dispatch
        row.restart = timeouts.action == TimeoutAction.RESTART_SERVANT
    again = spec.redelivery
    row.retry_delay, row.retry_limit = again.delay, again.limit
    row.exhausted, row.in_place = int(again.exhausted), again.in_place
    row.failure_rate, row.poison_rate = spec.failure_rate, spec.poison_rate
    row.cpu_share = spec.cpu_share


def _keys(row: Any, q: int, seed: int, replication: int) -> None:
    for name, purpose in (
        ("arrival_key", Purpose.ARRIVAL),
        ("service_key", Purpose.SERVICE),
        ("poison_key", Purpose.POISON),
        ("failure_key", Purpose.FAILURE),
    ):
        setattr(row, name, stream_key(seed, replication, int(purpose), q))


def _foreground(network: NetworkSpec) -> list[bool]:
    """Say of each stream whether its outcomes end the replication."""
    if network.horizon.drained:
        return [finite_messages(stream) > 0 for stream in network.streams]
    foreground = [not stream.background for stream in network.streams]
    return foreground if any(foreground) else [True] * len(foreground)


def _streams(network: NetworkSpec, seed: int, replication: int, values: _Values, slots: _Slots) -> tuple[Any, Any]:
    count = len(network.streams)
    streams = records(layout.STREAM, count)
    laws = records(layout.LAW, 2 * count)
    foreground = _foreground(network)
    for q, spec in enumerate(network.streams):
        row = streams[q]
        row.pool, row.instances = spec.pool, network.pools[spec.pool].instances
        row.staging = int(staging_of(spec))
        row.foreground = foreground[q]
        row.law, row.interval = 2 * q, 2 * q + 1
        values.law(laws[2 * q], spec.service)
        values.law(laws[2 * q + 1], spec.arrivals.law or Law(LawKind.CONSTANT))
        _fill_arrivals(row, spec, values)
        _fill_deliveries(row, spec)
        _keys(row, q, seed, replication)
        row.destination, row.delayed = 2 * q, 2 * q + 1
        row.retry_slot = slots.add(Kind.REDELIVERY, q)
        row.release_min, row.release_max, row.max_index = FOREVER, -FOREVER, -1
    return streams, laws


def _fill_member(row: Any, pool: Pool, m: int, first_thread: int, first_servant: int) -> None:
    row.threads = row.existing = row.idle = pool.threads
    row.first_thread, row.free, row.cpus = first_thread, first_thread, pool.cpus
    row.first_servant, row.servants = first_servant, pool.servants_max
    row.threads_per_servant, row.servant_start_time = pool.threads_per_servant, pool.servant_start_time
    row.policy, row.growth = int(pool.dispatch), int(pool.growth)


def _members(network: NetworkSpec, slots: _Slots) -> tuple[Any, Any, Any]:
    total = sum(pool.instances for pool in network.pools)
    members = records(layout.MEMBER, total)
    threads = records(layout.THREAD, sum(pool.instances * pool.threads for pool in network.pools))
    servants = records(layout.SERVANT, sum(pool.instances * pool.servants_max for pool in network.pools))
    m = first_thread = first_servant = 0
    for index, pool in enumerate(network.pools):
        for instance in range(pool.instances):
            _fill_member(members[m], pool, m, first_thread, first_servant)
            members[m].pool, members[m].instance = index, instance
            members[m].cpu_slot = slots.add(Kind.CPU_END, m)
            last = first_thread + pool.threads
            threads.member[first_thread:last] = m
            threads.next[first_thread:last] = np.append(np.arange(first_thread + 1, last), NONE)
            threads.servant[first_thread:last] = first_servant + np.arange(pool.threads) // pool.threads_per_servant
            for i in range(pool.servants_max):
                servant = servants[first_servant + i]
                servant.member, servant.first_thread = m, first_thread + i * pool.threads_per_servant
                servant.slot = slots.add(Kind.SERVANT_READY, first_servant + i)
            m, first_thread, first_servant = m + 1, last, first_servant + pool.servants_max
    threads.message, threads.state = NONE, int(State.IDLE)
    return members, threads, servants


def _fill_port(row: Any, spec: Stream, p: int, queue: int, slots: _Slots) -> None:
    row.concurrency = spec.concurrency or np.iinfo(np.int64).max
    row.prepared, row.running_list, row.agent_message = queue, queue + 1, NONE
    if spec.gate is not None:
        row.high, row.low, row.agent_time = spec.gate.high, spec.gate.low, spec.gate.agent_time
    row.agent_slot = slots.add(Kind.AGENT_DONE, p)
    row.queue_slot = slots.add(Kind.QUEUE_DEADLINE, p)
    row.dispatch_slot = slots.add(Kind.DISPATCH_DEADLINE, p)


def _ports(network: NetworkSpec, streams: Any, members: Any, slots: _Slots) -> Any:
    """Number the ports so that those of a member follow each other, in the order of the streams."""
    ports = records(layout.PORT, int(streams.instances.sum()))
    p = 0
    for m in range(members.size):
        mine = [q for q, spec in enumerate(network.streams) if spec.pool == members[m].pool]
        members[m].first_port, members[m].ports = p, len(mine)
        for q in mine:
            row = ports[p]
            row.stream, row.member, row.instance = q, m, members[m].instance
            row.destination = streams[q].destination
            if row.instance == 0:
                streams[q].first_port, streams[q].stride = p, len(mine)
            _fill_port(row, network.streams[q], p, 2 * streams.size + 2 * p, slots)
            p += 1
    return ports


def _capacity(network: NetworkSpec, streams: Any, threads: int) -> int:
    """Return the message slots to begin with: threads, bursts, and what gates let in flight."""
    gates = sum(s.gate.high * network.pools[s.pool].instances for s in network.streams if s.gate is not None)
    return FIRST_CAPACITY + threads + int(streams.burst.sum()) + min(gates, 4 * FIRST_CAPACITY)


def _first_step(network: NetworkSpec) -> float:
    """Return a first step of the timeline that is certainly short; it doubles whenever the timeline is full."""
    rate = sum(spec.arrivals.rate + spec.arrivals.rate_off + spec.arrivals.count for spec in network.streams)
    return 1.0 / max(rate, 1.0)


def _set_horizon(head: Any, network: NetworkSpec) -> None:
    horizon = network.horizon
    target = horizon.messages
    if horizon.drained:
        left = sum(finite_messages(spec) for spec in network.streams)
        target = min(target, left) if target else left
    head.target = target
    head.segment_outcomes = max(1, target // SEGMENTS)
    head.end_time = horizon.time or FOREVER
    head.segment_end = horizon.time / SEGMENTS if horizon.time and not target else head.end_time
    head.sample_step = horizon.time / _SAMPLES_EXPECTED if horizon.time else _first_step(network)


class Tables:
    """The tables of one replication and the model record that holds their addresses."""

    def __init__(self, **tables: Any) -> None:
        self.model = records(layout.MODEL, 1)
        self.head = self.model[0]
        for name, table in tables.items():
            self.set(name, table)

    def set(self, name: str, table: Any) -> None:
        """Keep ``table`` and give its address to the model."""
        setattr(self, name, table)
        setattr(self.head, name, table.ctypes.data)

    @property
    def address(self) -> int:
        """Where the model record is."""
        return int(self.model.ctypes.data)

    def grow(self) -> None:
        """Double the message slots."""
        old = self.messages
        messages = records(layout.MESSAGE, 2 * old.size)
        messages[: old.size] = old
        self.set("messages", messages)
        self.head.free_count += old.size


def pack(network: NetworkSpec, seed: int, replication: int, trace: int) -> Tables:
    """Return the state of the loop at time 0."""
    slots, values = _Slots(), _Values()
    members, threads, servants = _members_after_threads(network, slots)
    streams, laws = _streams(network, seed, replication, values, slots)
    ports = _ports(network, streams, members, slots)
    table = slots.table()
    queues = records(layout.QUEUE, 2 * streams.size + 2 * ports.size)
    queues.head = queues.tail = NONE
    list_of_values = records(layout.VALUE, max(len(values.items), 1))
    list_of_values.value[: len(values.items)] = values.items
    count = streams.size
    instances = max(pool.instances for pool in network.pools)
    tables = Tables(
        streams=streams,
        ports=ports,
        members=members,
        threads=threads,
        servants=servants,
        messages=records(layout.MESSAGE, _capacity(network, streams, threads.size)),
        queues=queues,
        slots=table,
        heap=records(layout.ENTRY, table.size + 1),
        cpu=records(layout.CPU, threads.size),
        laws=laws,
        values=list_of_values,
        bins=records(layout.BIN, count * BINS),
        series=records(layout.SERIES, count * SERIES_BINS),
        samples=records(layout.SAMPLE, (count + 1) * TIMELINE_SAMPLES),
        steps=records(layout.STEP, trace),
        per_instance=records(layout.COUNTER, count * instances),
    )
    head = tables.head
    _set_horizon(head, network)
    head.free, head.free_count, head.starved = NONE, tables.messages.size, 1
    head.steps_left, head.stream_count, head.member_count = trace, count, members.size
    head.most_instances, head.mark = instances, -FOREVER
    return tables


def _members_after_threads(network: NetworkSpec, slots: _Slots) -> tuple[Any, Any, Any]:
    """Give the threads the first slots, so that a thread's number is its timer's, then number the rest."""
    for t in range(sum(pool.instances * pool.threads for pool in network.pools)):
        slots.add(Kind.SERVICE_END, t)
    return _members(network, slots)
