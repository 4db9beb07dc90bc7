"""Deliveries that take too long: on the prepared queue, or dispatched, with the loss of the servant if asked for."""

from typing import Any

from simulations.engine.compiled import compiled, inline
from simulations.engine.events.agenda import cancel, is_set, schedule
from simulations.engine.events.messages import bring_back
from simulations.engine.events.queues import pop
from simulations.engine.loop.outcomes import roll_back
from simulations.engine.loop.transactions import abort
from simulations.engine.measures.observe import accrue_member, accrue_stream, note, rest_more
from simulations.engine.mechanisms.cpus import evict
from simulations.engine.mechanisms.gates import leave_port
from simulations.engine.mechanisms.pipelines import free_session
from simulations.engine.mechanisms.pollers import call_poller, unlink_waiter
from simulations.engine.mechanisms.resources import abandon
from simulations.engine.records.layout import (
    NONE,
    Staging,
    State,
    Step,
    member_at,
    message_at,
    port_at,
    queue_at,
    servant_at,
    stream_at,
    thread_at,
)
from simulations.engine.threads.growth import servant_started
from simulations.engine.threads.idle import set_idle
from simulations.engine.threads.pools import release_thread
from simulations.engine.threads.service import go_on_working

_PIPELINE = int(Staging.PIPELINE)
_POLLED = int(Staging.POLLED)
_HELD = int(State.HELD)
_IDLE = int(State.IDLE)
_ABSENT = int(State.ABSENT)
_EXPIRE = int(Step.EXPIRE)
_OVERRUN = int(Step.OVERRUN)


@compiled
def expire(model: Any, p: int) -> None:
    """Bring back the first messages of port ``p`` that have been prepared for longer than the queue timeout.

    A thread that comes for a message that is too old rejects it instead of beginning with it, and so on until one is
    young enough: in flight goes down, the preparation is lost (IBM: control_region_mdb_queue_timeout_percent).
    """
    port = port_at(model, p)
    q = port.stream
    stream = stream_at(model, q)
    while True:
        head = queue_at(model, port.prepared).head
        if head == NONE or model.now <= message_at(model, head).ready + stream.queue_timeout:
            return
        accrue_stream(model, q)
        pop(model, port.prepared)
        stream.prepared -= 1
        leave_port(model, p)
        stream_at(model, q).queue_timeouts += 1
        note(model, _EXPIRE, q, message_at(model, head).index, port.inflight)
        bring_back(model, head, False)  # noqa: FBT003


@inline
def _has_resource(model: Any, t: int) -> bool:
    thread = thread_at(model, t)
    resource = stream_at(model, message_at(model, thread.message).stream).resource
    return bool(resource != NONE and thread.state != _HELD)


@compiled
def _halt(model: Any, ext: Any, t: int) -> None:
    """Stop thread ``t`` in the middle of what it does and bring its messages back."""
    thread = thread_at(model, t)
    waiting = False
    if ext is not None and thread.message != NONE and _has_resource(model, t):
        waiting = abandon(model, t)
    if not waiting:
        if not is_set(model, t):
            evict(model, t)
        else:
            cancel(model, t)
    if thread.state == _HELD:
        accrue_member(model, thread.member)
        member_at(model, thread.member).held -= 1
        rest_more(model, port_at(model, thread.port).stream, -1)
        go_on_working(model, t)
    if ext is not None:
        abort(model, ext, t, False)  # noqa: FBT003
    else:
        roll_back(model, ext, t)


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


@inline
def _forget(model: Any, t: int) -> None:
    """Give up the session or the poller's place that the lost thread ``t`` had; its port asks for another poller."""
    thread = thread_at(model, t)
    if thread.port == NONE:
        return
    port = port_at(model, thread.port)
    staging = stream_at(model, port.stream).staging
    if staging == _PIPELINE:
        free_session(model, thread.session)
    elif staging == _POLLED:
        port.pollers -= 1
        call_poller(model, thread.port)
    thread.port = NONE


@compiled
def _lose_servant(model: Any, ext: Any, s: int) -> None:
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
            thread.port = NONE
        elif ext is not None and thread.state == _HELD and thread.message == NONE:
            unlink_waiter(model, t)
        else:
            _halt(model, ext, t)
        if ext is not None:
            _forget(model, t)
        thread.state = _ABSENT
        member.held += 1
    servant.lost = 1
    schedule(model, servant.slot, model.now + member.servant_start_time)


@compiled
def servant_ready(model: Any, ext: Any, s: int) -> int:
    """Give the threads of the replaced or late servant ``s`` to its member, which is returned."""
    servant = servant_at(model, s)
    m = servant.member
    if ext is not None and servant.lost == 0:
        servant_started(model, s)
        return int(m)
    servant.lost = 0
    member = member_at(model, m)
    accrue_member(model, m)
    for t in range(servant.first_thread, servant.first_thread + member.threads_per_servant):
        member.held -= 1
        set_idle(model, t)
    return int(m)


@compiled
def overrun(model: Any, ext: Any, p: int) -> None:
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
            if not is_set(model, port.dispatch_slot):
                schedule(model, port.dispatch_slot, deadline)
            return
        stream_at(model, q).dispatch_timeouts += 1
        note(model, _OVERRUN, q, message_at(model, head).index, port.inflight)
        t = message_at(model, head).worker
        if stream.restart == 1:
            _lose_servant(model, ext, thread_at(model, t).servant)
        else:
            _halt(model, ext, t)
            release_thread(model, ext, t, p)
