"""Packs the streams of a network: arrivals, service, deliveries, producers."""

import numpy as np

from simulations.engine.draws.laws import BLOCK
from simulations.engine.network import model
from simulations.engine.network.results import BINS
from simulations.engine.packing.chains import finite_messages
from simulations.engine.packing.numbering import Builder
from simulations.engine.records.codes import FOREVER, NONE, Kind, Staging
from simulations.engine.records.layout import Law as LawRecord
from simulations.engine.records.layout import Producer, Threshold
from simulations.engine.records.record import Table, records
from simulations.engine.records.stream import Stream as StreamRecord

_ROUNDING = 1e-9
"""Work that outlasts its limit by less, relative to itself, may end in time by rounding."""


def staging_of(spec: model.Stream) -> Staging:
    """Return what stands between the stream's destination and the threads."""
    if spec.gate is not None:
        return Staging.GATED
    if spec.window is not None:
        return Staging.WINDOW
    if spec.poller is not None and spec.poller.kind != model.PollerKind.ON_MESSAGE:
        return Staging.POLLED
    return Staging.PIPELINE if spec.pipeline > 0 else Staging.DIRECT


def is_foreground(network: model.NetworkSpec, q: int) -> bool:
    """Say whether the outcomes of the stream end the replication: finite streams when it drains, else the MDBs."""
    if network.horizon.drained:
        return finite_messages(network, q) > 0
    return not network.streams[q].background or all(stream.background for stream in network.streams)


def _is_futile(spec: model.Stream) -> bool:
    """Say whether every delivery fails and is repeated without end: work that is longer than what ends it."""
    if spec.redelivery.limit > 0 or spec.loss_rate > 0.0:
        return False
    least = {model.LawKind.CONSTANT: spec.service.a, model.LawKind.EMPIRICAL: min(spec.service.values, default=0.0)}
    lifetime = spec.transaction.lifetime if spec.transaction is not None else 0.0
    dispatch = spec.timeouts.dispatch if spec.timeouts is not None else 0.0
    work = least.get(spec.service.kind, 0.0) * (1.0 - _ROUNDING)
    late = any(0.0 < limit < work for limit in (lifetime, dispatch))
    return late or max(spec.failure_rate, spec.poison_rate) == 1.0


def _burst(network: model.NetworkSpec, spec: model.Stream) -> int:
    """Return the most message slots that one instant of arrivals is known to need."""
    arrivals = spec.arrivals
    burst = 1
    if arrivals.kind in (model.ArrivalKind.SURGE, model.ArrivalKind.PERIODIC):
        burst = arrivals.count
    elif arrivals.kind == model.ArrivalKind.TRACE:
        burst = int(np.unique(arrivals.instants, return_counts=True)[1].max())
    return burst * network.receivers(spec)


def _fill_arrivals(row: StreamRecord, spec: model.Stream, builder: Builder) -> None:
    arrivals = spec.arrivals
    row.arrival_kind = arrivals.kind
    row.rate, row.rate_off = arrivals.rate, arrivals.rate_off
    row.mean_on, row.mean_off = arrivals.mean_on, arrivals.mean_off
    row.start, row.period, row.count = arrivals.start, arrivals.period, arrivals.count
    row.saturated = arrivals.kind == model.ArrivalKind.SATURATED
    row.burst, row.slots = _burst(builder.network, spec), builder.network.receivers(spec)
    row.first_value, row.values = builder.values(arrivals.instants), len(arrivals.instants)
    builder.values(arrivals.rates)
    if arrivals.kind == model.ArrivalKind.TRACE:
        row.count = len(arrivals.instants)
    row.length = spec.message_size
    row.sizes = builder.values(arrivals.sizes) if arrivals.sizes else NONE


def _fill_deliveries(row: StreamRecord, spec: model.Stream) -> None:
    timeouts, transaction = spec.timeouts or model.Timeouts(), spec.transaction or model.Transaction()
    again = spec.redelivery
    row.queue_timeout, row.dispatch_timeout = timeouts.queue, timeouts.dispatch
    row.restart = timeouts.action == model.TimeoutAction.RESTART_SERVANT
    row.retry_delay, row.retry_limit = again.delay, again.limit
    row.exhausted, row.in_place, row.futile = again.exhausted, again.in_place, _is_futile(spec)
    row.failure_rate, row.poison_rate, row.loss_rate = spec.failure_rate, spec.poison_rate, spec.loss_rate
    row.cpu_share, row.weight, row.goal = spec.cpu_share, spec.weight, spec.goal
    row.transactional, row.batch = spec.transaction is not None, transaction.batch
    row.commit_time, row.lifetime = transaction.commit_time, transaction.lifetime
    if spec.poller is not None:
        row.poller_kind, row.receive_timeout = spec.poller.kind, spec.poller.receive_timeout
    row.resource = NONE
    if spec.downstream is not None:
        row.resource, row.share = spec.downstream.resource, spec.downstream.share


def _fill_producers(row: StreamRecord, spec: model.Stream) -> None:
    row.producers = spec.producers
    row.controlled = spec.quota is not None or spec.flow is not None
    if spec.quota is not None:
        row.quota_messages, row.quota_bytes = spec.quota.messages, spec.quota.bytes
        row.behaviour, row.send_timeout = spec.quota.behaviour, spec.quota.send_timeout
        row.producer_batch, row.producer_bytes = max(spec.quota.producer_batch, 1), spec.quota.producer_bytes
        row.one_way = spec.quota.one_way_window
    flow = spec.flow
    if flow is not None:
        row.flow_maximum, row.flow_minimum = flow.maximum, flow.minimum
        row.flow_step = flow.interval / flow.steps
        row.flow_ratio = (flow.minimum / flow.maximum) ** (1.0 / flow.steps)
        row.flow_climb = (flow.maximum - flow.minimum) / flow.steps
        row.lifetime_sends = flow.messages_per_producer


def _number(row: StreamRecord, q: int, spec: model.Stream, builder: Builder) -> None:
    """Give the stream its queues and timers."""
    row.copies = spec.copies == model.Copies.PER_INSTANCE
    lines = int(row.instances) if row.copies else 1
    row.urgent_share, row.urgent_lines = spec.urgent_share, lines if spec.urgent_share > 0.0 else 0
    row.destination = builder.queue(lines + row.urgent_lines)
    row.delayed, row.blocked = builder.queue(), builder.queue()
    row.retry_slot = builder.timer(Kind.REDELIVERY, q, used=spec.redelivery.delay > 0.0)
    row.deadline_slot = builder.timer(Kind.SEND_DEADLINE, q, used=spec.quota is not None)
    row.outage_slot, row.outage_time = builder.outage(Kind.BREAKDOWN, q, spec.outage)
    row.absence_slot, row.absence_time = builder.outage(Kind.ABSENCE, q, spec.absence)
    outage = spec.outage or spec.absence or builder.network.pools[spec.pool].outage
    row.recovers_from, row.recovery = FOREVER, FOREVER if outage else 0.0


def pack_streams(builder: Builder) -> tuple[Table[StreamRecord], Table[LawRecord]]:
    """Return the records of streams and laws: stream q has 4 q (service) and the next: intervals, sizes, search."""
    network = builder.network
    streams = records(StreamRecord, len(network.streams))
    laws = records(LawRecord, 4 * len(network.streams))
    for q, spec in enumerate(network.streams):
        row = streams[q]
        row.pool, row.instances = spec.pool, network.pools[spec.pool].instances
        row.staging, row.foreground = staging_of(spec), is_foreground(network, q)
        row.law, row.interval = 4 * q, 4 * q + 1
        row.size_law = NONE if spec.size_law is None else 4 * q + 2
        row.search = NONE if spec.search is None else 4 * q + 3
        for place, law in enumerate((spec.service, spec.arrivals.law, spec.size_law, spec.search), start=4 * q):
            builder.law(laws[place], law or model.Law(model.LawKind.CONSTANT))
        _fill_arrivals(row, spec, builder)
        _fill_deliveries(row, spec)
        _fill_producers(row, spec)
        _number(row, q, spec, builder)
        row.gaps, row.demands, row.demands_from = 2 * q * BLOCK, (2 * q + 1) * BLOCK, -BLOCK
        row.release_min, row.release_max, row.max_index = FOREVER, -FOREVER, -1
        row.first_bin = q * BINS
    return streams, laws


def pack_producers(builder: Builder, streams: Table[StreamRecord]) -> Table[Producer]:
    """Return the producers of the streams that have a quota or flow control."""
    producers = records(Producer, int(streams.producers[streams.controlled == 1].sum()))
    j = 0
    for q, spec in enumerate(builder.network.streams):
        if streams[q].controlled:
            streams[q].first_producer = j
            last = j + spec.producers
            producers.stream[j:last] = q
            producers.granted[j:last] = streams[q].producer_batch
            producers.one_way[j:last] = streams[q].one_way
            producers.slot[j:last] = [builder.timer(Kind.SEND, k) for k in range(j, last)]
            used = spec.flow is not None
            slots = [builder.timer(Kind.EVALUATION, k, used=used) for k in range(j, last)]
            producers.evaluation_slot[j:last] = slots
            j = last
    return producers


def pack_thresholds(network: model.NetworkSpec, streams: Table[StreamRecord]) -> Table[Threshold]:
    """Return the thresholds of the stores, and then those of the streams with flow control."""
    own = [q for q, spec in enumerate(network.streams) if spec.flow is not None]
    every = (*network.stores, *(spec.flow.marks for spec in network.streams if spec.flow is not None))
    table = records(Threshold, len(network.stores) + len(own))
    streams.own_thresholds = NONE
    streams.own_thresholds[own] = len(network.stores) + np.arange(len(own))
    streams.shared_thresholds = [NONE if spec.store is None else spec.store for spec in network.streams]
    for row, given in zip(table, every, strict=True):
        row.messages_high, row.messages_low = given.messages_high, given.messages_low
        row.bytes_high, row.bytes_low = given.bytes_high, given.bytes_low
    return table
