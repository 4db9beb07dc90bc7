"""Threads: which message a free thread takes next, and what a thread does from start to release."""

from typing import Any

from simulations.engine.compiled import compiled, inline
from simulations.engine.cpus import enter
from simulations.engine.events import KIND_SHIFT, schedule
from simulations.engine.laws import draw
from simulations.engine.layout import (
    NONE,
    Kind,
    Staging,
    State,
    Step,
    law_at,
    member_at,
    message_at,
    port_at,
    queue_at,
    slot_at,
    stream_at,
    thread_at,
)
from simulations.engine.messages import take, waits
from simulations.engine.observe import accrue_member, accrue_stream, note
from simulations.engine.queues import append, pop

_DIRECT = int(Staging.DIRECT)
_IDLE = int(State.IDLE)
_BUSY = int(State.BUSY)
_HELD = int(State.HELD)
_START = int(Step.START)
_SERVICE = int(Kind.SERVICE_END) << KIND_SHIFT


@inline
def wants_thread(model: Any, p: int) -> bool:
    """Say whether port ``p`` has a message for a free thread and may use one more."""
    port = port_at(model, p)
    stream = stream_at(model, port.stream)
    if stream.stopped == 1 or port.running >= port.concurrency:
        return False
    if stream.staging == _DIRECT:
        return waits(model, port.stream, port.destination)
    return bool(queue_at(model, port.prepared).count > 0)


@inline
def _ticket(model: Any, p: int) -> int:
    """Return when, as a sequence number, the message that port ``p`` offers began to wait for a thread."""
    port = port_at(model, p)
    staged = stream_at(model, port.stream).staging != _DIRECT
    head = queue_at(model, port.prepared).head if staged else queue_at(model, port.destination).head
    return int(port.ticket if head == NONE else message_at(model, head).ticket)


@inline
def choose(model: Any, ext: Any, m: int) -> int:
    """Return the port that gets the next free thread of member ``m``: the oldest waiting message first (FIFO)."""
    member = member_at(model, m)
    best = NONE
    best_ticket = 0
    for p in range(member.first_port, member.first_port + member.ports):
        if wants_thread(model, p):
            if member.ports == 1:
                return int(p)
            ticket = _ticket(model, p)
            if best == NONE or ticket < best_ticket:
                best = p
                best_ticket = ticket
    return int(best)


@inline
def take_thread(model: Any, m: int) -> int:
    """Take an idle thread of member ``m``, the one released last."""
    member = member_at(model, m)
    t = member.free
    member.free = thread_at(model, t).next
    accrue_member(model, m)
    member.idle -= 1
    member.busy += 1
    thread = thread_at(model, t)
    thread.state = _BUSY
    thread.since = model.now
    return int(t)


@inline
def stop_working(model: Any, t: int) -> float:
    """End the busy time of thread ``t``, which is in no state then, and return its length in seconds."""
    thread = thread_at(model, t)
    accrue_member(model, thread.member)
    member = member_at(model, thread.member)
    member.busy -= 1
    worked = model.now - thread.since
    member.service_sum += worked
    thread.message = NONE
    return float(worked)


@inline
def set_idle(model: Any, t: int) -> None:
    """Give thread ``t`` back to its member."""
    thread = thread_at(model, t)
    member = member_at(model, thread.member)
    thread.state = _IDLE
    thread.next = member.free
    member.free = t
    member.idle += 1


@compiled
def serve(model: Any, t: int) -> None:
    """Begin ``onMessage`` on thread ``t``: first the CPU part of the demand, then the waiting part."""
    thread = thread_at(model, t)
    message = message_at(model, thread.message)
    stream = stream_at(model, message.stream)
    model.sequence += 1
    slot_at(model, t).order = _SERVICE + model.sequence
    demand = draw(model, law_at(model, stream.law), stream.service_key, message.index)
    if stream.cpu_share > 0.0:
        thread.rest = demand * (1.0 - stream.cpu_share)
        enter(model, t, demand * stream.cpu_share)
    else:
        schedule(model, t, model.now + demand)


@compiled
def start(model: Any, ext: Any, p: int) -> bool:
    """Give a free thread to port ``p``; False when the stream needs message slots first."""
    port = port_at(model, p)
    q = port.stream
    stream = stream_at(model, q)
    if stream.staging == _DIRECT:
        m = take(model, q, port.destination)
        if m == NONE:
            return False
        accrue_stream(model, q)
        stream.backlog -= 1
        port.inflight += 1
        message = message_at(model, m)
        message.thread += model.now - message.mark
        message.ready = model.now
        model.ticket += 1
        port.ticket = model.ticket
    else:
        accrue_stream(model, q)
        m = pop(model, port.prepared)
        stream.prepared -= 1
        message = message_at(model, m)
        message.prepared += model.now - message.mark
    message.mark = model.now
    stream.running += 1
    port.running += 1
    t = take_thread(model, port.member)
    thread_at(model, t).message = m
    thread_at(model, t).port = p
    message.worker = t
    note(model, _START, q, message.index, port.inflight)
    if stream.dispatch_timeout > 0.0:
        _watch(model, p, m)
    serve(model, t)
    return True


@compiled
def _watch(model: Any, p: int, m: int) -> None:
    """Put message ``m`` under the dispatch timeout of port ``p``; the first in line holds the port's timer."""
    port = port_at(model, p)
    append(model, port.running_list, m)
    if slot_at(model, port.dispatch_slot).place == NONE:
        deadline = message_at(model, m).ready + stream_at(model, port.stream).dispatch_timeout
        schedule(model, port.dispatch_slot, max(deadline, model.now))


@compiled
def dispatch(model: Any, ext: Any, m: int) -> None:
    """Give idle threads of member ``m`` to waiting messages while there are both."""
    member = member_at(model, m)
    while member.idle > 0:
        p = choose(model, ext, m)
        if p == NONE or not start(model, ext, p):
            break


@compiled
def offer(model: Any, ext: Any, q: int) -> None:
    """Offer the messages on the destination of the direct stream ``q`` to instances with a free thread, in turn."""
    stream = stream_at(model, q)
    tried = 0
    while tried < stream.instances and waits(model, q, stream.destination):
        if stream.rotation >= stream.instances:
            stream.rotation = 0
        p = stream.first_port + stream.rotation * stream.stride
        stream.rotation += 1
        if member_at(model, port_at(model, p).member).idle > 0 and wants_thread(model, p) and start(model, ext, p):
            tried = 0
        else:
            tried += 1
