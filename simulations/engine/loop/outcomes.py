"""Outcomes of a delivery: commit, failure with rollback, failure with a retry in place."""

from simulations.engine.compiled import compiled, inline
from simulations.engine.draws.numbers import ATTEMPTS, uniform
from simulations.engine.events.agenda import schedule
from simulations.engine.events.messages import bring_back, count_delivery, discard, is_poison, is_urgent
from simulations.engine.events.queues import release, remove
from simulations.engine.measures.latencies import record_latency
from simulations.engine.measures.observe import accrue_stream, change_resting, note, note_recovery, record_outcome
from simulations.engine.mechanisms.chains import are_refused, go_on
from simulations.engine.mechanisms.gates import leave_port
from simulations.engine.records.codes import NONE, State, Step
from simulations.engine.records.layout import Message, Model, beyond
from simulations.engine.records.stream import Stream
from simulations.engine.threads.pools import release_thread
from simulations.engine.threads.service import vacate
from simulations.engine.threads.states import stop_working


@inline
def fails(model: Model, ext: int | None, stream: Stream, message: Message) -> bool:
    """Say whether this delivery of ``message`` fails at the end of ``onMessage``."""
    if beyond(ext, stream) and (stream.broken == 1 or (stream.sends > 0 and are_refused(model, stream, message.index))):
        return True
    if is_poison(stream, message):
        return True
    if stream.failure_rate == 0.0:
        return False
    address = message.index + int(message.deliveries) * ATTEMPTS
    return uniform(stream.failure_key, address) < stream.failure_rate


@inline
def stop_running(model: Model, t: int) -> int:
    """Take the message of thread ``t`` out of the running population and return it."""
    thread = model.threads[t]
    m = thread.message
    port = model.ports[thread.port]
    q = port.stream
    stream = model.streams[q]
    accrue_stream(model, q)
    stream.running -= 1
    if stream.dispatch_timeout > 0.0:
        remove(model.messages, model.queues[port.running_list], m)
    return m


@inline
def complete(model: Model, ext: int | None, q: int, m: int, p: int, waiting: float, commit: float) -> None:
    """Record the commit of message ``m``, with the last parts of its latency, and free its slot."""
    message = model.messages[m]
    latency = model.now - message.arrived
    record_latency(model, q, message, latency, waiting, commit)
    record_outcome(model, q, message)
    model.per_instance[q * model.most_instances + model.ports[p].instance].count += 1
    if beyond(ext, model.streams[q]):
        model.members[model.ports[p].member].finished += 1
        note_recovery(model, q)
        if is_urgent(model.streams[q], message):
            model.streams[q].urgent += 1
            model.streams[q].seconds_urgent += latency
    note(model, Step.COMPLETE, q, message.index, model.ports[p].inflight)
    index = message.index
    release(model, m)
    if beyond(ext, model.streams[q]) and model.streams[q].chained == 1:
        go_on(model, q, m, index)


@compiled
def _retry_in_place(model: Model, t: int) -> None:
    """Hold thread ``t`` and its place in flight for the redelivery delay; then the message is served again."""
    thread = model.threads[t]
    m = thread.message
    message = model.messages[m]
    stream = model.streams[message.stream]
    worked = stop_working(model, t)
    thread.message = m
    thread.state = State.HELD
    model.members[thread.member].held += 1
    stream.seconds_wasted += worked
    model.streams[message.stream].redeliveries += 1
    change_resting(model, message.stream, 1)
    count_delivery(stream, message)
    message.waiting += model.now - message.mark
    message.mark = model.now
    schedule(model, t, model.now + stream.retry_delay)


@inline
def _is_lost(stream: Stream, message: Message) -> bool:
    """Say whether this failed delivery of ``message`` was acknowledged all the same."""
    address = message.index + int(message.deliveries) * ATTEMPTS
    return stream.loss_rate > 0.0 and uniform(stream.loss_key, address) < stream.loss_rate


@compiled
def fail(model: Model, ext: int | None, t: int) -> bool:
    """Count the failed delivery on thread ``t``; True when it is retried in place, else it has been rolled back."""
    thread = model.threads[t]
    message = model.messages[thread.message]
    q = message.stream
    stream = model.streams[q]
    model.streams[q].failed += 1
    note(model, Step.FAIL, q, message.index, model.ports[thread.port].inflight)
    last = stream.retry_limit > 0 and message.deliveries + 1 >= stream.retry_limit
    lost = beyond(ext, stream) and _is_lost(stream, message)
    if stream.in_place == 1 and not (last or lost):
        _retry_in_place(model, t)
        return True
    p = thread.port
    roll_back(model, ext, t, lost)
    release_thread(model, ext, t, p)
    return False


@compiled
def roll_back(model: Model, ext: int | None, t: int, lost: bool) -> None:  # noqa: FBT001 - compiled code
    """Take the message off thread ``t``, which stops working, and bring it back to its destination, or drop it."""
    p = model.threads[t].port
    m = stop_running(model, t)
    model.messages[m].worker = NONE
    vacate(model, ext, p)
    stream = model.streams[model.ports[p].stream]
    stream.seconds_wasted += stop_working(model, t)
    leave_port(model, p)
    if lost:
        stream.dropped += 1
        discard(model, Step.DROP, model.ports[p].stream, m)
        return
    stream.rollbacks += 1
    bring_back(model, m, True)  # noqa: FBT003
