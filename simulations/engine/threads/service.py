"""A thread and its message: taken from where it waits, begun, and served in parts."""

from typing import Any

from simulations.engine.compiled import compiled, inline
from simulations.engine.draws.laws import draw_service
from simulations.engine.draws.streams import ATTEMPTS
from simulations.engine.events.agenda import KIND_SHIFT, cancel, is_set, schedule
from simulations.engine.events.beyond import beyond
from simulations.engine.events.messages import take
from simulations.engine.events.queues import insert_after, pop
from simulations.engine.measures.observe import accrue_member, accrue_stream, note
from simulations.engine.mechanisms.constraints import charge
from simulations.engine.mechanisms.pipelines import next_of, prefetch
from simulations.engine.mechanisms.resources import begin_shared, work
from simulations.engine.mechanisms.windows import note_starving
from simulations.engine.records.layout import (
    NONE,
    SINGLE,
    Kind,
    Staging,
    State,
    Step,
    member_at,
    message_at,
    port_at,
    queue_at,
    slot_at,
    stream_at,
    thread_at,
)

_DIRECT = int(Staging.DIRECT)
_POLLED = int(Staging.POLLED)
_WINDOW = int(Staging.WINDOW)
_BUSY = int(State.BUSY)
_START = int(Step.START)
_SERVICE = int(Kind.SERVICE_END) << KIND_SHIFT


@inline
def serve(model: Any, ext: Any, t: int) -> None:
    """Begin ``onMessage`` on thread ``t``: first the CPU part of the demand, then the waiting part."""
    message = message_at(model, thread_at(model, t).message)
    stream = stream_at(model, message.stream)
    model.sequence += 1
    slot_at(model, t).order = _SERVICE + model.sequence
    address = message.index + int(message.deliveries) * ATTEMPTS
    demand = draw_service(model, stream, address)
    if beyond(ext, stream):
        thread_at(model, t).stage = 0
        if stream.resource != NONE:
            begin_shared(model, t, demand)
            return
    on_cpu = demand * stream.cpu_share
    work(model, t, on_cpu, demand - on_cpu)


@inline
def occupy(model: Any, ext: Any, p: int) -> None:
    """Count one more thread in use by port ``p``."""
    port = port_at(model, p)
    if beyond(ext, stream_at(model, port.stream)):
        charge(model, p, 1)
        port.starts += 1
    port.running += 1


@inline
def vacate(model: Any, ext: Any, p: int) -> None:
    """Count one thread less in use by port ``p``."""
    port = port_at(model, p)
    if beyond(ext, stream_at(model, port.stream)):
        charge(model, p, -1)
    port.running -= 1


@inline
def go_on_working(model: Any, t: int) -> None:
    """Make thread ``t``, which is in no state, busy again."""
    thread = thread_at(model, t)
    accrue_member(model, thread.member)
    member_at(model, thread.member).busy += 1
    thread.state = _BUSY
    thread.since = model.now


@inline
def _take_off(model: Any, ext: Any, p: int) -> int:
    """Take the next message of port ``p`` off its destination, for a thread that begins with it at once."""
    port = port_at(model, p)
    q = port.stream
    stream = stream_at(model, q)
    m = take(model, q, port.destination)
    if m == NONE:
        return NONE
    accrue_stream(model, q)
    stream.backlog -= 1
    port.inflight += 1
    message = message_at(model, m)
    if beyond(ext, stream) and stream.staging == _POLLED:
        message.destination += model.now - message.mark
    else:
        message.thread += model.now - message.mark
    message.ready = model.now
    model.ticket += 1
    port.ticket = model.ticket
    return m


@inline
def _take_prepared(model: Any, ext: Any, p: int, s: int) -> int:
    """Take the next prepared message of port ``p``, or of its session ``s`` unless that is NONE."""
    port = port_at(model, p)
    stream = stream_at(model, port.stream)
    accrue_stream(model, port.stream)
    m = next_of(model, s) if beyond(ext, stream) and s != NONE else pop(model, port.prepared)
    stream.prepared -= 1
    message = message_at(model, m)
    message.prepared += model.now - message.mark
    return int(m)


@compiled
def _watch(model: Any, p: int, m: int) -> None:
    """Put message ``m`` under the dispatch timeout of port ``p``: in order of deadline, the first has the port's timer.

    Only sessions with buffers of their own begin with messages in another order than that of their deadlines.
    """
    port = port_at(model, p)
    before = queue_at(model, port.running_list).tail
    while before != NONE and message_at(model, before).ready > message_at(model, m).ready:
        before = message_at(model, before).prev
    insert_after(model, port.running_list, before, m)
    if before == NONE:
        cancel(model, port.dispatch_slot)
    if not is_set(model, port.dispatch_slot):
        deadline = (
            message_at(model, queue_at(model, port.running_list).head).ready
            + stream_at(model, port.stream).dispatch_timeout
        )
        schedule(model, port.dispatch_slot, max(deadline, model.now))


@inline
def begin(model: Any, ext: Any, t: int, p: int, s: int) -> bool:
    """Let thread ``t`` begin with the next message of port ``p`` (of its session ``s``, unless NONE).

    False when a saturated stream needs message slots first.
    """
    port = port_at(model, p)
    q = port.stream
    stream = stream_at(model, q)
    direct = stream.staging == _DIRECT or (beyond(ext, stream) and stream.staging == _POLLED)
    m = _take_off(model, ext, p) if direct else _take_prepared(model, ext, p, s)
    if m == NONE:
        return False
    thread = thread_at(model, t)
    message = message_at(model, m)
    message.mark = model.now
    stream.running += 1
    if beyond(ext, stream):
        thread.session = s
        thread.alone = 1 if message.worker == SINGLE else 0
    thread.message = m
    thread.port = p
    message.worker = t
    note(model, _START, q, message.index, port.inflight)
    if beyond(ext, stream) and s != NONE:
        prefetch(model, q)
    if stream.staging == _WINDOW:
        note_starving(model, p)
    if stream.dispatch_timeout > 0.0:
        _watch(model, p, m)
    serve(model, ext, t)
    return True
