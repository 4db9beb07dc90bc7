"""The end of each part of a service and of a delivery; commit and rollback of the batch on a thread."""

from simulations.engine.compiled import compiled, inline
from simulations.engine.events.agenda import schedule
from simulations.engine.events.messages import bring_back, forget_times
from simulations.engine.events.queues import append, pop, remove
from simulations.engine.loop.outcomes import complete, fail, fails, stop_running
from simulations.engine.measures.observe import accrue_member, accrue_stream, change_resting, note
from simulations.engine.mechanisms.batches import (
    await_commit,
    grow_batches,
    halve_batches,
    has_outlived_limit,
    single_out,
    takes_more,
)
from simulations.engine.mechanisms.cpus import leave
from simulations.engine.mechanisms.gates import leave_port
from simulations.engine.mechanisms.resources import acquire, give_back
from simulations.engine.records.codes import NONE, SINGLE, Stage, State, Step
from simulations.engine.records.layout import Model, beyond
from simulations.engine.threads.pools import release_thread
from simulations.engine.threads.service import begin, resume_work, serve, vacate
from simulations.engine.threads.states import stop_working


@compiled
def end_in_transaction(model: Model, ext: int | None, t: int) -> int:
    """End ``onMessage`` inside a transaction: roll back, take one more message into the batch, or commit."""
    thread = model.threads[t]
    p = thread.port
    stream = model.streams[model.ports[p].stream]
    message = model.messages[thread.message]
    if has_outlived_limit(model, t):
        stream.transaction_timeouts += 1
        note(model, Step.OVERRUN, model.ports[p].stream, message.index, model.ports[p].inflight)
        _roll_back_batch(model, ext, t, False)  # noqa: FBT003
        halve_batches(model, p)
        return p
    if fails(model, ext, stream, message):
        if stream.in_place == 1 and model.queues[thread.batch].count == 0:
            return NONE if fail(model, ext, t) else int(p)
        stream.failed += 1
        note(model, Step.FAIL, model.ports[p].stream, message.index, model.ports[p].inflight)
        single_out(model, t)
        _roll_back_batch(model, ext, t, stream.batch > 1)
        return p
    if stream.dispatch_timeout > 0.0:
        remove(model.messages, model.queues[model.ports[p].running_list], thread.message)
    await_commit(model, t)
    if takes_more(model, t) and begin(model, ext, t, p, thread.session):
        change_resting(model, model.ports[p].stream, 1)
        return p
    if stream.commit_time == 0.0:
        return commit(model, ext, t)
    thread.stage = Stage.COMMIT
    schedule(model, t, model.now + stream.commit_time)
    return NONE


@compiled
def commit(model: Model, ext: int | None, t: int) -> int:
    """Complete the messages of the batch on thread ``t``: they count as consumed now."""
    thread = model.threads[t]
    p = thread.port
    q = model.ports[p].stream
    stream = model.streams[q]
    accrue_stream(model, q)
    batch = model.queues[thread.batch]
    stream.batches += 1
    stream.batched += batch.count
    change_resting(model, q, 1 - batch.count)
    grow_batches(model, p)
    stop_working(model, t)
    vacate(model, ext, p)
    while batch.count > 0:
        m = pop(model.messages, model.queues[thread.batch])
        message = model.messages[m]
        stream.running -= 1
        leave_port(model, p)
        ending = model.now - message.mark
        stream.seconds_wait_batch += max(ending - stream.commit_time, 0.0)
        complete(model, ext, q, m, p, message.waiting, ending)
    release_thread(model, ext, t, p)
    return p


@compiled
def _return_batch(model: Model, t: int, alone: bool) -> None:  # noqa: FBT001 - compiled code takes no keywords
    """Bring the messages of the batch on thread ``t`` back, in their order, ``alone`` from now on or not."""
    thread = model.threads[t]
    p = thread.port
    stream = model.streams[model.ports[p].stream]
    batch = model.queues[thread.batch]
    while batch.count > 0:
        m = batch.head if stream.retry_delay > 0.0 else batch.tail
        remove(model.messages, model.queues[thread.batch], m)
        model.messages[m].worker = SINGLE if alone else NONE
        stream.running -= 1
        leave_port(model, p)
        bring_back(model, m, True)  # noqa: FBT003


@compiled
def _roll_back_batch(model: Model, ext: int | None, t: int, alone: bool) -> None:  # noqa: FBT001 - compiled code
    """Roll the transaction on thread ``t`` back as a whole."""
    abort(model, ext, t, alone)
    release_thread(model, ext, t, model.threads[t].port)


@compiled
def abort(model: Model, ext: int | None, t: int, alone: bool) -> None:  # noqa: FBT001 - compiled code takes no keywords
    """Stop thread ``t`` and bring everything in its transaction back."""
    thread = model.threads[t]
    p = thread.port
    q = model.ports[p].stream
    stream = model.streams[q]
    accrue_stream(model, q)
    stream.rollbacks += 1
    if thread.message != NONE:
        if stream.dispatch_timeout > 0.0:
            remove(model.messages, model.queues[model.ports[p].running_list], thread.message)
        append(model.messages, model.queues[thread.batch], thread.message)
    change_resting(model, q, 1 - model.queues[thread.batch].count)
    stream.seconds_wasted += stop_working(model, t)
    vacate(model, ext, p)
    _return_batch(model, t, alone)


@compiled
def _resume(model: Model, ext: int | None, t: int) -> None:
    """Serve the message again whose retry in place kept thread ``t``; all its time before is redelivery time."""
    thread = model.threads[t]
    message = model.messages[thread.message]
    accrue_member(model, thread.member)
    model.members[thread.member].held -= 1
    change_resting(model, message.stream, -1)
    resume_work(model, t)
    message.redelivery = model.now - message.arrived
    forget_times(message)
    message.mark = model.now
    serve(model, ext, t)


@inline
def end_service(model: Model, ext: int | None, t: int) -> int:
    """End what thread ``t`` was doing; return its port, or NONE when nothing else can move because of it."""
    thread = model.threads[t]
    if thread.state == State.HELD:
        _resume(model, ext, t)
        return NONE
    p = thread.port
    q = model.ports[p].stream
    stream = model.streams[q]
    if beyond(ext, stream):
        if thread.stage == Stage.BEFORE:
            acquire(model, t)
            return NONE
        if thread.stage == Stage.COMMIT:
            return commit(model, ext, t)
    message = model.messages[thread.message]
    if beyond(ext, stream):
        if stream.resource != NONE:
            give_back(model, t)
        if stream.transactional == 1:
            return end_in_transaction(model, ext, t)
    if fails(model, ext, stream, message):
        return NONE if fail(model, ext, t) else int(p)
    m = stop_running(model, t)
    stop_working(model, t)
    vacate(model, ext, p)
    leave_port(model, p)
    complete(model, ext, q, m, p, message.waiting + (model.now - message.mark), 0.0)
    release_thread(model, ext, t, p)
    return p


@compiled
def end_cpu(model: Model, m: int) -> int:
    """End the CPU part of a thread of member ``m``; the waiting part follows. Returns the thread if there is none."""
    t = leave(model, m)
    message = model.messages[model.threads[t].message]
    shared = model.now - message.mark
    message.cpu += shared
    message.crowding += shared
    message.mark = model.now
    rest = model.threads[t].rest
    if rest > 0.0:
        schedule(model, t, model.now + rest)
        return NONE
    return t
