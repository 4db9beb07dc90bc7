"""Codes and limits in the fields of records. Times are seconds from the start; an index of -1 means "none"."""

import math
from enum import IntEnum

NONE = -1
SINGLE = -2
"""``worker`` of a waiting message that must be alone in its transaction."""
AWAY = -3
"""``agent_message`` of a port whose server or broker is away: it takes nothing; ``credit``: it asks for nothing."""
FOREVER = math.inf
MOST_BYTES = 2**31 - 1
"""Bytes of the largest message that counts against a quota: ``length`` is a short integer."""


class Status(IntEnum):
    """Why the loop stopped."""

    RUNNING = 0
    DONE = 1
    GROW = 2  # no free message slot for the next arrival: allocate and call again
    ENDED = 3  # the horizon is reached
    STUCK = 4  # what is left of the foreground can never end, or takes too many events


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
    EVALUATION = 12  # entity: producer
    GROWTH = 13  # entity: member
    FAILURE = 14  # entity: member
    OUTAGE = 15  # entity: member
    RETURN = 16  # entity: member
    BREAKDOWN = 17  # entity: stream, at the begin and at the end of what it lacks
    ABSENCE = 18  # entity: stream, when its consumers lose their broker and when they find it again


class Staging(IntEnum):
    """What stands between the destination and the threads."""

    DIRECT = 0  # nothing: a free thread takes the message from the destination
    GATED = 1  # gate and agent, then the prepared queue of the instance
    WINDOW = 2  # credit of the consumer, then its client buffer
    PIPELINE = 3  # room behind one of the parallel sessions, then that session's buffer
    POLLED = 4  # nothing, but threads are held by pollers


class State(IntEnum):
    """What a thread is doing."""

    IDLE = 0
    BUSY = 1
    HELD = 2  # occupied without working
    ABSENT = 3  # its servant is not started
    AWAY = 4  # with its server


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
