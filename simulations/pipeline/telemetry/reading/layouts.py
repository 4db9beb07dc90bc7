"""What a log can hold: messages, or metric samples as each vendor counts them, recognised by the columns.

Every layout of samples maps its columns onto one common schema, the roles below. A count is the number since the
counter began, unless the column counts from row to row; a gauge is what was seen at the instant of the row.
"""

from dataclasses import dataclass
from difflib import get_close_matches

from simulations.pipeline.telemetry.reading.columns import COLUMNS, REASONS, Column, TelemetryRefused

COUNTS = ("arrived", "completed", "deliveries", "rolled_back", "service_seconds")
"""Roles of counters: messages that came, messages that are done, deliveries, deliveries rolled back, seconds in
process."""
GAUGES = ("present", "waiting", "pending", "busy", "busy_share", "threads")
"""Roles of gauges: messages in the system, waiting, sent or received but not committed, in process; the share of the
threads in use; the threads there are."""

SAMPLE_REASONS = {
    "encoding": "the row is not UTF-8 text",
    "unreadable": "the instant or the queue is missing or cannot be read",
    "bad_number": "a count or a gauge is not a number of 0 or more",
    "no_count": "no column that counts messages has a value",
    "clock_backwards": "an earlier row of the queue and instance has a later instant",
    "duplicate": "the queue and instance have an earlier row of the same instant",
}
"""Why a sample is put aside; the first reason that applies counts."""


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


MESSAGES = Layout("messages", "a message log", COLUMNS, REASONS)
COMMON = Layout(
    "samples",
    "metric samples",
    (
        Column("time", "instant of the sample", required=True, role="time"),
        Column("queue", "name of the queue", required=True, role="queue"),
        Column("instance", "server instance; one instance when left out", role="instance"),
        Column("completed", "messages processed since the counter began", required=True, role="completed"),
        Column("arrived", "messages that came since the counter began", role="arrived"),
        Column("deliveries", "deliveries since the counter began, failed ones too", role="deliveries"),
        Column("rolled_back", "deliveries rolled back since the counter began", role="rolled_back"),
        Column("service_seconds", "seconds in process since the counter began", role="service_seconds"),
        Column("present", "messages in the queue now, those in process too", role="present"),
        Column("waiting", "messages in the queue now, those in process not", role="waiting"),
        Column("busy", "messages in process now", role="busy"),
        Column("threads", "messages that the instance can process at a time", role="threads"),
    ),
    SAMPLE_REASONS,
)
INTERVALS = Layout(
    "intervals",
    "metric samples that count from row to row",
    (
        *(column for column in COMMON.columns if column.role not in COUNTS),
        Column(
            "completed_now", "messages processed since the row before", required=True, role="completed", interval=True
        ),
        Column("arrived_now", "messages that came since the row before", role="arrived", interval=True),
        Column("rolled_back_now", "deliveries rolled back since the row before", role="rolled_back", interval=True),
        Column("service_seconds_now", "seconds in process since the row before", role="service_seconds", interval=True),
    ),
    SAMPLE_REASONS,
)
IMQCMD = Layout(
    "imqcmd",
    "samples of imqcmd metrics dst",
    (
        Column("time", "instant of the sample", required=True, role="time"),
        Column("destination", "name of the physical destination", required=True, role="queue"),
        Column("broker", "broker that holds it; one broker when left out", role="instance"),
        Column("msgs_in", "Msgs In (-m ttl)", role="arrived"),
        Column("msgs_out", "Msgs Out (-m ttl)", required=True, role="completed"),
        Column(
            "msg_count_current", "Msg Count, Current (-m ttl): unacknowledged ones too", required=True, role="present"
        ),
        Column("active_consumers_current", "Active Consumers, Current (-m con): sessions that process", role="threads"),
        Column("busy_threads", "threads in onMessage, from the container's own monitoring", role="busy"),
    ),
    SAMPLE_REASONS,
)
WLDF = Layout(
    "wldf",
    "samples of WLDF",
    (
        Column("timestamp", "instant of the harvest", required=True, role="time"),
        Column("destination", "name of the JMS destination, the same for all its members", required=True, role="queue"),
        Column("server", "server instance; one instance when left out", role="instance"),
        Column("MessagesReceivedCount", "JMSDestinationRuntime: messages that came", required=True, role="arrived"),
        Column(
            "MessagesCurrentCount",
            "JMSDestinationRuntime: messages that wait, pending ones not",
            required=True,
            role="waiting",
        ),
        Column(
            "MessagesPendingCount", "JMSDestinationRuntime: messages sent or received but not committed", role="pending"
        ),
        Column("BeansInUseCurrentCount", "EJBPoolRuntime: bean instances in use", role="busy"),
        Column(
            "ExecutingRequests",
            "MaxThreadsConstraintRuntime: requests that run; used without the column before",
            role="busy",
        ),
        Column("MaxThreads", "count of the max-threads constraint, or the pool's largest size", role="threads"),
        Column("CompletedRequests", "WorkManagerRuntime of the bean's own work manager: deliveries", role="deliveries"),
        Column("TransactionsCommittedTotalCount", "EJBTransactionRuntime: messages processed", role="completed"),
        Column("TransactionsRolledBackTotalCount", "EJBTransactionRuntime: deliveries rolled back", role="rolled_back"),
    ),
    SAMPLE_REASONS,
)
PMI = Layout(
    "pmi",
    "samples of PMI",
    (
        Column("time", "instant of the sample", required=True, role="time"),
        Column("destination", "queue that the bean or its listener port reads", required=True, role="queue"),
        Column("server", "server instance; one instance when left out", role="instance"),
        Column("MessageCount", "message-driven bean: deliveries to onMessage", required=True, role="deliveries"),
        Column("MessageBackoutCount", "message-driven bean: deliveries rolled back", role="rolled_back"),
        Column(
            "MethodResponseTimeTotal",
            "total of MethodResponseTime, in milliseconds",
            role="service_seconds",
            factor=1e-3,
        ),
        Column("ActiveMethodCount", "messages in onMessage now", role="busy"),
        Column(
            "ServerSessionPoolUsage",
            "per cent of the listener port's sessions in use; needs MaxSessions",
            role="busy_share",
            factor=0.01,
        ),
        Column("MaxSessions", "maximum sessions of the listener port or activation specification", role="threads"),
        Column(
            "CurrentDepth",
            "messages that wait: CURDEPTH of the queue, the same for all servers",
            role="waiting",
            shared=True,
        ),
    ),
    SAMPLE_REASONS,
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
