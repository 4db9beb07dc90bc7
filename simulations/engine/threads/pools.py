"""Threads of a pool: given to waiting messages, taken back when a message is done, or sent to poll again."""

from simulations.engine.compiled import compiled, inline
from simulations.engine.events.messages import waits
from simulations.engine.mechanisms.gates import rejects
from simulations.engine.mechanisms.pipelines import free_session, take_ready
from simulations.engine.mechanisms.pollers import (
    has_message,
    keeps_thread,
    others_wait,
    received,
    take_waiter,
    wait_in_receive,
)
from simulations.engine.network.model import PoolGrowth
from simulations.engine.records.codes import NONE, Staging, State
from simulations.engine.records.layout import Model, beyond
from simulations.engine.records.stream import Stream
from simulations.engine.threads.choice import choose
from simulations.engine.threads.service import begin, occupy, resume_work
from simulations.engine.threads.states import grow, set_idle, stop_working, take_thread


@inline
def start(model: Model, ext: int | None, p: int) -> bool:
    """Give a free thread to port ``p``; False when the stream needs message slots or must reject messages first."""
    port = model.ports[p]
    stream = model.streams[port.stream]
    if stream.queue_timeout > 0.0 and rejects(model, p):
        return False
    if stream.saturated == 1 and model.free_count == 0:
        model.starved = 1
        return False
    session = NONE
    if beyond(ext, stream):
        if stream.staging == Staging.POLLED:
            return _start_poller(model, ext, p)
        if stream.staging == Staging.PIPELINE:
            session = take_ready(model, p)
    t = take_thread(model, port.member)
    model.threads[t].began = model.now
    occupy(model, ext, p)
    return begin(model, ext, t, p, session)


@compiled
def _start_poller(model: Model, ext: int | None, p: int) -> bool:
    """Let a thread become a poller of port ``p``: it takes a message or waits inside receive()."""
    port = model.ports[p]
    port.wanted -= 1
    port.pollers += 1
    t = take_thread(model, port.member)
    if has_message(model, p):
        poll(model, ext, t, p)
    else:
        stop_working(model, t)
        wait_in_receive(model, t, p)
    return True


@compiled
def poll(model: Model, ext: int | None, t: int, p: int) -> None:
    """Let the busy thread ``t`` receive the next message of port ``p`` in a new transaction."""
    model.threads[t].began = model.now
    received(model, p)
    occupy(model, ext, p)
    begin(model, ext, t, p, NONE)


@inline
def _next_in_turn(stream: Stream) -> int:
    """Return the port of ``stream`` whose turn it is; the next turn is that of the following instance."""
    if stream.rotation >= stream.instances:
        stream.rotation = 0
    stream.rotation += 1
    return stream.first_port + (stream.rotation - 1) * stream.stride


@compiled
def wake_pollers(model: Model, ext: int | None, q: int) -> None:
    """Give the messages of stream ``q`` to the pollers that wait inside receive(), the instances in turn."""
    stream = model.streams[q]
    tried = 0
    while tried < stream.instances and stream.stopped == 0:
        p = _next_in_turn(stream)
        if has_message(model, p) and model.queues[model.ports[p].waiters].count > 0:
            t = take_waiter(model, p)
            resume_work(model, t)
            received(model, p)
            occupy(model, ext, p)
            begin(model, ext, t, p, NONE)
            tried = 0
        else:
            tried += 1


@inline
def release_thread(model: Model, ext: int | None, t: int, p: int) -> None:
    """Send thread ``t``, which port ``p`` no longer needs, back to the pool, or let it poll again."""
    port = model.ports[p]
    stream = model.streams[port.stream]
    if beyond(ext, stream):
        member = model.members[model.threads[t].member]
        if stream.staging == Staging.PIPELINE:
            free_session(model, model.threads[t].session)
        elif stream.staging == Staging.POLLED:
            if stream.stopped == 0 and has_message(model, p) and not others_wait(model, p):
                resume_work(model, t)
                poll(model, ext, t, p)
                return
            if keeps_thread(model, p):
                wait_in_receive(model, t, p)
                return
            port.pollers -= 1
        if member.growth == PoolGrowth.HISTORY and member.existing > member.target:
            model.threads[t].state = State.ABSENT
            model.threads[t].next = member.parked
            member.parked = t
            member.existing -= 1
            return
    set_idle(model, t)


@inline
def _grows(model: Model, ext: int | None, m: int) -> bool:
    """Add a thread to member ``m``, which has none idle, if work waits and the pool may grow; say whether it did."""
    member = model.members[m]
    if (
        not beyond(ext, member)
        or member.away == 1
        or member.existing == member.threads
        or choose(model, ext, m) == NONE
    ):
        return False
    grow(model, m)
    return member.idle > 0


@inline
def dispatch(model: Model, ext: int | None, m: int) -> None:
    """Give idle threads of member ``m`` to waiting messages while there are both; the pool may grow for more work."""
    member = model.members[m]
    while member.idle > 0 or _grows(model, ext, m):
        p = choose(model, ext, m)
        if p == NONE or not start(model, ext, p):
            break


@compiled
def dispatch_compiled(model: Model, ext: int | None, m: int) -> None:
    """Do what ``dispatch`` does, without another copy of its code in the caller."""
    dispatch(model, ext, m)


@inline
def _may_start(model: Model, ext: int | None, p: int) -> bool:
    """Say whether the direct port ``p`` can start a message at once."""
    m = model.ports[p].member
    return model.members[m].idle > 0 and choose(model, ext, m) == p


@compiled
def offer(model: Model, ext: int | None, q: int) -> None:
    """Offer the messages on the destination of the direct stream ``q`` to instances with a free thread, in turn."""
    stream = model.streams[q]
    tried = 0
    while tried < stream.instances and (stream.copies == 1 or waits(model, q, stream.destination)):
        p = _next_in_turn(stream)
        tried = 0 if _may_start(model, ext, p) and start(model, ext, p) else tried + 1
    if ext is not None or model.stream_count > 1:
        for i in range(stream.instances):
            dispatch_compiled(model, ext, model.ports[stream.first_port + i * stream.stride].member)
