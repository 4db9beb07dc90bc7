"""What a log can hold: messages, or metric samples as each vendor counts them, recognized by the columns.

Every layout of samples maps its columns onto one common schema, the roles below. A count is the number since the
counter began, unless the column counts from row to row; a gauge is what was seen at the instant of the row.
"""

from dataclasses import dataclass, replace
from difflib import get_close_matches

COUNTS = ("arrived", "completed", "deliveries", "rolled_back", "service_seconds")
"""Roles of counters: messages that came, messages that are done, deliveries, deliveries rolled back, seconds in
process."""
GAUGES = ("present", "waiting", "pending", "busy", "busy_share", "threads")
"""Roles of gauges: messages in the system, waiting, sent or received but not committed, in process; the share of the
threads in use; the threads there are."""
OUTCOMES = ("completed", "failed", "expired")

REASONS = {
    "encoding": "the row is not UTF-8 text",
    "unreadable": "an instant or the queue is missing or cannot be read",
    "clock_backwards": "the delivery begins before the message arrived",
    "negative_duration": "the delivery ends before it began",
    "unknown_outcome": f"the outcome is none of {', '.join(OUTCOMES)}",
    "bad_deliveries": "the number of deliveries is not a whole number of 1 or more",
    "duplicate": "the queue has an earlier message of the same id",
}
"""Why a message is put aside; the first reason that applies counts."""
SAMPLE_REASONS = {
    "encoding": "the row is not UTF-8 text",
    "unreadable": "the instant or the queue is missing or cannot be read",
    "bad_number": "a count or a gauge is not a number of 0 or more",
    "no_count": "no column that counts messages has a value",
    "clock_backwards": "an earlier row of the queue and instance has a later instant",
    "duplicate": "the queue and instance have an earlier row of the same instant",
}
"""Why a sample is put aside; the first reason that applies counts."""


class TelemetryRefused(ValueError):
    """The log as a whole cannot be used; the message says why."""


@dataclass(frozen=True)
class Column:
    """One column of a log. Instants are seconds (epoch or any common zero) or ISO 8601 timestamps in UTC.

    ``role``: what a column of samples means in the common schema. ``factor`` turns its unit into that of the role.
    ``interval``: the count starts again with every row. ``shared``: every instance reports the same number of a queue
    that they share.
    """

    name: str
    meaning: str
    role: str = ""
    required: bool = False
    factor: float = 1.0
    interval: bool = False
    shared: bool = False


@dataclass(frozen=True)
class Layout:
    """A kind of log. ``title`` names it in a sentence; ``reasons``: why a row of it is put aside."""

    key: str
    title: str
    columns: tuple[Column, ...]
    reasons: dict[str, str]

    @property
    def names(self) -> tuple[str, ...]:
        """The declared columns."""
        return tuple(column.name for column in self.columns)

    @property
    def required(self) -> tuple[str, ...]:
        """Those without which a log is not of this kind."""
        return tuple(column.name for column in self.columns if column.required)

    @property
    def samples(self) -> bool:
        """Whether a row is a sample of counters, not a message."""
        return any(column.role in COUNTS for column in self.columns)

    def of_role(self, role: str) -> tuple[Column, ...]:
        """Return the columns with a role, the first choice first."""
        return tuple(column for column in self.columns if column.role == role)


def _needed(name: str, meaning: str, role: str = "", **more: bool) -> Column:
    return Column(name, meaning, role, required=True, **more)


def _samples(key: str, title: str, time: Column, queue: Column, instance: Column, *values: Column) -> Layout:
    """A layout of samples: its instant, whose counters they are, then its counts and gauges."""
    place = (replace(time, role="time"), replace(queue, role="queue"), replace(instance, role="instance"))
    return Layout(key, title, (*place, *values), SAMPLE_REASONS)


_TIME = _needed("time", "instant of the sample")
_QUEUE = _needed("queue", "name of the queue")
_INSTANCE = Column("instance", "server instance; one instance when left out")
_SERVER = replace(_INSTANCE, name="server")
_GAUGES = (
    Column("present", "messages in the queue now, those in process too", "present"),
    Column("waiting", "messages in the queue now, those in process not", "waiting"),
    Column("busy", "messages in process now", "busy"),
    Column("threads", "messages that the instance can process at a time", "threads"),
)

MESSAGES = Layout(
    "messages",
    "a message log",
    (
        _needed("arrival", "instant at which the message reached the queue"),
        _needed("start", "instant at which its first delivery began"),
        _needed("end", "instant at which its last delivery ended"),
        _QUEUE,
        Column("instance", "server instance that processed it; one instance when left out"),
        Column("outcome", "completed, failed or expired; completed when left out"),
        Column("deliveries", "number of deliveries, 1 or more; 1 when left out"),
        Column("message_id", "id that no other message of the queue has; no look for duplicates when left out"),
    ),
    REASONS,
)
COMMON = _samples(
    "samples",
    "metric samples",
    *(_TIME, _QUEUE, _INSTANCE),
    _needed("completed", "messages processed since the counter began", "completed"),
    Column("arrived", "messages that came since the counter began", "arrived"),
    Column("deliveries", "deliveries since the counter began, failed ones too", "deliveries"),
    Column("rolled_back", "deliveries rolled back since the counter began", "rolled_back"),
    Column("service_seconds", "seconds in process since the counter began", "service_seconds"),
    *_GAUGES,
)
INTERVALS = _samples(
    "intervals",
    "metric samples that count from row to row",
    *(_TIME, _QUEUE, _INSTANCE),
    *_GAUGES,
    _needed("completed_now", "messages processed since the row before", "completed", interval=True),
    Column("arrived_now", "messages that came since the row before", "arrived", interval=True),
    Column("rolled_back_now", "deliveries rolled back since the row before", "rolled_back", interval=True),
    Column("service_seconds_now", "seconds in process since the row before", "service_seconds", interval=True),
)
IMQCMD = _samples(
    "imqcmd",
    "samples of imqcmd metrics dst",
    _TIME,
    _needed("destination", "name of the physical destination"),
    Column("broker", "broker that holds it; one broker when left out"),
    Column("msgs_in", "Msgs In (-m ttl)", "arrived"),
    _needed("msgs_out", "Msgs Out (-m ttl)", "completed"),
    _needed("msg_count_current", "Msg Count, Current (-m ttl): unacknowledged ones too", "present"),
    Column("active_consumers_current", "Active Consumers, Current (-m con): sessions that process", "threads"),
    Column("busy_threads", "threads in onMessage, from the container's own monitoring", "busy"),
)
WLDF = _samples(
    "wldf",
    "samples of WLDF",
    _needed("timestamp", "instant of the harvest"),
    _needed("destination", "name of the JMS destination, the same for all its members"),
    _SERVER,
    _needed("MessagesReceivedCount", "JMSDestinationRuntime: messages that came", "arrived"),
    _needed("MessagesCurrentCount", "JMSDestinationRuntime: messages that wait, pending ones not", "waiting"),
    Column("MessagesPendingCount", "JMSDestinationRuntime: messages sent or received but not committed", "pending"),
    Column("BeansInUseCurrentCount", "EJBPoolRuntime: bean instances in use", "busy"),
    Column(
        "ExecutingRequests", "MaxThreadsConstraintRuntime: running requests; used without the column before", "busy"
    ),
    Column("MaxThreads", "count of the max-threads constraint, or the pool's largest size", "threads"),
    Column("CompletedRequests", "WorkManagerRuntime of the bean's own work manager: deliveries", "deliveries"),
    Column("TransactionsCommittedTotalCount", "EJBTransactionRuntime: messages processed", "completed"),
    Column("TransactionsRolledBackTotalCount", "EJBTransactionRuntime: deliveries rolled back", "rolled_back"),
)
_USAGE = "percentage of the listener port's sessions in use; needs MaxSessions"
_DEPTH = "messages that wait: CURDEPTH of the queue, the same for all servers"
PMI = _samples(
    "pmi",
    "samples of PMI",
    _TIME,
    _needed("destination", "queue that the bean or its listener port reads"),
    _SERVER,
    _needed("MessageCount", "message-driven bean: deliveries to onMessage", "deliveries"),
    Column("MessageBackoutCount", "message-driven bean: deliveries rolled back", "rolled_back"),
    Column("MethodResponseTimeTotal", "total of MethodResponseTime, in milliseconds", "service_seconds", factor=1e-3),
    Column("ActiveMethodCount", "messages in onMessage now", "busy"),
    Column("ServerSessionPoolUsage", _USAGE, "busy_share", factor=0.01),
    Column("MaxSessions", "maximum sessions of the listener port or activation specification", "threads"),
    Column("CurrentDepth", _DEPTH, "waiting", shared=True),
)
LAYOUTS = (MESSAGES, COMMON, INTERVALS, IMQCMD, WLDF, PMI)


def layout_of(found: list[str]) -> Layout:
    """Return the layout whose required columns are all there, of several the one that knows most of the columns.

    Raises TelemetryRefused, naming what the nearest layout lacks and what was there instead.
    """
    fitting = [layout for layout in LAYOUTS if set(layout.required) <= set(found)]
    if fitting:
        return max(fitting, key=lambda layout: len(set(layout.names) & set(found)))
    nearest = max(LAYOUTS, key=lambda layout: _likeness(layout, found))
    hints = [f"{name}{_hint(name, found)}" for name in nearest.required if name not in found]
    there = ", ".join(name[:40] for name in found[:12]) or "nothing"
    kinds = "; ".join(f"{layout.title} ({', '.join(layout.required)})" for layout in LAYOUTS)
    raise TelemetryRefused(
        f"the log has no column {' and no column '.join(hints)}; it has: {there}. What can be read, with the columns "
        f"that it must have: {kinds}"
    )


def _likeness(layout: Layout, found: list[str]) -> tuple[float, int]:
    known = set(layout.names) & set(found)
    near = sum(bool(_hint(name, found)) for name in layout.required if name not in known)
    there = len(known & set(layout.required))
    return (there + near / 2) / len(layout.required), len(known)


def _hint(name: str, found: list[str]) -> str:
    near = get_close_matches(name.lower(), [item.lower() for item in found], n=1)
    return f" (is it {near[0]!r}?)" if near else ""
