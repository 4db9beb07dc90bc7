"""Answers of points that tests make up, to know what must follow from them."""

from collections.abc import Callable, Mapping
from typing import Any

from simulations.analysis.estimates.summary import Estimate, PointSummary, Status
from simulations.experiment.points import Point
from simulations.experiment.reading import read_question
from simulations.pipeline.experiments import plan_of
from simulations.scenario.spec import parse
from tests.simulations.pipeline.doubles import BODY

SPEC = parse(BODY)
LIMIT = [{"metric": "latency.p95", "at_most": 0.8}]
RATE = "queues.orders.arrivals.rate"
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
    """Return a point with that p95 latency; None makes it unstable, with 67.6 messages per second carried."""
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


def followed(
    question: dict[str, Any], truth: Callable[[Point], PointSummary]
) -> tuple[list[int], dict[int, PointSummary]]:
    """Follow a plan to its end; return how many points each round added, and the answers."""
    plan = plan_of(read_question(question, SPEC), SPEC)
    answers: dict[int, PointSummary] = {}
    points, added = plan.first(), []
    while points:
        added.append(len(points))
        answers |= {point.index: truth(point) for point in points}
        points = plan.steer(answers).more
    return added, answers
