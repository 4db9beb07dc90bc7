"""From a scenario and its answer to the picture, and where the bottleneck is."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from frontend.answers.mechanism.knobs import knobs_of
from frontend.answers.mechanism.model import Kind, Lane, Picture
from frontend.answers.mechanism.stations import Path, stations_of
from frontend.wording.workload import work_text
from simulations.analysis.estimates.quantities import percent
from simulations.analysis.estimates.summary import PointSummary
from simulations.engine.network.model import NetworkSpec
from simulations.scenario.spec import ScenarioSpec

MOST_LANES = 4
"""Lanes that are drawn; the longest waits first where there are more."""
FULL = 0.9
"""From this share of its capacity on a station holds the others up."""
LOST = 0.02
"""Share of the threads that idle while messages are held back, from which on the limit before them holds up."""
UNEVEN = 1.2
"""The busiest member of a cluster has this many times its share, or more: the others wait for nothing."""


def picture_of(spec: ScenarioSpec, summary: PointSummary | None, *, knobs: bool = False) -> Picture:
    """Return the picture of a point; without its ``summary`` nothing but what is set, with ``knobs`` their settings."""
    network = spec.network()
    paths = list(_paths(spec, network, summary))
    drawn = _drawn(paths)
    settings = knobs_of(spec, network) if knobs else {}
    fastest = max((path.value("throughput") for path in drawn), default=0.0)
    lanes = []
    for place, path in enumerate(drawn):
        first = path.server not in [other.server for other in drawn[:place]]
        stations = [
            replace(item, knobs=settings.get((path.stream.name, item.kind), ()))
            for item in stations_of(path, first=first)
        ]
        flow = path.value("throughput") / fastest if fastest else 1.0
        lanes.append(Lane(path.stream.name, path.server, tuple(stations), flow))
    return _with_bottleneck(Picture(tuple(lanes), "", len(paths) - len(drawn)), drawn)


def _paths(spec: ScenarioSpec, network: NetworkSpec, summary: PointSummary | None) -> Iterator[Path]:
    system = spec.system
    works = [*system.queues, *(work for server in system.servers for work in server.background)]
    for stream, work in zip(network.streams, works, strict=True):
        arrivals = work_text(work.arrivals.model_dump(mode="json"))
        server = spec.servers[stream.pool].name
        yield Path(stream, network.pools[stream.pool], arrivals, server, spec.platform, summary)


def _drawn(paths: Sequence[Path]) -> list[Path]:
    """The lanes that are drawn, those of one server beside each other."""
    kept = sorted(paths, key=_wait, reverse=True)[:MOST_LANES]
    servers = list(dict.fromkeys(path.server for path in paths))
    return sorted((path for path in paths if path in kept), key=lambda path: servers.index(path.server))


def _wait(path: Path) -> float:
    return path.value("backlog.growth") * 1e9 + path.value("latency.mean")


def _with_bottleneck(picture: Picture, paths: Sequence[Path]) -> Picture:
    """Mark where the work is held up first, and say so."""
    if not any(path.metrics for path in paths):
        return replace(picture, sentence="The numbers come with the simulation.")
    queues = [path for path in paths if not path.stream.background]
    held = [(path, *found) for path in sorted(queues, key=_wait, reverse=True) if (found := _held_up(path))]
    if not held:
        fullest = max(queues, key=lambda path: path.busy or 0.0)
        lost = (
            ", but some messages are lost or come back" if any(True for path in queues for _ in path.losses()) else ""
        )
        words = f"{percent(fullest.busy or 0.0)} of the threads for {fullest.stream.name} work{lost}"
        return replace(picture, sentence=f"No bottleneck: {words}.")
    path, kind, words = held[0]
    lanes = (lane.marked(kind) if lane.name == path.stream.name else lane for lane in picture.lanes)
    return replace(picture, lanes=tuple(lanes), sentence=f"Bottleneck: {words}.")


def _held_up(path: Path) -> tuple[Kind, str] | None:
    """The station that holds a lane's messages up, and how that shows; None where nothing does."""
    name, server = path.stream.name, path.pool_metrics
    cpu, idle, busy = (server.get(key) for key in ("cpu.utilisation", "threads.idle_blocked", "threads.busy"))
    instances, busiest = path.pool.instances, path.value("balance.busiest_share")
    every = path.pool.threads * instances
    if cpu and cpu.value >= FULL:
        return "cpu", f"the CPUs of {path.server}, {percent(cpu.value)} of them in use"
    if path.value("wait.downstream") > max(path.value("wait.prepared"), path.value("wait.destination")):
        return "cpu", f"the resource downstream, for which the messages of {name} wait longest"
    if (path.stream.gate or path.stream.window) and idle and idle.value > LOST * path.capacity:
        lost = percent(idle.value / path.capacity)
        return (
            "limit",
            f"the limit before the threads; {lost} of the threads for {name} idle while it holds messages back",
        )
    if path.stream.window and busiest * instances > UNEVEN:
        return "limit", f"the flow window, which gives one of {instances} members {percent(busiest)} of the messages"
    if (path.busy or 0.0) >= FULL:
        return "threads", f"the threads for {name}, {percent(path.busy or 0.0)} of {path.capacity} busy"
    if busy and busy.value >= FULL * every:
        own = percent(path.value("threads.busy") / busy.value)
        return (
            "threads",
            f"the threads of {path.server}, {percent(busy.value / every)} of {every} busy, {own} of that for {name}",
        )
    return None
