"""The hysteresis gate before the prepared queue of an instance, and the serial agent that carries messages through it.

In flight = prepared + running, and what the agent prepares if the gate counts from the start. The gate closes when the
count reaches ``high`` and opens when it has fallen to ``low`` (IBM, MDB throttle on z/OS); commit and rollback count
alike. With ``low == high`` it is a sliding window.
"""

from simulations.engine.compiled import compiled, inline
from simulations.engine.events.agenda import LANES, SHIFT, is_set, schedule
from simulations.engine.events.messages import take, waits
from simulations.engine.events.queues import append
from simulations.engine.measures.observe import accrue_member, accrue_stream, note
from simulations.engine.records.codes import NONE, Step
from simulations.engine.records.layout import Model


@inline
def mark_starving(model: Model, p: int, threads: int) -> None:
    """Record how many more ``threads`` of port ``p`` would work if its messages were not held back."""
    port = model.ports[p]
    if threads != port.starving:
        accrue_member(model, port.member)
        model.members[port.member].starving += threads - port.starving
        port.starving = threads


@inline
def _mark_blocked(model: Model, p: int) -> None:
    """Let all threads of the member starve while the gate of port ``p`` is closed and messages wait."""
    port = model.ports[p]
    blocked = port.closed == 1 and waits(model, port.stream, port.destination)
    mark_starving(model, p, model.members[port.member].threads if blocked else 0)


@inline
def mark_waiting(model: Model, q: int) -> None:
    """Update the closed gates of stream ``q`` when its destination has become empty or has a message again."""
    stream = model.streams[q]
    waiting = 1 if waits(model, q, stream.destination) else 0
    if waiting != stream.was_waiting or stream.copies == 1:
        stream.was_waiting = waiting
        for i in range(stream.instances):
            _mark_blocked(model, stream.first_port + i * stream.stride)


@inline
def _close(model: Model, p: int) -> None:
    """Close the gate of port ``p``, whose stream's integrals are up to date."""
    port = model.ports[p]
    port.closed = 1
    model.streams[port.stream].closed += 1
    model.streams[port.stream].blocks += 1
    mark_waiting(model, port.stream)
    _mark_blocked(model, p)


@compiled
def _count_early(model: Model, p: int) -> None:
    """Count the message that the agent of port ``p`` takes in flight, and close the gate at ``high``."""
    port = model.ports[p]
    port.inflight += 1
    if port.inflight >= port.high:
        accrue_stream(model, port.stream)
        _close(model, p)


@inline
def prepare(model: Model, p: int, m: int) -> None:
    """Put message ``m`` on the prepared queue of port ``p``, count it in flight and close the gate at ``high``."""
    port = model.ports[p]
    q = port.stream
    stream = model.streams[q]
    message = model.messages[m]
    accrue_stream(model, q)
    stream.backlog -= 1
    stream.prepared += 1
    stream.prepared_max = max(stream.prepared_max, stream.prepared)
    message.destination += model.now - message.mark
    message.mark = model.now
    message.ready = model.now
    model.ticket += 1
    message.ticket = model.ticket
    append(model.messages, model.queues[port.prepared], m)
    if model.port_count > 1:
        model.candidates[p >> SHIFT].ports |= 1 << (p & LANES)
    if port.from_start == 0:
        port.inflight += 1
    note(model, Step.PREPARE, q, message.index, port.inflight)
    if port.from_start == 0 and port.inflight >= port.high:
        _close(model, p)


@compiled
def rejects(model: Model, p: int) -> bool:
    """Say whether the next prepared message of port ``p`` is past the queue timeout; if so, let it be rejected."""
    port = model.ports[p]
    head = model.messages[model.queues[port.prepared].head]
    if model.now <= head.ready + model.streams[port.stream].queue_timeout:
        return False
    if not is_set(model, port.reject_slot):
        schedule(model, port.reject_slot, model.now)
    return True


@inline
def leave_port(model: Model, p: int) -> None:
    """Count one message of port ``p`` as no longer in flight; open the gate at ``low``."""
    port = model.ports[p]
    port.inflight -= 1
    if port.closed == 1 and port.inflight <= port.low:
        q = port.stream
        accrue_stream(model, q)
        port.closed = 0
        port.opened = 1
        model.streams[q].closed -= 1
        model.streams[q].releases += 1
        _mark_blocked(model, p)


@inline
def note_release(model: Model, p: int) -> None:
    """Record how many prepared messages are left when the gate has just opened and the free threads have theirs."""
    port = model.ports[p]
    if port.opened == 1:
        port.opened = 0
        stream = model.streams[port.stream]
        left = model.queues[port.prepared].count
        stream.release_min = min(stream.release_min, left)
        stream.release_max = max(stream.release_max, left)


@inline
def _next_open(model: Model, q: int) -> int:
    """Return the first port after the last one served with an open gate, a free agent and a message to take."""
    stream = model.streams[q]
    for i in range(stream.instances):
        instance = stream.rotation + i
        if instance >= stream.instances:
            instance -= stream.instances
        p = stream.first_port + instance * stream.stride
        port = model.ports[p]
        if port.closed == 0 and port.agent_message == NONE and waits(model, q, port.destination):
            stream.rotation = instance + 1
            return p
    return NONE


@inline
def admit(model: Model, q: int) -> bool:
    """Let the agents of stream ``q`` take messages from the destination while gates are open and messages wait. True
    when a message was prepared at once."""
    prepared = False
    stream = model.streams[q]
    while stream.stopped == 0 and (stream.copies == 1 or waits(model, q, stream.destination)):
        p = _next_open(model, q)
        if p == NONE:
            break
        port = model.ports[p]
        m = take(model, q, port.destination)
        if m == NONE:
            break
        if port.agent_time > 0.0:
            port.agent_message = m
            if port.from_start == 1:
                _count_early(model, p)
            schedule(model, port.agent_slot, model.now + port.agent_time)
        else:
            prepare(model, p, m)
            prepared = True
    mark_waiting(model, q)
    return prepared


@compiled
def end_agent(model: Model, p: int) -> None:
    """Put the message that the agent of port ``p`` carries on the prepared queue."""
    port = model.ports[p]
    m = port.agent_message
    port.agent_message = NONE
    prepare(model, p, m)
