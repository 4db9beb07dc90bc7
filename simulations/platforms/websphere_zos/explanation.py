"""Sentences about a simulated point, every number of them taken from the summary or the derivation."""

from collections.abc import Iterator, Mapping

from simulations.analysis.estimates.summary import Estimate, PointSummary
from simulations.declarations.system import Queue, Server, System
from simulations.platforms.shared.changes import changed_system, changes_of
from simulations.platforms.shared.claims import (
    count_claim,
    estimate_of,
    exact,
    measured,
    of_server,
    unstable_claim,
    value_of,
)
from simulations.platforms.shared.family import Claim
from simulations.platforms.shared.queues import is_simple, number, settings_of
from simulations.platforms.websphere_zos import formulas
from simulations.platforms.websphere_zos.parameters.server import ListenerPort

NOTABLE = 0.05
"""Mean number of idle threads that is said."""


def explain(system: System, summary: PointSummary) -> tuple[Claim, ...]:
    """Return what held the messages up, in the order of importance."""
    claims = [claim for queue in system.queues for claim in _of_queue(system, queue, summary)]
    return tuple(claims)


def _of_queue(system: System, queue: Queue, summary: PointSummary) -> Iterator[Claim]:
    yield from _idle(system, queue, summary)
    yield from unstable_claim(queue, formulas.carried(system, queue), summary)
    yield from _backlog(queue, summary)
    yield from _timeouts(system, queue, summary)
    yield from _without_throttle(system, queue)


def _idle(system: System, queue: Queue, summary: PointSummary) -> Iterator[Claim]:
    server, port = system.server_of(queue), settings_of(queue, ListenerPort)
    estimate, threads = of_server(system, server, "threads.idle_blocked", summary), formulas.worker_threads(server)
    idle = 0.0 if estimate is None else estimate.value
    if idle < NOTABLE or _covers_sessions(server, queue) or _idle_meanwhile(system, queue, summary) < NOTABLE:
        return
    low = formulas.thresholds(server, queue)[1]
    sentence = (
        f"While blocked, on average {number(round(idle, 1))} of {threads * server.instances} threads "
        f"had nothing to do. "
        f"{_why_idle(port, low, threads)}"
    )
    yield Claim(f"{queue.name}.idle_while_blocked", sentence, _raised(server, queue, 2 * threads))


def _covers_sessions(server: Server, queue: Queue) -> bool:
    """True when the throttle leaves no thread idle that the queue could use: its session pool may allow it fewer."""
    port = settings_of(queue, ListenerPort)
    fewer = not port.activated and port.session_pool_maximum is not None
    usable = (
        min(formulas.worker_threads(server), port.session_pool_maximum or 0)
        if fewer
        else formulas.worker_threads(server)
    )
    return formulas.covers_threads(server, queue) or formulas.thresholds(server, queue)[1] >= usable - 1


def _idle_meanwhile(system: System, queue: Queue, summary: PointSummary) -> float:
    """Return about the mean number of threads that idled while this queue's own throttle was closed.

    Queues of one server share its idle threads: which throttle was closed meanwhile is seen in the course over time,
    and without one only that no more than all threads can have idled.
    """
    server, closed = system.server_of(queue), value_of(summary, queue.name, "gate.blocked_fraction")
    most = closed * formulas.worker_threads(server) * server.instances
    curve = summary.timeline.get(queue.name, {})
    if len(system.queues_of(server)) == 1 or not curve.get("idle_blocked"):
        return most
    found = [
        idle or 0.0 if blocked else 0.0 for idle, blocked in zip(curve["idle_blocked"], curve["blocked"], strict=True)
    ]
    return min(most, sum(found) / len(found))


def _why_idle(port: ListenerPort, low: int, threads: int) -> str:
    if port.activated:
        return f"The in-flight limit {low} is below the {threads} threads. Raise Maximum server sessions."
    return (
        f"The low threshold {low} is below the {threads} threads. "
        f"Raise Maximum sessions to at least {2 * threads}, or set LOW.EQUALS.HIGH."
    )


def _raised(server: Server, queue: Queue, high: int) -> dict[str, object]:
    """The override, by its path, with which the listener of the queue takes ``high`` messages."""
    return {f"{queue.path}.settings.{name}": value for name, value in formulas.raised_to(server, queue, high).items()}


def _backlog(queue: Queue, summary: PointSummary) -> Iterator[Claim]:
    least = estimate_of(summary, queue.name, "gate.backlog_at_release_min")
    most = estimate_of(summary, queue.name, "gate.backlog_at_release_max")
    if least is None or most is None:
        return
    span = number(least.value) if least.value == most.value else f"{number(least.value)} to {number(most.value)}"
    sentence = f"Each time the throttle opened and the free thread was served, {span} prepared messages were left."
    yield Claim(f"{queue.name}.backlog_at_release", sentence, {})


def _timeouts(system: System, queue: Queue, summary: PointSummary) -> Iterator[Claim]:
    server = system.server_of(queue)
    limit = number(formulas.queue_timeout(server, queue))
    sentence = (
        f"{{}} deliveries per replication waited longer than {limit} s on the WLM queue and were rejected: their "
        f"preparation was wasted and the messages came back later."
    )
    safe = min(2 * formulas.worker_threads(server), formulas.largest_safe_sessions(server, queue))
    if not is_simple(system, queue) or formulas.thresholds(server, queue)[0] <= safe:
        yield from count_claim(queue, summary, "timeouts.queue", sentence, {})
        return
    fewer = _raised(server, queue, safe)
    yield from count_claim(queue, summary, "timeouts.queue", f"{sentence} Fewer sessions avoid it.", fewer)


def _without_throttle(system: System, queue: Queue) -> Iterator[Claim]:
    """What the same threads carry when the throttle leaves none idle."""
    server = system.server_of(queue)
    most, raised = formulas.carried(system, queue), _raised(server, queue, 2 * formulas.worker_threads(server))
    if most is None or not raised or formulas.covers_threads(server, queue):
        return
    wider = changed_system(system, changes_of(system, raised))
    full = formulas.carried(wider, wider.queues[system.queues.index(queue)])
    if full is None or full <= most:
        return
    sentence = (
        f"With a threshold that covers the threads the same server carries up to {number(round(full, 1))} messages "
        f"per second instead of {number(round(most, 1))}."
    )
    saturated: dict[str, object] = {f"{queue.path}.arrivals": {"kind": "saturated"}}
    yield Claim(f"{queue.name}.no_throttle", sentence, raised | saturated)


def _idle_threads(system: System, queue: Queue, summary: PointSummary) -> Mapping[str, Estimate]:
    """The throughput lost to idle threads: exact where a closed form exists, measured otherwise."""
    server = system.server_of(queue)
    threads, busy = formulas.worker_threads(server), formulas.busy_threads(server, queue)
    if busy is not None:
        return {"throughput_loss_pct": exact(100 * (1 - busy / threads), "%")}
    idle = of_server(system, server, "threads.idle_blocked", summary)
    if idle is None:
        return {}
    scale = 100 / (threads * server.instances)
    return {"throughput_loss_pct": Estimate(idle.value * scale, idle.low * scale, idle.high * scale, "%", "simulated")}


COSTS = {
    "websphere-zos.low-covers-threads": _idle_threads,
    "websphere-zos.2xwt": _idle_threads,
    "websphere-zos.sessions-above-threads": _idle_threads,
    "websphere-zos.queue-timeout-tail": measured("timeouts.queue", "timeouts.share"),
}
