"""Sentences and costs that every family states the same way, taken from a summary."""

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import replace

from simulations.analysis.estimates.summary import Estimate, PointSummary
from simulations.declarations.system import Queue, Server, System
from simulations.platforms.shared.family import Claim, Cost, Platform
from simulations.platforms.shared.queues import is_saturated, number

NOTABLE_WAIT = 0.01
"""Share of the mean latency that messages wait where a claim says that something held them up."""
WAITS = ("wait.destination", "wait.prepared", "wait.thread")


def explained(family: Platform, system: System, summary: PointSummary) -> tuple[Claim, ...]:
    """Return the family's explanation; of several queues each sentence begins with the one that it is about."""
    claims = family.explain(system, summary)
    names = {queue.name for queue in system.queues} if len(system.queues) > 1 else set()
    return tuple(_named(claim, names) for claim in claims)


def _named(claim: Claim, names: Set[str]) -> Claim:
    queue = max((name for name in names if claim.id.startswith(f"{name}.")), key=len, default="")
    silent = queue and repr(queue) not in claim.sentence
    return replace(claim, sentence=f"{queue}: {claim.sentence}") if silent else claim


def estimate_of(summary: PointSummary, entity: str, name: str) -> Estimate | None:
    """Return the metric of a queue or server, else that of the whole system, or None."""
    return summary.queues.get(entity, {}).get(name) or summary.metrics.get(name)


def of_server(system: System, server: Server, name: str, summary: PointSummary) -> Estimate | None:
    """Return the metric of a server, or None; that of the whole system is one server's only where there is no other."""
    estimate = summary.servers.get(server.name, {}).get(name)
    return summary.metrics.get(name) if estimate is None and len(system.servers) == 1 else estimate


def value_of(summary: PointSummary, entity: str, name: str) -> float:
    """Return the metric's value of a queue or server; 0 where there is none."""
    estimate = summary.queues.get(entity, {}).get(name)
    return 0.0 if estimate is None else estimate.value


def waited(queue: Queue, summary: PointSummary) -> bool:
    """True when messages of the queue noticeably waited for their onMessage: measured, without end, or never none."""
    if queue.name in summary.growth:
        return True
    if is_saturated(queue):
        return value_of(summary, queue.name, "throughput") > 0
    wait = sum(value_of(summary, queue.name, name) for name in WAITS)
    return wait > NOTABLE_WAIT * value_of(summary, queue.name, "latency.mean")


def pressed(queue: Queue, summary: PointSummary) -> bool:
    """True where more arrives than is carried, so that lost capacity is lost throughput."""
    return is_saturated(queue) or queue.name in summary.growth


def reached(names: Iterable[str], count: int, summary: PointSummary) -> bool:
    """True when ``count`` threads ran at once for these queues and other work, as far as the course over time shows.

    True too where no course was drawn.
    """
    curves = [summary.timeline.get(name, {}).get("running", []) for name in names]
    drawn = [curve for curve in curves if curve]
    together = [sum(value or 0.0 for value in instant) for instant in zip(*drawn, strict=True)]
    return not together or max(together) >= count


def exact(value: float, unit: str) -> Estimate:
    """Return a number of a formula as an estimate without interval."""
    return Estimate(value, value, value, unit, "formula")


def measured(*names: str) -> Cost:
    """Return the cost of a rule that is what was measured of these metrics of its queue."""

    def cost(_: System, queue: Queue, summary: PointSummary) -> Mapping[str, Estimate]:
        estimates = {name: estimate_of(summary, queue.name, name) for name in names}
        return {name: estimate for name, estimate in estimates.items() if estimate is not None}

    return cost


def unstable_claim(queue: Queue, most: float | None, summary: PointSummary) -> Iterator[Claim]:
    """Say what a queue carries that grows without end; its proof is the same queue never empty."""
    if queue.name in summary.growth and most is not None:
        sentence = f"Unstable: these settings carry {number(round(most, 1))} messages per second of {queue.name!r}."
        yield Claim(f"{queue.name}.unstable", sentence, {f"{queue.path}.arrivals": {"kind": "saturated"}})


def count_claim(
    queue: Queue, summary: PointSummary, metric: str, sentence: str, proof: Mapping[str, object]
) -> Iterator[Claim]:
    """Say ``sentence`` with ``{}`` replaced by the metric's value, where that is not 0."""
    value = value_of(summary, queue.name, metric)
    if value > 0:
        yield Claim(f"{queue.name}.{metric}", sentence.format(number(round(value, 1))), dict(proof))
