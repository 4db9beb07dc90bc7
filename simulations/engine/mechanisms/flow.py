"""Flow control of producers: armed and disarmed by thresholds, geometric down, linear up, each producer by itself."""

from simulations.engine.compiled import compiled, inline
from simulations.engine.events.agenda import cancel, schedule
from simulations.engine.measures.observe import accrue_aside
from simulations.engine.records.codes import NONE
from simulations.engine.records.layout import Model
from simulations.engine.records.stream import Stream


@inline
def _is_armed(model: Model, stream: Stream) -> bool:
    """Say whether the destination, or the store that it shares with others, is above its thresholds."""
    if stream.own_thresholds != NONE and model.thresholds[stream.own_thresholds].armed > 0:
        return True
    return stream.shared_thresholds != NONE and model.thresholds[stream.shared_thresholds].armed > 0


@compiled
def set_limit(model: Model, j: int, limit: float) -> None:
    """Give producer ``j`` its ``limit``, or none (0)."""
    producer = model.producers[j]
    stream = model.streams[producer.stream]
    accrue_aside(model, producer.stream)
    stream.limited += int(limit > 0.0) - int(producer.limit > 0.0)
    stream.limits = stream.limits - producer.limit + limit if stream.limited > 0 else 0.0
    producer.limit = limit


@compiled
def set_free(model: Model, j: int) -> None:
    """Take the limit off producer ``j``."""
    set_limit(model, j, 0.0)
    cancel(model, model.producers[j].evaluation_slot)


@compiled
def _free_producers(model: Model, q: int) -> None:
    """Free the producers of stream ``q`` that stand at the maximum, unless it is still armed."""
    stream = model.streams[q]
    if stream.limited == 0 or _is_armed(model, stream):
        return
    for j in range(stream.first_producer, stream.first_producer + stream.producers):
        limit = model.producers[j].limit
        if limit > 0.0 and (stream.flow_step == 0.0 or limit >= stream.flow_maximum):
            set_free(model, j)


@compiled
def _judge(model: Model, h: int, messages: float, size: float) -> bool:
    """Arm the thresholds ``h`` above a high mark, disarm them below the low one; say whether they are disarmed now."""
    thresholds = model.thresholds[h]
    before = thresholds.armed
    if thresholds.messages_high > 0:
        if messages > thresholds.messages_high:
            thresholds.armed |= 1
        elif messages < thresholds.messages_low:
            thresholds.armed &= 2
    if thresholds.bytes_high > 0.0:
        if size > thresholds.bytes_high:
            thresholds.armed |= 2
        elif size < thresholds.bytes_low:
            thresholds.armed &= 1
    return before > 0 and thresholds.armed == 0


@compiled
def _watch_store(model: Model, h: int) -> None:
    """Compare what the streams of a store hold together with its thresholds ``h``."""
    messages = 0.0
    size = 0.0
    for q in range(model.stream_count):
        if model.streams[q].shared_thresholds == h:
            messages += model.streams[q].inside
            size += model.streams[q].bytes
    if _judge(model, h, messages, size):
        for q in range(model.stream_count):
            if model.streams[q].shared_thresholds == h:
                _free_producers(model, q)


@compiled
def watch_thresholds(model: Model, q: int) -> None:
    """Arm flow control above a high threshold, disarm it below the low one; messages and bytes are independent.
    Disarmed, a producer at the maximum is free at once."""
    stream = model.streams[q]
    if stream.own_thresholds != NONE and _judge(model, stream.own_thresholds, stream.inside, stream.bytes):
        _free_producers(model, q)
    if stream.shared_thresholds != NONE:
        _watch_store(model, stream.shared_thresholds)


@compiled
def instruct(model: Model, j: int) -> None:
    """Answer a send of producer ``j``: while flow control is armed, one without a limit starts at the maximum.

    One that still climbs keeps its limit until its next evaluation. One-way sends have no answer, but for every n-th
    (WebLogic FlowControlParams). A producer that is closed after this message leaves its place to a new one.
    """
    producer = model.producers[j]
    stream = model.streams[producer.stream]
    answered = producer.one_way <= 1 or producer.sent % producer.one_way == 0
    closes = stream.lifetime_sends > 0 and producer.sent % stream.lifetime_sends == 0
    if stream.flow_maximum > 0.0 and producer.limit == 0.0 and answered and not closes and _is_armed(model, stream):
        set_limit(model, j, stream.flow_maximum)
        schedule(model, producer.evaluation_slot, model.now + stream.flow_step)


@compiled
def evaluate(model: Model, j: int) -> None:
    """Change the limit of producer ``j`` by one step: geometric down to the minimum while armed, linear up otherwise.

    f = max(minimum, f r) with r = (minimum / maximum)^(1 / steps); f = min(maximum, f + (maximum - minimum) / steps).
    Disarmed, a producer is free only when it has climbed back to the maximum (WebLogic FlowControlParams). With an
    interval of zero there is nothing in between.
    """
    producer = model.producers[j]
    stream = model.streams[producer.stream]
    armed = _is_armed(model, stream)
    if armed and stream.flow_step == 0.0:
        limit = stream.flow_minimum
    elif armed:
        limit = max(stream.flow_minimum, producer.limit * stream.flow_ratio)
    else:
        limit = min(stream.flow_maximum, producer.limit + stream.flow_climb)
    if not armed and limit >= stream.flow_maximum:
        limit = 0.0
    set_limit(model, j, limit)
    if limit > 0.0 and stream.flow_step > 0.0:
        schedule(model, producer.evaluation_slot, model.now + stream.flow_step)
