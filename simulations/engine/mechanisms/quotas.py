"""The room of a destination: what fits, and how a message is accepted, refused or dropped for another."""

from simulations.engine.compiled import compiled, inline
from simulations.engine.draws.laws import draw
from simulations.engine.events.messages import create, discard, is_hopeless
from simulations.engine.events.queues import append, pop
from simulations.engine.measures.observe import accrue_stream
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
    append(model.messages, model.queues[stream.destination], m)


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
def _older(model: Model, line: int, oldest: int) -> bool:
    """Say whether the first message of ``line`` arrived before that of the line ``oldest`` (NONE = there is none)."""
    if model.queues[line].count == 0:
        return False
    if oldest == NONE:
        return True
    return model.messages[model.queues[line].head].index < model.messages[model.queues[oldest].head].index


@compiled
def _take_sent(model: Model, q: int) -> int:
    """Take the oldest message of a stream with credit windows that is on the broker or in a client's buffer.

    The broker holds a message until it is acknowledged; what it removes the client no longer runs. NONE = none is left.
    """
    stream = model.streams[q]
    oldest = stream.destination if model.queues[stream.destination].count > 0 else NONE
    holder = NONE
    for i in range(stream.instances):
        p = stream.first_port + i * stream.stride
        if _older(model, model.ports[p].assigned, oldest):
            oldest, holder = model.ports[p].assigned, NONE
        if _older(model, model.ports[p].prepared, oldest):
            oldest, holder = model.ports[p].prepared, p
    if oldest == NONE:
        return NONE
    m = pop(model.messages, model.queues[oldest])
    if holder == NONE:
        stream.backlog -= 1
    else:
        stream.prepared -= 1
        model.ports[holder].inflight -= 1
    return m


@compiled
def remove_oldest(model: Model, q: int) -> bool:
    """Drop the oldest message that no thread has; False when there is none.

    All messages of a stream have the same priority, so the oldest is also the one of lowest priority.
    """
    stream = model.streams[q]
    accrue_stream(model, q)
    m = NONE
    if stream.staging == Staging.WINDOW:
        m = _take_sent(model, q)
    elif model.queues[stream.destination].count > 0:
        m = pop(model.messages, model.queues[stream.destination])
        stream.backlog -= 1
    if m == NONE:
        return False
    stream.dropped += 1
    if is_hopeless(stream, model.messages[m]):
        stream.hopeless -= 1
    discard(model, Step.DROP, q, m)
    return True
