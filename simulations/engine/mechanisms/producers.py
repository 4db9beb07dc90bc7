"""Producers in front of a bounded destination: quotas, blocked sends and flow control.

Each arrival is a send that the next producer in turn intends. A producer that is blocked, paused or at its limit holds
its sends back and makes them as soon as it may, so a slowed producer really sends less.
"""

from simulations.engine.compiled import compiled, inline
from simulations.engine.events.agenda import is_set, schedule
from simulations.engine.events.queues import append, remove
from simulations.engine.measures.observe import accrue_aside
from simulations.engine.mechanisms.constraints import at_capacity
from simulations.engine.mechanisms.flow import instruct, set_free, watch_thresholds
from simulations.engine.mechanisms.quotas import accept, fits, refuse, remove_oldest, size_of
from simulations.engine.network.model import LimitBehaviour
from simulations.engine.records.codes import NONE, Blocked
from simulations.engine.records.layout import Model
from simulations.engine.records.stream import Stream


@compiled
def _change_blocked_sends(model: Model, q: int, sends: int) -> None:
    """Change the number of sends of stream ``q`` that wait for room or for the limit by ``sends``."""
    accrue_aside(model, q)
    model.streams[q].blocked_sends_now += sends


@inline
def _line_up(model: Model, j: int, why: Blocked) -> None:
    """Put producer ``j`` at the end of the stream's line of blocked producers."""
    producer = model.producers[j]
    producer.blocked = why
    append(model.producers, model.queues[model.streams[producer.stream].blocked], j)


@inline
def _leave_line(model: Model, j: int) -> None:
    producer = model.producers[j]
    remove(model.producers, model.queues[model.streams[producer.stream].blocked], j)
    producer.blocked = Blocked.FREE
    _wake(model, j)


@inline
def _wake(model: Model, j: int) -> None:
    """Set the timer of producer ``j`` for its next send if it has something to send and nothing blocks it."""
    producer = model.producers[j]
    if producer.held > 0 and producer.blocked == Blocked.FREE and not is_set(model, producer.slot):
        schedule(model, producer.slot, max(producer.next_allowed, model.now))


@inline
def _pace(model: Model, j: int) -> None:
    """Set when producer ``j``, which sends now, may send again: a limit keeps its messages apart. A new producer that
    takes its place has none."""
    producer = model.producers[j]
    lifetime = model.streams[producer.stream].lifetime_sends
    if producer.limit > 0.0 and lifetime > 0 and producer.sent % lifetime == 0:
        set_free(model, j)
    producer.next_allowed = model.now + 1.0 / producer.limit if producer.limit > 0.0 else model.now


@inline
def _answer(model: Model, q: int, j: int) -> None:
    """Answer the send that producer ``j`` of stream ``q`` has just made."""
    watch_thresholds(model, q)
    if model.producers[j].blocked != Blocked.FULL:
        instruct(model, j)


@compiled
def _block(model: Model, q: int, j: int) -> None:
    """Let the send of producer ``j`` wait for room, at most for the send timeout."""
    stream = model.streams[q]
    _change_blocked_sends(model, q, 1)
    model.producers[j].deadline = model.now + stream.send_timeout
    _line_up(model, j, Blocked.FULL)
    if not is_set(model, stream.deadline_slot):
        schedule(model, stream.deadline_slot, model.now + stream.send_timeout)


@compiled
def _overflow(model: Model, q: int, j: int, size: float) -> None:
    """Apply the destination's limit behavior to a message that does not fit."""
    stream = model.streams[q]
    producer = model.producers[j]
    behaviour = stream.behaviour
    if behaviour == LimitBehaviour.REJECT_NEWEST:
        refuse(model, q, False)  # noqa: FBT003
    elif behaviour < LimitBehaviour.FLOW_CONTROL:
        while not fits(stream, size):
            if not remove_oldest(model, q):
                refuse(model, q, False)  # noqa: FBT003
                return
        accept(model, q, size)
    elif producer.one_way > 1 and producer.sent % producer.one_way != 0:
        refuse(model, q, True)  # noqa: FBT003
    elif stream.send_timeout > 0.0:
        producer.length = size
        _block(model, q, j)
    else:
        refuse(model, q, False)  # noqa: FBT003


@compiled
def _send(model: Model, q: int, j: int) -> None:
    """Send the next message of producer ``j``."""
    stream = model.streams[q]
    producer = model.producers[j]
    size = size_of(model, stream, producer.sent * stream.producers + j - stream.first_producer)
    producer.sent += 1
    _pace(model, j)
    if at_capacity(model, q):
        refuse(model, q, False)  # noqa: FBT003
        return
    if stream.behaviour == LimitBehaviour.FLOW_CONTROL:
        accept(model, q, size)
        producer.granted -= 1
        if producer.granted == 0:
            _line_up(model, j, Blocked.PAUSED)
            relieve(model, q)
        return
    in_line = stream.behaviour == LimitBehaviour.BLOCK_FIFO and model.queues[stream.blocked].count > 0
    if fits(stream, size) and not in_line:
        accept(model, q, size)
    else:
        _overflow(model, q, j, size)


@compiled
def intend(model: Model, q: int) -> None:
    """Let the producer whose turn it is send a message, now or as soon as it may."""
    stream = model.streams[q]
    j = stream.first_producer + stream.intents % stream.producers
    stream.intents += 1
    producer = model.producers[j]
    if producer.held > 0 or producer.blocked != Blocked.FREE or model.now < producer.next_allowed:
        producer.held += 1
        stream.blocked_sends += 1
        _change_blocked_sends(model, q, 1)
        _wake(model, j)
    else:
        _send(model, q, j)
        stream.blocked_sends += int(model.producers[j].blocked == Blocked.FULL)
        _answer(model, q, j)


@compiled
def send_held(model: Model, j: int) -> None:
    """Let producer ``j`` send a message that it held back."""
    producer = model.producers[j]
    producer.held -= 1
    _change_blocked_sends(model, producer.stream, -1)
    _send(model, producer.stream, j)
    _wake(model, j)
    _answer(model, producer.stream, j)


@inline
def _may_resume(model: Model, stream: Stream) -> bool:
    """Say whether a paused producer is resumed: free room above one batch of each that is not paused (Open MQ)."""
    active = stream.producers - model.queues[stream.blocked].count
    if stream.quota_messages > 0 and stream.quota_messages - stream.inside <= active * stream.producer_batch:
        return False
    return stream.quota_bytes == 0.0 or stream.quota_bytes - stream.bytes > active * stream.producer_bytes


@compiled
def relieve(model: Model, q: int) -> None:
    """Let blocked producers go on as far as there is room; FIFO strictly in order, preemptive whoever fits."""
    stream = model.streams[q]
    j = model.queues[stream.blocked].head
    while j != NONE:
        producer = model.producers[j]
        following = producer.next
        if producer.blocked == Blocked.PAUSED:
            if not _may_resume(model, stream):
                return
            producer.granted = stream.producer_batch
            _leave_line(model, j)
        elif fits(stream, producer.length):
            _change_blocked_sends(model, q, -1)
            if at_capacity(model, q):
                refuse(model, q, False)  # noqa: FBT003
            else:
                accept(model, q, producer.length)
            _pace(model, j)
            _leave_line(model, j)
            _answer(model, q, j)
        elif stream.behaviour == LimitBehaviour.BLOCK_FIFO:
            return
        j = following


@compiled
def expire_sends(model: Model, q: int) -> None:
    """Reject the sends of stream ``q`` that have waited for the whole send timeout."""
    stream = model.streams[q]
    line = model.queues[stream.blocked]
    while line.count > 0:
        j = line.head
        if model.producers[j].deadline > model.now:
            schedule(model, stream.deadline_slot, model.producers[j].deadline)
            break
        refuse(model, q, False)  # noqa: FBT003
        _change_blocked_sends(model, q, -1)
        _leave_line(model, j)
    relieve(model, q)


@compiled
def notice_outcome(model: Model, q: int) -> None:
    """Let producers use the room that outcomes of stream ``q`` have made."""
    relieve(model, q)
    watch_thresholds(model, q)
