"""What a delivery can come to: commit, failure with rollback, failure with a retry in place."""

from typing import Any

from simulations.engine.compiled import compiled, inline
from simulations.engine.draws.streams import ATTEMPTS, uniform
from simulations.engine.events.agenda import schedule
from simulations.engine.events.beyond import beyond
from simulations.engine.events.messages import bring_back, count_delivery, is_poison
from simulations.engine.events.queues import release, remove
from simulations.engine.measures.latencies import record_latency
from simulations.engine.measures.observe import accrue_stream, note, record_outcome, rest_more
from simulations.engine.mechanisms.gates import leave_port
from simulations.engine.records.layout import (
    NONE,
    State,
    Step,
    completed_at,
    member_at,
    message_at,
    port_at,
    stream_at,
    thread_at,
)
from simulations.engine.threads.idle import stop_working
from simulations.engine.threads.pools import release_thread
from simulations.engine.threads.service import vacate

_HELD = int(State.HELD)
_COMPLETE = int(Step.COMPLETE)
_FAIL = int(Step.FAIL)


@inline
def fails(stream: Any, message: Any) -> bool:
    """Say whether this delivery of ``message`` fails at the end of ``onMessage``."""
    if is_poison(stream, message):
        return True
    if stream.failure_rate == 0.0:
        return False
    address = message.index + int(message.deliveries) * ATTEMPTS
    return bool(uniform(stream.failure_key, address) < stream.failure_rate)


@inline
def stop_running(model: Any, t: int) -> int:
    """Take the message of thread ``t`` out of the running population and return it."""
    thread = thread_at(model, t)
    m = thread.message
    port = port_at(model, thread.port)
    q = port.stream
    stream = stream_at(model, q)
    accrue_stream(model, q)
    stream.running -= 1
    if stream.dispatch_timeout > 0.0:
        remove(model, port.running_list, m)
    return int(m)


@inline
def complete(model: Any, ext: Any, q: int, m: int, p: int, waiting: float, commit: float) -> None:
    """Record the commit of message ``m``, with the last parts of its latency, and free its slot."""
    message = message_at(model, m)
    latency = model.now - message.arrived
    record_latency(model, q, message, latency, waiting, commit)
    record_outcome(model, q, message)
    completed_at(model, q * model.most_instances + port_at(model, p).instance).count += 1
    if beyond(ext, stream_at(model, q)):
        member_at(model, port_at(model, p).member).finished += 1
    note(model, _COMPLETE, q, message.index, port_at(model, p).inflight)
    release(model, m)


@compiled
def _retry_in_place(model: Any, t: int) -> None:
    """Hold thread ``t`` and its place in flight for the redelivery delay; then the message is served again."""
    thread = thread_at(model, t)
    m = thread.message
    message = message_at(model, m)
    stream = stream_at(model, message.stream)
    worked = stop_working(model, t)
    thread.message = m
    thread.state = _HELD
    member_at(model, thread.member).held += 1
    stream.seconds_wasted += worked
    stream_at(model, message.stream).redeliveries += 1
    rest_more(model, message.stream, 1)
    count_delivery(stream, message)
    message.waiting += model.now - message.mark
    message.mark = model.now
    schedule(model, t, model.now + stream.retry_delay)


@compiled
def fail(model: Any, ext: Any, t: int) -> bool:
    """Count the failed delivery on thread ``t``; True when it is retried in place, else it has been rolled back."""
    thread = thread_at(model, t)
    message = message_at(model, thread.message)
    q = message.stream
    stream = stream_at(model, q)
    stream_at(model, q).failed += 1
    note(model, _FAIL, q, message.index, port_at(model, thread.port).inflight)
    last = stream.retry_limit > 0 and message.deliveries + 1 >= stream.retry_limit
    if stream.in_place == 1 and not last:
        _retry_in_place(model, t)
        return True
    p = thread.port
    roll_back(model, ext, t)
    release_thread(model, ext, t, p)
    return False


@compiled
def roll_back(model: Any, ext: Any, t: int) -> None:
    """Take the message off thread ``t``, which stops working, and bring it back to its destination."""
    p = thread_at(model, t).port
    m = stop_running(model, t)
    message_at(model, m).worker = NONE
    vacate(model, ext, p)
    stream = stream_at(model, port_at(model, p).stream)
    stream.rollbacks += 1
    stream.seconds_wasted += stop_working(model, t)
    leave_port(model, p)
    bring_back(model, m, True)  # noqa: FBT003
