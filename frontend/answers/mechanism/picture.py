"""From a scenario and its answer to the picture of the way that its messages take."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from frontend.answers.mechanism.bottleneck import bottleneck_of
from frontend.answers.mechanism.knobs import knobs_of, works_of
from frontend.answers.mechanism.lane import Lane
from frontend.wording.workload import work_text
from simulations.analysis.estimates.summary import PointSummary
from simulations.scenario.spec import ScenarioSpec

MOST_LANES = 4
"""Lanes that are drawn; those whose messages wait longest where there are more."""


@dataclass(frozen=True)
class Picture:
    """Lanes, those of one server beside each other, and a sentence on the bottleneck; ``left_out``: more lanes."""

    lanes: tuple[Lane, ...]
    sentence: str
    left_out: int


def picture_of(spec: ScenarioSpec, summary: PointSummary | None, *, knobs: bool = False) -> Picture:
    """Return the picture of a point; without its ``summary`` nothing but what is set. ``knobs``: with the settings."""
    lanes = list(_lanes(spec, summary))
    longest = sorted(lanes, key=lambda lane: (lane.value("backlog.growth"), lane.value("latency.mean")), reverse=True)
    del longest[MOST_LANES:]
    queues = [lane for lane in longest if not lane.stream.background and lane.metrics]
    name, kind, words = next(
        ((lane.stream.name, *found) for lane in queues if (found := bottleneck_of(lane))), ("", None, "")
    )
    settings = knobs_of(spec, spec.network()) if knobs else {}
    fastest = max(lane.value("throughput") for lane in longest) or 1.0
    kept = sorted((lane for lane in lanes if lane in longest), key=lambda lane: lane.stream.pool)
    drawn = tuple(
        replace(
            lane,
            flow=1 + 7 * lane.value("throughput") / fastest,
            first=lane.server not in [other.server for other in kept[:place]],
            held=kind if lane.stream.name == name else None,
            knobs=settings.get(lane.stream.name, {}),
        )
        for place, lane in enumerate(kept)
    )
    return Picture(drawn, f"Bottleneck: {words}." if words else _no_bottleneck(queues), len(lanes) - len(drawn))


def _lanes(spec: ScenarioSpec, summary: PointSummary | None) -> Iterator[Lane]:
    network, system = spec.network(), spec.system
    for stream, work in zip(network.streams, works_of(system.queues, system.servers), strict=True):
        name, server = stream.name, spec.servers[stream.pool].name
        yield Lane(
            stream=stream,
            pool=network.pools[stream.pool],
            server=server,
            platform=spec.platform,
            arrivals=work_text(work.arrivals.model_dump(mode="json")),
            metrics={**summary.servers.get(server, {}), **summary.queues.get(name, {})} if summary else {},
            done=summary.instances.get(name, ()) if summary else (),
        )


def _no_bottleneck(queues: Sequence[Lane]) -> str:
    lost = ", but some messages are lost or come back" if any(lane.losses for lane in queues) else ""
    return f"No bottleneck holds the messages up{lost}." if queues else "The numbers come with the simulation."
