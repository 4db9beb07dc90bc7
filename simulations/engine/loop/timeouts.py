"""Deliveries that take too long, on the prepared queue or on a thread, whose servant may be lost with it."""

from simulations.engine.compiled import compiled, inline
from simulations.engine.events.agenda import cancel, is_set, schedule
from simulations.engine.events.messages import bring_back
from simulations.engine.events.queues import pop
from simulations.engine.loop.deliveries import abort
from simulations.engine.loop.outcomes import roll_back
from simulations.engine.measures.observe import accrue_member, accrue_stream, change_resting, note
from simulations.engine.mechanisms.cpus import evict
from simulations.engine.mechanisms.gates import leave_port
from simulations.engine.mechanisms.pipelines import free_session
from simulations.engine.mechanisms.pollers import call_poller, unlink_waiter
from simulations.engine.mechanisms.resources import abandon
from simulations.engine.records.codes import NONE, Staging, State, Step
from simulations.engine.records.layout import Model
from simulations.engine.threads.pools import release_thread
from simulations.engine.threads.service import resume_work
from simulations.engine.threads.states import servant_started, set_idle


@compiled
def expire(model: Model, p: int) -> None:
    """Bring back the first messages of port ``p`` that have been prepared for longer than the queue timeout.

    A thread rejects messages that are too old until it reaches one that is not: fewer are in flight, and their
    preparation is lost (IBM: control_region_mdb_queue_timeout_percent).
    """
    port = model.ports[p]
    q = port.stream
    stream = model.streams[q]
    line = model.queues[port.prepared]
    while line.count > 0 and model.now > model.messages[line.head].ready + stream.queue_timeout:
        accrue_stream(model, q)
        head = pop(model.messages, line)
        stream.prepared -= 1
        stream.seconds_wasted += port.agent_time
        leave_port(model, p)
        model.streams[q].queue_timeouts += 1
        note(model, Step.EXPIRE, q, model.messages[head].index, port.inflight)
        bring_back(model, head, False)  # noqa: FBT003


@inline
def _uses_resource(model: Model, t: int) -> bool:
    thread = model.threads[t]
    resource = model.streams[model.messages[thread.message].stream].resource
    return resource != NONE and thread.state != State.HELD


@compiled
def halt(model: Model, ext: int | None, t: int) -> None:
    """Stop thread ``t`` in the middle of what it does and bring its messages back."""
    thread = model.threads[t]
    waiting = False
    if ext is not None and thread.message != NONE and _uses_resource(model, t):
        waiting = abandon(model, t)
    if not waiting:
        if not is_set(model, t):
            evict(model, t)
        else:
            cancel(model, t)
    if thread.state == State.HELD:
        accrue_member(model, thread.member)
        model.members[thread.member].held -= 1
        change_resting(model, model.ports[thread.port].stream, -1)
        resume_work(model, t)
    if ext is not None:
        abort(model, ext, t, False)  # noqa: FBT003
    else:
        roll_back(model, ext, t, False)  # noqa: FBT003


@compiled
def _unlink(model: Model, t: int) -> None:
    """Take thread ``t`` out of the list of idle threads."""
    member = model.members[model.threads[t].member]
    if member.free == t:
        member.free = model.threads[t].next
        return
    at = member.free
    while model.threads[at].next != t:
        at = model.threads[at].next
    model.threads[at].next = model.threads[t].next


@inline
def _forget(model: Model, t: int) -> None:
    """Free the session or the poller's place of the lost thread ``t``; its port asks for another poller."""
    thread = model.threads[t]
    port = model.ports[thread.port]
    staging = model.streams[port.stream].staging
    if staging == Staging.PIPELINE:
        free_session(model, thread.session)
    elif staging == Staging.POLLED:
        port.pollers -= 1
        call_poller(model, thread.port)
    thread.port = NONE


@compiled
def stop(model: Model, ext: int | None, t: int) -> None:
    """Stop thread ``t``, which is not idle: it works, or waits for a message."""
    thread = model.threads[t]
    if ext is not None and thread.state == State.HELD and thread.message == NONE:
        unlink_waiter(model, t)
    else:
        halt(model, ext, t)
    if ext is not None:
        _forget(model, t)


@compiled
def _lose_servant(model: Model, ext: int | None, s: int) -> None:
    """End servant ``s``: all it runs is rolled back and its threads are held until the replacement has started."""
    servant = model.servants[s]
    m = servant.member
    member = model.members[m]
    accrue_member(model, m)
    for t in range(servant.first_thread, servant.first_thread + member.threads_per_servant):
        thread = model.threads[t]
        if thread.state == State.IDLE:
            _unlink(model, t)
            member.idle -= 1
            thread.port = NONE
        else:
            stop(model, ext, t)
        thread.state = State.ABSENT
        member.held += 1
    servant.lost = 1
    schedule(model, servant.slot, model.now + member.servant_start_time)


@compiled
def servant_ready(model: Model, ext: int | None, s: int) -> int:
    """Give the threads of the replaced or late servant ``s`` to its member, which is returned."""
    servant = model.servants[s]
    m = servant.member
    if ext is not None and servant.lost == 0:
        servant_started(model, s)
        return m
    servant.lost = 0
    member = model.members[m]
    accrue_member(model, m)
    for t in range(servant.first_thread, servant.first_thread + member.threads_per_servant):
        member.held -= 1
        set_idle(model, t)
    return m


@compiled
def overrun(model: Model, ext: int | None, p: int) -> None:
    """End the deliveries of port ``p`` that are not done within the dispatch timeout, counted from queueing."""
    port = model.ports[p]
    q = port.stream
    stream = model.streams[q]
    line = model.queues[port.running_list]
    while line.count > 0:
        head = line.head
        deadline = model.messages[head].ready + stream.dispatch_timeout
        if deadline > model.now:
            if not is_set(model, port.dispatch_slot):
                schedule(model, port.dispatch_slot, deadline)
            return
        model.streams[q].dispatch_timeouts += 1
        note(model, Step.OVERRUN, q, model.messages[head].index, port.inflight)
        t = model.messages[head].worker
        if stream.restart == 1:
            _lose_servant(model, ext, model.threads[t].servant)
        else:
            halt(model, ext, t)
            release_thread(model, ext, t, p)
