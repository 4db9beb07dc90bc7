"""The end of the parts of a service, and of a delivery."""

from simulations.engine.compiled import compiled, inline
from simulations.engine.events.agenda import schedule
from simulations.engine.events.messages import forget_times
from simulations.engine.loop.outcomes import complete, fail, fails, stop_running
from simulations.engine.loop.transactions import commit, end_in_transaction
from simulations.engine.measures.observe import accrue_member, rest_more
from simulations.engine.mechanisms.cpus import leave
from simulations.engine.mechanisms.gates import leave_port
from simulations.engine.mechanisms.resources import acquire, give_back
from simulations.engine.records.codes import NONE, Stage, State
from simulations.engine.records.extensions import beyond
from simulations.engine.records.layout import Model
from simulations.engine.threads.pools import release_thread
from simulations.engine.threads.service import go_on_working, serve, vacate
from simulations.engine.threads.states import stop_working


@compiled
def _resume(model: Model, ext: int | None, t: int) -> None:
    """Serve the message again whose retry in place kept thread ``t``; all its time before is redelivery time."""
    thread = model.threads[t]
    message = model.messages[thread.message]
    accrue_member(model, thread.member)
    model.members[thread.member].held -= 1
    rest_more(model, message.stream, -1)
    go_on_working(model, t)
    message.redelivery = model.now - message.arrived
    forget_times(message)
    message.mark = model.now
    serve(model, ext, t)


@inline
def end_service(model: Model, ext: int | None, t: int) -> int:
    """End what thread ``t`` was doing; return its port, or NONE when nothing else can move because of it."""
    thread = model.threads[t]
    if thread.state == State.HELD:
        _resume(model, ext, t)
        return NONE
    p = thread.port
    q = model.ports[p].stream
    stream = model.streams[q]
    if beyond(ext, stream):
        if thread.stage == Stage.BEFORE:
            acquire(model, t)
            return NONE
        if thread.stage == Stage.COMMIT:
            return commit(model, ext, t)
    message = model.messages[thread.message]
    if beyond(ext, stream):
        if stream.resource != NONE:
            give_back(model, t)
        if stream.transactional == 1:
            return end_in_transaction(model, ext, t)
    if fails(stream, message):
        return NONE if fail(model, ext, t) else int(p)
    m = stop_running(model, t)
    stop_working(model, t)
    vacate(model, ext, p)
    leave_port(model, p)
    complete(model, ext, q, m, p, message.waiting + (model.now - message.mark), message.commit)
    release_thread(model, ext, t, p)
    return p


@compiled
def end_cpu(model: Model, m: int) -> int:
    """End the CPU part of a thread of member ``m``; the waiting part follows. Returns the thread if there is none."""
    t = leave(model, m)
    message = model.messages[model.threads[t].message]
    message.cpu += model.now - message.mark
    message.mark = model.now
    rest = model.threads[t].rest
    if rest > 0.0:
        schedule(model, t, model.now + rest)
        return NONE
    return t
