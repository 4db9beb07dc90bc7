"""Outages: of a server with all it holds, of the broker behind a queue, of something without which deliveries fail.

A server goes away by an outage or when its WLM queue is overloaded. What its threads run is rolled back; what was
prepared, what its agents carry and what it was granted returns to the destination, where other instances may take it.
Until it is back it takes nothing and has no threads. Consumers that lose their broker give back the same, and their
threads to the pool. What is rolled back has been delivered once more, but that stops no listener. Who comes back is a
new consumer.
"""

from simulations.engine.compiled import compiled, inline
from simulations.engine.events.agenda import cancel, is_set, schedule
from simulations.engine.events.messages import bring_back, line_of
from simulations.engine.events.queues import prepend, remove
from simulations.engine.loop.timeouts import stop
from simulations.engine.measures.observe import accrue_member, accrue_stream
from simulations.engine.mechanisms.gates import leave_port
from simulations.engine.mechanisms.pollers import start_pollers
from simulations.engine.mechanisms.windows import disconnect
from simulations.engine.records.codes import AWAY, FOREVER, NONE, Kind, Staging, State
from simulations.engine.records.layout import Model
from simulations.engine.threads.states import set_idle


@inline
def _is_overloaded(model: Model, m: int) -> bool:
    """Say whether more messages are prepared at member ``m`` than its queue bears."""
    member = model.members[m]
    prepared = 0
    for p in range(member.first_port, member.first_port + member.ports):
        prepared += model.queues[model.ports[p].prepared].count
    return prepared > member.queue_capacity


@compiled
def watch_capacity(model: Model, q: int) -> None:
    """Let the instances of stream ``q`` fail whose queue is overloaded, once their idle threads have taken work."""
    stream = model.streams[q]
    for i in range(stream.instances):
        m = model.ports[stream.first_port + i * stream.stride].member
        member = model.members[m]
        if member.queue_capacity > 0 and not is_set(model, member.failure_slot) and _is_overloaded(model, m):
            schedule(model, member.failure_slot, model.now)


@inline
def _drop_agent(model: Model, p: int) -> None:
    """Put what the agent of port ``p`` carries back on its destination; the agent takes nothing more."""
    port = model.ports[p]
    m = port.agent_message
    port.agent_message = AWAY
    if m != NONE:
        cancel(model, port.agent_slot)
        if port.from_start == 1:
            leave_port(model, p)
        prepend(model.messages, line_of(model, m), m)


@compiled
def _empty(model: Model, p: int, prepared: int) -> None:
    """Bring the messages that port ``p`` has ``prepared`` in this line back, in their order."""
    stream = model.streams[model.ports[p].stream]
    line = model.queues[prepared]
    accrue_stream(model, model.ports[p].stream)
    while line.count > 0:
        m = line.head if stream.retry_delay > 0.0 else line.tail
        remove(model.messages, model.queues[prepared], m)
        stream.prepared -= 1
        leave_port(model, p)
        bring_back(model, m, False)  # noqa: FBT003


@compiled
def _close(model: Model, p: int) -> None:
    """Bring everything back that port ``p`` holds and no thread has; it takes nothing more."""
    port = model.ports[p]
    _drop_agent(model, p)
    if model.streams[port.stream].staging == Staging.WINDOW:
        disconnect(model, p)
    elif model.streams[port.stream].staging == Staging.POLLED:
        cancel(model, port.poll_slot)
    _empty(model, p, port.prepared)
    if model.streams[port.stream].staging == Staging.PIPELINE:
        for s in range(port.first_session, port.first_session + port.sessions):
            _empty(model, p, model.sessions[s].queue)
            if model.sessions[s].listed == 1:
                model.sessions[s].listed = 0
                remove(model.sessions, model.queues[port.ready], s)
    port.opened = 0


@compiled
def _open(model: Model, p: int) -> None:
    """Let port ``p`` take messages again, as from the start."""
    port = model.ports[p]
    port.agent_message = NONE
    if model.streams[port.stream].staging == Staging.WINDOW:
        port.credit = port.limit
    elif model.streams[port.stream].staging == Staging.POLLED:
        start_pollers(model, p)


@compiled
def _stop_threads(model: Model, ext: int | None, m: int) -> None:
    """Take all threads of member ``m`` that have started away, and roll back what they run."""
    member = model.members[m]
    for s in range(member.first_servant, member.first_servant + member.servants):
        servant = model.servants[s]
        for t in range(servant.first_thread, servant.first_thread + member.threads_per_servant):
            thread = model.threads[t]
            if thread.state == State.ABSENT:
                if servant.lost == 1:
                    thread.state = State.AWAY
                continue
            if thread.state != State.IDLE:
                stop(model, ext, t)
            thread.state = State.AWAY
            thread.port = NONE
            member.held += 1
        servant.lost = 0
        if servant.slot != NONE:
            cancel(model, servant.slot)
    member.starting = 0
    member.idle = 0
    member.free = NONE


@compiled
def _go_away(model: Model, ext: int | None, m: int, seconds: float) -> None:
    """Let member ``m`` be away from now on for ``seconds``; an outage that begins meanwhile counts from its begin."""
    member = model.members[m]
    cancel(model, member.return_slot)
    schedule(model, member.return_slot, model.now + seconds)
    if member.away == 1:
        return
    accrue_member(model, m)
    member.away = 1
    for p in range(member.first_port, member.first_port + member.ports):
        model.ports[p].stopped = model.streams[model.ports[p].stream].stopped
        if model.ports[p].agent_message != AWAY:
            _close(model, p)
    _stop_threads(model, ext, m)
    for p in range(member.first_port, member.first_port + member.ports):
        model.streams[model.ports[p].stream].stopped = model.ports[p].stopped


@compiled
def _fail(model: Model, ext: int | None, m: int) -> None:
    """Let member ``m`` fail if its queue is still overloaded."""
    if _is_overloaded(model, m):
        _go_away(model, ext, m, model.members[m].restart_time)


@compiled
def _expect_recovery(model: Model, q: int, end: float) -> None:
    """Keep how many messages stream ``q`` has inside as its outage, which ends at ``end``, begins."""
    stream = model.streams[q]
    if stream.recovers_from == FOREVER:
        stream.inside_before = stream.inside
        stream.recovers_from = end
    stream.recovers_from = max(stream.recovers_from, end)
    stream.recovery = FOREVER


@compiled
def _leave(model: Model, ext: int | None, m: int) -> None:
    """Begin the outage of member ``m``."""
    member = model.members[m]
    for p in range(member.first_port, member.first_port + member.ports):
        _expect_recovery(model, model.ports[p].stream, model.now + member.outage_time)
    _go_away(model, ext, m, member.outage_time)


@compiled
def _break_down(model: Model, q: int) -> None:
    """Let all deliveries of stream ``q`` fail from now on, or no longer."""
    stream = model.streams[q]
    stream.broken = 1 - stream.broken
    if stream.broken == 1:
        _expect_recovery(model, q, model.now + stream.outage_time)
        schedule(model, stream.outage_slot, model.now + stream.outage_time)


@compiled
def _change_broker(model: Model, ext: int | None, q: int) -> None:
    """Let the consumers of stream ``q`` lose their broker from now on, or find it again. What their threads run is
    rolled back, and the threads go back to the pool."""
    stream = model.streams[q]
    stream.absent = 1 - stream.absent
    if stream.absent == 1:
        _expect_recovery(model, q, model.now + stream.absence_time)
        schedule(model, stream.absence_slot, model.now + stream.absence_time)
    stopped = stream.stopped
    for i in range(stream.instances):
        p = stream.first_port + i * stream.stride
        member = model.members[model.ports[p].member]
        if member.away == 1:
            continue
        if stream.absent == 0:
            _open(model, p)
            continue
        _close(model, p)
        accrue_member(model, model.ports[p].member)
        for t in range(member.first_thread, member.first_thread + member.threads):
            if model.threads[t].port == p and model.threads[t].state in (State.BUSY, State.HELD):
                stop(model, ext, t)
                set_idle(model, t)
    stream.stopped = stopped


@compiled
def _come_back(model: Model, m: int) -> None:
    """Give member ``m`` its threads back, and what it takes messages with."""
    member = model.members[m]
    accrue_member(model, m)
    member.away = 0
    for p in range(member.first_port, member.first_port + member.ports):
        if model.streams[model.ports[p].stream].absent == 0:
            _open(model, p)
    for t in range(member.first_thread, member.first_thread + member.threads):
        if model.threads[t].state == State.AWAY:
            member.held -= 1
            set_idle(model, t)


@compiled
def change_presence(model: Model, ext: int | None, kind: int, entity: int) -> None:
    """Let a member fail, go away or come back, or let a stream lose or find its broker, or what deliveries need."""
    if kind == Kind.FAILURE:
        _fail(model, ext, entity)
    elif kind == Kind.OUTAGE:
        _leave(model, ext, entity)
    elif kind == Kind.RETURN:
        _come_back(model, entity)
    elif kind == Kind.ABSENCE:
        _change_broker(model, ext, entity)
    else:
        _break_down(model, entity)
