"""Answers of points that tests make up, to know what must follow from them."""

from collections.abc import Mapping
from typing import Any

from simulations.analysis.estimates.summary import Estimate, PointSummary, Status

SESSIONS = "queues.orders.settings.maximum_sessions"


def answer(
    index: int,
    overrides: Mapping[str, Any],
    p95: float | None,
    half: float = 0.001,
    *,
    status: Status = "ok",
    **metrics: Estimate,
) -> PointSummary:
    """Return a point with that 95 % latency; None makes it unstable, with 67.6 messages per second carried."""
    found = dict(metrics)
    if p95 is not None:
        found["latency.p95"] = Estimate(p95, p95 - half, p95 + half, "s")
    return PointSummary(
        index=index,
        overrides=overrides,
        status="unstable" if p95 is None else status,
        replications=10,
        events=1000,
        metrics=found,
        queues={},
        derived={},
        findings=(),
        checks=(),
        warmup={},
        growth={} if p95 is not None else {"orders": 5.0, "carried": 67.6},
    )
