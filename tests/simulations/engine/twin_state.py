"""What the twin's parts share: messages, threads, ports, and the order of events at one instant."""

from dataclasses import dataclass, field
from typing import Any

CPU_END, SERVICE_END, SERVANT, AGENT, REJECT, DISPATCH, RETRY, GRANT, ANSWER, POLL = range(10)
ARRIVAL = 99
Row = tuple[float, int, int, int, int]


@dataclass(eq=False)
class Message:
    stream: int
    index: int
    arrived: float
    ticket: int
    ready: float = 0.0
    mark: float = 0.0
    deliveries: int = 0
    alone: bool = False
    length: int = 0
    copy: int = 0
    began: float = 0.0
    crowding: float = 0.0
    done: float = 0.0


@dataclass(eq=False)
class Thread:
    member: int
    machine: int
    """The member whose CPUs and resources it uses."""
    port: "Port | None" = None
    message: Message | None = None
    batch: list[Message] = field(default_factory=list)
    began: float = 0.0
    entered: float = 0.0
    start: int = 0
    session: int | None = None
    alone: bool = False
    resuming: bool = False
    later: tuple[float, float] = (0.0, 0.0)
    stage: str = "last"
    event: list[Any] | None = None


@dataclass(eq=False)
class Port:
    stream: int
    member: int
    instance: int
    prepared: list[Message] = field(default_factory=list)
    running: list[Thread] = field(default_factory=list)
    sessions: list[list[Message]] = field(default_factory=list)
    busy: set[int] = field(default_factory=set)
    ready: list[int] = field(default_factory=list)
    watched: list[tuple[float, Thread, int, float]] = field(default_factory=list)
    waiters: list[Thread] = field(default_factory=list)
    inflight: int = 0
    threads: int = 0
    pollers: int = 0
    wanted: int = 0
    ticket: int = 0
    credit: int = 0
    asked: int = 0
    assigned: list[Message] = field(default_factory=list)
    unanswered: int = 0
    halted: bool = False
    answering: bool = False
    closed: bool = False
    rejecting: bool = False
    agent: Message | None = None
    agent_event: list[Any] | None = None
    away: bool = False
    timers: dict[str, list[Any]] = field(default_factory=dict)
    """The last event of its grant, its connection's answer and its poll cycle."""
    batch: int = 1
    used: float = 0.0
    used_total: float = 0.0
    since: float = 0.0
    starts: int = 0
    wanting: bool = False
