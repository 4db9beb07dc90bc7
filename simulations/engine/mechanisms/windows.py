"""Credit windows: a consumer holds at most ``limit`` messages and asks for more when few are left.

The broker counts what it has sent since the last grant and pauses the consumer when the grant is used up. The client
counts what it has received and not yet acknowledged; paused, and with that count at or below the threshold, it asks for
``limit`` minus the count (Open MQ, ConsumerFlowControlEntry). Nothing is granted in between.

A grant is one batch: what it covers is the consumer's, first come first served, even while metering or the limit of the
connection delays its transfer. Until then the messages stay on the broker, in the consumer's own line.
"""

from simulations.engine.compiled import compiled, inline
from simulations.engine.events.agenda import cancel, is_set, schedule
from simulations.engine.events.messages import line_of, take, waits
from simulations.engine.events.queues import append, pop, prepend, remove
from simulations.engine.mechanisms.gates import mark_starving, prepare
from simulations.engine.records.codes import AWAY, NONE
from simulations.engine.records.layout import Model


@inline
def _may_send(model: Model, p: int) -> bool:
    """Say whether the connection of port ``p`` takes a message now."""
    port = model.ports[p]
    if port.halted == 1:
        return False
    unmetered = port.connection_limit > 0 and port.connection_count == 0
    return not unmetered or port.inflight < port.connection_limit


@inline
def _answer(model: Model, p: int) -> None:
    """Let the client answer the broker's control message once its connection has room."""
    port = model.ports[p]
    room = port.connection_limit == 0 or port.inflight < port.connection_limit
    if port.halted == 1 and room and not is_set(model, port.answer_slot):
        schedule(model, port.answer_slot, model.now + port.round_trip)


@inline
def _send(model: Model, p: int, m: int) -> None:
    """Send message ``m`` to the client buffer of port ``p``; after ``connection_count`` messages wait for an answer."""
    port = model.ports[p]
    prepare(model, p, m)
    if port.connection_count > 0:
        port.unanswered += 1
        if port.unanswered >= port.connection_count:
            port.halted = 1
            _answer(model, p)


@inline
def ask(model: Model, p: int) -> None:
    """Let the consumer of port ``p`` ask for more when all of its grant has come and few messages are left."""
    port = model.ports[p]
    _answer(model, p)
    come = port.credit == 0 and model.queues[port.assigned].count == 0
    if come and port.asked == 0 and port.inflight <= port.threshold:
        port.asked = port.limit - port.inflight
        schedule(model, port.agent_slot, model.now + port.round_trip)


@compiled
def grant(model: Model, p: int) -> None:
    """Give port ``p`` the credit it asked for one round trip ago."""
    port = model.ports[p]
    stream = model.streams[port.stream]
    stream.topups += 1
    stream.granted += port.asked
    port.credit = port.asked
    port.asked = 0


@compiled
def resume_connection(model: Model, p: int) -> None:
    """Let the broker, which has the client's answer, send on the connection of port ``p`` again."""
    port = model.ports[p]
    port.unanswered = 0
    port.halted = 0


@compiled
def disconnect(model: Model, p: int) -> None:
    """Take the grant of port ``p`` back, with what the broker has assigned to it and not sent."""
    port = model.ports[p]
    cancel(model, port.agent_slot)
    cancel(model, port.answer_slot)
    port.asked = port.unanswered = port.halted = 0
    port.credit = AWAY
    while model.queues[port.assigned].count > 0:
        m = model.queues[port.assigned].tail
        remove(model.messages, model.queues[port.assigned], m)
        prepend(model.messages, line_of(model, m), m)


@inline
def _keeps_back(model: Model, p: int) -> bool:
    """Say whether its credit or connection holds back messages that wait for port ``p``."""
    port = model.ports[p]
    if model.streams[port.stream].stopped == 1:
        return False
    if model.queues[port.assigned].count > 0:
        return True
    return (port.credit == 0 or not _may_send(model, p)) and waits(model, port.stream, port.destination)


@inline
def note_starving(model: Model, p: int) -> None:
    """Record how many threads port ``p``, whose buffer is empty, could use for messages that its credit holds back."""
    port = model.ports[p]
    idle = 0
    if model.queues[port.prepared].count == 0 and _keeps_back(model, p):
        idle = min(port.concurrency, model.members[port.member].threads) - port.running
    mark_starving(model, p, max(idle, 0))


@inline
def _transfer(model: Model, q: int, p: int) -> bool:
    """Send what is assigned to port ``p`` as far as its connection allows; say whether any was sent."""
    assigned = model.queues[model.ports[p].assigned]
    sent = False
    while assigned.count > 0 and model.streams[q].stopped == 0 and _may_send(model, p):
        _send(model, p, pop(model.messages, model.queues[model.ports[p].assigned]))
        sent = True
    return sent


@inline
def _fill(model: Model, q: int, p: int) -> bool:
    """Give port ``p`` messages up to its credit: sent at once, or assigned while its connection takes none. A
    destination that never empties needs no assignment. Say whether any was sent."""
    stream = model.streams[q]
    port = model.ports[p]
    sent = False
    while port.credit > 0 and stream.stopped == 0 and waits(model, q, port.destination):
        at_once = _may_send(model, p)
        if not at_once and stream.saturated == 1:
            break
        m = take(model, q, port.destination)
        if m == NONE:
            break
        port.credit -= 1
        stream.rotation = port.instance + 1
        if at_once:
            _send(model, p, m)
            sent = True
        else:
            append(model.messages, model.queues[port.assigned], m)
    return sent


@inline
def deliver(model: Model, q: int) -> bool:
    """Send the messages of stream ``q`` to its consumers: each in turn gets all its credit, first come first served.
    Say whether any was sent."""
    stream = model.streams[q]
    sent = False
    first = stream.rotation
    for i in range(stream.instances):
        instance = first + i
        if instance >= stream.instances:
            instance -= stream.instances
        p = stream.first_port + instance * stream.stride
        sent = _transfer(model, q, p) or sent
        sent = _fill(model, q, p) or sent
        ask(model, p)
    for i in range(stream.instances):
        note_starving(model, stream.first_port + i * stream.stride)
    return sent
