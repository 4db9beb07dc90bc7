"""CPUs of a member, shared by the threads in their CPU part: egalitarian processor sharing in virtual time.

With n threads on c CPUs each proceeds at rate min(1, c / n). The virtual clock runs at that rate, so a thread's virtual
finish never changes and one heap per member orders them (Parekh and Gallager 1993 use the same device).
"""

from simulations.engine.compiled import compiled, inline
from simulations.engine.events.agenda import cancel, reschedule
from simulations.engine.measures.observe import accrue_member
from simulations.engine.records.layout import Model
from simulations.engine.records.references import copy_fields
from simulations.engine.records.server import Member


@inline
def _advance(model: Model, member: Member) -> None:
    now = model.now
    active = member.cpu_active
    rate = 1.0 if active <= member.cpus else member.cpus / active
    member.cpu_virtual += (now - member.cpu_since) * rate
    member.cpu_since = now


@inline
def _arm(model: Model, member: Member) -> None:
    active = member.cpu_active
    if active == 0:
        cancel(model, member.cpu_slot)
        return
    slow = 1.0 if active <= member.cpus else active / member.cpus
    left = max(model.cpu[member.first_cpu].finish - member.cpu_virtual, 0.0)
    reschedule(model, member.cpu_slot, model.now + left * slow)


@inline
def _rise(model: Model, base: int, place: int, finish: float, thread: int) -> None:
    while place > 0 and finish < model.cpu[base + ((place - 1) >> 1)].finish:
        parent = (place - 1) >> 1
        copy_fields(model.cpu[base + place], model.cpu[base + parent])
        place = parent
    model.cpu[base + place].finish = finish
    model.cpu[base + place].thread = thread


@inline
def _sink(model: Model, base: int, size: int, place: int, finish: float, thread: int) -> None:
    while 2 * place + 1 < size:
        child = 2 * place + 1
        if child + 1 < size and model.cpu[base + child + 1].finish < model.cpu[base + child].finish:
            child += 1
        if finish <= model.cpu[base + child].finish:
            break
        copy_fields(model.cpu[base + place], model.cpu[base + child])
        place = child
    model.cpu[base + place].finish = finish
    model.cpu[base + place].thread = thread


@inline
def _drop(model: Model, member: Member, place: int) -> None:
    base = member.first_cpu
    last = member.cpu_active - 1
    member.cpu_active = last
    entry = model.cpu[base + last]
    finish = entry.finish
    thread = entry.thread
    if place < last:
        _sink(model, base, last, place, finish, thread)
        _rise(model, base, place, model.cpu[base + place].finish, model.cpu[base + place].thread)
    if last == 0:
        member.cpu_virtual = 0.0


@compiled
def enter(model: Model, thread: int, work: float) -> None:
    """Put ``thread`` on the CPUs that its member uses for ``work`` CPU-seconds."""
    m = model.members[model.threads[thread].member].host
    member = model.members[m]
    accrue_member(model, m)
    _advance(model, member)
    place = member.cpu_active
    member.cpu_active = place + 1
    _rise(model, member.first_cpu, place, member.cpu_virtual + work, thread)
    _arm(model, member)


@compiled
def leave(model: Model, m: int) -> int:
    """Take the thread whose CPU part ends now from the CPUs of member ``m`` and return it."""
    member = model.members[m]
    accrue_member(model, m)
    _advance(model, member)
    first = model.cpu[member.first_cpu]
    member.cpu_virtual = first.finish
    thread = first.thread
    _drop(model, member, 0)
    _arm(model, member)
    return thread


@compiled
def evict(model: Model, thread: int) -> None:
    """Take ``thread`` from the CPUs before its CPU part is done."""
    m = model.members[model.threads[thread].member].host
    member = model.members[m]
    accrue_member(model, m)
    _advance(model, member)
    base = member.first_cpu
    for place in range(member.cpu_active):
        if model.cpu[base + place].thread == thread:
            _drop(model, member, place)
            break
    _arm(model, member)
