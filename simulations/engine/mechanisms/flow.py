"""Flow control of producers: armed and disarmed by thresholds, geometric down, linear up, per producer."""

from simulations.engine.compiled import compiled
from simulations.engine.events.agenda import cancel, schedule
from simulations.engine.measures.observe import accrue_aside
from simulations.engine.records.layout import Model


@compiled
def watch_thresholds(model: Model, q: int) -> None:
    """Arm flow control above a high threshold, disarm it below the low one; messages and bytes are independent.

    A producer that was free starts at the maximum; one that still climbs keeps its limit until the next evaluation.
    Disarmed at the maximum, it is free at once.
    """
    stream = model.streams[q]
    if stream.flow_maximum == 0.0:
        return
    before = stream.armed
    if stream.flow_messages_high > 0:
        if stream.inside > stream.flow_messages_high:
            stream.armed |= 1
        elif stream.inside < stream.flow_messages_low:
            stream.armed &= 2
    if stream.flow_bytes_high > 0.0:
        if stream.bytes > stream.flow_bytes_high:
            stream.armed |= 2
        elif stream.bytes < stream.flow_bytes_low:
            stream.armed &= 1
    if before == 0 and stream.armed > 0 and stream.limit == 0.0:
        accrue_aside(model, q)
        stream.limit = stream.flow_maximum
        schedule(model, stream.evaluation_slot, model.now + stream.flow_step)
    elif before > 0 and stream.armed == 0 and (stream.flow_step == 0.0 or stream.limit >= stream.flow_maximum):
        accrue_aside(model, q)
        stream.limit = 0.0
        cancel(model, stream.evaluation_slot)


@compiled
def evaluate(model: Model, q: int) -> None:
    """Change the producers' limit by one step: geometric down to the minimum while armed, linear up otherwise.

    f = max(minimum, f r) with r = (minimum / maximum)^(1 / steps); f = min(maximum, f + (maximum - minimum) / steps).
    Disarmed, a producer is free only when it has climbed back to the maximum (WebLogic FlowControlParams). With an
    interval of zero there is nothing in between.
    """
    stream = model.streams[q]
    accrue_aside(model, q)
    if stream.armed > 0 and stream.flow_step == 0.0:
        stream.limit = stream.flow_minimum
    elif stream.armed > 0:
        stream.limit = max(stream.flow_minimum, stream.limit * stream.flow_ratio)
    else:
        stream.limit = min(stream.flow_maximum, stream.limit + stream.flow_climb)
    if stream.armed == 0 and stream.limit >= stream.flow_maximum:
        stream.limit = 0.0
    if stream.limit > 0.0 and stream.flow_step > 0.0:
        schedule(model, stream.evaluation_slot, model.now + stream.flow_step)
