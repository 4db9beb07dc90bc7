"""The threads of a member: taken from the list of idle ones, put to work, given back."""

from simulations.engine.compiled import inline
from simulations.engine.measures.observe import accrue_member
from simulations.engine.records.codes import NONE, State
from simulations.engine.records.layout import Model


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
