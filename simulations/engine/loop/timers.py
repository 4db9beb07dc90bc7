"""Handlers of the timers: one call, or two, for each ``Kind`` of event except the end of a service."""

from simulations.engine.compiled import apart, compiled
from simulations.engine.events.agenda import schedule
from simulations.engine.events.messages import end_delay
from simulations.engine.loop.deliveries import end_cpu
from simulations.engine.loop.moves import feed, settle
from simulations.engine.loop.timeouts import expire, overrun, servant_ready
from simulations.engine.mechanisms.flow import evaluate
from simulations.engine.mechanisms.gates import end_agent
from simulations.engine.mechanisms.pollers import poll_cycle, start_pollers
from simulations.engine.mechanisms.producers import expire_sends, send_held
from simulations.engine.mechanisms.windows import grant, resume_connection
from simulations.engine.network.model import PoolGrowth
from simulations.engine.records.codes import NONE, Kind, Staging
from simulations.engine.records.layout import Model
from simulations.engine.threads.growth import tick
from simulations.engine.threads.pools import dispatch_too


@apart
def special(model: Model, ext: int | None, kind: int, entity: int) -> None:
    """Handle the events of the mechanisms beyond the plain throttle."""
    if kind == Kind.POLL_CYCLE:
        poll_cycle(model, entity)
        dispatch_too(model, ext, model.ports[entity].member)
    elif kind == Kind.SEND:
        send_held(model, entity)
        feed(model, ext, model.producers[entity].stream)
    elif kind == Kind.SEND_DEADLINE:
        expire_sends(model, entity)
        feed(model, ext, entity)
    elif kind == Kind.EVALUATION:
        evaluate(model, entity)
    else:
        tick(model, entity)
        dispatch_too(model, ext, entity)


@compiled
def _advance(model: Model, ext: int | None, kind: int, entity: int) -> None:
    """Let an agent, a delay, a grant or a connection end its wait; messages of the stream may then move on."""
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
def seldom(model: Model, ext: int | None, kind: int, entity: int) -> int:
    """Handle the events that are rare in most networks; return the thread whose service ends with it, or NONE."""
    if kind == Kind.CPU_END:
        return end_cpu(model, entity)
    if kind in (Kind.AGENT_DONE, Kind.REDELIVERY, Kind.GRANT, Kind.ANSWER):
        _advance(model, ext, kind, entity)
    elif kind == Kind.SERVANT_READY:
        dispatch_too(model, ext, servant_ready(model, ext, entity))
    elif kind == Kind.REJECTION:
        expire(model, entity)
        settle(model, ext, entity)
    elif kind == Kind.DISPATCH_DEADLINE:
        overrun(model, ext, entity)
        member = model.members[model.ports[entity].member]
        for p in range(member.first_port, member.first_port + member.ports):
            settle(model, ext, p)
    elif ext is not None:
        special(model, ext, kind, entity)
    return NONE


@apart
def start_mechanisms(model: Model) -> None:
    """Call the first pollers and set the timers that run from the start."""
    for p in range(model.port_count):
        if model.streams[model.ports[p].stream].staging == Staging.POLLED:
            start_pollers(model, p)
    for m in range(model.member_count):
        if model.members[m].growth == PoolGrowth.HISTORY:
            schedule(model, model.members[m].growth_slot, model.members[m].growth_interval)
