"""Chains: what a bean sends on in its transaction arrives at other streams when that is committed.

How many messages a message sends belongs to the message, whatever happens to it. Where a destination has no room the
delivery fails at the end of ``onMessage``, as after an exception from ``send()``, so a message is sent on with its
commit or not at all. Room is not reserved until the commit: transactions under way at one time may overfill a quota.
"""

from simulations.engine.compiled import compiled, inline
from simulations.engine.draws.numbers import ATTEMPTS, uniform
from simulations.engine.events.messages import create, line_of
from simulations.engine.events.queues import append
from simulations.engine.measures.latencies import latency_bin
from simulations.engine.mechanisms.constraints import at_capacity
from simulations.engine.mechanisms.flow import watch_thresholds
from simulations.engine.mechanisms.quotas import fits, remove_oldest, size_of
from simulations.engine.network.model import LimitBehaviour
from simulations.engine.records.layout import Model, Send
from simulations.engine.records.stream import Stream


@inline
def _count(send: Send, index: int) -> int:
    """Return how many messages the stream's message ``index`` sends."""
    return send.whole + int(uniform(send.send_key, index) < send.fraction)


@inline
def _removes(stream: Stream) -> bool:
    """Say whether the full destination of ``stream`` drops others for what comes."""
    return stream.behaviour in (LimitBehaviour.REMOVE_OLDEST, LimitBehaviour.REMOVE_LOW_PRIORITY)


@compiled
def are_refused(model: Model, stream: Stream, index: int) -> bool:
    """Say whether a destination has no room for what message ``index`` of ``stream`` sends."""
    for i in range(stream.first_send, stream.first_send + stream.sends):
        send = model.sends[i]
        number = _count(send, index)
        target = model.streams[send.stream]
        if number == 0:
            continue
        if target.absent == 1 or at_capacity(model, send.stream):
            return True
        if target.controlled == 0 or _removes(target):
            continue
        if 0 < target.quota_messages < target.inside + number:
            return True
        if 0.0 < target.quota_bytes < target.bytes + number * target.length:
            return True
    return False


@compiled
def _arrive(model: Model, q: int, began: float) -> None:
    """Put a message that was sent on to stream ``q`` on its destination, or on that of every instance."""
    stream = model.streams[q]
    model.events += 1
    size = 0.0
    if stream.controlled == 1:
        size = size_of(model, stream, ATTEMPTS + stream.next_index)
        while not fits(stream, size) and _removes(stream) and remove_oldest(model, q):
            pass
    for i in range(stream.instances if stream.copies == 1 else 1):
        m = create(model, q)
        message = model.messages[m]
        message.instance = i
        message.length = int(size)
        stream.bytes += message.length
        model.origins[m].value = began
        append(model.messages, line_of(model, m), m)
    if stream.controlled == 1:
        watch_thresholds(model, q)


@compiled
def go_on(model: Model, q: int, m: int, index: int) -> None:
    """Record how old the chain of the committed message ``index`` is, whose slot was ``m``, and send what it sends."""
    stream = model.streams[q]
    began = model.origins[m].value
    if stream.path > 0:
        stream.seconds_end_to_end += model.now - began
        model.bins[stream.first_bin + stream.path + latency_bin(model.now - began)].count += 1
    for i in range(stream.first_send, stream.first_send + stream.sends):
        stream.sent = 1
        for _ in range(_count(model.sends[i], index)):
            _arrive(model, model.sends[i].stream, began)
