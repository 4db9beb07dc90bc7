"""The choice of the port that gets a free thread: which ports want one, may have one, and come first."""

from simulations.engine.compiled import compiled, inline
from simulations.engine.draws.numbers import uniform
from simulations.engine.events.agenda import LANES, SHIFT, lowest
from simulations.engine.events.messages import next_line, waits
from simulations.engine.mechanisms.constraints import allowed, charge, is_urgent
from simulations.engine.network.model import Dispatch
from simulations.engine.records.codes import AWAY, NONE, Staging
from simulations.engine.records.layout import Model, beyond
from simulations.engine.records.server import Member

_ANY_WAIT = 1.0
"""Tolerable wait in seconds of a stream of weight 1 without a goal, on a pool where others have goals (assumed)."""
_LEAST_WAIT = 1e-3
"""Smallest tolerable wait: a class whose thread time alone misses its goal still comes before all others."""


@inline
def wants_thread(model: Model, ext: int | None, p: int) -> bool:
    """Say whether port ``p`` has work for a free thread and may use one more."""
    port = model.ports[p]
    stream = model.streams[port.stream]
    if stream.stopped == 1 or port.running >= port.concurrency or (beyond(ext, stream) and port.agent_message == AWAY):
        return False
    if stream.staging == Staging.DIRECT:
        return waits(model, port.stream, port.destination)
    if beyond(ext, stream):
        if stream.staging == Staging.PIPELINE:
            return model.queues[port.ready].count > 0
        if stream.staging == Staging.POLLED:
            return port.wanted > 0
    return model.queues[port.prepared].count > 0


@inline
def _head(model: Model, ext: int | None, p: int) -> int:
    """Return the message that port ``p`` offers; NONE for a poller and for a saturated stream, which makes one."""
    port = model.ports[p]
    stream = model.streams[port.stream]
    if stream.staging == Staging.DIRECT:
        return next_line(model, port.stream, port.destination).head
    if beyond(ext, stream):
        if stream.staging == Staging.PIPELINE:
            return model.queues[model.sessions[model.queues[port.ready].head].queue].head
        if stream.staging == Staging.POLLED:
            return NONE
    return model.queues[port.prepared].head


@inline
def _ticket(model: Model, ext: int | None, p: int) -> int:
    """Return when, as a sequence number, port ``p`` began to wait for a thread."""
    head = _head(model, ext, p)
    return model.ports[p].ticket if head == NONE else model.messages[head].ticket


@inline
def _following(model: Model, ext: int | None, member: Member, p: int, urgent: bool) -> int:  # noqa: FBT001
    """Return the port of ``member`` after ``p`` that wants a thread, or NONE. One that wants none and takes only
    prepared messages, of which it has none, is no candidate until it has one; a search for ``urgent`` ports changes
    nothing."""
    p += 1
    while p < member.first_port + member.ports:
        later = model.candidates[p >> SHIFT].ports >> (p & LANES)
        p = p + lowest(later) if later != 0 else p | LANES
        if later != 0 and p < member.first_port + member.ports:
            if wants_thread(model, ext, p):
                return p
            port = model.ports[p]
            prepared = model.streams[port.stream].staging in (Staging.GATED, Staging.WINDOW)
            if not urgent:
                port.wanting = 0
            if not urgent and prepared and model.queues[port.prepared].count == 0:
                model.candidates[p >> SHIFT].ports &= ~(1 << (p & LANES))
        p += 1
    return NONE


@inline
def _oldest(model: Model, ext: int | None, m: int, urgent: bool) -> int:  # noqa: FBT001 - compiled code takes no keywords
    """Return the port of member ``m`` that has waited longest; of the ``urgent`` ones only if asked."""
    member = model.members[m]
    best = NONE
    best_ticket = 0
    p = _following(model, ext, member, member.first_port - 1, urgent)
    while p != NONE:
        if (not beyond(ext, member) or allowed(model, p)) and (not urgent or is_urgent(model, p)):
            ticket = _ticket(model, ext, p)
            if best == NONE or ticket < best_ticket:
                best = p
                best_ticket = ticket
        p = _following(model, ext, member, p, urgent)
    return best


@inline
def _virtual_time(model: Model, member: Member, p: int) -> float:
    """Return the thread time of port ``p`` divided by its weight; work that was idle starts at the pool's level."""
    port = model.ports[p]
    weight = model.streams[port.stream].weight
    charge(model, p, 0)
    if port.wanting == 0:
        port.wanting = 1
        port.used = max(port.used, member.floor * weight)
    return port.used / weight


@inline
def _overdue(model: Model, ext: int | None, p: int) -> float:
    """Return the wait of port ``p`` relative to its tolerable wait: goal - average thread time. Serving the largest
    ratio first keeps the average waits of the classes in that proportion."""
    port = model.ports[p]
    stream = model.streams[port.stream]
    charge(model, p, 0)
    tolerable = _ANY_WAIT / stream.weight
    if stream.goal > 0.0:
        tolerable = max(stream.goal - port.used_total / max(port.starts, 1), _LEAST_WAIT)
    head = _head(model, ext, p)
    return 0.0 if head == NONE else (model.now - model.messages[head].mark) / tolerable


@compiled
def _by_thread_time(model: Model, ext: int | None, m: int) -> int:
    """Return the waiting port with the least thread time per weight; where streams have goals, the most overdue one.
    Charging the time really used, not the number of requests, gives a class its share of threads even when its requests
    are longer (WebLogic FairShareRequestClass); it is weighted fair queueing with start tags at wake-up."""
    member = model.members[m]
    best = NONE
    least = 0.0
    p = _following(model, ext, member, member.first_port - 1, False)  # noqa: FBT003
    while p != NONE:
        if allowed(model, p):
            rank = -_overdue(model, ext, p) if member.goals > 0 else _virtual_time(model, member, p)
            if best == NONE or rank < least:
                best = p
                least = rank
        p = _following(model, ext, member, p, False)  # noqa: FBT003
    if best != NONE:
        member.floor = max(member.floor, least)
    return best


@compiled
def _lottery(model: Model, ext: int | None, m: int) -> int:
    """Draw one of the waiting ports with its weight: the next free thread goes to 10/20/50 as 1/8, 2/8, 5/8."""
    member = model.members[m]
    total = 0.0
    last = NONE
    p = _following(model, ext, member, member.first_port - 1, False)  # noqa: FBT003
    while p != NONE:
        if allowed(model, p):
            total += model.streams[model.ports[p].stream].weight
            last = p
        p = _following(model, ext, member, p, False)  # noqa: FBT003
    if last == NONE:
        return NONE
    point = uniform(member.lottery_key, member.lottery_draws) * total
    member.lottery_draws += 1
    for p in range(member.first_port, member.first_port + member.ports):
        if wants_thread(model, ext, p) and allowed(model, p):
            point -= model.streams[model.ports[p].stream].weight
            if point < 0.0:
                return p
    return last


@compiled
def _by_policy(model: Model, ext: int | None, m: int) -> int:
    member = model.members[m]
    if member.constraints > 0:
        urgent = _oldest(model, ext, m, True)  # noqa: FBT003
        if urgent != NONE:
            return urgent
    if member.policy == Dispatch.FIFO:
        return _oldest(model, ext, m, False)  # noqa: FBT003
    if member.policy == Dispatch.NEXT_THREAD:
        return _lottery(model, ext, m)
    return _by_thread_time(model, ext, m)


@inline
def choose(model: Model, ext: int | None, m: int) -> int:
    """Return the port that gets the next free thread of member ``m``, NONE if no port wants one.

    Unmet minimum constraints come first, oldest message first; then the pool's policy decides. Where there is one port
    and no constraint, there is nothing to decide.
    """
    member = model.members[m]
    if member.ports == 1 and (not beyond(ext, member) or member.constraints == 0):
        return member.first_port if wants_thread(model, ext, member.first_port) else NONE
    if beyond(ext, member):
        return _by_policy(model, ext, m)
    return _oldest(model, ext, m, False)  # noqa: FBT003
