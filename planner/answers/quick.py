"""Answers at once: the real engine in this process, within a budget of events. Nothing is stored."""

import math
import os
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from planner.errors import Unavailable
from simulations.analysis.estimates.stability import may_keep_up
from simulations.analysis.estimates.summary import Derivation, PointSummary
from simulations.analysis.replications.rows import ReplicationRow, compact
from simulations.analysis.replications.sample import LEAST_PERIODS, Sample, longest_cycle, longest_period, outage_end
from simulations.declarations.paths import HORIZON
from simulations.declarations.problems import InvalidInput
from simulations.engine.network.model import NetworkSpec
from simulations.engine.replicate import replicate
from simulations.experiment import Point
from simulations.pipeline.answers import Asked, precision_of
from simulations.pipeline.spark.warm import ONE_FOR_EACH_VARIANT, variants_awaited
from simulations.pipeline.work import expected_events, most_events
from simulations.scenario.spec import ScenarioSpec, revised

REPLICATIONS = 10
FEWEST_REPLICATIONS = 2
"""Below two there is no interval."""
MOST_EVENTS = 1_000_000
GLANCE_REPLICATIONS = 4
GLANCE_EVENTS = 50_000
"""What fits between two positions of a slider that moves."""
MOST_EVENTS_FOR_CYCLES = MOST_EVENTS // 2
"""Up to so many, or twice the budget, are simulated for as many cycles of the arrivals as show what they pile up."""
FEWEST_MESSAGES = 100
MOST_INSIDE = 100_000
"""Messages inside at once that end a replication, unless the scenario expects more: where nothing ever ends (a stopped
listener, retries without end) millions would pile up before a run gives in."""
BASELINES_KEPT = 8
"""Simulated points that others are compared with: so many a process remembers, about a megabyte each."""


@dataclass(frozen=True)
class QuickAnswer:
    """The answer for the scenario without its sweep, and that of the formulas; ``seconds`` by part of the work;
    ``shortened`` when the budget made the work less than the scenario asks, ``cut`` when each course is shorter;
    ``cycles`` of the arrivals in each course (infinite where they have none)."""

    summary: PointSummary
    derivation: Derivation
    seconds: Mapping[str, float]
    shortened: bool
    cut: bool
    cycles: float


def glance(spec: ScenarioSpec) -> QuickAnswer:
    """Return a first answer with wide intervals: ``quick_answer`` with a twentieth of the work. A surge, which cannot
    be cut, is simulated twice; raises InvalidInput when that is beyond the whole budget."""
    try:
        return quick_answer(spec, events=GLANCE_EVENTS, replications=GLANCE_REPLICATIONS)
    except InvalidInput:
        return quick_answer(spec, replications=FEWEST_REPLICATIONS)


def quick_answer(
    spec: ScenarioSpec,
    *,
    events: int = MOST_EVENTS,
    replications: int = REPLICATIONS,
    baseline: ScenarioSpec | None = None,
) -> QuickAnswer:
    """Simulate the scenario with at most about ``events`` events in all ``replications`` together.

    With a ``baseline`` the answer has differences to it, paired by common random numbers; none where the two do not end
    alike or the baseline is beyond the whole budget. Long horizons are cut; where the course over time is the answer,
    there are fewer replications instead as long as two fit. Raises InvalidInput when even two replications of what must
    drain or has an outage are beyond the budget.
    """
    started = time.perf_counter()
    asked = Asked(Point(0, {}, spec.unswept))
    cut, count = _within(asked, events, replications)
    ready = time.perf_counter()
    rows = _replications(cut.network, spec.run.seed, count)
    sample = _baseline_sample(baseline, cut, count) if baseline else None
    simulated = time.perf_counter()
    summary = cut.answer(rows, precision=precision_of(spec.run), baseline=sample)
    seconds = {"prepare": ready - started, "simulate": simulated - ready, "estimate": time.perf_counter() - simulated}
    less = cut is not asked
    return QuickAnswer(summary, cut.derivation, seconds, less or count < replications, less, _cycles(cut.network))


def paired_answers(
    points: Sequence[Point],
    *,
    events: int = MOST_EVENTS,
    replications: int = REPLICATIONS,
    only: frozenset[str] | None = None,
    brief: bool = False,
) -> list[PointSummary]:
    """Simulate ``points`` with the same random numbers and the same course; all together about ``events`` events.

    ``only``: metrics that are wanted; None wants the whole answers. Each answer but the first has paired differences to
    the first, from four replications at least; ``brief``: from two of what a formula calls unstable. Raises
    InvalidInput when the budget is too small for so many points.
    """
    asked = [Asked(point, only) for point in points]
    longest = max(asked, key=lambda item: expected_events(item.network))
    cut, fitting = _within(longest, events // len(points), replications)
    count = max(fitting, min(replications, GLANCE_REPLICATIONS))
    if cut is not longest:
        asked = [_until(item, cut.point.spec.run.horizon.model_dump()) for item in asked]
    first, *others = asked
    seed, precision = points[0].spec.run.seed, precision_of(points[0].spec.run)
    same = _first_rows(first.network, seed, count)
    baseline, answers = first.sample(same), [first.answer(same, precision=precision)]
    judged: dict[NetworkSpec, PointSummary] = {}
    for item in others:
        # Settings that have no effect here make the same network: what it does is known.
        spec, network = item.point.spec, item.network
        answer = judged.get(network) if only is not None else None
        if answer is None:
            lost = brief and not may_keep_up(network, spec.family.largest_throughputs(spec.system))
            fewer = FEWEST_REPLICATIONS if lost else count
            rows = same if network == first.network else _replications(network, seed, fewer)
            answer = judged[network] = item.answer(rows, precision=precision, baseline=baseline)
        answers.append(replace(answer, index=item.point.index, overrides=item.point.overrides))
    return answers


def _within(asked: Asked, events: int, replications: int) -> tuple[Asked, int]:
    """The point and the number of replications that the budget allows. Fewer of the whole course where that is the
    answer, as long as two fit; else of a shorter one, unless it must drain or has an outage."""
    each = expected_events(asked.network)
    if each * replications <= events:
        return asked, replications
    horizon, fitting = asked.point.spec.run.horizon, int(events // each)
    must_end = horizon.until is not None or outage_end(asked.network) > 0
    if fitting >= FEWEST_REPLICATIONS and (must_end or (asked.point.spec.transient and horizon.time is None)):
        return asked, fitting
    if must_end:
        about = f"one replication needs about {round(each, -3):,.0f} events"
        message = f"{about}, too many for a quick answer; a full run of these settings simulates it"
        raise InvalidInput.at(("run", "horizon"), message, code="too_large")
    return _shortened(asked, each, events, replications)


def _shortened(asked: Asked, each: float, events: int, replications: int) -> tuple[Asked, int]:
    """The point with a course of less than ``each`` events; fewer replications where it would miss bursts otherwise."""
    horizon, cycle = asked.point.spec.run.horizon, _cycle_events(asked.network)
    least = min(each, LEAST_PERIODS * cycle)
    if (horizon.time is not None and asked.point.spec.transient) or least * replications > events:
        replications = max(replications * GLANCE_REPLICATIONS // REPLICATIONS, min(replications, GLANCE_REPLICATIONS))
    budget = max(events, min(least * replications, max(MOST_EVENTS_FOR_CYCLES, 2.0 * events)))
    share, period = min(1.0, budget / (each * replications)), longest_period(asked.network)
    if horizon.messages is None:
        return _until(asked, {"time": _whole((horizon.time or 0.0) * share, period)}), replications
    messages = _whole(horizon.messages * share, cycle / 2.0 if period else 0.0)
    return _until(asked, {"messages": max(FEWEST_MESSAGES, int(messages))}), replications


def _whole(length: float, period: float) -> float:
    """Without the rest of a period, which would weigh its beginning twice."""
    return length - length % period if 0 < period < length else length


def _cycles(network: NetworkSpec) -> float:
    cycle, course = longest_cycle(network), network.horizon.time
    if not cycle:
        return math.inf
    return course / cycle if course else expected_events(network) / _cycle_events(network)


def _cycle_events(network: NetworkSpec) -> float:
    """The events of the longest cycle of the arrivals; 0 without one."""
    horizon = replace(network.horizon, messages=0, time=longest_cycle(network))
    return expected_events(replace(network, horizon=horizon))


def _baseline_sample(baseline: ScenarioSpec, cut: Asked, count: int) -> Sample | None:
    """The baseline's replications over the same course with the same random numbers; None where there are none."""
    run = cut.point.spec.run.model_dump(mode="json")
    try:
        asked = Asked(Point(0, {}, revised(baseline.unswept, [(("run",), run)])))
    except InvalidInput:
        return None
    fits = expected_events(asked.network) * count <= MOST_EVENTS
    return asked.sample(_first_rows(asked.network, asked.point.spec.run.seed, count)) if fits else None


@lru_cache(maxsize=BASELINES_KEPT)
def _first_rows(network: NetworkSpec, seed: int, count: int) -> list[ReplicationRow]:
    """Kept for the next curve, and for the next position of a slider: what others are compared with stays."""
    return _replications(network, seed, count)


def _until(asked: Asked, horizon: Mapping[str, float]) -> Asked:
    return replace(asked, point=replace(asked.point, spec=revised(asked.point.spec, [(HORIZON, horizon)])))


def _replications(network: NetworkSpec, seed: int, count: int) -> list[ReplicationRow]:
    """The compiled loop runs outside Python's lock, so threads use all cores; a glance is over sooner without them.
    Raises Unavailable where another process is compiling the loop for such a network."""
    reason = engine_awaited(network)
    if reason:
        raise Unavailable(reason)

    expected = expected_events(network)
    inside, events = max(MOST_INSIDE, int(expected)), most_events(network)

    def one(number: int) -> ReplicationRow:
        result = replicate(network, seed=seed, replication=number, most_messages=inside, most_events=events)
        return compact(result)

    mapped = map if count * expected <= GLANCE_EVENTS else _workers().map
    return list(mapped(one, range(count)))


def engine_awaited(network: NetworkSpec | None = None) -> str:
    """Return how far the engine's compilation is, in words; empty where ``network``, or any, need not wait for it."""
    awaited, every = variants_awaited(network), len(ONE_FOR_EACH_VARIANT)
    if not awaited:
        return ""
    return (
        f"the engine is being compiled for this machine, once: {every - awaited} of {every} variants are ready; "
        "answers come by themselves as soon as theirs is"
    )


@cache
def _workers() -> ThreadPoolExecutor:
    """As many threads as cores, shared by all who ask: starting them takes longer than a short simulation."""
    return ThreadPoolExecutor(os.cpu_count(), thread_name_prefix="quick")
