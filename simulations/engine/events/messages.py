"""Messages at their destination: created, taken, and brought back after a failed delivery."""

from simulations.engine.compiled import compiled, inline
from simulations.engine.draws.numbers import uniform
from simulations.engine.events.agenda import schedule
from simulations.engine.events.queues import allocate, append, pop, prepend, release, remove
from simulations.engine.measures.observe import accrue_stream, note, note_recovery, record_outcome
from simulations.engine.network.model import Exhausted
from simulations.engine.records.codes import NONE, Step
from simulations.engine.records.layout import Message, Model, Queue
from simulations.engine.records.stream import Stream


@inline
def forget_times(message: Message) -> None:
    """Clear the parts of a message's latency that belong to a delivery."""
    message.destination = 0.0
    message.prepared = 0.0
    message.thread = 0.0
    message.downstream = 0.0
    message.cpu = 0.0
    message.waiting = 0.0
    message.crowding = 0.0


@inline
def is_poison(stream: Stream, message: Message) -> bool:
    """Say whether ``message`` fails at every delivery."""
    return stream.poison_rate > 0.0 and uniform(stream.poison_key, message.index) < stream.poison_rate


@inline
def is_hopeless(stream: Stream, message: Message) -> bool:
    """Say whether ``message``, delivered before, fails at every delivery and is delivered again without end."""
    if message.deliveries == 0 or stream.retry_limit > 0 or stream.loss_rate > 0.0:
        return False
    return stream.futile == 1 or is_poison(stream, message)


@compiled
def count_delivery(stream: Stream, message: Message) -> None:
    """Count a delivery of ``message`` that came to nothing."""
    message.deliveries += 1
    if message.deliveries == 1 and is_hopeless(stream, message):
        stream.hopeless += 1


@inline
def create(model: Model, q: int) -> int:
    """Return a new message of stream ``q`` that arrives now; it stands in no queue yet."""
    stream = model.streams[q]
    accrue_stream(model, q)
    m = allocate(model)
    message = model.messages[m]
    index = stream.next_index
    stream.next_index = index + 1
    message.index = index
    message.stream = q
    message.instance = 0
    message.arrived = model.now
    message.mark = model.now
    forget_times(message)
    message.redelivery = 0.0
    message.deliveries = 0
    message.worker = NONE
    message.length = 0
    if stream.chained == 1:
        model.origins[m].value = model.now
    model.ticket += 1
    message.ticket = model.ticket
    stream.inside += 1
    stream.arrived_sum += model.now
    stream.backlog += 1
    stream.backlog_max = max(stream.backlog_max, stream.backlog)
    stream.arrived += 1
    note(model, Step.ARRIVE, q, index, 0)
    return m


@inline
def is_urgent(stream: Stream, message: Message) -> bool:
    """Say whether ``message`` has a higher priority than others of its stream."""
    return stream.urgent_lines > 0 and uniform(stream.priority_key, message.index) < stream.urgent_share


@inline
def line_of(model: Model, m: int) -> Queue:
    """Return the line of message ``m`` on its destination: of a topic with copies, that of the copy's instance. Urgent
    messages stand in lines of their own."""
    message = model.messages[m]
    stream = model.streams[message.stream]
    line = stream.destination + message.instance
    return model.queues[line + stream.urgent_lines] if is_urgent(stream, message) else model.queues[line]


@inline
def next_line(model: Model, q: int, destination: int) -> Queue:
    """Return the line from which the next message of ``destination`` of stream ``q`` is taken: urgent ones first."""
    urgent = destination + model.streams[q].urgent_lines
    return model.queues[urgent] if model.queues[urgent].count > 0 else model.queues[destination]


@inline
def waits(model: Model, q: int, destination: int) -> bool:
    """Say whether a message can be taken from ``destination`` of stream ``q``."""
    return next_line(model, q, destination).count > 0 or model.streams[q].saturated == 1


@inline
def take(model: Model, q: int, destination: int) -> int:
    """Take the next message off ``destination``; a saturated stream makes one, or asks for slots when none is free."""
    line = next_line(model, q, destination)
    if line.count > 0:
        return pop(model.messages, line)
    if model.free_count == 0:
        model.starved = 1
        return NONE
    model.events += 1
    return create(model, q)


@inline
def discard(model: Model, step: Step, q: int, m: int) -> None:
    """End message ``m`` of stream ``q``, which is not completed, as ``step`` says, and free its slot."""
    message = model.messages[m]
    note(model, step, q, message.index, 0)
    record_outcome(model, q, message)
    note_recovery(model, q)
    release(model, m)


@compiled
def _exhaust(model: Model, q: int, m: int) -> None:
    """End a message whose deliveries are used up as its stream says."""
    stream = model.streams[q]
    if stream.exhausted == Exhausted.STOP_STREAM:
        stream.stopped = stream.returned = 1
        prepend(model.messages, line_of(model, m), m)
        return
    stream.backlog -= 1
    if stream.exhausted == Exhausted.DEAD_LETTER:
        stream.dead_letters += 1
        discard(model, Step.DEAD, q, m)
    else:
        stream.dropped += 1
        discard(model, Step.DROP, q, m)


@compiled
def bring_back(model: Model, m: int, delivered: bool) -> None:  # noqa: FBT001 - compiled code takes no keywords
    """Return ``m`` to its destination after a delivery that failed, or (not ``delivered``) timed out before it began.

    All its time so far becomes redelivery time. It returns at the front, after the delay if there is one; its clock
    keeps running. The caller has taken it out of the prepared or running population.
    """
    message = model.messages[m]
    q = message.stream
    stream = model.streams[q]
    stream.backlog += 1
    stream.backlog_max = max(stream.backlog_max, stream.backlog)
    message.redelivery = model.now - message.arrived
    message.mark = model.now
    forget_times(message)
    if delivered:
        count_delivery(stream, message)
        if stream.retry_limit > 0 and message.deliveries >= stream.retry_limit:
            _exhaust(model, q, m)
            return
    model.streams[q].redeliveries += 1
    if stream.retry_delay > 0.0:
        append(model.messages, model.queues[stream.delayed], m)
        if model.queues[stream.delayed].count == 1:
            schedule(model, stream.retry_slot, model.now + stream.retry_delay)
    else:
        prepend(model.messages, line_of(model, m), m)
        model.streams[q].returned = 1


@compiled
def end_delay(model: Model, q: int) -> None:
    """Put the messages whose redelivery delay ends now back at the front, in their order; the delay is constant."""
    stream = model.streams[q]
    head = model.queues[stream.delayed].head
    last = head
    while head != NONE and model.messages[head].mark + stream.retry_delay <= model.now:
        last = head
        head = model.messages[head].next
    while last != NONE:
        message = model.messages[last]
        before = message.prev
        remove(model.messages, model.queues[stream.delayed], last)
        message.redelivery = model.now - message.arrived
        message.mark = model.now
        prepend(model.messages, line_of(model, last), last)
        last = before
    if head != NONE:
        schedule(model, stream.retry_slot, model.messages[head].mark + stream.retry_delay)
