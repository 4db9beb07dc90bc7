"""The event loop: what happens next, and which mechanism handles it.

``model`` holds the state of every network; ``ext`` the tables of the mechanisms beyond the plain throttle, or None:
the compiler removes what only concerns ``ext``, so there are two compiled variants.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from zlib import crc32

from simulations.engine.arrivals import find_next, next_arrival, start_streams
from simulations.engine.compiled import apart, cached, compiled, inline
from simulations.engine.constraints import at_capacity
from simulations.engine.deliveries import end_cpu, end_service
from simulations.engine.events import close_hole, schedule, take_first
from simulations.engine.flow import evaluate
from simulations.engine.gates import admit, end_agent, note_release
from simulations.engine.growth import tick
from simulations.engine.layout import (
    FOREVER,
    NONE,
    Kind,
    Staging,
    Status,
    entry_at,
    member_at,
    message_at,
    open_model,
    port_at,
    producer_at,
    slot_at,
    stream_at,
)
from simulations.engine.messages import create, end_delay
from simulations.engine.network import PoolGrowth
from simulations.engine.observe import accrue_all, attend
from simulations.engine.pipelines import prefetch
from simulations.engine.pollers import poll_cycle, start_pollers
from simulations.engine.pools import dispatch, offer, wake_pollers
from simulations.engine.producers import expire_sends, intend, notice_outcome, refuse, send_held
from simulations.engine.queues import append
from simulations.engine.timeouts import expire, overrun, servant_ready
from simulations.engine.windows import deliver, grant, resume_connection

_REDELIVERY = int(Kind.REDELIVERY)
_GRANT = int(Kind.GRANT)
_ANSWER = int(Kind.ANSWER)
_POLL_CYCLE = int(Kind.POLL_CYCLE)
_SEND = int(Kind.SEND)
_SEND_DEADLINE = int(Kind.SEND_DEADLINE)
_EVALUATION = int(Kind.EVALUATION)
_GATED = int(Staging.GATED)
_WINDOW = int(Staging.WINDOW)
_PIPELINE = int(Staging.PIPELINE)
_POLLED = int(Staging.POLLED)
_HISTORY = int(PoolGrowth.HISTORY)
_RUNNING = int(Status.RUNNING)
_GROW = int(Status.GROW)
_CPU_END = int(Kind.CPU_END)
_SERVANT_READY = int(Kind.SERVANT_READY)
_AGENT_DONE = int(Kind.AGENT_DONE)
_REJECTION = int(Kind.REJECTION)
_DISPATCH_DEADLINE = int(Kind.DISPATCH_DEADLINE)
_DIRECT = int(Staging.DIRECT)


@inline
def _dispatch_all(model: Any, ext: Any, q: int) -> None:
    stream = stream_at(model, q)
    for i in range(stream.instances):
        dispatch(model, ext, port_at(model, stream.first_port + i * stream.stride).member)


@inline
def _stage(model: Any, ext: Any, q: int) -> bool:
    """Move messages of stream ``q`` on as far as gates, credit and room allow; say whether a thread may now be due."""
    staging = stream_at(model, q).staging
    if staging == _GATED:
        return admit(model, q)
    if staging == _WINDOW:
        return deliver(model, q)
    if ext is not None:
        if staging == _PIPELINE:
            return prefetch(model, q)
        wake_pollers(model, ext, q)
    return True


@compiled
def feed(model: Any, ext: Any, q: int) -> None:
    """Move messages of stream ``q`` on from its destination as far as gates, credit, room and threads allow."""
    if stream_at(model, q).staging == _DIRECT:
        offer(model, ext, q)
    else:
        _stage(model, ext, q)
        _dispatch_all(model, ext, q)


@inline
def _feed_on(model: Any, ext: Any, q: int) -> None:
    """Do what ``feed`` does, given that no prepared message stands beside an idle thread as yet."""
    if stream_at(model, q).staging == _DIRECT:
        offer(model, ext, q)
    elif _stage(model, ext, q):
        _dispatch_all(model, ext, q)


@inline
def _settle(model: Any, ext: Any, p: int) -> int:
    """Give the threads of the instance of port ``p``, which lost a message, their next ones.

    Returns the stream whose messages may now move on from their destination, or NONE.
    """
    port = port_at(model, p)
    dispatch(model, ext, port.member)
    note_release(model, p)
    if ext is not None and stream_at(model, port.stream).controlled == 1:
        notice_outcome(model, port.stream)
        feed(model, ext, port.stream)
    stream = stream_at(model, port.stream)
    if stream.returned == 1:
        stream.returned = 0
        feed(model, ext, port.stream)
    elif stream.staging != _DIRECT and port.closed == 0:
        return int(port.stream)
    return NONE


@apart
def settle(model: Any, ext: Any, p: int) -> None:
    """Let the instance of port ``p``, which lost a message, go on: threads first, then new admissions."""
    q = _settle(model, ext, p)
    if q != NONE:
        _feed_on(model, ext, q)


@inline
def put(model: Any, ext: Any, q: int) -> None:
    """Put a message that arrives at stream ``q`` on its destination, or on that of every instance."""
    stream = stream_at(model, q)
    model.events += 1
    if ext is not None:
        if stream.controlled == 1:
            intend(model, q)
            return
        if at_capacity(model, q):
            refuse(model, q, False)  # noqa: FBT003
            return
        if stream.copies == 1:
            for i in range(stream.instances):
                m = create(model, q)
                message_at(model, m).instance = i
                append(model, stream.destination + i, m)
            return
    append(model, stream.destination, create(model, q))


@inline
def arrive(model: Any, ext: Any) -> int:
    """Put all messages of the next arriving stream that arrive at this instant on their destination.

    Returns the stream, or NONE without slots for the next message: then the loop must stop, and go on here before
    anything else.
    """
    q = model.arrival_stream
    stream = stream_at(model, q)
    model.now = model.next_arrival
    while stream.next_arrival <= model.now:
        if model.free_count < stream.slots + model.reserve:
            model.status = _GROW
            model.arriving = 1
            return NONE
        put(model, ext, q)
        stream.arrival_index += 1
        stream.next_arrival = next_arrival(model, stream)
    find_next(model)
    return int(q)


@apart
def special(model: Any, ext: Any, kind: int, entity: int) -> None:
    """Handle the events of the mechanisms beyond the plain throttle."""
    if kind == _POLL_CYCLE:
        poll_cycle(model, entity)
        dispatch(model, ext, port_at(model, entity).member)
    elif kind == _SEND:
        send_held(model, entity)
        feed(model, ext, producer_at(model, entity).stream)
    elif kind == _SEND_DEADLINE:
        expire_sends(model, entity)
        feed(model, ext, entity)
    elif kind == _EVALUATION:
        evaluate(model, entity)
    else:
        tick(model, entity)
        dispatch(model, ext, entity)


@apart
def seldom(model: Any, ext: Any, kind: int, entity: int) -> int:
    """Handle the events that are rare in most networks; return the thread whose service ends with it, or NONE."""
    model.rare += 1
    if kind == _CPU_END:
        return end_cpu(model, entity)
    if kind == _AGENT_DONE:
        end_agent(model, entity)
        feed(model, ext, port_at(model, entity).stream)
    elif kind == _SERVANT_READY:
        dispatch(model, ext, servant_ready(model, ext, entity))
    elif kind == _REJECTION:
        expire(model, entity)
        settle(model, ext, entity)
    elif kind == _DISPATCH_DEADLINE:
        overrun(model, ext, entity)
        member = member_at(model, port_at(model, entity).member)
        for p in range(member.first_port, member.first_port + member.ports):
            settle(model, ext, p)
    elif kind == _REDELIVERY:
        end_delay(model, entity)
        feed(model, ext, entity)
    elif kind == _GRANT:
        grant(model, entity)
        feed(model, ext, port_at(model, entity).stream)
    elif kind == _ANSWER:
        resume_connection(model, entity)
        feed(model, ext, port_at(model, entity).stream)
    elif ext is not None:
        special(model, ext, kind, entity)
    return NONE


@inline
def leave(model: Any, ext: Any, time: float) -> int:
    """Handle the first event of the agenda, which is due at ``time``; return the stream that may move on, or NONE.

    The timers of the services come first: timer t is that of thread t.
    """
    model.now = time
    t = take_first(model)
    if t >= model.thread_count:
        t = seldom(model, ext, slot_at(model, t).kind, slot_at(model, t).entity)
    p = end_service(model, ext, t) if t != NONE else NONE
    return _settle(model, ext, p) if p != NONE else NONE


@apart
def start_mechanisms(model: Any) -> None:
    """Call the first pollers and set the timers that run from the start."""
    for p in range(model.port_count):
        if stream_at(model, port_at(model, p).stream).staging == _POLLED:
            start_pollers(model, p)
    for m in range(model.member_count):
        if member_at(model, m).growth == _HISTORY:
            schedule(model, member_at(model, m).growth_slot, member_at(model, m).growth_interval)


@apart
def resume(model: Any, ext: Any) -> None:
    """Start, or go on with more message slots: saturated streams take what they may."""
    model.status = _RUNNING
    first = model.sequence == 0
    if first:
        model.sequence = 1
        start_streams(model)
        if ext is not None:
            start_mechanisms(model)
    if model.arriving == 1:
        model.arriving = 0
        q = arrive(model, ext)
        if q != NONE:
            feed(model, ext, q)
    if model.starved == 1:
        model.starved = 0
        for q in range(model.stream_count):
            feed(model, ext, q)
    if ext is not None and first:
        for m in range(model.member_count):
            dispatch(model, ext, m)


@compiled
def loop(model: Any, ext: Any) -> None:
    """Handle events until the replication is done or needs more message slots; call again after growing."""
    resume(model, ext)
    while model.status == _RUNNING:
        if model.hole == 1:
            close_hole(model)
        time = entry_at(model, 0).time if model.heap_size > 0 else FOREVER
        first = min(time, model.next_arrival)
        q = NONE
        if first >= model.mark:
            attend(model, first)
        elif time <= model.next_arrival:
            q = leave(model, ext, time)
        else:
            q = arrive(model, ext)
        if q != NONE:
            _feed_on(model, ext, q)
        if model.starved == 1 or model.free_count < model.reserve:
            model.status = _GROW
    accrue_all(model)


def _source_hash() -> int:
    """Return a hash of all sources of this package."""
    return crc32(b"".join(path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py"))))


def _entry(build: int) -> Callable[[int, Any], None]:
    """Return the compiled entry point. ``build`` is part of its key in Numba's cache, which by itself would notice a
    change of this file only, and is written into the model so that a result can tell which code made it.
    """

    def run(address: int, ext: Any) -> None:
        model = open_model(address)
        model.build = build
        loop(model, ext)

    return cached(run)


BUILD = _source_hash()
"""Changes with every change of the engine's sources."""
run = _entry(BUILD)
