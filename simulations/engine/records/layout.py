"""The engine's state: arrays of records, all allocated before the loop starts.

A record (``stream_at(model, q)``) is a pointer in compiled code, so a mechanism reads and writes its fields in place.
Times are seconds from the start; -1 is "none" for every index.
"""

from enum import IntEnum

import numpy as np

from simulations.engine.network.results import PARTS, Count, PoolSum, Sum
from simulations.engine.records.fields import columns, number, record
from simulations.engine.records.memory import accessor, opener

NONE = -1
SINGLE = -2
"""``worker`` of a waiting message that must be alone in its transaction."""
FOREVER = np.inf
MOST_BYTES = 2**31 - 1
"""Of one message that counts against a quota: ``length`` is a short integer."""


class Status(IntEnum):
    """Why the loop stopped."""

    RUNNING = 0
    DONE = 1
    GROW = 2  # no free message slot for the next arrival: allocate and call again
    ENDED = 3  # the horizon is reached
    STUCK = 4  # what is left of the foreground can never end, or nothing of it has ended for too long


class Kind(IntEnum):
    """Events of the agenda in order of priority at one instant; arrivals come after all of them."""

    CPU_END = 0  # entity: member
    SERVICE_END = 1  # entity: thread
    SERVANT_READY = 2  # entity: servant
    AGENT_DONE = 3  # entity: port
    REJECTION = 4  # entity: port
    DISPATCH_DEADLINE = 5  # entity: port
    REDELIVERY = 6  # entity: stream
    GRANT = 7  # entity: port
    ANSWER = 8  # entity: port
    POLL_CYCLE = 9  # entity: port
    SEND = 10  # entity: producer
    SEND_DEADLINE = 11  # entity: stream
    EVALUATION = 12  # entity: stream
    GROWTH = 13  # entity: member


class Staging(IntEnum):
    """What stands between the destination and the threads."""

    DIRECT = 0  # nothing: a free thread takes the message from the destination
    GATED = 1  # gate and agent, then the prepared queue of the instance
    WINDOW = 2  # credit of the consumer, then its client buffer
    PIPELINE = 3  # room behind one of the parallel sessions, then that session's buffer
    POLLED = 4  # nothing, but threads are held by pollers


class State(IntEnum):
    """Of a thread."""

    IDLE = 0
    BUSY = 1
    HELD = 2  # occupied without working
    ABSENT = 3  # its servant is not started


class Stage(IntEnum):
    """What a busy thread does."""

    LAST = 0  # the service up to its end, with the downstream resource if there is one
    BEFORE = 1  # the service before the downstream resource
    QUEUED = 2  # waits for the downstream resource
    COMMIT = 3


class Blocked(IntEnum):
    """Why a producer does not send."""

    FREE = 0
    FULL = 1  # its send waits for room
    PAUSED = 2  # it waits for a grant


class Step(IntEnum):
    """Kinds of trace records."""

    ARRIVE = 0
    PREPARE = 1
    START = 2
    COMPLETE = 3
    FAIL = 4
    EXPIRE = 5  # queue timeout
    OVERRUN = 6  # dispatch timeout
    DEAD = 7
    DROP = 8


SLOW = ("slow_messages", *(f"slow_{column.name.lower()}" for column in PARTS))
"""Fields of a stream: messages that took at least ``slow_from``, and their seconds by part, in the current segment."""
MEASURED = record(columns(Sum) + " " + " ".join(SLOW), " ".join(number(column) for column in Count))
"""What is measured of a stream in one segment: the fields of STREAM of these names."""
WORKED = record(columns(PoolSum))
"""What is measured of a member in one segment."""
TABLES = (
    "streams ports members threads servants messages queues slots timers cpu laws values bins series samples "
    "port_samples steps per_instance constraints links sessions resources producers ahead measured worked durations"
)
MODEL = record(
    "now next_arrival first_time mark end_time segment_start segment_end next_sample sample_step",
    "arrival_stream first_slot leaves slot_count sequence ticket status starved segment outcomes segment_outcomes "
    "target events sample_count free free_count reserve fresh steps_left stream_count port_count member_count "
    "thread_count most_instances build arriving outcomes_seen events_seen " + TABLES,
)
"""The clock, the counters of the loop and the addresses of the tables. ``mark``: earliest instant at which the
observer must act; ``first_time``, ``first_slot``: of the timer that goes off first; ``leaves``: where the timers begin
in their table; ``fresh``: message slots never used start here; ``reserve``: slots that must be free before an event
besides those of an arrival, as every producer may send at once; ``arriving``: the arrivals of this instant wait for
slots; ``events``: arrivals, and timers that went off; ``outcomes_seen``, ``events_seen``: when something last ended."""

STREAM = record(
    "rate rate_off mean_on mean_off start period next_arrival phase_end level "
    "commit_time lifetime receive_timeout share length send_timeout quota_bytes bytes weight goal "
    "flow_maximum flow_minimum flow_step flow_ratio flow_climb flow_bytes_high flow_bytes_low limit "
    "blocked_sends_now resting aside_since "
    "cpu_share queue_timeout dispatch_timeout retry_delay failure_rate poison_rate "
    "backlog prepared running closed inside since " + columns(Sum) + " backlog_max prepared_max "
    "sojourn arrived_sum latency_total latency_max release_min release_max last_outcome parts_error slow_from "
    + " ".join(SLOW),
    "pool beyond first_port stride instances staging foreground rotation "
    "arrival_kind count period_index phase draws next_index arrival_index burst slots saturated first_value values "
    "law interval restart retry_limit exhausted in_place stopped returned futile hopeless "
    "copies batch transactional resource sizes size_law producers first_producer controlled behaviour quota_messages "
    "producer_batch one_way armed evaluation_slot deadline_slot blocked_head blocked_tail intents "
    "flow_messages_high flow_messages_low session_rotation poller_kind gaps demands demands_from "
    "destination delayed retry_slot was_waiting first_bin max_index total_completed series_shift "
    + " ".join(number(column) for column in Count),
    "arrival_key service_key poison_key failure_key size_key",
)
"""``returned``: a message came back to the destination, where other instances may want it. ``sojourn``,
``arrived_sum``: one side of Little's law. ``slots``: message slots of one arrival. ``futile``: every delivery fails
and is repeated without end; ``hopeless``: messages inside of which that is known. ``gaps``, ``demands``: places of the
numbers drawn ahead; ``demands_from``: index of the first of the latter. ``first_bin``: of the histogram of the
current segment, which the columns of Sum and Count hold, too."""

PORT = record(
    "agent_time round_trip poll_interval used since used_total",
    "stream member instance destination assigned prepared running_list inflight running concurrency "
    "high low closed agent_message agent_slot reject_slot dispatch_slot starving opened ticket "
    "limit threshold credit asked connection_limit connection_count unanswered halted answer_slot "
    "pollers wanted sessions waiters_head waiters_tail poll_slot batch_limit starts "
    "first_link links wanting first_session pipeline ready_head ready_tail",
)
"""One stream at one instance. ``assigned``, ``prepared``, ``running_list``: indices of queues. ``starving``: threads
that idle because its gate or its credit keeps messages back."""

MEMBER = record(
    "busy held since "
    + columns(PoolSum)
    + " cpu_virtual cpu_since service_sum servant_start_time floor growth_interval rate_before",
    "pool beyond instance first_port ports first_thread threads existing free idle starving "
    "cpus cpu_active cpu_slot first_servant servants threads_per_servant policy growth starting "
    "parked growth_slot target direction finished "
    "first_constraint constraints first_resource lottery_draws goals",
    "lottery_key",
)
"""One instance of a pool. ``free``: head of the list of idle threads."""

THREAD = record(
    "since rest later_cpu later_wait began", "member servant state next message port stage batch session alone"
)
SERVANT = record("", "member first_thread slot lost")
MESSAGE = record(
    "arrived mark ready destination prepared thread downstream cpu waiting commit redelivery",
    "index ticket",
    shorts="next prev worker deliveries length",
    halves="stream instance",
)
"""``mark``: instant of the last change of phase; ``ready``: of queueing for a thread; then the latency parts;
``instance``: whose copy of a topic's message it is."""

CONSTRAINT = record("", "minimum maximum capacity running")
SESSION = record("", "port queue busy next listed")
RESOURCE = record("", "units used head tail")
PRODUCER = record("next_allowed deadline length", "stream held blocked granted next prev slot sent one_way")
QUEUE = record("", "head tail count")
SLOT = record("", "kind entity order")
"""What goes off when a timer does, and its order among those of one instant."""
TIMER = record("time")
"""When a timer goes off, FOREVER when it is not set; or the earliest time of a block of timers."""
LAW = record("a b c", "kind first count")
CPU = record("finish", "thread")
VALUE = record("value")
BIN = record(shorts="count")
SERIES = record("messages seconds")
SAMPLE = record("backlog prepared running blocked idle_blocked admitted latency_total completed")
"""The columns of ``results.Timeline``, but latency as running totals of seconds and messages."""
PORT_SAMPLE = record(shorts="inflight running")
STEP = record("time", "step stream message inflight")
COUNTER = record("", "count")
AHEAD = record("number")

ASSUMED = {
    "model": {"stream_count": 1, "port_count": 1, "member_count": 1, "most_instances": 1, "arrival_stream": 0},
    "streams": {"pool": 0, "first_port": 0, "stride": 1, "instances": 1, "copies": 0, "foreground": 1},
    "ports": {"stream": 0, "member": 0, "instance": 0},
    "members": {"pool": 0, "instance": 0, "first_port": 0, "ports": 1},
    "threads": {"member": 0},
    "messages": {"stream": 0, "instance": 0},
}
"""What holds in every network of a lone queue, on one server of one instance: table -> field -> value."""

open_model = opener(MODEL, ASSUMED)
stream_at = accessor(MODEL, "streams", STREAM)
port_at = accessor(MODEL, "ports", PORT)
member_at = accessor(MODEL, "members", MEMBER)
thread_at = accessor(MODEL, "threads", THREAD)
servant_at = accessor(MODEL, "servants", SERVANT)
message_at = accessor(MODEL, "messages", MESSAGE)
queue_at = accessor(MODEL, "queues", QUEUE)
slot_at = accessor(MODEL, "slots", SLOT)
timer_at = accessor(MODEL, "timers", TIMER)
cpu_at = accessor(MODEL, "cpu", CPU)
law_at = accessor(MODEL, "laws", LAW)
value_at = accessor(MODEL, "values", VALUE)
bin_at = accessor(MODEL, "bins", BIN)
series_at = accessor(MODEL, "series", SERIES)
sample_at = accessor(MODEL, "samples", SAMPLE)
port_sample_at = accessor(MODEL, "port_samples", PORT_SAMPLE)
step_at = accessor(MODEL, "steps", STEP)
completed_at = accessor(MODEL, "per_instance", COUNTER)
constraint_at = accessor(MODEL, "constraints", CONSTRAINT)
link_at = accessor(MODEL, "links", COUNTER)
session_at = accessor(MODEL, "sessions", SESSION)
resource_at = accessor(MODEL, "resources", RESOURCE)
producer_at = accessor(MODEL, "producers", PRODUCER)
measured_at = accessor(MODEL, "measured", MEASURED)
worked_at = accessor(MODEL, "worked", WORKED)
duration_at = accessor(MODEL, "durations", VALUE)
ahead_at = accessor(MODEL, "ahead", AHEAD)
