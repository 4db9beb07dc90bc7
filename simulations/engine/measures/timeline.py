"""The timeline: the state of all streams and ports at instants that lie evenly apart, of bounded size."""

from typing import Any

from simulations.engine.compiled import compiled, inline
from simulations.engine.network.results import TIMELINE_SAMPLES
from simulations.engine.records.layout import member_at, port_at, port_sample_at, sample_at, stream_at


@compiled
def _thin_timeline(model: Any) -> None:
    half = TIMELINE_SAMPLES // 2
    for i in range(1, half):
        for q in range(model.stream_count + 1):
            kept = sample_at(model, 2 * i * (model.stream_count + 1) + q)
            row = sample_at(model, i * (model.stream_count + 1) + q)
            row.backlog = kept.backlog
            row.prepared = kept.prepared
            row.running = kept.running
            row.blocked = kept.blocked
            row.idle_blocked = kept.idle_blocked
            row.admitted = kept.admitted
            row.latency_total = kept.latency_total
            row.completed = kept.completed
        for p in range(model.port_count):
            seen = port_sample_at(model, 2 * i * model.port_count + p)
            place = port_sample_at(model, i * model.port_count + p)
            place.inflight = seen.inflight
            place.running = seen.running
    model.sample_count = half
    model.sample_step *= 2.0


@inline
def _idle_blocked(model: Any, stream: Any) -> int:
    idle = 0
    for i in range(stream.instances):
        member = member_at(model, port_at(model, stream.first_port + i * stream.stride).member)
        idle += min(member.idle, member.starving)
    return idle


@compiled
def sample(model: Any) -> None:
    """Write one row of the timeline, for the state just before the events of the instant ``next_sample``.

    The first record of a row holds the instant, in ``latency_total``.
    """
    first = model.sample_count * (model.stream_count + 1)
    sample_at(model, first).latency_total = model.next_sample
    for q in range(model.stream_count):
        stream = stream_at(model, q)
        row = sample_at(model, first + 1 + q)
        row.backlog = stream.backlog
        row.prepared = stream.prepared
        row.running = stream.running
        row.blocked = stream.closed
        row.idle_blocked = _idle_blocked(model, stream)
        row.admitted = stream.limit * stream.producers if stream.limit > 0.0 else -1.0
        row.latency_total = stream.latency_total
        row.completed = stream.total_completed
    for p in range(model.port_count):
        port = port_at(model, p)
        seen = port_sample_at(model, model.sample_count * model.port_count + p)
        seen.inflight = port.inflight
        seen.running = port.running
    model.sample_count += 1
    model.next_sample += model.sample_step
    if model.sample_count == TIMELINE_SAMPLES:
        _thin_timeline(model)
