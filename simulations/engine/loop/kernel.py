"""The event loop: what happens next, and which mechanism handles it.

``model`` holds the state of every network. ``ext`` is None without mechanisms beyond gates and windows: the compiler
then removes what only concerns them. When ``lone`` is not None the compiler knows that there is one queue, on one
server of one instance. So one loop is compiled in three variants (``tables.Variant``).
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from zlib import crc32

from simulations.engine.compiled import apart, cached, compiled, inline
from simulations.engine.draws.arrivals import next_arrival, start_streams
from simulations.engine.events.agenda import find_next_arrival, take_first
from simulations.engine.events.messages import create, line_of
from simulations.engine.events.queues import append
from simulations.engine.loop.deliveries import end_service
from simulations.engine.loop.moves import feed, feed_on, handle_rare, move_on, start_mechanisms
from simulations.engine.measures.observe import accrue_all, attend
from simulations.engine.mechanisms.constraints import at_capacity
from simulations.engine.mechanisms.producers import intend
from simulations.engine.mechanisms.quotas import refuse
from simulations.engine.records.codes import NONE, Status
from simulations.engine.records.layout import Model, beyond, open_model
from simulations.engine.threads.pools import dispatch_compiled


@inline
def put(model: Model, ext: int | None, q: int) -> None:
    """Put a message that arrives at stream ``q`` on its destination, or on that of every instance."""
    stream = model.streams[q]
    model.events += 1
    if beyond(ext, stream):
        if stream.controlled == 1:
            intend(model, q)
            return
        if at_capacity(model, q):
            refuse(model, q, False)  # noqa: FBT003
            return
        if stream.copies == 1:
            for i in range(stream.instances):
                m = create(model, q)
                model.messages[m].instance = i
                append(model.messages, line_of(model, m), m)
            return
    m = create(model, q)
    append(model.messages, line_of(model, m), m)


@inline
def arrive(model: Model, ext: int | None) -> int:
    """Put all messages of the next arriving stream that arrive at this instant on their destination.

    Returns the stream, or NONE when there is no slot for the next message. The loop then stops, and continues here
    once there are more slots.
    """
    q = model.arrival_stream
    stream = model.streams[q]
    model.now = model.next_arrival
    while stream.next_arrival <= model.now and model.events < model.most_events:
        if model.free_count < stream.slots + model.reserve:
            model.status = Status.GROW
            model.arriving = 1
            return NONE
        put(model, ext, q)
        stream.arrival_index += 1
        stream.next_arrival = next_arrival(model, stream)
    find_next_arrival(model, q)
    return q


@inline
def handle_first(model: Model, ext: int | None, time: float) -> int:
    """Handle the first event of the agenda, which is due at ``time``; return the stream that may move on, or NONE. The
    timers of the services come first: timer t is that of thread t."""
    model.now = time
    model.events += 1
    t = take_first(model)
    if t >= model.thread_count:
        t = handle_rare(model, ext, model.slots[t].kind, model.slots[t].entity)
    p = end_service(model, ext, t) if t != NONE else NONE
    return move_on(model, ext, p) if p != NONE else NONE


@apart
def resume(model: Model, ext: int | None) -> None:
    """Start, or continue with more message slots: saturated streams take what they may."""
    model.status = Status.RUNNING
    first = model.sequence == 0
    if first:
        model.sequence = 1
        start_streams(model)
        for q in range(model.stream_count):
            find_next_arrival(model, q)
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
            dispatch_compiled(model, ext, m)


@compiled
def loop(model: Model, ext: int | None) -> None:
    """Handle events until the replication is done or needs more message slots; call again after growing. One that has
    had ``most_events`` is stuck."""
    resume(model, ext)
    while model.status == Status.RUNNING:
        if model.events >= model.most_events:
            model.status = Status.STUCK
            break
        if model.starved == 1 or model.free_count < model.reserve:
            model.status = Status.GROW
            break
        time = model.first_time
        first = min(time, model.next_arrival)
        q = NONE
        if first >= model.mark:
            attend(model, first)
        elif time <= model.next_arrival:
            q = handle_first(model, ext, time)
        else:
            q = arrive(model, ext)
        if q != NONE:
            feed_on(model, ext, q)
    accrue_all(model)


def _entry(build: int) -> Callable[[int, Any, Any], None]:
    """Return the compiled entry point. ``build`` is part of its key in Numba's cache, which by itself would notice a
    change of this file only, and is written into the model so that a result can tell which code made it.
    """

    def run(address: int, ext: int | None, lone: int | None) -> None:
        model = open_model(address, lone)
        model.build = build
        loop(model, ext)

    return cached(run)


_SOURCES = [*Path(__file__).parents[1].rglob("*.py"), *Path(__file__).parents[1].rglob("*.txt")]
BUILD = crc32(b"".join(path.read_bytes() for path in sorted(_SOURCES)))
"""A hash of all sources of the engine."""
run = _entry(BUILD)
