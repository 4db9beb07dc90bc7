"""Replications that would never end: messages are left that nothing ends."""

from collections.abc import Iterator, Sequence

from simulations.analysis.estimates.summary import Finding, Source
from simulations.analysis.replications.rows import ReplicationRow

RULE = "engine.unfinished"
_SOURCE = Source("Engine", "end of a replication", "assumed")


def unfinished(rows: Sequence[ReplicationRow]) -> Iterator[Finding]:
    """Yield the finding that replications were ended although messages were left, if any were.

    Their numbers hold for the time up to there; nothing has drained.
    """
    stuck = sum(row.stuck for row in rows)
    if stuck:
        message = (
            f"{stuck} of {len(rows)} replications were ended with messages left that never finish: every delivery "
            "fails and is repeated without end, or their listener has stopped. Limit the deliveries, or let the work "
            "end in time."
        )
        yield Finding(RULE, "violated", "error", message, _SOURCE, details={"replications": float(stuck)})
