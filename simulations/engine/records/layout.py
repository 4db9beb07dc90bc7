"""The engine's state: one record with tables of all others, allocated before the loop starts.

A record (``model.streams[q]``) is a pointer in compiled code, so a mechanism reads and writes its fields in place.
"""

from simulations.engine.compiled import inline
from simulations.engine.network.model import LawKind
from simulations.engine.records.codes import Blocked, Kind, Status, Step
from simulations.engine.records.record import Half, Record, Short, Table, Word
from simulations.engine.records.references import opener
from simulations.engine.records.server import Constraint, Member, Port, Resource, Servant, Session, Thread, Worked
from simulations.engine.records.stream import Measured, Stream


class Message(Record):
    """A slot for one message; its latency parts are seconds of the delivery under way."""

    arrived: float
    mark: float  # instant of the last change of phase
    ready: float  # instant of queueing for a thread
    destination: float
    prepared: float
    thread: float
    downstream: float
    cpu: float
    waiting: float
    crowding: float  # of cpu: what the other threads' share took
    redelivery: float
    index: int
    ticket: int
    next: Short
    prev: Short
    worker: Short
    deliveries: Short
    length: Short
    stream: Half
    instance: Half  # whose copy of a topic's message it is


class Producer(Record):
    next_allowed: float
    deadline: float
    length: float
    limit: float  # messages per second; 0 = none
    stream: int
    held: int
    blocked: Blocked
    granted: int
    next: int
    prev: int
    slot: int
    evaluation_slot: int
    sent: int
    one_way: int


class Send(Record):
    """How many messages each committed message of a stream sends to another one."""

    fraction: float  # probability of one more
    whole: int
    stream: int
    send_key: Word


class Threshold(Record):
    """The thresholds of one destination, or of a store that several share."""

    bytes_high: float
    bytes_low: float
    messages_high: int
    messages_low: int
    armed: int  # bit 0 by messages, bit 1 by bytes


class Queue(Record):
    """A line of messages."""

    head: int
    tail: int
    count: int


class Candidates(Record):
    """Ports that may want a thread: each that does is among them."""

    ports: int  # as bits, a block of ``agenda.WIDTH`` ports


class Slot(Record):
    """What a timer is for, and its order among those of one instant."""

    kind: Kind
    entity: int
    order: int


class Timer(Record):
    """A timer, or the earliest time of a block of timers; FOREVER when none is set."""

    time: float


class Law(Record):
    a: float
    b: float
    c: float
    kind: LawKind
    first: int
    count: int


class Cpu(Record):
    """An entry of the heap of CPU parts of a member."""

    finish: float
    thread: int


class Value(Record):
    value: float


class Bin(Record):
    count: Short


class Series(Record):
    messages: float
    seconds: float


class Sample(Record):
    """A row of the timeline: the columns of ``results.Timeline``, but latency as running totals."""

    backlog: float
    prepared: float
    running: float
    blocked: float
    idle_blocked: float
    admitted: float
    latency_total: float
    completed: float


class PortSample(Record):
    inflight: Short
    running: Short


class TraceStep(Record):
    time: float
    step: Step
    stream: int
    message: int
    inflight: int


class Counter(Record):
    count: int


class Model(Record):
    """The clock, the counters of the loop and its tables."""

    now: float
    next_arrival: float
    first_time: float  # of the timer that goes off first
    mark: float  # earliest instant at which the observer must act
    end_time: float
    segment_start: float
    segment_end: float
    next_sample: float
    sample_step: float
    arrival_stream: int
    first_slot: int
    leaves: int  # where the timers begin in their table
    slot_count: int
    sequence: int
    ticket: int
    status: Status
    starved: int
    segment: int
    outcomes: int
    segment_outcomes: int
    target: int
    events: int  # arrivals, and timers that went off
    most_events: int
    sample_count: int
    free: int
    free_count: int
    reserve: int  # message slots an event needs in addition to an arrival's: every producer and one bean may send
    fresh: int  # message slots never used start here
    steps_left: int
    stream_count: int
    port_count: int
    member_count: int
    thread_count: int
    most_instances: int
    histograms: int  # of a segment
    build: int  # hash of the sources that ran
    arriving: int  # the arrivals of this instant wait for slots
    outcomes_seen: int  # when something last ended
    events_seen: int
    streams: Table[Stream]
    instants: Table[Timer]  # of the next arrival of each stream
    ports: Table[Port]
    candidates: Table[Candidates]
    members: Table[Member]
    threads: Table[Thread]
    servants: Table[Servant]
    messages: Table[Message]
    queues: Table[Queue]
    slots: Table[Slot]
    timers: Table[Timer]
    firsts: Table[Value]  # when each timer goes off by itself
    cpu: Table[Cpu]
    laws: Table[Law]
    values: Table[Value]
    bins: Table[Bin]
    series: Table[Series]
    samples: Table[Sample]
    port_samples: Table[PortSample]
    steps: Table[TraceStep]
    per_instance: Table[Counter]
    constraints: Table[Constraint]
    links: Table[Counter]
    sessions: Table[Session]
    resources: Table[Resource]
    producers: Table[Producer]
    thresholds: Table[Threshold]
    sends: Table[Send]
    origins: Table[Value]  # of each message slot: when its chain began
    ahead: Table[Value]
    measured: Table[Measured]
    worked: Table[Worked]
    durations: Table[Value]


ASSUMED = {
    "model": {"stream_count": 1, "port_count": 1, "member_count": 1, "most_instances": 1, "arrival_stream": 0},
    "streams": {"stride": 1, "instances": 1, "foreground": 1}
    | dict.fromkeys(("pool", "first_port", "copies", "chained", "urgent_lines"), 0),
    "ports": {"stream": 0, "member": 0, "instance": 0},
    "members": {"pool": 0, "instance": 0, "first_port": 0, "ports": 1, "host": 0, "first_cpu": 0},
    "threads": {"member": 0},
    "messages": {"stream": 0, "instance": 0},
}
"""What holds in every network of a lone queue, on one server of one instance: table -> field -> value."""

open_model = opener(Model, ASSUMED)


@inline
def beyond(ext: int | None, record: Stream | Member) -> bool:
    """Say whether the pool of ``record``, or any stream of that pool, uses mechanisms beyond gates and windows.

    Work that uses none of them pays nothing for them: where ``ext`` is None the answer is no at compile time, and the
    branch is left out.
    """
    return ext is not None and record.beyond == 1
