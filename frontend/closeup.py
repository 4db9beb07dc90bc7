"""The throttle at full resolution: the opening seconds of the first replication, computed again from its seed.

A whole replication is too long to see a threshold at work: its samples lie further apart than the gate's cycle. The
random streams are addressed by seed and message, so this short course equals the beginning of the long one.
"""

from collections.abc import Mapping

from frontend.charts.parts import Numbers
from frontend.charts.throttle import Thresholds
from simulations.analysis import pictures
from simulations.analysis.rows import compact
from simulations.engine.network import Horizon, NetworkSpec
from simulations.engine.replicate import replicate
from simulations.scenario import ScenarioSpec

CYCLES = 10
FEWEST_MESSAGES = 400
MOST_MESSAGES = 20_000


def closeup(spec: ScenarioSpec) -> Mapping[str, Mapping[str, Numbers]]:
    """Return the sampled path of each queue by name; a course that ends by itself is shown whole."""
    network = spec.network()
    if not spec.transient:
        opening = spec.family.build_network(spec.system, Horizon(messages=_messages(network)))
        seconds = float(replicate(opening, seed=spec.run.seed, replication=0).durations.sum())
        # With the end known as a time the engine spreads its samples over exactly this course.
        network = spec.family.build_network(spec.system, Horizon(time=seconds))
    row = compact(replicate(network, seed=spec.run.seed, replication=0))
    return {stream.name: pictures.timeline(row, index) for index, stream in enumerate(network.streams)}


def thresholds(spec: ScenarioSpec, queue: str) -> Thresholds:
    """Return the marks of the queue's gate, summed over the instances as the course is."""
    network = spec.network()
    stream = next(stream for stream in network.streams if stream.name == queue)
    if stream.gate is None:
        return Thresholds()
    instances = network.pools[stream.pool].instances
    return Thresholds(high=stream.gate.high * instances, low=stream.gate.low * instances)


def _messages(network: NetworkSpec) -> int:
    span = max((stream.gate.high - stream.gate.low for stream in network.streams if stream.gate), default=0)
    return min(max(CYCLES * span, FEWEST_MESSAGES), MOST_MESSAGES)
