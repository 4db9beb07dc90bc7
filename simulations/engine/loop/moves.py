"""How messages move on: from the destination through gates, credit and buffers, and from there to the threads.

Below it the handlers of the timers: one call, or two, for each ``Kind`` of event except the end of a service.
"""

from simulations.engine.compiled import apart, compiled, inline
from simulations.engine.events.agenda import schedule
from simulations.engine.events.messages import end_delay
from simulations.engine.loop.deliveries import end_cpu
from simulations.engine.loop.outages import change_presence, watch_capacity
from simulations.engine.loop.timeouts import expire, overrun, servant_ready
from simulations.engine.mechanisms.flow import evaluate
from simulations.engine.mechanisms.gates import admit, end_agent, note_release
from simulations.engine.mechanisms.pipelines import prefetch
from simulations.engine.mechanisms.pollers import poll_cycle, start_pollers
from simulations.engine.mechanisms.producers import expire_sends, notice_outcome, send_held
from simulations.engine.mechanisms.windows import deliver, grant, resume_connection
from simulations.engine.records.codes import FOREVER, NONE, Kind, Staging
from simulations.engine.records.layout import Model, beyond
from simulations.engine.threads.pools import dispatch, dispatch_compiled, offer, wake_pollers
from simulations.engine.threads.states import adapt_target


@inline
def _dispatch_all(model: Model, ext: int | None, q: int) -> None:
    stream = model.streams[q]
    for i in range(stream.instances):
        dispatch(model, ext, model.ports[stream.first_port + i * stream.stride].member)


@inline
def _stage(model: Model, ext: int | None, q: int) -> bool:
    """Move messages of stream ``q`` on as far as gates, credit and room allow; say whether a thread may now be due."""
    staging = model.streams[q].staging
    if staging == Staging.GATED:
        prepared = admit(model, q)
        if beyond(ext, model.streams[q]):
            watch_capacity(model, q)
        return prepared
    if staging == Staging.WINDOW:
        return deliver(model, q)
    if ext is not None:
        if staging == Staging.PIPELINE:
            return prefetch(model, q)
        wake_pollers(model, ext, q)
    return True


@compiled
def feed(model: Model, ext: int | None, q: int) -> None:
    """Move messages of stream ``q`` on from its destination as far as gates, credit, room and threads allow."""
    if model.streams[q].staging == Staging.DIRECT:
        offer(model, ext, q)
    else:
        _stage(model, ext, q)
        _dispatch_all(model, ext, q)


@inline
def feed_on(model: Model, ext: int | None, q: int) -> None:
    """Do what ``feed`` does, when no idle thread has a prepared message to take yet."""
    if model.streams[q].staging == Staging.DIRECT:
        offer(model, ext, q)
    elif _stage(model, ext, q):
        _dispatch_all(model, ext, q)


@compiled
def _feed_others(model: Model, ext: int | None, q: int) -> None:
    """Move on what stream ``q`` has sent to other streams."""
    stream = model.streams[q]
    stream.sent = 0
    for i in range(stream.first_send, stream.first_send + stream.sends):
        feed(model, ext, model.sends[i].stream)


@inline
def move_on(model: Model, ext: int | None, p: int) -> int:
    """Give the threads of the instance of port ``p``, from which a message left, their next ones. Returns the stream
    whose messages may now move on from their destination, or NONE."""
    port = model.ports[p]
    dispatch(model, ext, port.member)
    note_release(model, p)
    stream = model.streams[port.stream]
    if beyond(ext, stream):
        if stream.sent == 1:
            _feed_others(model, ext, port.stream)
        if stream.controlled == 1:
            notice_outcome(model, port.stream)
            feed(model, ext, port.stream)
    if stream.returned == 1:
        stream.returned = 0
        feed(model, ext, port.stream)
    elif stream.staging != Staging.DIRECT and port.closed == 0:
        return port.stream
    return NONE


@apart
def settle(model: Model, ext: int | None, p: int) -> None:
    """Continue at the instance of port ``p``, from which a message left: threads first, then new admissions."""
    q = move_on(model, ext, p)
    if q != NONE:
        feed_on(model, ext, q)


@compiled
def _go_on(model: Model, ext: int | None, kind: int, entity: int) -> None:
    """Move the queues on whose member or broker went away or came back: messages moved, and some may have died."""
    if kind == Kind.ABSENCE:
        notice_outcome(model, entity)
        feed(model, ext, entity)
    elif kind != Kind.BREAKDOWN:
        member = model.members[entity]
        for p in range(member.first_port, member.first_port + member.ports):
            notice_outcome(model, model.ports[p].stream)
            feed(model, ext, model.ports[p].stream)


@apart
def handle_mechanism(model: Model, ext: int | None, kind: int, entity: int) -> None:
    """Handle the events of the mechanisms beyond the plain throttle."""
    if kind == Kind.POLL_CYCLE:
        poll_cycle(model, entity)
        dispatch_compiled(model, ext, model.ports[entity].member)
    elif kind == Kind.SEND:
        send_held(model, entity)
        feed(model, ext, model.producers[entity].stream)
    elif kind == Kind.SEND_DEADLINE:
        expire_sends(model, entity)
        feed(model, ext, entity)
    elif kind == Kind.EVALUATION:
        evaluate(model, entity)
    elif kind >= Kind.FAILURE:
        change_presence(model, ext, kind, entity)
        _go_on(model, ext, kind, entity)
    else:
        adapt_target(model, entity)
        dispatch_compiled(model, ext, entity)


@compiled
def _advance(model: Model, ext: int | None, kind: int, entity: int) -> None:
    """End the wait of an agent, a delay, a grant or a connection; messages of the stream may then move on."""
    q = entity
    if kind == Kind.REDELIVERY:
        end_delay(model, q)
    else:
        q = model.ports[entity].stream
        if kind == Kind.AGENT_DONE:
            end_agent(model, entity)
        elif kind == Kind.GRANT:
            grant(model, entity)
        else:
            resume_connection(model, entity)
    feed(model, ext, q)


@apart
def handle_rare(model: Model, ext: int | None, kind: int, entity: int) -> int:
    """Handle the events that are rare in most networks; return the thread whose service ends with it, or NONE."""
    if kind == Kind.CPU_END:
        return end_cpu(model, entity)
    if kind in (Kind.AGENT_DONE, Kind.REDELIVERY, Kind.GRANT, Kind.ANSWER):
        _advance(model, ext, kind, entity)
    elif kind == Kind.SERVANT_READY:
        dispatch_compiled(model, ext, servant_ready(model, ext, entity))
    elif kind == Kind.REJECTION:
        expire(model, entity)
        settle(model, ext, entity)
    elif kind == Kind.DISPATCH_DEADLINE:
        overrun(model, ext, entity)
        member = model.members[model.ports[entity].member]
        for p in range(member.first_port, member.first_port + member.ports):
            settle(model, ext, p)
    elif ext is not None:
        handle_mechanism(model, ext, kind, entity)
    return NONE


@apart
def start_mechanisms(model: Model) -> None:
    """Call the first pollers and set the timers that run from the start."""
    for p in range(model.port_count):
        if model.streams[model.ports[p].stream].staging == Staging.POLLED:
            start_pollers(model, p)
    for slot in range(model.slot_count):
        if model.firsts[slot].value < FOREVER:
            schedule(model, slot, model.firsts[slot].value)
