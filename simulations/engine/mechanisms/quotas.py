"""The room of a destination: what fits, and how a message is accepted, refused or dropped for another."""

from simulations.engine.compiled import compiled, inline
from simulations.engine.draws.laws import draw
from simulations.engine.draws.numbers import ATTEMPTS
from simulations.engine.events.messages import create, discard, is_hopeless, is_urgent, line_of
from simulations.engine.events.queues import append, remove
from simulations.engine.measures.observe import accrue_stream
from simulations.engine.network.model import LimitBehaviour
from simulations.engine.records.codes import MOST_BYTES, NONE, Staging, Step
from simulations.engine.records.layout import Model
from simulations.engine.records.stream import Stream

_MOST_BYTES = float(MOST_BYTES)


@inline
def fits(stream: Stream, size: float) -> bool:
    """Say whether the destination, with all messages not yet consumed, has room for ``size`` more bytes."""
    if 0 < stream.quota_messages <= stream.inside:
        return False
    return stream.quota_bytes == 0.0 or stream.bytes + size <= stream.quota_bytes


@inline
def size_of(model: Model, stream: Stream, intent: int) -> float:
    """Return the bytes of the stream's message number ``intent``."""
    if stream.sizes != NONE:
        return model.values[stream.sizes + intent % stream.count].value
    if stream.size_law != NONE:
        drawn = draw(model, model.laws[stream.size_law], stream.size_key, intent)
        return float(int(min(drawn, _MOST_BYTES)))
    return stream.length


@inline
def accept(model: Model, q: int, size: float) -> None:
    m = create(model, q)
    stream = model.streams[q]
    stream.admitted += 1
    model.messages[m].length = int(size)
    stream.bytes += model.messages[m].length
    append(model.messages, line_of(model, m), m)


@compiled
def refuse(model: Model, q: int, silent: bool) -> None:  # noqa: FBT001 - compiled code takes no keywords
    """Count a message that does not get in: rejected with an exception, or dropped silently."""
    m = create(model, q)
    stream = model.streams[q]
    model.messages[m].length = 0
    stream.backlog -= 1
    if silent:
        stream.dropped += 1
    else:
        stream.rejected += 1
    discard(model, Step.DROP, q, m)


@inline
def _turn(model: Model, stream: Stream, m: int) -> int:
    """Return when message ``m`` is removed, lowest first, spared urgent ones from ATTEMPTS on; NONE = never."""
    if m == NONE:
        return 2 * ATTEMPTS
    message = model.messages[m]
    spared = stream.behaviour == LimitBehaviour.REMOVE_LOW_PRIORITY and is_urgent(stream, message)
    return message.index + (ATTEMPTS if spared else 0)


@compiled
def remove_oldest(model: Model, q: int) -> bool:
    """Drop the oldest message that no thread has, low ones first where the stream says so; False = none is left.

    A stream with credit windows has some in its clients' buffers: the broker holds a message until it is acknowledged,
    and what it removes the client no longer runs.
    """
    stream = model.streams[q]
    accrue_stream(model, q)
    oldest = source = holder = NONE
    for line in range(stream.destination, stream.destination + stream.urgent_lines + 1):
        if _turn(model, stream, model.queues[line].head) < _turn(model, stream, oldest):
            oldest, source = model.queues[line].head, line
    for i in range(stream.instances if stream.staging == Staging.WINDOW else 0):
        p = stream.first_port + i * stream.stride
        for line in (model.ports[p].assigned, model.ports[p].prepared):
            m = model.queues[line].head
            while m != NONE:
                if _turn(model, stream, m) < _turn(model, stream, oldest):
                    oldest, source = m, line
                    holder = p if line == model.ports[p].prepared else NONE
                m = model.messages[m].next if _turn(model, stream, m) >= ATTEMPTS else NONE
    if oldest == NONE:
        return False
    remove(model.messages, model.queues[source], oldest)
    if holder == NONE:
        stream.backlog -= 1
    else:
        stream.prepared -= 1
        model.ports[holder].inflight -= 1
    stream.dropped += 1
    if is_hopeless(stream, model.messages[oldest]):
        stream.hopeless -= 1
    discard(model, Step.DROP, q, oldest)
    return True
