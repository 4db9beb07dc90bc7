"""The throttle at full resolution: the opening seconds of the first replication, computed again from its seed.

A whole replication is too long to see a threshold at work: its samples lie further apart than the gate's cycle. The
random streams are addressed by seed and message, so this short course equals the beginning of the long one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from frontend.charts.parts import Numbers
from simulations.analysis import pictures
from simulations.analysis.rows import compact
from simulations.engine.network import Horizon, NetworkSpec
from simulations.engine.replicate import replicate
from simulations.scenario import ScenarioSpec

CYCLES = 10
FEWEST_MESSAGES = 400
MOST_MESSAGES = 20_000
FLOW_INTERVALS = 3
"""Intervals of flow control that are shown: down, a while at the minimum, and up again."""
Paths = Mapping[str, Mapping[str, Numbers]]
"""Sampled path by queue."""


@dataclass(frozen=True)
class Courses:
    """What charts draw over time: the throttle at work, and flow control where it came into force."""

    throttle: Paths
    flow: Paths = field(default_factory=dict)


def courses(spec: ScenarioSpec, stored: Paths) -> Courses:
    """Return both, computed again; ``stored`` are the paths of the whole first replication."""
    return Courses(closeup(spec), _flow_courses(spec, stored))


def closeup(spec: ScenarioSpec) -> Paths:
    """Return the sampled path of each queue by name; a course that ends by itself is shown whole."""
    network = spec.network()
    if not spec.transient:
        opening = spec.family.build_network(spec.system, Horizon(messages=_messages(network)))
        seconds = float(replicate(opening, seed=spec.run.seed, replication=0).durations.sum())
        # With the end known as a time the engine spreads its samples over exactly this course.
        network = spec.family.build_network(spec.system, Horizon(time=seconds))
    return _paths(spec, network)


def _flow_courses(spec: ScenarioSpec, stored: Paths) -> Paths:
    """Some intervals of flow control from its beginning, by queue; nothing where it never came into force."""
    found = {}
    for stream in spec.network().streams:
        limited = stored.get(stream.name, {})
        if stream.flow is None or not any(value is not None for value in limited.get("admitted", ())):
            continue
        pairs = zip(limited["time"], limited["admitted"], strict=True)
        began = next(at or 0.0 for at, value in pairs if value is not None)
        seconds = min(began + FLOW_INTERVALS * stream.flow.interval, limited["time"][-1] or 0.0)
        network = spec.family.build_network(spec.system, Horizon(time=seconds))
        path = _paths(spec, network)[stream.name]
        found[stream.name] = path if any(value is not None for value in path["admitted"]) else limited
    return found


def _paths(spec: ScenarioSpec, network: NetworkSpec) -> Paths:
    row = compact(replicate(network, seed=spec.run.seed, replication=0))
    return {stream.name: pictures.timeline(row, index) for index, stream in enumerate(network.streams)}


def _messages(network: NetworkSpec) -> int:
    span = max((stream.gate.high - stream.gate.low for stream in network.streams if stream.gate), default=0)
    return min(max(CYCLES * span, FEWEST_MESSAGES), MOST_MESSAGES)
