"""Session pipelines: messages prefetched behind each parallel ``onMessage``, where only that session can take them.

WebLogic's messages-maximum: a message behind a busy session waits although others are idle.
"""

from simulations.engine.compiled import compiled, inline
from simulations.engine.events.messages import take, waits
from simulations.engine.events.queues import append, pop, remove
from simulations.engine.mechanisms.gates import prepare
from simulations.engine.records.codes import AWAY, NONE
from simulations.engine.records.layout import Model


@inline
def _make_ready(model: Model, s: int) -> None:
    """Put session ``s``, idle with messages, at the end of its port's line for threads."""
    session = model.sessions[s]
    session.listed = 1
    append(model.sessions, model.queues[model.ports[session.port].ready], s)


@inline
def _with_room(model: Model, q: int) -> int:
    """Return the next session after the last one served that has room and a message to take, or NONE. Sessions are
    numbered across the instances, so that neighbors in turn are on different instances."""
    stream = model.streams[q]
    first = model.ports[stream.first_port]
    total = stream.instances * first.sessions
    if stream.prepared >= total * first.pipeline or (stream.copies == 0 and not waits(model, q, stream.destination)):
        return NONE
    for i in range(total):
        turn = (stream.session_rotation + i) % total
        port = model.ports[stream.first_port + (turn % stream.instances) * stream.stride]
        s = port.first_session + turn // stream.instances
        room = model.queues[model.sessions[s].queue].count < port.pipeline and port.agent_message != AWAY
        if room and waits(model, q, port.destination):
            stream.session_rotation = turn + 1
            return s
    return NONE


@compiled
def prefetch(model: Model, q: int) -> bool:
    """Send the messages of stream ``q`` to the sessions in turn while there is room; say whether any was sent."""
    stream = model.streams[q]
    sent = False
    while stream.stopped == 0:
        s = _with_room(model, q)
        if s == NONE:
            break
        session = model.sessions[s]
        p = session.port
        port = model.ports[p]
        m = take(model, q, port.destination)
        if m == NONE:
            break
        sent = True
        prepare(model, p, m)
        remove(model.messages, model.queues[port.prepared], m)
        append(model.messages, model.queues[session.queue], m)
        if session.busy == 0 and session.listed == 0:
            _make_ready(model, s)
    return sent


@inline
def take_ready(model: Model, p: int) -> int:
    """Return the first session of port ``p`` that waits for a thread; it is busy from now on."""
    s = pop(model.sessions, model.queues[model.ports[p].ready])
    session = model.sessions[s]
    session.busy = 1
    session.listed = 0
    return s


@inline
def next_of(model: Model, s: int) -> int:
    """Take the next message prefetched by session ``s``."""
    session = model.sessions[s]
    return pop(model.messages, model.queues[session.queue])


@inline
def free_session(model: Model, s: int) -> None:
    """Let session ``s`` wait for a thread again if messages wait behind it."""
    session = model.sessions[s]
    session.busy = 0
    if model.queues[session.queue].count > 0:
        _make_ready(model, s)
