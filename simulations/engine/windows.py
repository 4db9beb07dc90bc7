"""Credit windows: a consumer holds at most ``limit`` messages and asks for more when few are left.

The broker counts what it has sent since the last grant and pauses the consumer when the grant is used up. The client
counts what it has received and not yet acknowledged; paused, and with that count at or below the threshold, it asks for
``limit`` minus the count (Open MQ, ConsumerFlowControlEntry). Nothing is granted in between.
"""

from typing import Any

from simulations.engine.compiled import compiled, inline
from simulations.engine.events import schedule
from simulations.engine.gates import prepare
from simulations.engine.layout import NONE, port_at, slot_at, stream_at
from simulations.engine.messages import take, waits


@inline
def _may_send(model: Any, p: int) -> bool:
    """Say whether the broker may send a message to port ``p`` now."""
    port = port_at(model, p)
    if port.credit == 0 or port.halted == 1:
        return False
    unmetered = port.connection_limit > 0 and port.connection_count == 0
    return bool(not unmetered or port.inflight < port.connection_limit)


@inline
def _answer(model: Any, p: int) -> None:
    """Let the client answer the broker's control message once its connection has room."""
    port = port_at(model, p)
    room = port.connection_limit == 0 or port.inflight < port.connection_limit
    if port.halted == 1 and room and slot_at(model, port.answer_slot).place == NONE:
        schedule(model, port.answer_slot, model.now + port.round_trip)


@inline
def _send(model: Any, p: int, m: int) -> None:
    """Send message ``m`` to the client buffer of port ``p``; after ``connection_count`` messages wait for an answer."""
    port = port_at(model, p)
    port.credit -= 1
    prepare(model, p, m)
    if port.connection_count > 0:
        port.unanswered += 1
        if port.unanswered >= port.connection_count:
            port.halted = 1
            _answer(model, p)


@compiled
def ask(model: Any, p: int) -> None:
    """Let the consumer of port ``p`` ask for more when its grant is used up and few messages are left."""
    port = port_at(model, p)
    _answer(model, p)
    if port.credit == 0 and port.asked == 0 and port.inflight <= port.threshold:
        port.asked = port.limit - port.inflight
        schedule(model, port.agent_slot, model.now + port.round_trip)


@compiled
def grant(model: Any, p: int) -> None:
    """Give port ``p`` the credit it asked for one round trip ago."""
    port = port_at(model, p)
    stream = stream_at(model, port.stream)
    stream.topups += 1
    stream.granted += port.asked
    port.credit = port.asked
    port.asked = 0


@compiled
def resume_connection(model: Any, p: int) -> None:
    """Let the broker, which has the client's answer, send on the connection of port ``p`` again."""
    port = port_at(model, p)
    port.unanswered = 0
    port.halted = 0


@compiled
def deliver(model: Any, q: int) -> bool:
    """Send the messages of stream ``q`` to its consumers: each in turn gets all its credit, first come first served.

    Say whether any was sent.
    """
    stream = stream_at(model, q)
    sent = False
    first = stream.rotation
    for i in range(stream.instances):
        instance = (first + i) % stream.instances
        p = stream.first_port + instance * stream.stride
        port = port_at(model, p)
        while stream.stopped == 0 and waits(model, q, port.destination) and _may_send(model, p):
            m = take(model, q, port.destination)
            if m == NONE:
                return sent
            _send(model, p, m)
            sent = True
            stream.rotation = instance + 1
        ask(model, p)
    return sent
