"""The threads of a member: taken from the list of idle ones, given back, and their number as it follows the work."""

from simulations.engine.compiled import compiled, inline
from simulations.engine.events.agenda import schedule
from simulations.engine.measures.observe import accrue_member
from simulations.engine.network.model import PoolGrowth
from simulations.engine.records.codes import NONE, State
from simulations.engine.records.layout import Model

_GAIN = 1.01
"""Throughput must change by 1 % to count as a change (assumed; WebLogic does not say)."""


@inline
def take_thread(model: Model, m: int) -> int:
    """Take an idle thread of member ``m``, the one released last."""
    member = model.members[m]
    t = member.free
    member.free = model.threads[t].next
    accrue_member(model, m)
    member.idle -= 1
    member.busy += 1
    thread = model.threads[t]
    thread.state = State.BUSY
    thread.since = model.now
    return t


@inline
def stop_working(model: Model, t: int) -> float:
    """End the busy time of thread ``t`` and return its length in seconds; the caller gives it its next state."""
    thread = model.threads[t]
    accrue_member(model, thread.member)
    member = model.members[thread.member]
    member.busy -= 1
    worked = model.now - thread.since
    member.service_sum += worked
    thread.message = NONE
    return worked


@inline
def set_idle(model: Model, t: int) -> None:
    """Give thread ``t`` back to its member."""
    thread = model.threads[t]
    member = model.members[thread.member]
    thread.state = State.IDLE
    thread.next = member.free
    member.free = t
    member.idle += 1


@compiled
def add_thread(model: Model, m: int) -> None:
    """Give member ``m`` its next thread."""
    member = model.members[m]
    accrue_member(model, m)
    t = member.parked
    member.parked = model.threads[t].next
    set_idle(model, t)
    member.existing += 1


@compiled
def grow(model: Model, m: int) -> None:
    """React to work of member ``m`` that finds no thread: at once, or by starting a servant."""
    member = model.members[m]
    if member.existing >= member.threads:
        return
    if member.growth == PoolGrowth.INSTANT or (member.growth == PoolGrowth.HISTORY and member.existing < member.target):
        add_thread(model, m)
    elif member.growth == PoolGrowth.SERVANTS and member.starting == 0:
        member.starting = 1
        servant = model.servants[member.first_servant + member.existing // member.threads_per_servant]
        schedule(model, servant.slot, model.now + member.servant_start_time)


@compiled
def servant_started(model: Model, s: int) -> None:
    """Add the threads of servant ``s``, which has come up late."""
    m = model.servants[s].member
    member = model.members[m]
    member.starting = 0
    for _ in range(member.threads_per_servant):
        add_thread(model, m)


@compiled
def adapt_target(model: Model, m: int) -> None:
    """Move the target of member ``m`` one thread on: in the same direction while that pays, else back.

    The pool grows while more threads raise throughput and shrinks while fewer do not lower it, looked at every
    ``growth_interval`` (WebLogic self-tuning: 2 s; the size of a step is not documented, one thread is assumed).
    """
    member = model.members[m]
    rate = member.finished / member.growth_interval
    better = rate > member.rate_before * _GAIN
    worse = rate * _GAIN < member.rate_before
    if (member.direction > 0 and not better) or (member.direction < 0 and worse):
        member.direction = -member.direction
    member.target = min(max(member.target + member.direction, 1), member.threads)
    member.rate_before = rate
    member.finished = 0
    schedule(model, member.growth_slot, model.now + member.growth_interval)
