"""Transactions: batches of messages on one thread, their commit and their rollback.

A batch closes when it is full or no further message is immediately available; it does not wait to fill. Any failing
message rolls the whole batch back, and each of its messages, the ones still to come included, is then delivered in a
transaction of its own. If the transaction's lifetime was the cause, batches become smaller instead for a while
(WebLogic, Using Batching with MDBs).
"""

from typing import Any

from simulations.engine.compiled import compiled, inline
from simulations.engine.events.queues import append
from simulations.engine.records.layout import (
    NONE,
    SINGLE,
    Staging,
    message_at,
    port_at,
    queue_at,
    session_at,
    stream_at,
    thread_at,
)

_DIRECT = int(Staging.DIRECT)
_POLLED = int(Staging.POLLED)
_PIPELINE = int(Staging.PIPELINE)


@inline
def _source(model: Any, t: int) -> int:
    """Return the queue from which thread ``t`` takes the next message of its batch."""
    thread = thread_at(model, t)
    port = port_at(model, thread.port)
    staging = stream_at(model, port.stream).staging
    if staging == _PIPELINE:
        return int(session_at(model, thread.session).queue)
    if staging in (_DIRECT, _POLLED):
        return int(port.destination)
    return int(port.prepared)


@inline
def goes_on(model: Any, t: int) -> bool:
    """Say whether the batch on thread ``t``, whose last message has just been done, takes one more message."""
    thread = thread_at(model, t)
    port = port_at(model, thread.port)
    stream = stream_at(model, port.stream)
    done = queue_at(model, thread.batch)
    if stream.stopped == 1 or done.count >= port.batch_limit or thread.alone == 1:
        return False
    head = queue_at(model, _source(model, t)).head
    if head == NONE:
        return bool(stream.saturated == 1 and stream.staging in (_DIRECT, _POLLED))
    return bool(message_at(model, head).worker != SINGLE)


@compiled
def single_out(model: Any, t: int) -> None:
    """Let the messages that would have followed the failed one in the batch on thread ``t`` be delivered alone."""
    thread = thread_at(model, t)
    left = port_at(model, thread.port).batch_limit - queue_at(model, thread.batch).count - 1
    m = queue_at(model, _source(model, t)).head
    while left > 0 and m != NONE and thread.alone == 0 and message_at(model, m).worker != SINGLE:
        message_at(model, m).worker = SINGLE
        m = message_at(model, m).next
        left -= 1


@inline
def keep(model: Any, t: int) -> None:
    """Put the message that thread ``t`` has just done with those that wait for the commit."""
    thread = thread_at(model, t)
    message = message_at(model, thread.message)
    message.waiting += model.now - message.mark
    message.mark = model.now
    append(model, thread.batch, thread.message)
    thread.message = NONE


@inline
def too_old(model: Any, t: int) -> bool:
    """Say whether the transaction on thread ``t`` has outlived its limit; exactly the limit is not too old."""
    thread = thread_at(model, t)
    lifetime = stream_at(model, port_at(model, thread.port).stream).lifetime
    return bool(lifetime > 0.0 and model.now - thread.began > lifetime)


@compiled
def shrink(model: Any, p: int) -> None:
    """Halve the batches of port ``p`` after a transaction timeout."""
    port = port_at(model, p)
    port.batch_limit = max(port.batch_limit // 2, 1)


@inline
def recover(model: Any, p: int) -> None:
    """Let the batches of port ``p`` grow again, twofold per commit, after they were made smaller."""
    port = port_at(model, p)
    port.batch_limit = min(port.batch_limit * 2, stream_at(model, port.stream).batch)
