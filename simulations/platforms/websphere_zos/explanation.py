"""Sentences about a simulated point, every number of them taken from the summary or the derivation."""

from collections.abc import Iterator
from dataclasses import replace

from simulations.analysis.summary import Estimate, Finding, PointSummary
from simulations.analysis.theory.laws import law_mean
from simulations.platforms.base import Claim
from simulations.platforms.common import number, service_of, settings_of
from simulations.platforms.rules import judge_rules
from simulations.platforms.websphere_zos.formulas import (
    busy_threads,
    carried,
    covers_threads,
    low_threshold,
    queue_timeout,
    worker_threads,
)
from simulations.platforms.websphere_zos.parameters import ListenerPort, ServerSettings
from simulations.platforms.websphere_zos.rules import RULES
from simulations.system import Queue, System


def explain(system: System, summary: PointSummary) -> tuple[Claim, ...]:
    """Return what held the messages up, in the order of importance."""
    claims = [claim for queue in system.queues for claim in _of_queue(system, queue, summary)]
    return tuple(claims)


def judge(system: System, summary: PointSummary) -> tuple[Finding, ...]:
    """Return the verdict of every rule; what a violated one costs is stated where it is known."""
    return tuple(_costed(system, finding, summary) for finding in judge_rules(RULES, system))


def _of_queue(system: System, queue: Queue, summary: PointSummary) -> Iterator[Claim]:
    yield from _idle(system, queue, summary)
    yield from _unstable(system, queue, summary)
    yield from _backlog(queue, summary)
    yield from _timeouts(system, queue, summary)
    yield from _without_throttle(system, queue)


def _metric(summary: PointSummary, entity: str, name: str) -> float | None:
    estimate = summary.queues.get(entity, {}).get(name) or summary.metrics.get(name)
    return None if estimate is None else estimate.value


def _idle(system: System, queue: Queue, summary: PointSummary) -> Iterator[Claim]:
    server, port = system.server_of(queue), settings_of(queue, ListenerPort)
    idle, threads = _metric(summary, server.name, "threads.idle_blocked"), worker_threads(server)
    if idle is None or idle < 0.05 or covers_threads(server, queue):
        return
    low, path = low_threshold(port), f"queues.{queue.name}.settings"
    sentence = (
        f"While blocked, on average {number(round(idle, 1))} of {threads * server.instances} threads "
        f"had nothing to do. "
        f"The low threshold {low} is below the {threads} threads. "
        f"Raise Maximum sessions to at least {2 * threads}, or set LOW.EQUALS.HIGH."
    )
    yield Claim(f"{queue.name}.idle_while_blocked", sentence, {f"{path}.maximum_sessions": 2 * threads})


def _unstable(system: System, queue: Queue, summary: PointSummary) -> Iterator[Claim]:
    most = carried(system, queue)
    if summary.status != "unstable" or most is None:
        return
    sentence = f"Unstable: these settings carry {number(round(most, 1))} messages per second of {queue.name!r}."
    yield Claim(f"{queue.name}.unstable", sentence, {f"queues.{queue.name}.arrivals": {"kind": "saturated"}})


def _backlog(queue: Queue, summary: PointSummary) -> Iterator[Claim]:
    least = _metric(summary, queue.name, "gate.backlog_at_release_min")
    most = _metric(summary, queue.name, "gate.backlog_at_release_max")
    if least is None or most is None:
        return
    span = number(least) if least == most else f"{number(least)} to {number(most)}"
    sentence = f"Each time the throttle opened and the free thread was served, {span} prepared messages were left."
    yield Claim(f"{queue.name}.backlog_at_release", sentence, {})


def _timeouts(system: System, queue: Queue, summary: PointSummary) -> Iterator[Claim]:
    count = _metric(summary, queue.name, "timeouts.queue")
    if not count:
        return
    server = system.server_of(queue)
    limit = queue_timeout(settings_of(server, ServerSettings))
    sentence = (
        f"{number(round(count, 1))} deliveries per replication waited longer than {number(limit)} s on the WLM queue "
        f"and were rejected: their preparation was wasted and the messages came back later. Fewer sessions avoid it."
    )
    fewer = {f"queues.{queue.name}.settings.maximum_sessions": 2 * worker_threads(server)}
    yield Claim(f"{queue.name}.queue_timeouts", sentence, fewer)


def _without_throttle(system: System, queue: Queue) -> Iterator[Claim]:
    """What the same threads carry when the throttle leaves none idle."""
    server = system.server_of(queue)
    busy, most = busy_threads(server, queue), carried(system, queue)
    if busy is None or most is None or covers_threads(server, queue):
        return
    threads = worker_threads(server)
    full = server.instances * threads / law_mean(service_of(queue))
    sentence = (
        f"With a low threshold that covers the threads the same server carries up to {number(round(full, 1))} messages "
        f"per second instead of {number(round(most, 1))}."
    )
    proof = {
        f"queues.{queue.name}.settings.maximum_sessions": 2 * threads,
        f"queues.{queue.name}.arrivals": {"kind": "saturated"},
    }
    yield Claim("counterfactual.no_throttle", sentence, proof)


COSTED = ("websphere-zos.low-covers-threads", "websphere-zos.2xwt", "websphere-zos.sessions-above-threads")


def _costed(system: System, finding: Finding, summary: PointSummary) -> Finding:
    """Add the throughput lost to idle threads: exact where a closed form exists, measured otherwise."""
    queue = next((item for item in system.queues if item.name == finding.queue), None)
    if queue is None or finding.status != "violated" or finding.rule not in COSTED:
        return finding
    server = system.server_of(queue)
    threads, busy = worker_threads(server), busy_threads(server, queue)
    if busy is not None:
        loss = 100 * (1 - busy / threads)
        return replace(finding, cost={"throughput_loss_pct": Estimate(loss, loss, loss, "%", "formula")})
    idle = summary.queues.get(server.name, {}).get("threads.idle_blocked") or summary.metrics.get(
        "threads.idle_blocked"
    )
    if idle is None:
        return finding
    scale = 100 / (threads * server.instances)
    lost = Estimate(idle.value * scale, idle.low * scale, idle.high * scale, "%", "simulated")
    return replace(finding, cost={"throughput_loss_pct": lost})
