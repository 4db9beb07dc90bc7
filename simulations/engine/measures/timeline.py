"""The timeline: the state of all streams and ports at instants that lie evenly apart, of bounded size."""

from simulations.engine.compiled import compiled, inline
from simulations.engine.network.results import TIMELINE_SAMPLES
from simulations.engine.records.layout import Model
from simulations.engine.records.references import copy_fields
from simulations.engine.records.stream import Stream


@compiled
def _thin_timeline(model: Model) -> None:
    half = TIMELINE_SAMPLES // 2
    for i in range(1, half):
        for q in range(model.stream_count + 1):
            kept = model.samples[2 * i * (model.stream_count + 1) + q]
            copy_fields(model.samples[i * (model.stream_count + 1) + q], kept)
        for p in range(model.port_count):
            seen = model.port_samples[2 * i * model.port_count + p]
            copy_fields(model.port_samples[i * model.port_count + p], seen)
    model.sample_count = half
    model.sample_step *= 2.0


@inline
def _idle_blocked(model: Model, stream: Stream) -> int:
    idle = 0
    for i in range(stream.instances):
        member = model.members[model.ports[stream.first_port + i * stream.stride].member]
        idle += min(member.idle, member.starving)
    return idle


@compiled
def sample(model: Model) -> None:
    """Write one row of the timeline, for the state just before the events of the instant ``next_sample``.

    The first record of a row holds the instant, in ``latency_total``.
    """
    first = model.sample_count * (model.stream_count + 1)
    model.samples[first].latency_total = model.next_sample
    for q in range(model.stream_count):
        stream = model.streams[q]
        row = model.samples[first + 1 + q]
        row.backlog = stream.backlog
        row.prepared = stream.prepared
        row.running = stream.running
        row.blocked = stream.closed
        row.idle_blocked = _idle_blocked(model, stream)
        row.admitted = stream.limit * stream.producers if stream.limit > 0.0 else -1.0
        row.latency_total = stream.latency_total
        row.completed = stream.total_completed
    for p in range(model.port_count):
        port = model.ports[p]
        seen = model.port_samples[model.sample_count * model.port_count + p]
        seen.inflight = port.inflight
        seen.running = port.running
    model.sample_count += 1
    model.next_sample += model.sample_step
    if model.sample_count == TIMELINE_SAMPLES:
        _thin_timeline(model)
