"""What a timer does that goes off: one call, or two, for each ``Kind`` of event but the ends of services."""

from typing import Any

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
from simulations.engine.records.layout import NONE, Kind, Staging, member_at, port_at, producer_at, stream_at
from simulations.engine.threads.growth import tick
from simulations.engine.threads.pools import dispatch_too

_CPU_END = int(Kind.CPU_END)
_SERVANT_READY = int(Kind.SERVANT_READY)
_AGENT_DONE = int(Kind.AGENT_DONE)
_REJECTION = int(Kind.REJECTION)
_DISPATCH_DEADLINE = int(Kind.DISPATCH_DEADLINE)
_REDELIVERY = int(Kind.REDELIVERY)
_GRANT = int(Kind.GRANT)
_ANSWER = int(Kind.ANSWER)
_POLL_CYCLE = int(Kind.POLL_CYCLE)
_SEND = int(Kind.SEND)
_SEND_DEADLINE = int(Kind.SEND_DEADLINE)
_EVALUATION = int(Kind.EVALUATION)
_POLLED = int(Staging.POLLED)
_HISTORY = int(PoolGrowth.HISTORY)


@apart
def special(model: Any, ext: Any, kind: int, entity: int) -> None:
    """Handle the events of the mechanisms beyond the plain throttle."""
    if kind == _POLL_CYCLE:
        poll_cycle(model, entity)
        dispatch_too(model, ext, port_at(model, entity).member)
    elif kind == _SEND:
        send_held(model, entity)
        feed(model, ext, producer_at(model, entity).stream)
    elif kind == _SEND_DEADLINE:
        expire_sends(model, entity)
        feed(model, ext, entity)
    elif kind == _EVALUATION:
        evaluate(model, entity)
    else:
        tick(model, entity)
        dispatch_too(model, ext, entity)


@compiled
def _advance(model: Any, ext: Any, kind: int, entity: int) -> None:
    """Let an agent, a delay, a grant or a connection end its wait; messages of the stream may then move on."""
    q = entity
    if kind == _REDELIVERY:
        end_delay(model, q)
    else:
        q = port_at(model, entity).stream
        if kind == _AGENT_DONE:
            end_agent(model, entity)
        elif kind == _GRANT:
            grant(model, entity)
        else:
            resume_connection(model, entity)
    feed(model, ext, q)


@apart
def seldom(model: Any, ext: Any, kind: int, entity: int) -> int:
    """Handle the events that are rare in most networks; return the thread whose service ends with it, or NONE."""
    if kind == _CPU_END:
        return end_cpu(model, entity)
    if kind in (_AGENT_DONE, _REDELIVERY, _GRANT, _ANSWER):
        _advance(model, ext, kind, entity)
    elif kind == _SERVANT_READY:
        dispatch_too(model, ext, servant_ready(model, ext, entity))
    elif kind == _REJECTION:
        expire(model, entity)
        settle(model, ext, entity)
    elif kind == _DISPATCH_DEADLINE:
        overrun(model, ext, entity)
        member = member_at(model, port_at(model, entity).member)
        for p in range(member.first_port, member.first_port + member.ports):
            settle(model, ext, p)
    elif ext is not None:
        special(model, ext, kind, entity)
    return NONE


@apart
def start_mechanisms(model: Any) -> None:
    """Call the first pollers and set the timers that run from the start."""
    for p in range(model.port_count):
        if stream_at(model, port_at(model, p).stream).staging == _POLLED:
            start_pollers(model, p)
    for m in range(model.member_count):
        if member_at(model, m).growth == _HISTORY:
            schedule(model, member_at(model, m).growth_slot, member_at(model, m).growth_interval)
