"""Who gets a free thread: which ports want one, which may have one, and which comes first."""

from typing import Any

from simulations.engine.compiled import compiled, inline
from simulations.engine.draws.streams import uniform
from simulations.engine.events.beyond import beyond
from simulations.engine.events.messages import waits
from simulations.engine.mechanisms.constraints import allowed, charge, is_urgent
from simulations.engine.network.model import Dispatch
from simulations.engine.records.layout import (
    NONE,
    Staging,
    member_at,
    message_at,
    port_at,
    queue_at,
    session_at,
    stream_at,
)

_DIRECT = int(Staging.DIRECT)
_PIPELINE = int(Staging.PIPELINE)
_POLLED = int(Staging.POLLED)
_FIFO = int(Dispatch.FIFO)
_NEXT_THREAD = int(Dispatch.NEXT_THREAD)
_ANY_WAIT = 1.0
"""Tolerable wait in seconds of a stream of weight 1 without a goal, on a pool where others have goals (assumed)."""
_LEAST_WAIT = 1e-3
"""Smallest tolerable wait: a goal that the thread time alone misses still orders its class before all others."""


@inline
def wants_thread(model: Any, ext: Any, p: int) -> bool:
    """Say whether port ``p`` has work for a free thread and may use one more."""
    port = port_at(model, p)
    stream = stream_at(model, port.stream)
    if stream.stopped == 1 or port.running >= port.concurrency:
        return False
    if stream.staging == _DIRECT:
        return waits(model, port.stream, port.destination)
    if beyond(ext, stream):
        if stream.staging == _PIPELINE:
            return bool(port.ready_head != NONE)
        if stream.staging == _POLLED:
            return bool(port.wanted > 0)
    return bool(queue_at(model, port.prepared).count > 0)


@inline
def _head(model: Any, ext: Any, p: int) -> int:
    """Return the message that port ``p`` offers, or NONE when it makes one up or wants a poller."""
    port = port_at(model, p)
    stream = stream_at(model, port.stream)
    if stream.staging == _DIRECT:
        return int(queue_at(model, port.destination).head)
    if beyond(ext, stream):
        if stream.staging == _PIPELINE:
            return int(queue_at(model, session_at(model, port.ready_head).queue).head)
        if stream.staging == _POLLED:
            return NONE
    return int(queue_at(model, port.prepared).head)


@inline
def _ticket(model: Any, ext: Any, p: int) -> int:
    """Return when, as a sequence number, port ``p`` began to wait for a thread."""
    head = _head(model, ext, p)
    return int(port_at(model, p).ticket if head == NONE else message_at(model, head).ticket)


@inline
def _oldest(model: Any, ext: Any, m: int, urgent: bool) -> int:  # noqa: FBT001 - compiled code takes no keywords
    """Return the port of member ``m`` that has waited longest; of the ``urgent`` ones only if asked."""
    member = member_at(model, m)
    best = NONE
    best_ticket = 0
    for p in range(member.first_port, member.first_port + member.ports):
        if (
            wants_thread(model, ext, p)
            and (not beyond(ext, member) or allowed(model, p))
            and (not urgent or is_urgent(model, p))
        ):
            ticket = _ticket(model, ext, p)
            if best == NONE or ticket < best_ticket:
                best = p
                best_ticket = ticket
    return int(best)


@inline
def _virtual_time(model: Any, member: Any, p: int) -> float:
    """Return the thread time of port ``p`` divided by its weight; work that was idle starts at the pool's level."""
    port = port_at(model, p)
    weight = stream_at(model, port.stream).weight
    charge(model, p, 0)
    if port.wanting == 0:
        port.wanting = 1
        port.used = max(port.used, member.floor * weight)
    return float(port.used / weight)


@compiled
def _least_served(model: Any, ext: Any, m: int) -> int:
    """Return the waiting port with the least thread time per weight: fair share of thread-use time.

    Charging the time really used, not the number of requests, gives a class its share of threads even when its
    requests are longer (WebLogic FairShareRequestClass); it is weighted fair queueing with start tags at wake-up.
    """
    member = member_at(model, m)
    best = NONE
    least = 0.0
    for p in range(member.first_port, member.first_port + member.ports):
        if not wants_thread(model, ext, p):
            port_at(model, p).wanting = 0
        elif allowed(model, p):
            spent = _virtual_time(model, member, p)
            if best == NONE or spent < least:
                best = p
                least = spent
    if best != NONE:
        member.floor = max(member.floor, least)
    return int(best)


@compiled
def _most_overdue(model: Any, ext: Any, m: int) -> int:
    """Return the waiting port whose wait is longest relative to its tolerable wait: goal - average thread time.

    Serving the largest ratio first keeps the average waits of the classes in that proportion.
    """
    member = member_at(model, m)
    best = NONE
    worst = 0.0
    for p in range(member.first_port, member.first_port + member.ports):
        if wants_thread(model, ext, p) and allowed(model, p):
            port = port_at(model, p)
            stream = stream_at(model, port.stream)
            charge(model, p, 0)
            tolerable = _ANY_WAIT / stream.weight
            if stream.goal > 0.0:
                tolerable = max(stream.goal - port.used_total / max(port.starts, 1), _LEAST_WAIT)
            head = _head(model, ext, p)
            waited = 0.0 if head == NONE else model.now - message_at(model, head).mark
            if best == NONE or waited / tolerable > worst:
                best = p
                worst = waited / tolerable
    return int(best)


@compiled
def _lottery(model: Any, ext: Any, m: int) -> int:
    """Draw one of the waiting ports with its weight: the next free thread goes to 10/20/50 as 1/8, 2/8, 5/8."""
    member = member_at(model, m)
    total = 0.0
    last = NONE
    for p in range(member.first_port, member.first_port + member.ports):
        if wants_thread(model, ext, p) and allowed(model, p):
            total += stream_at(model, port_at(model, p).stream).weight
            last = p
    if last == NONE:
        return NONE
    point = uniform(member.lottery_key, member.lottery_draws) * total
    member.lottery_draws += 1
    for p in range(member.first_port, member.first_port + member.ports):
        if wants_thread(model, ext, p) and allowed(model, p):
            point -= stream_at(model, port_at(model, p).stream).weight
            if point < 0.0:
                return int(p)
    return int(last)


@compiled
def _by_policy(model: Any, ext: Any, m: int) -> int:
    member = member_at(model, m)
    if member.constraints > 0:
        urgent = _oldest(model, ext, m, True)  # noqa: FBT003
        if urgent != NONE:
            return urgent
    if member.policy == _FIFO:
        return _oldest(model, ext, m, False)  # noqa: FBT003
    if member.policy == _NEXT_THREAD:
        return _lottery(model, ext, m)
    if member.goals > 0:
        return _most_overdue(model, ext, m)
    return _least_served(model, ext, m)


@inline
def choose(model: Any, ext: Any, m: int) -> int:
    """Return the port that gets the next free thread of member ``m``, NONE if no port wants one.

    Unmet minimum constraints come first, oldest message first; then the pool's policy decides. Where there is one port
    and no constraint, there is nothing to decide.
    """
    member = member_at(model, m)
    if member.ports == 1 and (not beyond(ext, member) or member.constraints == 0):
        return int(member.first_port if wants_thread(model, ext, member.first_port) else NONE)
    if beyond(ext, member):
        return _by_policy(model, ext, m)
    return _oldest(model, ext, m, False)  # noqa: FBT003
