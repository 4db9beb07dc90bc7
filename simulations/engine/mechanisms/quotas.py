"""The room of a destination: what fits, and how a message gets in, is refused or makes way for another."""

from typing import Any

from simulations.engine.compiled import compiled, inline
from simulations.engine.draws.laws import draw
from simulations.engine.events.messages import create, is_hopeless
from simulations.engine.events.queues import append, pop, release
from simulations.engine.measures.observe import accrue_stream, note, record_outcome
from simulations.engine.records.layout import MOST_BYTES, NONE, Step, law_at, message_at, queue_at, stream_at, value_at

_DROP = int(Step.DROP)
_MOST_BYTES = float(MOST_BYTES)


@inline
def fits(stream: Any, size: float) -> bool:
    """Say whether the destination, with all messages not yet consumed, has room for ``size`` more bytes."""
    if 0 < stream.quota_messages <= stream.inside:
        return False
    return bool(stream.quota_bytes == 0.0 or stream.bytes + size <= stream.quota_bytes)


@inline
def size_of(model: Any, stream: Any, intent: int) -> float:
    """Return the bytes of the stream's message number ``intent``."""
    if stream.sizes != NONE:
        return float(value_at(model, stream.sizes + intent % stream.count).value)
    if stream.size_law != NONE:
        drawn = draw(model, law_at(model, stream.size_law), stream.size_key, intent)
        return float(int(min(drawn, _MOST_BYTES)))
    return float(stream.length)


@inline
def accept(model: Any, q: int, size: float) -> None:
    m = create(model, q)
    stream = stream_at(model, q)
    stream.admitted += 1
    message_at(model, m).length = int(size)
    stream.bytes += message_at(model, m).length
    append(model, stream.destination, m)


@compiled
def refuse(model: Any, q: int, silent: bool) -> None:  # noqa: FBT001 - compiled code takes no keywords
    """Count a message that does not get in: rejected with an exception, or dropped silently."""
    m = create(model, q)
    stream = stream_at(model, q)
    message = message_at(model, m)
    message.length = 0
    stream.backlog -= 1
    if silent:
        stream.dropped += 1
    else:
        stream.rejected += 1
    note(model, _DROP, q, message.index, 0)
    record_outcome(model, q, message)
    release(model, m)


@compiled
def remove_oldest(model: Any, q: int) -> bool:
    """Drop the oldest message that is not being delivered; False when there is none.

    All messages of a stream have the same priority, so the oldest is also the one of lowest priority.
    """
    stream = stream_at(model, q)
    if queue_at(model, stream.destination).count == 0:
        return False
    accrue_stream(model, q)
    m = pop(model, stream.destination)
    message = message_at(model, m)
    stream.backlog -= 1
    stream.dropped += 1
    if is_hopeless(stream, message):
        stream.hopeless -= 1
    note(model, _DROP, q, message.index, 0)
    record_outcome(model, q, message)
    release(model, m)
    return True
