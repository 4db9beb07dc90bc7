"""How a delivery ends: committed, failed, timed out on the prepared queue, timed out while dispatched."""

from typing import Any

from simulations.engine.compiled import compiled, inline
from simulations.engine.cpus import evict, leave
from simulations.engine.events import cancel, schedule
from simulations.engine.gates import leave_port
from simulations.engine.layout import (
    NONE,
    State,
    Step,
    completed_at,
    member_at,
    message_at,
    port_at,
    queue_at,
    servant_at,
    slot_at,
    stream_at,
    thread_at,
)
from simulations.engine.messages import bring_back
from simulations.engine.observe import accrue_member, accrue_stream, note, record_latency, record_outcome
from simulations.engine.pools import serve, set_idle, stop_working
from simulations.engine.queues import pop, release, remove
from simulations.engine.streams import uniform

_HELD = int(State.HELD)
_BUSY = int(State.BUSY)
_IDLE = int(State.IDLE)
_ABSENT = int(State.ABSENT)
_COMPLETE = int(Step.COMPLETE)
_FAIL = int(Step.FAIL)
_EXPIRE = int(Step.EXPIRE)
_OVERRUN = int(Step.OVERRUN)
_ATTEMPTS = 1 << 40
"""Addresses of the failure marks: message index + attempt x 2^40, so attempts of all messages are distinct."""


@inline
def _fails(stream: Any, message: Any) -> bool:
    if stream.poison_rate > 0.0 and uniform(stream.poison_key, message.index) < stream.poison_rate:
        return True
    if stream.failure_rate == 0.0:
        return False
    address = message.index + message.deliveries * _ATTEMPTS
    return bool(uniform(stream.failure_key, address) < stream.failure_rate)


@inline
def _stop_running(model: Any, t: int) -> int:
    """Take the message of thread ``t`` out of the running population and return it."""
    thread = thread_at(model, t)
    m = thread.message
    port = port_at(model, thread.port)
    q = port.stream
    stream = stream_at(model, q)
    accrue_stream(model, q)
    stream.running -= 1
    port.running -= 1
    if stream.dispatch_timeout > 0.0:
        remove(model, port.running_list, m)
    return int(m)


@compiled
def _complete(model: Any, q: int, m: int, p: int) -> None:
    """Record the commit of message ``m`` and free its slot."""
    message = message_at(model, m)
    latency = model.now - message.arrived
    record_latency(model, q, message, latency)
    record_outcome(model, q, message.arrived)
    completed_at(model, q * model.most_instances + port_at(model, p).instance).count += 1
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
    message.deliveries += 1
    message.waiting += model.now - message.mark
    message.mark = model.now
    schedule(model, t, model.now + stream.retry_delay)


@compiled
def _resume(model: Any, t: int) -> None:
    """Serve the message again whose retry in place kept thread ``t``; all its time before is redelivery time."""
    thread = thread_at(model, t)
    message = message_at(model, thread.message)
    accrue_member(model, thread.member)
    member = member_at(model, thread.member)
    member.held -= 1
    member.busy += 1
    thread.state = _BUSY
    thread.since = model.now
    message.redelivery = model.now - message.arrived
    message.destination = 0.0
    message.prepared = 0.0
    message.thread = 0.0
    message.cpu = 0.0
    message.waiting = 0.0
    message.downstream = 0.0
    message.mark = model.now
    serve(model, t)


@compiled
def _fail(model: Any, t: int) -> bool:
    """Count the failed delivery on thread ``t``; True when it is retried in place, else it has been rolled back."""
    thread = thread_at(model, t)
    message = message_at(model, thread.message)
    q = message.stream
    stream = stream_at(model, q)
    stream_at(model, q).failed += 1
    stream_at(model, q).rollbacks += 1
    note(model, _FAIL, q, message.index, port_at(model, thread.port).inflight)
    last = stream.retry_limit > 0 and message.deliveries + 1 >= stream.retry_limit
    if stream.in_place == 1 and not last:
        _retry_in_place(model, t)
        return True
    _roll_back(model, t)
    set_idle(model, t)
    return False


@compiled
def _roll_back(model: Any, t: int) -> None:
    """Take the message off thread ``t``, which stops working, and bring it back to its destination."""
    p = thread_at(model, t).port
    m = _stop_running(model, t)
    stream_at(model, port_at(model, p).stream).seconds_wasted += stop_working(model, t)
    leave_port(model, p)
    bring_back(model, m, True)  # noqa: FBT003


@inline
def end_service(model: Any, ext: Any, t: int) -> int:
    """End what thread ``t`` was doing; return its port, or NONE when the thread goes on with the same message."""
    thread = thread_at(model, t)
    if thread.state == _HELD:
        _resume(model, t)
        return NONE
    p = thread.port
    q = port_at(model, p).stream
    message = message_at(model, thread.message)
    model.events += 1
    if _fails(stream_at(model, q), message):
        return NONE if _fail(model, t) else int(p)
    message.waiting += model.now - message.mark
    m = _stop_running(model, t)
    stop_working(model, t)
    leave_port(model, p)
    _complete(model, q, m, p)
    set_idle(model, t)
    return int(p)


@compiled
def end_cpu(model: Any, m: int) -> int:
    """End the CPU part of a thread of member ``m``; the waiting part follows. Returns the thread if there is none."""
    t = leave(model, m)
    message = message_at(model, thread_at(model, t).message)
    message.cpu += model.now - message.mark
    message.mark = model.now
    rest = thread_at(model, t).rest
    if rest > 0.0:
        schedule(model, t, model.now + rest)
        return NONE
    return int(t)


@compiled
def expire(model: Any, p: int) -> None:
    """Bring back the messages of port ``p`` that have been prepared for the whole queue timeout.

    They are dropped before dispatch: in flight goes down, the preparation is lost. The timer belongs to the port, not
    to a message: messages leave in order, so it is enough to look again at the deadline of the first in line.
    """
    port = port_at(model, p)
    q = port.stream
    stream = stream_at(model, q)
    while True:
        head = queue_at(model, port.prepared).head
        if head == NONE:
            return
        deadline = message_at(model, head).ready + stream.queue_timeout
        if deadline > model.now:
            schedule(model, port.queue_slot, deadline)
            return
        model.events += 1
        accrue_stream(model, q)
        pop(model, port.prepared)
        stream.prepared -= 1
        leave_port(model, p)
        stream_at(model, q).queue_timeouts += 1
        note(model, _EXPIRE, q, message_at(model, head).index, port.inflight)
        bring_back(model, head, False)  # noqa: FBT003


@inline
def _halt(model: Any, t: int) -> None:
    """Stop the service of thread ``t`` in the middle and bring its message back."""
    if slot_at(model, t).place == NONE:
        evict(model, t)
    else:
        cancel(model, t)
    if thread_at(model, t).state == _HELD:
        thread = thread_at(model, t)
        accrue_member(model, thread.member)
        member_at(model, thread.member).held -= 1
        member_at(model, thread.member).busy += 1
        thread.since = model.now
    _roll_back(model, t)


@compiled
def _lose_servant(model: Any, s: int) -> None:
    """End servant ``s``: all it runs is rolled back and its threads are held until the replacement has started."""
    servant = servant_at(model, s)
    m = servant.member
    member = member_at(model, m)
    accrue_member(model, m)
    for t in range(servant.first_thread, servant.first_thread + member.threads_per_servant):
        thread = thread_at(model, t)
        if thread.state == _IDLE:
            _unlink(model, t)
            member.idle -= 1
        else:
            _halt(model, t)
        thread.state = _ABSENT
        member.held += 1
    schedule(model, servant.slot, model.now + member.servant_start_time)


@compiled
def _unlink(model: Any, t: int) -> None:
    """Take thread ``t`` out of the list of idle threads."""
    member = member_at(model, thread_at(model, t).member)
    if member.free == t:
        member.free = thread_at(model, t).next
        return
    at = member.free
    while thread_at(model, at).next != t:
        at = thread_at(model, at).next
    thread_at(model, at).next = thread_at(model, t).next


@compiled
def servant_ready(model: Any, s: int) -> int:
    """Give the threads of the replaced servant ``s`` back; return its member."""
    servant = servant_at(model, s)
    m = servant.member
    member = member_at(model, m)
    accrue_member(model, m)
    for t in range(servant.first_thread, servant.first_thread + member.threads_per_servant):
        member.held -= 1
        set_idle(model, t)
    return int(m)


@compiled
def overrun(model: Any, p: int) -> None:
    """End the deliveries of port ``p`` that are not done within the dispatch timeout, counted from queueing."""
    port = port_at(model, p)
    q = port.stream
    stream = stream_at(model, q)
    while True:
        head = queue_at(model, port.running_list).head
        if head == NONE:
            return
        deadline = message_at(model, head).ready + stream.dispatch_timeout
        if deadline > model.now:
            if slot_at(model, port.dispatch_slot).place == NONE:
                schedule(model, port.dispatch_slot, deadline)
            return
        model.events += 1
        stream_at(model, q).dispatch_timeouts += 1
        note(model, _OVERRUN, q, message_at(model, head).index, port.inflight)
        t = message_at(model, head).worker
        if stream.restart == 1:
            _lose_servant(model, thread_at(model, t).servant)
        else:
            _halt(model, t)
            set_idle(model, t)
