"""Session pipelines: messages prefetched behind each parallel ``onMessage``, where only that session can take them.

WebLogic's messages-maximum: a message behind a busy session waits although others are idle.
"""

from typing import Any

from simulations.engine.compiled import compiled, inline
from simulations.engine.events.messages import take, waits
from simulations.engine.events.queues import append, pop, remove
from simulations.engine.mechanisms.gates import prepare
from simulations.engine.records.layout import NONE, port_at, queue_at, session_at, stream_at


@inline
def _make_ready(model: Any, s: int) -> None:
    """Put session ``s``, idle with messages, at the end of its port's line for threads."""
    session = session_at(model, s)
    port = port_at(model, session.port)
    session.listed = 1
    session.next = NONE
    if port.ready_head == NONE:
        port.ready_head = s
    else:
        session_at(model, port.ready_tail).next = s
    port.ready_tail = s


@inline
def _with_room(model: Any, q: int) -> int:
    """Return the next session after the last one served that has room and a message to take, or NONE.

    Sessions are numbered across the instances, so that neighbours in turn are on different instances.
    """
    stream = stream_at(model, q)
    first = port_at(model, stream.first_port)
    total = stream.instances * first.sessions
    if stream.prepared >= total * first.pipeline or (stream.copies == 0 and not waits(model, q, stream.destination)):
        return NONE
    for i in range(total):
        turn = (stream.session_rotation + i) % total
        port = port_at(model, stream.first_port + (turn % stream.instances) * stream.stride)
        s = port.first_session + turn // stream.instances
        if waits(model, q, port.destination) and queue_at(model, session_at(model, s).queue).count < port.pipeline:
            stream.session_rotation = turn + 1
            return int(s)
    return NONE


@compiled
def prefetch(model: Any, q: int) -> bool:
    """Send the messages of stream ``q`` to the sessions in turn while there is room; say whether any was sent."""
    stream = stream_at(model, q)
    sent = False
    while stream.stopped == 0:
        s = _with_room(model, q)
        if s == NONE:
            break
        session = session_at(model, s)
        p = session.port
        port = port_at(model, p)
        m = take(model, q, port.destination)
        if m == NONE:
            break
        sent = True
        prepare(model, p, m)
        remove(model, port.prepared, m)
        append(model, session.queue, m)
        if session.busy == 0 and session.listed == 0:
            _make_ready(model, s)
    return sent


@inline
def take_ready(model: Any, p: int) -> int:
    """Return the first session of port ``p`` that waits for a thread; it is busy from now on."""
    port = port_at(model, p)
    s = port.ready_head
    session = session_at(model, s)
    port.ready_head = session.next
    session.busy = 1
    session.listed = 0
    return int(s)


@inline
def next_of(model: Any, s: int) -> int:
    """Take the next message prefetched by session ``s``."""
    session = session_at(model, s)
    return int(pop(model, session.queue))


@inline
def free_session(model: Any, s: int) -> None:
    """Let session ``s`` wait for a thread again if messages wait behind it."""
    session = session_at(model, s)
    session.busy = 0
    if queue_at(model, session.queue).count > 0:
        _make_ready(model, s)
