"""Where the messages of a lane are held up first, and how that shows."""

from dataclasses import replace

from frontend.answers.mechanism.lane import Kind, Lane
from simulations.analysis.estimates.quantities import estimate_text
from simulations.engine.network.model import PollerKind

FULL = 0.9
"""From this share of its capacity on a station holds the others up."""
LOST = 0.02
"""Share of the threads that idle while messages are held back, from which on the limit before them holds up."""
UNEVEN = 1.2
"""The busiest member of a cluster has this many times its share, or more: the others wait for nothing."""
SERVICE = ("service.cpu", "service.wait", "service.commit")


def bottleneck_of(lane: Lane) -> tuple[Kind, str] | None:
    """Return the station that holds a lane's messages up, with the words for it; None where nothing does."""
    name, stream, members = lane.stream.name, lane.stream, lane.pool.instances
    cpu, busiest = lane.value("cpu.utilisation"), lane.value("balance.busiest_share")
    lost = lane.value("threads.idle_blocked") / lane.capacity
    if cpu >= FULL:
        return "cpu", f"the CPUs of {lane.server}, {share_text(lane, 'cpu.utilisation')} of them in use"
    if lane.value("wait.downstream") > max(lane.value("wait.prepared"), lane.value("wait.destination")):
        return "cpu", f"the resource downstream, for which the messages of {name} wait longest"
    if (stream.gate or stream.window) and lost > LOST:
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
        return kind, f"the {what} for {name}, {share} of {lane.capacity} busy"
    if sum(map(lane.value, ("threads.idle_no_work", "threads.idle_blocked", "threads.held"))) <= (1 - FULL) * every:
        return "threads", f"the threads of {lane.server}: all are busy, {share} of {lane.capacity} with {name}"
    polls = lane.stream.poller is not None and lane.stream.poller.kind is PollerKind.LEGACY
    if lane.value("wait.prepared") + lane.value("wait.destination") > sum(map(lane.value, SERVICE)) and not polls:
        return kind, f"the {lane.capacity} {what} for {name} at times; on average {share} work"
    return None


def _idle(lane: Lane) -> str:
    """How many threads idle given that messages are held back; without a number where the answer does not have it."""
    share = share_text(lane, "threads.idle_given_blocked", lane.capacity / lane.pool.instances)
    return f"{share} of them idle" if lane.value("threads.idle_given_blocked") else "some of them idle"


def share_text(lane: Lane, metric: str, most: float = 1.0) -> str:
    """Write a metric of the lane as a share of the ``most`` that it can be, with its interval."""
    estimate = lane.metrics.get(metric)
    return estimate_text(estimate and replace(estimate * (1 / most), unit="1"))
