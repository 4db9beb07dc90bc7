"""What is measured while the loop runs: integrals, trace, timeline and the end of segments.

Integrals are brought up to date by ``accrue_stream`` and ``accrue_member`` before a population changes. The timeline
holds the state of all streams and ports at evenly spaced instants and has a bounded size.
"""

from simulations.engine.compiled import apart, compiled, inline
from simulations.engine.network.results import BINS, SEGMENTS, TIMELINE_SAMPLES
from simulations.engine.records.codes import FOREVER, Status, Step
from simulations.engine.records.layout import Message, Model
from simulations.engine.records.references import copy_fields
from simulations.engine.records.stream import Stream

MOST_FUTILE = 20_000_000
"""Events without an end of any foreground message after which a replication without an end in time is stuck; a tenth of
those that it may have in all, where that is less."""
FILLED_FUTILE = 100_000
"""So many are enough where hopeless messages fill all that is delivered at once."""


@inline
def accrue_stream(model: Model, q: int) -> None:
    """Add the time since the last change to the integrals of stream ``q``."""
    stream = model.streams[q]
    passed = model.now - stream.since
    if passed > 0.0:
        stream.since = model.now
        stream.seconds_backlog += stream.backlog * passed
        stream.seconds_prepared += stream.prepared * passed
        stream.seconds_running += stream.running * passed
        stream.seconds_blocked += stream.closed * passed


@inline
def accrue_member(model: Model, m: int) -> None:
    """Add the time since the last change to the thread-seconds of member ``m``."""
    member = model.members[m]
    passed = model.now - member.since
    if passed > 0.0:
        member.since = model.now
        member.seconds_busy += member.busy * passed
        idle = member.idle
        if member.starving > 0:
            blocked = min(idle, member.starving)
            member.seconds_idle_blocked += blocked * passed
            member.seconds_held_back += passed
            idle -= blocked
        member.seconds_idle_no_work += idle * passed
        if member.held > 0.0:
            member.seconds_held += member.held * passed
            if member.away == 1:
                member.seconds_away += passed
        if member.cpu_active > 0:
            member.seconds_cpu += min(member.cpu_active, member.cpus) * passed


@inline
def note(model: Model, step: Step, q: int, message: int, inflight: int) -> None:
    """Append a trace record while there is room."""
    if model.steps_left > 0:
        _write_step(model, step, q, message, inflight)


@apart
def _write_step(model: Model, step: Step, q: int, message: int, inflight: int) -> None:
    model.steps_left -= 1
    row = model.steps[model.steps_left]
    row.time = model.now
    row.step = step
    row.stream = q
    row.message = message
    row.inflight = inflight


@inline
def record_outcome(model: Model, q: int, message: Message) -> None:
    """Count the end of a message of stream ``q``, whatever its outcome."""
    stream = model.streams[q]
    arrived = message.arrived
    stream.bytes -= message.length
    stream.inside -= 1
    stream.sojourn += model.now - arrived
    stream.arrived_sum -= arrived
    stream.last_outcome = model.now
    if stream.foreground == 1:
        model.outcomes += 1
        if model.outcomes >= model.segment_outcomes:
            model.mark = -FOREVER


@compiled
def note_recovery(model: Model, q: int) -> None:
    """Record how long after its outage stream ``q`` has no more messages inside than before."""
    stream = model.streams[q]
    if stream.inside <= stream.inside_before and model.now >= stream.recovers_from:
        stream.recovery = model.now - stream.recovers_from
        stream.recovers_from = FOREVER


@compiled
def accrue_aside(model: Model, q: int) -> None:
    """Bring the rarely changing integrals of stream ``q`` up to date: limit, blocked sends, resting messages."""
    stream = model.streams[q]
    passed = model.now - stream.aside_since
    stream.aside_since = model.now
    stream.seconds_limit += stream.limits * passed
    if stream.limited > 0:
        stream.seconds_limited += stream.limited / stream.producers * passed
    stream.seconds_blocked_sends += stream.blocked_sends_now * passed
    stream.seconds_resting += stream.resting * passed


@inline
def change_resting(model: Model, q: int, messages: int) -> None:
    """Change the number of messages of stream ``q`` on threads that do not work on them by ``messages``."""
    if messages != 0:
        accrue_aside(model, q)
        model.streams[q].resting += messages


@compiled
def accrue_all(model: Model) -> None:
    """Bring all integrals up to now."""
    for q in range(model.stream_count):
        accrue_stream(model, q)
        accrue_aside(model, q)
    for m in range(model.member_count):
        accrue_member(model, m)


@inline
def _may_end(stream: Stream) -> bool:
    """Say whether some message of the foreground stream may still end: arrive and end, or end of those inside."""
    if stream.next_arrival < FOREVER or stream.blocked_sends_now > 0.0:
        return True
    if stream.stopped == 1:
        return stream.running > 0.0
    if stream.futile == 1:
        return stream.inside > 0.0 and stream.hopeless == 0
    return stream.saturated == 1 or stream.inside > stream.hopeless


@inline
def _is_filled(stream: Stream) -> bool:
    """Say whether no fewer hopeless messages are inside than are delivered at once: they come back at the front. Where
    there is a quota, messages that are turned away end."""
    if stream.retry_delay > 0.0 or stream.quota_messages > 0 or stream.quota_bytes > 0.0:
        return False
    return stream.hopeless >= stream.prepared + stream.running > 0.0


@compiled
def _is_stuck(model: Model) -> bool:
    """Say whether no foreground message can end any more, or none has for too many events."""
    if model.outcomes != model.outcomes_seen:
        model.outcomes_seen = model.outcomes
        model.events_seen = model.events
    futile = model.events - model.events_seen
    if futile > min(MOST_FUTILE, model.most_events // 10):
        return True
    for q in range(model.stream_count):
        stream = model.streams[q]
        if stream.foreground == 1 and _may_end(stream) and not (futile > FILLED_FUTILE and _is_filled(stream)):
            return False
    return True


@compiled
def _end_segment(model: Model) -> None:
    """Keep what was measured in the segment that ends now, and begin the next one unless it was the last. The last rows
    of the tables are zero: what is measured begins with them again."""
    accrue_all(model)
    segment, streams, members = model.segment, model.stream_count, model.member_count
    for q in range(streams):
        copy_fields(model.measured[segment * streams + q], model.streams[q])
        copy_fields(model.streams[q], model.measured[SEGMENTS * streams])
        model.streams[q].first_bin += model.histograms * BINS
    for m in range(members):
        copy_fields(model.worked[segment * members + m], model.members[m])
        copy_fields(model.members[m], model.worked[SEGMENTS * members])
    model.durations[segment].value = model.now - model.segment_start
    model.segment_start = model.now
    model.segment = segment + 1
    if model.segment == SEGMENTS or model.now >= model.end_time:
        model.status = Status.ENDED
    elif model.target > 0:
        model.segment_outcomes = max(1, (segment + 2) * model.target // SEGMENTS)
    else:
        model.segment_end = (segment + 2) * (model.end_time / SEGMENTS)


@apart
def attend(model: Model, time: float) -> None:
    """Do what is due before an event at ``time``: end a segment by messages, take samples, end a segment by time. A
    replication without an end in time is done when no event is to come, and each sample checks whether it is stuck."""
    if model.outcomes >= model.segment_outcomes:
        _end_segment(model)
    elif time == FOREVER and model.end_time == FOREVER:
        model.status = Status.DONE
    else:
        while model.next_sample <= min(time, model.segment_end):
            sample(model)
        if model.segment_end <= time:
            model.now = model.segment_end
            _end_segment(model)
        model.mark = min(model.next_sample, model.segment_end)
        if model.end_time == FOREVER and _is_stuck(model):
            model.status = Status.STUCK


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
    """Write one row of the timeline, for the state just before the events of the instant ``next_sample``. The first
    record of a row holds the instant, in ``latency_total``."""
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
        row.admitted = stream.limits if stream.limited > 0 else -1.0
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
