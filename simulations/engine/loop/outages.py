"""Outages: a server goes away with all it holds, or something without which deliveries fail.

A server goes away by an outage or when its WLM queue is overloaded. What its threads run is rolled back, what was
prepared and what its agents carry returns to the destination, where other instances may take it. Until it is back its
agents take nothing and it has no threads. What is rolled back has been delivered once more, but that stops no listener.
"""

from simulations.engine.compiled import apart, compiled, inline
from simulations.engine.events.agenda import cancel, is_set, schedule
from simulations.engine.events.messages import bring_back, destination_of
from simulations.engine.events.queues import prepend, remove
from simulations.engine.loop.timeouts import halt
from simulations.engine.measures.observe import accrue_member, accrue_stream
from simulations.engine.mechanisms.gates import leave_port
from simulations.engine.records.codes import AWAY, FOREVER, NONE, State
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
        message = model.messages[m]
        prepend(model.messages, model.queues[destination_of(model.streams[port.stream], message)], m)


@inline
def _empty_queue(model: Model, p: int) -> None:
    """Bring the prepared messages of port ``p`` back, in their order."""
    port = model.ports[p]
    stream = model.streams[port.stream]
    line = model.queues[port.prepared]
    accrue_stream(model, port.stream)
    while line.count > 0:
        m = line.head if stream.retry_delay > 0.0 else line.tail
        remove(model.messages, model.queues[port.prepared], m)
        stream.prepared -= 1
        leave_port(model, p)
        bring_back(model, m, False)  # noqa: FBT003
    port.opened = 0


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
                halt(model, ext, t)
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
        _drop_agent(model, p)
        _empty_queue(model, p)
    _stop_threads(model, ext, m)
    for p in range(member.first_port, member.first_port + member.ports):
        model.streams[model.ports[p].stream].stopped = model.ports[p].stopped


@compiled
def fail(model: Model, ext: int | None, m: int) -> None:
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
def leave(model: Model, ext: int | None, m: int) -> None:
    """Begin the outage of member ``m``."""
    member = model.members[m]
    for p in range(member.first_port, member.first_port + member.ports):
        _expect_recovery(model, model.ports[p].stream, model.now + member.outage_time)
    _go_away(model, ext, m, member.outage_time)


@compiled
def break_down(model: Model, q: int) -> None:
    """Let all deliveries of stream ``q`` fail from now on, or no longer."""
    stream = model.streams[q]
    stream.broken = 1 - stream.broken
    if stream.broken == 1:
        _expect_recovery(model, q, model.now + stream.outage_time)
        schedule(model, stream.outage_slot, model.now + stream.outage_time)


@compiled
def come_back(model: Model, m: int) -> None:
    """Give member ``m`` its threads and agents back."""
    member = model.members[m]
    accrue_member(model, m)
    member.away = 0
    for p in range(member.first_port, member.first_port + member.ports):
        model.ports[p].agent_message = NONE
    for t in range(member.first_thread, member.first_thread + member.threads):
        if model.threads[t].state == State.AWAY:
            member.held -= 1
            set_idle(model, t)


@apart
def start_outages(model: Model) -> None:
    """Set the timers of the outages."""
    for m in range(model.member_count):
        member = model.members[m]
        if member.outage_slot != NONE:
            schedule(model, member.outage_slot, member.outage_start)
    for q in range(model.stream_count):
        if model.streams[q].outage_slot != NONE:
            schedule(model, model.streams[q].outage_slot, model.streams[q].outage_start)
