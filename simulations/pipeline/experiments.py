"""Questions that take several plans of points, asked through the same rounds: headroom and sensitivity.

Every plan starts from point 0, the scenario as it is, and shares its random numbers, so differences are paired.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simulations.analysis.summary import Estimate, PointSummary
from simulations.experiment import Point, with_overrides
from simulations.pipeline.executors import Executor, ShouldStop
from simulations.pipeline.rounds import Round, run_rounds
from simulations.problems import InvalidInput, problem
from simulations.scenario import ScenarioSpec, parse
from simulations.system import Queue
from simulations.workload import Saturated

LADDER = 8
"""Factors tried at once in the search for the headroom."""
WITHIN = 0.01
"""The search ends when the bracket of the factor is this narrow, relative to it."""

Meets = Callable[[PointSummary], bool]
"""Whether a point is good enough."""


@dataclass(frozen=True)
class Headroom:
    """How much the arrivals can grow: ``carried`` is the largest factor tried that is good enough, ``missed`` the next.

    ``carried`` is 0 when not even the least factor is, ``missed`` is None when every factor is. ``tried`` holds the
    answers by factor.
    """

    carried: float
    missed: float | None
    tried: Mapping[float, PointSummary]


@dataclass(frozen=True)
class Effect:
    """What one input does: the paired differences of a metric when ``path`` is at its ``low`` and ``high`` value."""

    path: str
    low: Any
    high: Any
    at_low: Estimate | None
    at_high: Estimate | None

    @property
    def swing(self) -> float:
        """The larger difference, without its sign; 0 where neither is known."""
        return max((abs(item.value) for item in (self.at_low, self.at_high) if item is not None), default=0.0)


def headroom(
    spec: ScenarioSpec,
    executor: Executor,
    meets: Meets,
    *,
    should_stop: ShouldStop,
    least: float = 0.1,
    most: float = 10.0,
) -> Generator[Round, None, Headroom]:
    """Search the largest factor on all arrivals, between ``least`` and ``most``, that is still good enough.

    Good at a factor is taken to mean good below it. Yields the rounds of the search and returns the headroom. Raises
    InvalidInput for a queue that is always full: it has no rate to grow.
    """
    tried: dict[float, PointSummary] = {}
    low, high = least, most
    while True:
        ladder = [factor for factor in _ladder(low, high) if factor not in tried]
        answers = yield from _answers(spec, ladder, executor, should_stop)
        tried |= answers
        carried, missed = _bracket(tried, meets)
        if missed is None or carried == 0.0 or missed <= carried * (1 + WITHIN):
            return Headroom(carried, missed, dict(sorted(tried.items())))
        low, high = carried, missed


def sensitivity(
    spec: ScenarioSpec,
    ranges: Mapping[str, tuple[Any, Any]],
    executor: Executor,
    *,
    metric: str = "latency.p95",
    should_stop: ShouldStop,
) -> Generator[Round, None, tuple[Effect, ...]]:
    """Set each input to the ends of its range, one at a time, and return the effects, the largest swing first.

    Yields the rounds of the one plan. Raises InvalidInput for paths and values that the scenario forbids.
    """
    points = sensitivity_points(spec, ranges)
    summaries = yield from _collected(points, spec, executor, should_stop)
    effects = []
    for number, (path, (low, high)) in enumerate(ranges.items()):
        at_low, at_high = (summaries[1 + 2 * number + end].differences.get(metric) for end in (0, 1))
        effects.append(Effect(path, low, high, at_low, at_high))
    return tuple(sorted(effects, key=lambda effect: -effect.swing))


def sensitivity_points(spec: ScenarioSpec, ranges: Mapping[str, tuple[Any, Any]]) -> tuple[Point, ...]:
    """Return the plan: the scenario, then each path at the low and at the high end of its range."""
    base = with_overrides(spec, {"sweep": []})
    ends: list[dict[str, Any]] = [{path: value} for path, pair in ranges.items() for value in pair]
    return tuple(Point(index, change, with_overrides(base, change)) for index, change in enumerate([{}, *ends]))


def with_arrivals(spec: ScenarioSpec, factor: float) -> ScenarioSpec:
    """Return the scenario with all arrivals ``factor`` times as fast; a surge gets so many times the messages."""
    full = [
        problem(("queues", index, "arrivals"), "a queue that is always full has no rate that could grow")
        for index, queue in enumerate(spec.queues)
        if isinstance(queue.arrivals, Saturated)
    ]
    if full:
        raise InvalidInput(full)
    queues = [
        {**body, "arrivals": _faster(queue, factor)}
        for queue, body in zip(spec.queues, spec.body()["queues"], strict=True)
    ]
    return parse({**spec.body(), "queues": queues, "sweep": []})


def _faster(queue: Queue, factor: float) -> dict[str, Any]:
    arrivals = queue.arrivals.model_dump(mode="json", exclude_none=True)
    return {key: _scaled(str(arrivals["kind"]), key, value, factor) for key, value in arrivals.items()}


def _scaled(kind: str, key: str, value: Any, factor: float) -> Any:
    match kind, key:
        case _, "rate" | "on_rate" | "off_rate" | "then":
            return value * factor
        case "surge", "count":
            return max(1, round(value * factor))
        case "periodic_burst", "every":
            return value / factor
        case "profile", "points":
            return [[instant, rate * factor] for instant, rate in value]
        case "trace", "source":
            return [instant / factor for instant in value]
        case "renewal", "interval":
            return {name: _shorter(name, item, factor) for name, item in value.items()}
        case _:
            return value


def _shorter(name: str, value: Any, factor: float) -> Any:
    if name in ("mean", "p50", "p95", "p99"):
        return value / factor
    return [item / factor for item in value] if name == "source" else value


def _ladder(low: float, high: float) -> list[float]:
    return [low * (high / low) ** (step / (LADDER - 1)) for step in range(LADDER)]


def _bracket(tried: Mapping[float, PointSummary], meets: Meets) -> tuple[float, float | None]:
    carried = 0.0
    for factor in sorted(tried):
        if not meets(tried[factor]):
            return carried, factor
        carried = factor
    return carried, None


def _answers(
    spec: ScenarioSpec, factors: Sequence[float], executor: Executor, should_stop: ShouldStop
) -> Generator[Round, None, dict[float, PointSummary]]:
    points = [Point(i, {"arrivals": factor}, with_arrivals(spec, factor)) for i, factor in enumerate(factors)]
    summaries = yield from _collected(points, spec, executor, should_stop)
    return {factor: summaries[index] for index, factor in enumerate(factors)}


def _collected(
    points: Sequence[Point], spec: ScenarioSpec, executor: Executor, should_stop: ShouldStop
) -> Generator[Round, None, dict[int, PointSummary]]:
    summaries: dict[int, PointSummary] = {}
    for step in run_rounds(points, spec.run, executor, should_stop=should_stop):
        summaries |= {summary.index: summary for summary in step.decided}
        yield step
    return summaries
