"""Sentences about a simulated point, every number of them taken from the summary or the derivation."""

from collections.abc import Iterator

from simulations.analysis.estimates.summary import PointSummary
from simulations.declarations.system import Queue, Server, System
from simulations.platforms.shared import claims
from simulations.platforms.shared.family import Claim
from simulations.platforms.shared.queues import number, settings_of
from simulations.platforms.websphere_zos import formulas
from simulations.platforms.websphere_zos.parameters import ListenerPort, ServerSettings


def explain(system: System, summary: PointSummary) -> tuple[Claim, ...]:
    """Return what held the messages up, in the order of importance."""
    failures = (claim for server in system.servers for claim in _failures(system, server, summary))
    return (*failures, *(claim for queue in system.queues for claim in _of_queue(system, queue, summary)))


def _failures(system: System, server: Server, summary: PointSummary) -> Iterator[Claim]:
    away = claims.of_server(system, server, "away_fraction", summary)
    if settings_of(server, ServerSettings).wlm_queue_capacity is not None and away is not None:
        sentence = f"Members of {server.name!r} are away for {{}} of their time, by outage or overloaded WLM queue."
        yield claims.stated(f"{server.name}.away", sentence, "away_fraction", away, about={"server": server.name})


def _of_queue(system: System, queue: Queue, summary: PointSummary) -> Iterator[Claim]:
    yield from _idle(system, queue, summary)
    yield from claims.unstable_claim(queue, formulas.carried(system, queue), summary)
    closed = "When the throttle closes, it stays closed for {} on average."
    yield from claims.measured_claim(queue, summary, "gate.block_time", closed)
    yield from _timeouts(system, queue, summary)


def _idle(system: System, queue: Queue, summary: PointSummary) -> Iterator[Claim]:
    server, port = system.server_of(queue), settings_of(queue, ListenerPort)
    idle = claims.of_server(system, server, "threads.idle_given_blocked", summary)
    threads, low = formulas.worker_threads(server), formulas.thresholds(server, queue)[1]
    leaves_none = low >= formulas.usable_threads(server, queue) - 1
    if leaves_none or _idle_meanwhile(system, queue, summary) < claims.NOTABLE_IDLE:
        return
    limit = "in-flight limit" if port.activated else "low threshold"
    every = f"the {threads} threads of a member" if server.instances > 1 else f"{threads} threads"
    sentence = (
        f"While a throttle is closed and messages wait, on average {{n}} of {every} have nothing to do. "
        f"The {limit} {low} is below the {threads} threads."
    )
    yield from claims.idle_claim(f"{queue.name}.idle_while_blocked", server, idle, sentence, "gate blocked")


def _idle_meanwhile(system: System, queue: Queue, summary: PointSummary) -> float:
    """Return about the mean number of threads that idled while this queue's own throttle was closed. Queues of one
    server share its idle threads: which throttle was closed meanwhile is seen in the course over time, and without one
    only that no more than all threads can have idled."""
    server, closed = system.server_of(queue), claims.value_of(summary, queue.name, "gate.blocked_fraction")
    most = closed * formulas.worker_threads(server) * server.instances
    curve = summary.timeline.get(queue.name, {})
    if len(system.queues_of(server)) == 1 or not curve.get("idle_blocked"):
        return most
    instants = zip(curve["idle_blocked"], curve["blocked"], strict=True)
    own = [idle or 0.0 if blocked else 0.0 for idle, blocked in instants]
    return min(most, sum(own) / len(own))


def _timeouts(system: System, queue: Queue, summary: PointSummary) -> Iterator[Claim]:
    limit = number(formulas.queue_timeout(system.server_of(queue), queue))
    sentence = (
        f"{{n}} deliveries per replication waited longer than {limit} s on the WLM queue and were rejected: their "
        f"preparation was wasted and the messages came back later."
    )
    yield from claims.measured_claim(queue, summary, "timeouts.queue", sentence)
