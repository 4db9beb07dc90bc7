"""From a scenario and its answer to the picture of the way that its messages take, and where they are held up first."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from frontend.answers.mechanism.lane import Kind, Lane, knobs_of, works_of
from frontend.wording.numbers import work_text
from simulations.analysis.estimates.summary import STOPPED, PointSummary, estimate_text
from simulations.engine.network.model import PollerKind
from simulations.platforms.shared.queues import in_number
from simulations.scenario.spec import ScenarioSpec

MOST_LANES = 4
"""Lanes that are drawn: that of the charts, then those of objectives, then those whose messages wait longest."""
FULL = 0.9
"""From this share of its capacity on a station holds the others up."""
LOST = 0.02
"""Share of the threads that idle while messages are held back, from which on the limit before them holds up."""
WAITED = 0.01
"""Messages that wait for less than this share of their latency are not held up."""
UNEVEN = 1.2
"""The busiest member of a cluster has this many times its share, or more: the others wait for nothing."""
SERVICE = ("service.cpu", "service.wait", "service.commit")


@dataclass(frozen=True)
class Picture:
    """Lanes, those of one server beside each other, and a sentence on the bottleneck; ``left_out``: more lanes."""

    lanes: tuple[Lane, ...]
    sentence: str
    left_out: int


def picture_of(spec: ScenarioSpec, summary: PointSummary | None, *, knobs: bool = False, queue: str = "") -> Picture:
    """Return the picture of a point; without its ``summary`` nothing but what is set. ``knobs``: with the settings.
    ``queue``: the one that the charts are of, which is always drawn."""
    lanes = list(_lanes(spec, summary))
    asked = {item.queue for item in spec.objectives}
    waits = ("backlog.growth", "latency.mean")
    ranked = sorted(lanes, key=lambda lane: (lane.stream.name in asked, *map(lane.value, waits)), reverse=True)
    leading = sorted(ranked, key=lambda lane: lane.stream.name != queue)[:MOST_LANES]
    queues = [lane for lane in ranked if lane in leading and not lane.stream.background and lane.metrics]
    slowest_first = sorted(queues, key=lambda lane: (lane.value("backlog.growth"), lane.waiting), reverse=True)
    held_up = next((lane for lane in slowest_first if bottleneck_of(lane)), None)
    station, words = (held_up and bottleneck_of(held_up)) or (None, "")
    settings = knobs_of(spec) if knobs else {}
    fastest = max(lane.value("throughput") for lane in leading) or 1.0
    placed = sorted((lane for lane in lanes if lane in leading), key=lambda lane: lane.stream.pool)
    if len(lanes) > MOST_LANES:  # what the page is about comes first
        placed.sort(key=lambda lane: (lane.stream.name != queue, lane.stream.name not in asked))
    drawn = tuple(
        replace(
            lane,
            flow=1 + 7 * lane.value("throughput") / fastest,
            first=lane.server not in [other.server for other in placed[:place]],
            held=station if lane is held_up else None,
            knobs=settings.get(lane.stream.name, {}),
        )
        for place, lane in enumerate(placed)
    )
    sentence = f"Bottleneck: {words}." if words else "The numbers come with the simulation."
    if queues and not words:
        growing = " and ".join(lane.stream.name for lane in queues if "backlog.growth" in lane.metrics)
        lost = f", {'and' if growing else 'but'} some messages are lost or come back"
        held = f"Messages of {growing} pile up" if growing else "No bottleneck holds the messages up"
        sentence = f"{held}{lost if any(lane.losses for lane in queues) else ''}."
    return Picture(drawn, sentence, len(lanes) - len(drawn))


def _lanes(spec: ScenarioSpec, summary: PointSummary | None) -> Iterator[Lane]:
    network, system = spec.network(), spec.system
    for stream, work in zip(network.streams, works_of(system.queues, system.servers), strict=True):
        name, server = stream.name, spec.servers[network.machine(stream.pool)].name
        pool, shared = network.pools[stream.pool], summary.servers.get(server, {}) if summary else {}
        if pool.host is not None:  # threads of its own beside the server's
            shared = {metric: value for metric, value in shared.items() if metric.startswith("cpu.")}
        yield Lane(
            stream=stream,
            pool=pool,
            server=server,
            platform=spec.platform,
            arrivals=work_text(work.arrivals.model_dump(mode="json")),
            metrics={**shared, **(summary.queues.get(name, {}) if summary else {})},
            done=summary.instances.get(name, ()) if summary else (),
            onward=tuple(network.streams[send.stream].name for send in stream.sends),
        )


def bottleneck_of(lane: Lane) -> tuple[Kind, str] | None:
    """Return the station that holds a lane's messages up, with the words for it; None where nothing does."""
    name, stream, members = lane.stream.name, lane.stream, lane.pool.instances
    cpu, busiest = lane.value("cpu.utilisation"), lane.value("balance.busiest_share")
    lost = lane.value("threads.idle_blocked") / (lane.pool.threads * members)
    if (growth := lane.metrics.get("backlog.growth")) and STOPPED in growth.note:
        return "threads", f"the listener of {name}, which stops after failed deliveries, while messages pile up"
    if cpu >= FULL:
        return "cpu", f"the CPUs of {lane.server}, {share_text(lane, 'cpu.utilisation')} of them in use"
    if lane.value("wait.downstream") > max(lane.value("wait.prepared"), lane.value("wait.destination")):
        return "cpu", f"the resource downstream, for which the messages of {name} wait longest"
    waits = "backlog.growth" in lane.metrics or lane.saturated or lane.waiting > WAITED * lane.value("latency.mean")
    if (stream.gate or stream.window) and lost > LOST and waits:
        return "limit", f"the limit before the threads; {_idle(lane)} while it holds messages of {name} back"
    if stream.gate and lane.value("throughput") * stream.gate.agent_time >= FULL * members:
        return "limit", f"the queue agent, which prepares one message of {name} at a time"
    if stream.window and busiest * members > UNEVEN:
        share = share_text(lane, "balance.busiest_share")
        return "limit", f"the flow window, which gives one of {members} members {share} of the messages"
    return _short_of_threads(lane)


def _short_of_threads(lane: Lane) -> tuple[Kind, str] | None:
    """The threads of the lane, or of the whole server; in bursts the waiting tells, as threads idle on average."""
    name, every, busy = lane.stream.name, lane.pool.threads * lane.pool.instances, lane.value("threads.busy")
    sessions = lane.platform == "websphere" and lane.capacity < every
    kind: Kind = "limit" if sessions else "threads"
    what, share = "sessions" if sessions else "threads", share_text(lane, "threads.busy", lane.capacity)
    if busy >= FULL * lane.capacity:
        return kind, in_number(f"the {lane.capacity} {what} for {name}, {share} busy")
    idle = sum(map(lane.value, ("threads.idle_no_work", "threads.idle_blocked", "threads.held")))
    if lane.pool.host is None and idle <= (1 - FULL) * every:
        return "threads", f"the {lane.capacity} threads of {lane.server}, all busy, {share} of them with {name}"
    polls = lane.stream.poller is not None and lane.stream.poller.kind is PollerKind.LEGACY
    if lane.value("wait.prepared") + lane.value("wait.destination") > sum(map(lane.value, SERVICE)) and not polls:
        return kind, f"the {lane.capacity} {what} for {name} at times; on average {share} work"
    return None


def _idle(lane: Lane) -> str:
    """How many threads idle given that messages are held back; without a number where the answer does not have it."""
    share = share_text(lane, "threads.idle_given_blocked", lane.pool.threads)
    return f"{share} of them idle" if lane.value("threads.idle_given_blocked") else "some of them idle"


def share_text(lane: Lane, metric: str, most: float = 1.0) -> str:
    """Write a metric of the lane as a share of the ``most`` that it can be, with its interval."""
    estimate = lane.metrics.get(metric)
    return estimate_text(estimate and replace(estimate * (1 / most), unit="1"))
