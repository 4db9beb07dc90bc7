"""A thread and its message: taken from where it waits, begun, and served in parts."""

from simulations.engine.compiled import compiled, inline
from simulations.engine.draws.laws import draw, draw_service
from simulations.engine.draws.numbers import ATTEMPTS
from simulations.engine.events.agenda import KIND_SHIFT, cancel, is_set, schedule
from simulations.engine.events.messages import take
from simulations.engine.events.queues import insert_after, pop
from simulations.engine.measures.observe import accrue_member, accrue_stream, note
from simulations.engine.mechanisms.constraints import charge
from simulations.engine.mechanisms.pipelines import next_of, prefetch
from simulations.engine.mechanisms.resources import begin_shared, work
from simulations.engine.mechanisms.windows import note_starving
from simulations.engine.records.codes import NONE, SINGLE, Kind, Stage, Staging, State, Step
from simulations.engine.records.layout import Model, beyond

_SERVICE = int(Kind.SERVICE_END) << KIND_SHIFT


@inline
def serve(model: Model, ext: int | None, t: int) -> None:
    """Begin ``onMessage`` on thread ``t``: first the CPU part of the demand, then the waiting part."""
    message = model.messages[model.threads[t].message]
    stream = model.streams[message.stream]
    model.sequence += 1
    model.slots[t].order = _SERVICE + model.sequence
    address = message.index + int(message.deliveries) * ATTEMPTS
    demand = draw_service(model, stream, address)
    if beyond(ext, stream):
        if stream.search != NONE:
            demand += draw(model, model.laws[stream.search], stream.search_key, address)
        model.threads[t].stage = Stage.LAST
        if stream.resource != NONE:
            begin_shared(model, t, demand)
            return
    on_cpu = demand * stream.cpu_share
    work(model, t, on_cpu, demand - on_cpu)


@inline
def occupy(model: Model, ext: int | None, p: int) -> None:
    """Count one more thread in use by port ``p``."""
    port = model.ports[p]
    if beyond(ext, model.streams[port.stream]):
        charge(model, p, 1)
        port.starts += 1
    port.running += 1


@inline
def vacate(model: Model, ext: int | None, p: int) -> None:
    """Count one thread less in use by port ``p``."""
    port = model.ports[p]
    if beyond(ext, model.streams[port.stream]):
        charge(model, p, -1)
    port.running -= 1


@inline
def resume_work(model: Model, t: int) -> None:
    """Mark a freed thread as busy."""
    thread = model.threads[t]
    accrue_member(model, thread.member)
    model.members[thread.member].busy += 1
    thread.state = State.BUSY
    thread.since = model.now


@inline
def _take_off(model: Model, ext: int | None, p: int) -> int:
    """Take the next message of port ``p`` off its destination, for a thread that begins with it at once."""
    port = model.ports[p]
    q = port.stream
    stream = model.streams[q]
    m = take(model, q, port.destination)
    if m == NONE:
        return NONE
    accrue_stream(model, q)
    stream.backlog -= 1
    port.inflight += 1
    message = model.messages[m]
    if beyond(ext, stream) and stream.staging == Staging.POLLED:
        message.destination += model.now - message.mark
    else:
        message.thread += model.now - message.mark
    message.ready = model.now
    model.ticket += 1
    port.ticket = model.ticket
    return m


@inline
def _take_prepared(model: Model, ext: int | None, p: int, s: int) -> int:
    """Take the next prepared message of port ``p``, or of its session ``s`` unless that is NONE."""
    port = model.ports[p]
    stream = model.streams[port.stream]
    accrue_stream(model, port.stream)
    m = next_of(model, s) if beyond(ext, stream) and s != NONE else pop(model.messages, model.queues[port.prepared])
    stream.prepared -= 1
    message = model.messages[m]
    message.prepared += model.now - message.mark
    return m


@compiled
def _watch(model: Model, p: int, m: int) -> None:
    """Put message ``m`` under the dispatch timeout of port ``p``, in order of deadline; the port's timer is the first.
    Only sessions with their own buffers begin messages in an order that is not that of their deadlines."""
    port = model.ports[p]
    before = model.queues[port.running_list].tail
    while before != NONE and model.messages[before].ready > model.messages[m].ready:
        before = model.messages[before].prev
    insert_after(model.messages, model.queues[port.running_list], before, m)
    if before == NONE:
        cancel(model, port.dispatch_slot)
    if not is_set(model, port.dispatch_slot):
        deadline = (
            model.messages[model.queues[port.running_list].head].ready + model.streams[port.stream].dispatch_timeout
        )
        schedule(model, port.dispatch_slot, max(deadline, model.now))


@inline
def begin(model: Model, ext: int | None, t: int, p: int, s: int) -> bool:
    """Let thread ``t`` begin with the next message of port ``p`` (of its session ``s``, unless NONE). False when a
    saturated stream needs message slots first."""
    port = model.ports[p]
    q = port.stream
    stream = model.streams[q]
    direct = stream.staging == Staging.DIRECT or (beyond(ext, stream) and stream.staging == Staging.POLLED)
    m = _take_off(model, ext, p) if direct else _take_prepared(model, ext, p, s)
    if m == NONE:
        return False
    thread = model.threads[t]
    message = model.messages[m]
    message.mark = model.now
    stream.running += 1
    if beyond(ext, stream):
        thread.session = s
        thread.alone = 1 if message.worker == SINGLE else 0
    thread.message = m
    thread.port = p
    message.worker = t
    note(model, Step.START, q, message.index, port.inflight)
    if beyond(ext, stream) and s != NONE:
        prefetch(model, q)
    if stream.staging == Staging.WINDOW:
        note_starving(model, p)
    if stream.dispatch_timeout > 0.0:
        _watch(model, p, m)
    serve(model, ext, t)
    return True
