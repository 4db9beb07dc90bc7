"""What a log can hold: messages, or metric samples as each vendor counts them, recognized by the columns.

Every layout of samples maps its columns onto one common schema, the roles below. A count is the number since the
counter began, unless the column counts from row to row; a gauge is what was seen at the instant of the row.
"""

from dataclasses import dataclass
from difflib import get_close_matches

from simulations.declarations.tables import table_beside

COUNTS = ("arrived", "completed", "deliveries", "rolled_back", "service_seconds")
"""Roles of counters: messages that came and that are done, deliveries, those rolled back, seconds in process."""
GAUGES = ("present", "waiting", "pending", "busy", "busy_share", "threads")
"""Roles of gauges: messages in the system, waiting, sent or received but not committed, in process; the share of the
threads in use; the threads there are."""
OUTCOMES = ("completed", "failed", "expired")

_DECLARED = table_beside(__file__, "layouts.yaml")


class TelemetryRefused(ValueError):
    """The log as a whole cannot be used; the message says why."""


@dataclass(frozen=True)
class Column:
    """One column of a log. Instants are seconds (epoch or any common zero) or ISO 8601 timestamps in UTC.

    ``role``: what a column of samples means in the common schema. ``factor`` turns its unit into that of the role.
    ``interval``: the count starts again with every row. ``shared``: all instances report one number, their queue's.
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
    """A kind of log. ``title`` names it in a sentence. ``reasons``: why a row of it is put aside, in words; the first
    that applies counts."""

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


LAYOUTS = tuple(
    Layout(**item | {"columns": tuple(Column(**each) for each in item["columns"])}) for item in _DECLARED["layouts"]
)
MESSAGES, COMMON, INTERVALS, IMQCMD, WLDF, PMI = LAYOUTS


def layout_of(found: list[str]) -> Layout:
    """Return the layout whose required columns are all there, of several the one that knows most of the columns. Raises
    TelemetryRefused, naming what the nearest layout lacks and what was there instead."""
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
    there = [1.0 if name in found else bool(_hint(name, found)) / 2 for name in layout.required]
    return sum(there) / len(there), len(set(layout.names) & set(found))


def _hint(name: str, found: list[str]) -> str:
    near = get_close_matches(name.lower(), [item.lower() for item in found], n=1)
    return f" (is it {near[0]!r}?)" if near else ""
