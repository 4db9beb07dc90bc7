"""The memory of one replication: a checked ``NetworkSpec`` packed into the records of the loop."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from simulations.engine.draws.laws import BLOCK
from simulations.engine.draws.numbers import Purpose, stream_key
from simulations.engine.events.agenda import WIDTH
from simulations.engine.network.model import NetworkSpec, Stream
from simulations.engine.network.results import BINS, SEGMENTS, SERIES_BINS, TIMELINE_SAMPLES
from simulations.engine.packing.chains import chained, finite_messages, most_sent, pack_sends, streams_sent_to
from simulations.engine.packing.numbering import UNLIMITED, Builder, timer_table, unset
from simulations.engine.packing.pools import pack_pools, pack_ports, pack_sessions, sessions_of
from simulations.engine.packing.streams import is_foreground, pack_producers, pack_streams, pack_thresholds, staging_of
from simulations.engine.records.codes import FOREVER, NONE, Staging
from simulations.engine.records.layout import Candidates, Model
from simulations.engine.records.record import Table, copied, records
from simulations.engine.records.stream import Stream as StreamRecord

_FIRST_CAPACITY = 1024
_SAMPLES_EXPECTED = 700


class Tables:
    """The tables of one replication and the model record that holds their addresses. All begin as copies of the given
    ones; a number stands for so many zeroed records."""

    def __init__(self, model: Table[Model], tables: Mapping[str, Table[Any] | int]) -> None:
        self._model = copied(model)
        self.head = self._model[0]
        self._tables: dict[str, Table[Any]] = {}
        for name, table in tables.items():
            self._keep(name, records(Model.tables[name], table) if isinstance(table, int) else copied(table))

    def _keep(self, name: str, table: Table[Any]) -> None:
        self._tables[name] = table
        setattr(self.head, name, table.ctypes.data)

    def __getattr__(self, name: str) -> Table[Any]:
        try:
            return self._tables[name]
        except KeyError:
            raise AttributeError(name) from None

    @property
    def address(self) -> int:
        """Where the model record is."""
        return self._model.ctypes.data

    def grow(self) -> None:
        """Double the message slots."""
        for name in ("messages", "origins"):
            self._keep(name, copied(self._tables[name], 2 * self._tables[name].size))
        self.head.free_count += self._tables["messages"].size // 2


class Variant(NamedTuple):
    """A compiled variant of the loop; None leaves the mechanisms, or the shortcut for a lone queue, out."""

    ext: int | None
    lone: int | None


EVERYTHING, PLAIN, LONE = Variant(1, None), Variant(None, None), Variant(None, 1)


def variant_of(network: NetworkSpec) -> Variant:
    """Return the fastest variant that can run the network."""
    if not all(_plain_pools(network)):
        return EVERYTHING
    lone = len(network.streams) == len(network.pools) == network.pools[0].instances == 1
    return LONE if lone else PLAIN


def _plain_pools(network: NetworkSpec) -> list[bool]:
    """Say for each pool whether neither it nor any of its streams has a mechanism of ``ext``."""
    plain = [
        not any((pool.growth, pool.constraints, pool.dispatch, pool.queue_capacity, pool.outage))
        for pool in network.pools
    ]
    together = chained(network)
    for q, spec in enumerate(network.streams):
        plain[spec.pool] &= _is_plain_stream(spec) and q not in together
    return plain


def _is_plain_stream(spec: Stream) -> bool:
    beyond = (spec.transaction, spec.quota, spec.flow, spec.downstream, spec.outage, spec.absence, spec.search)
    plain = staging_of(spec) in (Staging.DIRECT, Staging.GATED, Staging.WINDOW)
    return plain and not any((*beyond, spec.copies, spec.loss_rate, spec.urgent_share))


def _capacity(network: NetworkSpec, streams: Table[StreamRecord], threads: int, reserve: int) -> int:
    """Return the message slots to begin with: threads, reserve, bursts, and what gates, windows and sessions hold."""
    held = 0
    for spec in network.streams:
        pool = network.pools[spec.pool]
        gate = spec.gate.high if spec.gate is not None else 0
        window = spec.window.limit if spec.window is not None else 0
        held += pool.instances * (gate + window + spec.pipeline * sessions_of(spec, pool))
    return _FIRST_CAPACITY + threads + reserve + int(streams.burst.sum()) + min(held, 8 * _FIRST_CAPACITY)


def _first_step(network: NetworkSpec) -> float:
    """Return a first step of the timeline that is short enough; it doubles whenever the timeline is full."""
    rate = sum(spec.arrivals.rate + spec.arrivals.rate_off + spec.arrivals.count for spec in network.streams)
    return 1.0 / max(rate, 1.0)


def _target(network: NetworkSpec) -> int:
    """Return the outcomes that end the replication, at most what the foreground will ever have; 0 = a time does."""
    horizon = network.horizon
    ever = [finite_messages(network, q) for q in range(len(network.streams)) if is_foreground(network, q)]
    if horizon.drained or (horizon.messages and all(ever)):
        return min(horizon.messages or sum(ever), sum(ever), UNLIMITED)
    return horizon.messages


def _set_horizon(head: Model, network: NetworkSpec) -> None:
    horizon = network.horizon
    head.target = target = _target(network)
    head.segment_outcomes = max(1, target // SEGMENTS) if target else UNLIMITED
    head.end_time = horizon.time or FOREVER
    head.segment_end = horizon.time / SEGMENTS if horizon.time and not target else head.end_time
    head.sample_step = horizon.time / _SAMPLES_EXPECTED if horizon.time else _first_step(network)


def _set_keys(tables: Tables, seed: int, replication: int) -> None:
    """Give streams, members and sends the keys of the numbers that they draw."""
    streams, members, sends = tables.streams, tables.members, tables.sends
    drawing = [(streams, purpose, range(streams.size)) for purpose in {*Purpose} - {Purpose.LOTTERY, Purpose.SEND}]
    drawing += [(members, Purpose.LOTTERY, range(members.size)), (sends, Purpose.SEND, sends.send_key.tolist())]
    for table, purpose, entities in drawing:
        keys = [stream_key(seed, replication, int(purpose), entity) for entity in entities]  # numba is slow at enums
        setattr(table, f"{purpose.name.lower()}_key", np.array(keys, dtype=np.uint64))


def pack(network: NetworkSpec, seed: int, replication: int, trace: int) -> Tables:
    """Return the state of the loop at time 0."""
    model, tables = _packed(network)
    state = Tables(model, {**tables, "steps": trace})
    state.head.steps_left = trace
    _set_keys(state, seed, replication)
    return state


@lru_cache(maxsize=4)
def _packed(network: NetworkSpec) -> tuple[Table[Model], Mapping[str, Table[Any] | int]]:
    """Return what all replications of the network begin with; nobody writes into it."""
    builder = Builder(network)
    pools = pack_pools(builder)
    streams, laws = pack_streams(builder)
    is_beyond = np.logical_not(_plain_pools(network))
    streams.beyond, pools.members.beyond = is_beyond[streams.pool], is_beyond[pools.members.pool]
    ports, links = pack_ports(builder, streams, pools.members)
    sessions = pack_sessions(builder, streams, ports)
    producers = pack_producers(builder, streams)
    sends = pack_sends(builder, streams)
    numbered = builder.tables()
    count, most_instances = streams.size, max(pool.instances for pool in network.pools)
    model = records(Model, 1)
    head = model[0]
    _set_horizon(head, network)
    head.reserve = producers.size + most_sent(network)
    slots = _capacity(network, streams, pools.threads.size, int(head.reserve))
    head.free, head.free_count, head.starved = NONE, slots, 1
    head.histograms, head.most_instances = count + len(streams_sent_to(network)), most_instances
    head.first_time, head.mark, head.most_events = FOREVER, -FOREVER, UNLIMITED
    head.stream_count, head.port_count = count, ports.size
    head.member_count, head.thread_count = pools.members.size, pools.threads.size
    head.slot_count = numbered["slots"].size
    head.leaves, timers = timer_table(numbered["slots"].size)
    candidates = records(Candidates, ports.size // WIDTH + 1)
    candidates.ports = (1 << WIDTH) - 1
    return model, {
        **pools._asdict(),
        **numbered,
        "streams": streams,
        "instants": unset(count),
        "ports": ports,
        "candidates": candidates,
        "messages": slots,
        "origins": slots if sends.size else 0,
        "sends": sends,
        "timers": timers,
        "cpu": pools.threads.size,
        "laws": laws,
        "bins": SEGMENTS * int(head.histograms) * BINS,
        "series": count * SERIES_BINS,
        "samples": (count + 1) * TIMELINE_SAMPLES,
        "port_samples": ports.size * TIMELINE_SAMPLES,
        "per_instance": count * most_instances,
        "links": links,
        "sessions": sessions,
        "producers": producers,
        "thresholds": pack_thresholds(network, streams),
        "measured": SEGMENTS * count + 1,
        "worked": SEGMENTS * pools.members.size + 1,
        "durations": SEGMENTS,
        "ahead": 2 * count * BLOCK,
    }
