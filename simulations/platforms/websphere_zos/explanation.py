"""Sentences about a simulated point, every number of them taken from the summary or the derivation."""

from collections.abc import Iterator, Mapping

from simulations.analysis.estimates.summary import Estimate, PointSummary
from simulations.declarations.system import Queue, Server, System
from simulations.platforms.shared import claims
from simulations.platforms.shared.family import Claim
from simulations.platforms.shared.queues import number, settings_of
from simulations.platforms.websphere_zos import formulas
from simulations.platforms.websphere_zos.parameters.listener_port import ListenerPort

NOTABLE = 0.05
"""Mean number of idle threads that is worth a sentence."""


def explain(system: System, summary: PointSummary) -> tuple[Claim, ...]:
    """Return what held the messages up, in the order of importance."""
    return tuple(claim for queue in system.queues for claim in _of_queue(system, queue, summary))


def _of_queue(system: System, queue: Queue, summary: PointSummary) -> Iterator[Claim]:
    yield from _idle(system, queue, summary)
    yield from claims.unstable_claim(queue, formulas.carried(system, queue), summary)
    yield from _backlog(queue, summary)
    yield from _timeouts(system, queue, summary)
    yield from _without_throttle(system, queue)


def _idle(system: System, queue: Queue, summary: PointSummary) -> Iterator[Claim]:
    server, port = system.server_of(queue), settings_of(queue, ListenerPort)
    estimate = claims.of_server(system, server, "threads.idle_blocked", summary)
    idle, threads = 0.0 if estimate is None else estimate.value, formulas.worker_threads(server)
    if idle < NOTABLE or _covers_sessions(server, queue) or _idle_meanwhile(system, queue, summary) < NOTABLE:
        return
    limit, advice = "low threshold", f" Raise Maximum sessions to at least {2 * threads}, or set LOW.EQUALS.HIGH."
    if port.activated:
        limit, advice = "in-flight limit", " Raise Maximum server sessions."
    why = f"The {limit} {formulas.thresholds(server, queue)[1]} is below the {threads} threads."
    closed, every = claims.value_of(summary, queue.name, "gate.blocked_fraction"), threads * server.instances
    if claims.pressed(queue, summary) and len(system.queues_of(server)) == 1 and closed > 0:
        # Messages wait whenever it is closed, so that this is the mean given closed.
        counts = f"{number(round(idle / closed, 1))} of {every} threads"
        sentence = f"While blocked, on average {counts} had nothing to do. {why}{advice}"
    else:
        counts = f"{number(round(idle, 1))} of {every} threads"
        sentence = f"Over the whole run, on average {counts} had nothing to do while messages were held back. {why}"
    yield Claim(f"{queue.name}.idle_while_blocked", sentence, formulas.raised_to(server, queue, 2 * threads))


def _covers_sessions(server: Server, queue: Queue) -> bool:
    """True when the throttle leaves no thread idle that the queue could use: its session pool may allow it fewer."""
    port, usable = settings_of(queue, ListenerPort), formulas.worker_threads(server)
    if not port.activated and port.session_pool_maximum is not None:
        usable = min(usable, port.session_pool_maximum)
    return formulas.thresholds(server, queue)[1] >= usable - 1


def _idle_meanwhile(system: System, queue: Queue, summary: PointSummary) -> float:
    """Return about the mean number of threads that idled while this queue's own throttle was closed.

    Queues of one server share its idle threads: which throttle was closed meanwhile is seen in the course over time,
    and without one only that no more than all threads can have idled.
    """
    server, closed = system.server_of(queue), claims.value_of(summary, queue.name, "gate.blocked_fraction")
    most = closed * formulas.worker_threads(server) * server.instances
    curve = summary.timeline.get(queue.name, {})
    if len(system.queues_of(server)) == 1 or not curve.get("idle_blocked"):
        return most
    instants = zip(curve["idle_blocked"], curve["blocked"], strict=True)
    own = [idle or 0.0 if blocked else 0.0 for idle, blocked in instants]
    return min(most, sum(own) / len(own))


def _backlog(queue: Queue, summary: PointSummary) -> Iterator[Claim]:
    least = claims.estimate_of(summary, queue.name, "gate.backlog_at_release_min")
    most = claims.estimate_of(summary, queue.name, "gate.backlog_at_release_max")
    if least is None or most is None or most.value == 0:
        return
    span = number(least.value) if least.value == most.value else f"{number(least.value)} to {number(most.value)}"
    sentence = f"Each time the throttle opened, {span} prepared messages were left for the threads."
    yield Claim(f"{queue.name}.backlog_at_release", sentence, {})


def _timeouts(system: System, queue: Queue, summary: PointSummary) -> Iterator[Claim]:
    limit = number(formulas.queue_timeout(system.server_of(queue), queue))
    sentence = (
        f"{{}} deliveries per replication waited longer than {limit} s on the WLM queue and were rejected: their "
        f"preparation was wasted and the messages came back later."
    )
    yield from claims.count_claim(queue, summary, "timeouts.queue", sentence, {})


def _without_throttle(system: System, queue: Queue) -> Iterator[Claim]:
    """What the same threads carry when the throttle leaves none idle."""
    server = system.server_of(queue)
    raised = formulas.raised_to(server, queue, 2 * formulas.worker_threads(server))
    most = formulas.carried(system, queue)
    if most is None or not raised or formulas.covers_threads(server, queue):
        return
    full = formulas.carried_with(system, queue, raised)
    if full is None or full <= most:
        return
    sentence = (
        f"With a threshold that covers the threads the same server carries up to {number(round(full, 1))} messages "
        f"per second instead of {number(round(most, 1))}."
    )
    saturated: dict[str, object] = {f"{queue.path}.arrivals": {"kind": "saturated"}}
    yield Claim(f"{queue.name}.no_throttle", sentence, raised | saturated)


def _idle_threads(system: System, queue: Queue, summary: PointSummary) -> Mapping[str, Estimate]:
    """The throughput lost to idle threads where more arrives than is carried: by a closed form, else as measured."""
    if not claims.pressed(queue, summary):
        return {}
    server = system.server_of(queue)
    threads, busy = formulas.worker_threads(server), formulas.busy_threads(server, queue)
    if busy is not None:
        return {"throughput_loss_pct": claims.exact(100 * (1 - busy / threads), "%")}
    idle = claims.of_server(system, server, "threads.idle_blocked", summary)
    if idle is None:
        return {}
    scale = 100 / (threads * server.instances)
    return {"throughput_loss_pct": Estimate(idle.value * scale, idle.low * scale, idle.high * scale, "%", "simulated")}


COSTS = {
    "websphere-zos.low-covers-threads": _idle_threads,
    "websphere-zos.2xwt": _idle_threads,
    "websphere-zos.sessions-above-threads": _idle_threads,
    "websphere-zos.queue-timeout-tail": claims.measured("timeouts.queue", "timeouts.share"),
}
