"""The throttle at full resolution: telling seconds of the first replication, computed again from its seed.

A whole replication is too long to see a threshold at work: its samples lie further apart than the gate's cycle. The
random streams are addressed by seed and message, so this short course equals the beginning of the long one.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frontend.charts.panels import Courses, Paths
from simulations.analysis.estimates import curves
from simulations.analysis.estimates.slowest import slowest_parts
from simulations.analysis.estimates.summary import Estimate, PointSummary
from simulations.analysis.replications.rows import compact
from simulations.engine.network.model import Horizon, NetworkSpec
from simulations.engine.network.results import ReplicationResult
from simulations.engine.replicate import replicate, replicate_traced
from simulations.pipeline.work import expected_events, most_events
from simulations.scenario.spec import ScenarioSpec

CYCLES = 10
LOOKED_AT = 4
"""Times the seconds that are shown, among which they are chosen."""
FEWEST_MESSAGES = 400
MOST_MESSAGES = 20_000
MOST_FOLLOWED = 800
MOST_STEPS = 200_000
"""Steps of single messages that are kept; of a course with more of them nobody is followed."""
MOST_EVENTS = 2_000_000
"""Events that may be simulated again to see the slowest messages."""
FLOW_INTERVALS = 3
"""Intervals of flow control that are shown: down, a while at the minimum, and up again."""


def courses(spec: ScenarioSpec, summary: PointSummary) -> Courses:
    """Return all, computed again from what ``summary`` was computed."""
    return replace(closeup(spec), flow=_flow_courses(spec, summary.timeline), slowest=_slowest(spec, summary))


def closeup(spec: ScenarioSpec, *, trace: int = 0) -> Courses:
    """Return the sampled paths of the throttles and instances; a course that ends by itself is shown whole. The paths
    hold the ways of single messages where the course has fewer than ``trace`` steps."""
    network, seed = spec.network(), spec.run.seed
    most = most_events(network)
    if spec.transient:
        result, steps = replicate_traced(network, seed=seed, replication=0, trace=trace, most_events=most)
    else:
        span = max((stream.gate.high - stream.gate.low for stream in network.streams if stream.gate), default=0)
        messages = min(max(CYCLES * span, FEWEST_MESSAGES), MOST_MESSAGES)
        opening = spec.family.build_network(spec.system, Horizon(messages=messages))
        seconds = float(replicate(opening, seed=seed, replication=0, most_events=most).durations.sum())
        if not seconds:  # all events that may be simulated were at the start, where a window takes millions at once
            return Courses()
        # With the end known as a time the engine spreads its samples over exactly this course.
        network = spec.family.build_network(spec.system, Horizon(time=LOOKED_AT * seconds))
        result, steps = replicate_traced(network, seed=seed, replication=0, trace=trace, most_events=most)
        result = curves.telling_stretch(result, seconds)
    several = {
        stream.name: curves.by_instance(result, index, count)
        for index, stream in enumerate(network.streams)
        if (count := network.pools[stream.pool].instances) > 1
    }
    paths = _paths(network, result)
    if len(steps) < trace:
        first, last = result.timeline_at[[0, -1]]
        shown = steps[(steps["time"] >= first) & (steps["time"] <= last)]
        paths = {name: {**path, **_ways(shown[shown["stream"] == at])} for at, (name, path) in enumerate(paths.items())}
    return Courses(paths, instances=several)


def _ways(steps: NDArray[Any]) -> dict[str, list[float | None]]:
    """When some messages, evenly chosen, take each ``step``, in the order of the instants ``step_time`` (s)."""
    every = 1 + len(np.unique(steps["message"])) // MOST_FOLLOWED
    own = steps[steps["message"] % every == 0]
    columns = {"step_time": own["time"].round(6), "step": own["step"], "message": own["message"]}
    return {name: values.tolist() for name, values in columns.items()}


def _flow_courses(spec: ScenarioSpec, stored: Paths) -> Paths:
    """Some intervals of flow control from its beginning, by queue; nothing where it never came into force."""
    flows = {}
    for stream in spec.network().streams:
        limited = stored.get(stream.name, {})
        if stream.flow is None or not any(value is not None for value in limited.get("admitted", ())):
            continue
        pairs = zip(limited["time"], limited["admitted"], strict=True)
        began = next(at or 0.0 for at, value in pairs if value is not None)
        seconds = min(began + FLOW_INTERVALS * stream.flow.interval, limited["time"][-1] or 0.0)
        network = spec.family.build_network(spec.system, Horizon(time=seconds))
        result = replicate(network, seed=spec.run.seed, replication=0, most_events=most_events(network))
        path = _paths(network, result)[stream.name]
        flows[stream.name] = path if any(value is not None for value in path["admitted"]) else limited
    return flows


def _slowest(spec: ScenarioSpec, summary: PointSummary) -> dict[str, Mapping[str, Estimate]]:
    """The parts of the latency of messages at or beyond the 95th percentile, where a few replications cost little."""
    network = spec.network()
    count = min(summary.replications, int(MOST_EVENTS // expected_events(network)))
    bounds = [summary.queues.get(stream.name, {}).get("latency.p95") for stream in network.streams]
    if count < 2 or not any(bounds) or summary.events > summary.replications * most_events(network) // 10:
        return {}
    slow_from = tuple(bound.value if bound else math.inf for bound in bounds)
    parts = slowest_parts(network, spec.run.seed, count, slow_from, int(summary.warmup.get("segments", 0)))
    return {stream.name: means for stream, means in zip(network.streams, parts, strict=True) if means}


def _paths(network: NetworkSpec, result: ReplicationResult) -> Paths:
    row = compact(result)
    return {stream.name: curves.timeline(row, index) for index, stream in enumerate(network.streams)}
