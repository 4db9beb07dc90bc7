"""Transactions: batches of messages on one thread, their commit and their rollback.

A batch closes when it is full or no further message is immediately available; it does not wait to fill. Any failing
message rolls the whole batch back, and each of its messages, the ones still to come included, is then delivered in a
transaction of its own. If the transaction's lifetime was the cause, batches become smaller instead for a while
(WebLogic, Using Batching with MDBs).
"""

from simulations.engine.compiled import compiled, inline
from simulations.engine.events.messages import next_line
from simulations.engine.events.queues import append
from simulations.engine.records.codes import NONE, SINGLE, Staging
from simulations.engine.records.layout import Model, Queue


@inline
def _source(model: Model, t: int) -> Queue:
    """Return the line from which thread ``t`` takes the next message of its batch."""
    thread = model.threads[t]
    port = model.ports[thread.port]
    staging = model.streams[port.stream].staging
    if staging == Staging.PIPELINE:
        return model.queues[model.sessions[thread.session].queue]
    if staging in (Staging.DIRECT, Staging.POLLED):
        return next_line(model, port.stream, port.destination)
    return model.queues[port.prepared]


@inline
def takes_more(model: Model, t: int) -> bool:
    """Say whether the batch on thread ``t``, whose last message has just been done, takes one more message."""
    thread = model.threads[t]
    port = model.ports[thread.port]
    stream = model.streams[port.stream]
    done = model.queues[thread.batch]
    if stream.stopped == 1 or done.count >= port.batch_limit or thread.alone == 1:
        return False
    head = _source(model, t).head
    if head == NONE:
        return stream.saturated == 1 and stream.staging in (Staging.DIRECT, Staging.POLLED)
    return model.messages[head].worker != SINGLE


@compiled
def single_out(model: Model, t: int) -> None:
    """Let the messages that would have followed the failed one in the batch on thread ``t`` be delivered alone."""
    thread = model.threads[t]
    left = model.ports[thread.port].batch_limit - model.queues[thread.batch].count - 1
    m = _source(model, t).head
    while left > 0 and m != NONE and thread.alone == 0 and model.messages[m].worker != SINGLE:
        model.messages[m].worker = SINGLE
        m = model.messages[m].next
        left -= 1


@inline
def await_commit(model: Model, t: int) -> None:
    """Put the message that thread ``t`` has just finished with those that wait for the commit."""
    thread = model.threads[t]
    message = model.messages[thread.message]
    message.waiting += model.now - message.mark
    message.mark = model.now
    append(model.messages, model.queues[thread.batch], thread.message)
    thread.message = NONE


@inline
def has_outlived_limit(model: Model, t: int) -> bool:
    """Say whether the transaction on thread ``t`` has lasted longer than its limit."""
    thread = model.threads[t]
    lifetime = model.streams[model.ports[thread.port].stream].lifetime
    return lifetime > 0.0 and model.now - thread.began > lifetime


@compiled
def halve_batches(model: Model, p: int) -> None:
    """Halve the batches of port ``p`` after a transaction timeout."""
    port = model.ports[p]
    port.batch_limit = max(port.batch_limit // 2, 1)


@inline
def grow_batches(model: Model, p: int) -> None:
    """Double the batches of port ``p`` again at each commit after they were made smaller."""
    port = model.ports[p]
    port.batch_limit = min(port.batch_limit * 2, model.streams[port.stream].batch)
