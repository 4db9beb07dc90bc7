"""The threads of a member: taken from the list of idle ones, put to work, given back."""

from typing import Any

from simulations.engine.compiled import inline
from simulations.engine.measures.observe import accrue_member
from simulations.engine.records.layout import NONE, State, member_at, thread_at

_IDLE = int(State.IDLE)
_BUSY = int(State.BUSY)


@inline
def take_thread(model: Any, m: int) -> int:
    """Take an idle thread of member ``m``, the one released last."""
    member = member_at(model, m)
    t = member.free
    member.free = thread_at(model, t).next
    accrue_member(model, m)
    member.idle -= 1
    member.busy += 1
    thread = thread_at(model, t)
    thread.state = _BUSY
    thread.since = model.now
    return int(t)


@inline
def stop_working(model: Any, t: int) -> float:
    """End the busy time of thread ``t``, which is in no state then, and return its length in seconds."""
    thread = thread_at(model, t)
    accrue_member(model, thread.member)
    member = member_at(model, thread.member)
    member.busy -= 1
    worked = model.now - thread.since
    member.service_sum += worked
    thread.message = NONE
    return float(worked)


@inline
def set_idle(model: Any, t: int) -> None:
    """Give thread ``t`` back to its member."""
    thread = thread_at(model, t)
    member = member_at(model, thread.member)
    thread.state = _IDLE
    thread.next = member.free
    member.free = t
    member.idle += 1
