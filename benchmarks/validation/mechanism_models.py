"""Mechanisms whose outcome a formula gives exactly, beyond the plain queues of ``reference_models``.

Each states what the formula promises and how a replication is measured for it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from benchmarks.validation.exact_formulas import on_off_mean_latency, rollbacks_per_message, urgent_latency
from simulations.analysis.theory.mechanisms import ascent, batch_capacity, descent
from simulations.analysis.theory.queues import MMc, mg1_mean_latency
from simulations.analysis.theory.throttle import throttle_chain
from simulations.engine.network.model import (
    ArrivalKind,
    ArrivalSpec,
    Dispatch,
    FlowControl,
    Gate,
    Horizon,
    Law,
    LawKind,
    NetworkSpec,
    Poller,
    PollerKind,
    Pool,
    Stream,
    Thresholds,
    Transaction,
)
from simulations.engine.network.results import Count, ReplicationResult, Sum, Timeline

Reading = Callable[[ReplicationResult], float]
"""One number of a replication."""
FLOW = FlowControl(500.0, 50.0, 60.0, 10, Thresholds(1000, 100))
"""WebLogic's default limits, with thresholds that one filled queue crosses upwards and then downwards."""
_KEPT = slice(4, None)
"""Segments after the first quarter of a run."""
_SATURATED = ArrivalSpec(ArrivalKind.SATURATED)


@dataclass(frozen=True)
class Mechanism:
    """A network and what is known of it: metric -> exact value; ``readings`` of what is no metric of a summary."""

    formula: str
    network: NetworkSpec
    theory: Mapping[str, float]
    readings: Mapping[str, Reading] = field(default_factory=dict)


def mechanisms(messages: int) -> Mapping[str, Mechanism]:
    """Return the mechanisms by name, ``messages`` per replication."""
    shared = {
        f"processor sharing, {name} demand": _sharing(law, messages)
        for name, law in {
            "constant": Law(LawKind.CONSTANT, 0.2),
            "hyper-exponential": Law(LawKind.HYPEREXPONENTIAL, 0.9, 0.1, 1.1),
            "lognormal": Law(LawKind.LOGNORMAL, -2.0, 0.8),
        }.items()
    }
    return {
        **shared,
        "on-off arrivals, slow switches": _on_off(10.0, 20.0, messages),
        "on-off arrivals, fast switches": _on_off(0.5, 1.0, messages),
        "batches of 5 on 4 threads": _batches(5, 4, messages),
        "non-ASF session, 1 message in 10 min": _polling(1 / 600, messages // 10),
        "non-ASF session, 1 message a minute": _polling(1 / 60, messages // 10),
        "fair shares 10, 20 and 50, equal service": _shares((0.1, 0.1, 0.1), messages),
        "fair shares 10, 20 and 50, unequal service": _shares((0.4, 0.1, 0.05), messages),
        "gate of 18 sessions for 18 threads": _gate(messages),
        "urgent messages, 1 of 5, one thread": _priorities(0.2, 1, messages),
        "urgent messages, half of all, 4 threads": _priorities(0.5, 4, messages),
        "non-ASF session that passes over messages": _selector(messages),
    }


def _sharing(law: Law, messages: int) -> Mechanism:
    """One CPU at a load of 0.7; only the mean of the demand may matter."""
    rate = 0.7 / 0.2 if law.kind is not LawKind.LOGNORMAL else 0.7 / float(np.exp(-2.0 + 0.32))
    stream = Stream("orders", 0, ArrivalSpec(ArrivalKind.POISSON, rate=rate), law, cpu_share=1.0)
    theory = {"latency.mean": MMc(rate, 0.7 / rate, 1).mean_latency, "throughput": rate}
    return Mechanism("M/G/1 with processor sharing", _alone(stream, 400, messages), theory)


def _on_off(mean_on: float, mean_off: float, messages: int) -> Mechanism:
    """A load of 0.7 in the long run, of 1.8 in bursts."""
    arrivals = ArrivalSpec(ArrivalKind.ON_OFF, rate=9.0, rate_off=0.75, mean_on=mean_on, mean_off=mean_off)
    stream = Stream("orders", 0, arrivals, Law(LawKind.EXPONENTIAL, 0.2))
    theory = {"latency.mean": on_off_mean_latency(9.0, 0.75, mean_on, mean_off, 0.2), "throughput": 3.5}
    return Mechanism("MMPP/M/1, matrix-geometric", _alone(stream, 1, messages), theory)


def _batches(batch: int, threads: int, messages: int) -> Mechanism:
    stream = Stream(
        "orders", 0, _SATURATED, Law(LawKind.EXPONENTIAL, 0.005), transaction=Transaction(batch, commit_time=0.02)
    )
    theory = {"throughput": batch_capacity(batch, 0.005, 0.02, threads)}
    return Mechanism("batch capacity", _alone(stream, threads, messages), theory)


def _polling(rate: float, messages: int) -> Mechanism:
    """A receive timeout of 110 s, 15 s of service and 120 s for the transaction, which begins with receive()."""
    stream = Stream(
        "orders",
        0,
        ArrivalSpec(ArrivalKind.POISSON, rate=rate),
        Law(LawKind.CONSTANT, 15.0),
        poller=Poller(PollerKind.EAGER, 1, receive_timeout=110.0),
        transaction=Transaction(lifetime=120.0),
    )
    theory = {"rollbacks per message": rollbacks_per_message(rate, 110.0, 120.0, 15.0)}
    readings = {"rollbacks per message": _per_message(Count.TRANSACTION_TIMEOUTS)}
    return Mechanism("wait in receive() beyond the limit", _alone(stream, 1, messages), theory, readings)


def _per_message(column: Count) -> Reading:
    def read(result: ReplicationResult) -> float:
        counts = result.counts[_KEPT, 0]
        return float(counts[:, column].sum() / counts[:, Count.COMPLETED].sum())

    return read


def _shares(services: tuple[float, ...], messages: int) -> Mechanism:
    """Three classes that always have work on 20 threads: thread time goes by weight, whatever the service times."""
    weights = (10.0, 20.0, 50.0)
    streams = tuple(
        Stream(f"class of {weight:g}", 0, _SATURATED, Law(LawKind.EXPONENTIAL, service), weight=weight)
        for weight, service in zip(weights, services, strict=True)
    )
    pool = Pool(threads_per_servant=20, dispatch=Dispatch.THREAD_TIME)
    theory = {f"thread time of weight {weight:g}": weight / sum(weights) for weight in weights}
    readings = {name: _share_of(place) for place, name in enumerate(theory)}
    return Mechanism("share by weight", NetworkSpec((pool,), streams, Horizon(messages=messages)), theory, readings)


def _share_of(place: int) -> Reading:
    def read(result: ReplicationResult) -> float:
        running = result.sums[_KEPT, :, Sum.RUNNING].sum(axis=0)
        return float(running[place] / running.sum())

    return read


def _alone(stream: Stream, threads: int, messages: int) -> NetworkSpec:
    return NetworkSpec((Pool(threads_per_servant=threads),), (stream,), Horizon(messages=messages))


def _gate(messages: int) -> Mechanism:
    """How often the throttle closes, from the balance of its chain."""
    arrivals = ArrivalSpec(ArrivalKind.POISSON, rate=60.0)
    stream = Stream("orders", 0, arrivals, Law(LawKind.EXPONENTIAL, 0.2), gate=Gate(18, 9))
    theory = {"blocks per message": throttle_chain(60.0, 0.2, 18, 18, 9).blocks_per_second / 60.0}
    readings = {"blocks per message": _per_message(Count.BLOCKS)}
    return Mechanism("throttle as a Markov chain", _alone(stream, 18, messages), theory, readings)


def _priorities(share: float, threads: int, messages: int) -> Mechanism:
    """A load of 0.85: who goes first changes no mean over all messages, but that of the urgent ones."""
    rate = 0.85 * threads / 0.2
    arrivals = ArrivalSpec(ArrivalKind.POISSON, rate=rate)
    stream = Stream("orders", 0, arrivals, Law(LawKind.EXPONENTIAL, 0.2), urgent_share=share)
    theory = {
        "latency.mean": MMc(rate, 0.2, threads).mean_latency,
        "latency.urgent": urgent_latency(rate, share, 0.2, threads),
    }
    return Mechanism("Cobham, priorities without interruption", _alone(stream, threads, messages), theory)


def _selector(messages: int) -> Mechanism:
    """Two in three messages do not suit, 20 ms each: receive() takes 0, or else 60 ms on average, exponential."""
    search = Law(LawKind.HYPEREXPONENTIAL, 2 / 3, 0.06)
    second = 0.1**2 + 2 * 0.1 * 0.04 + 2 * 0.06**2 * 2 / 3
    stream = Stream(
        "orders",
        0,
        ArrivalSpec(ArrivalKind.POISSON, rate=5.0),
        Law(LawKind.CONSTANT, 0.1),
        poller=Poller(PollerKind.EAGER, 1),
        search=search,
    )
    theory = {"latency.mean": mg1_mean_latency(5.0, 0.14, second / 0.14**2 - 1)}
    return Mechanism("M/G/1", _alone(stream, 1, messages), theory)


@dataclass(frozen=True)
class FlowStep:
    """One evaluation of producer flow control: the limits per producer, in messages per second."""

    seconds: float
    documented: float
    simulated: float


def flow_network() -> NetworkSpec:
    """Return a queue that is filled at once above the upper threshold and emptied in a little more than a minute."""
    at_once = ArrivalSpec(ArrivalKind.SURGE, count=1001)
    stream = Stream("orders", 0, at_once, Law(LawKind.CONSTANT, 1.0), flow=FLOW)
    return NetworkSpec((Pool(threads_per_servant=15),), (stream,), Horizon(time=125.0))


def flow_steps(result: ReplicationResult) -> tuple[FlowStep, ...]:
    """Return each step of ``flow_network``: ten down while armed, then up to the last below the maximum."""
    limits = (*descent(FLOW.maximum, FLOW.minimum, FLOW.steps), *ascent(FLOW.maximum, FLOW.minimum, FLOW.steps)[1:-1])
    step = FLOW.interval / FLOW.steps
    instants = np.arange(len(limits)) * step
    admitted = result.timeline[np.searchsorted(result.timeline_at, instants + step / 2), 0, Timeline.ADMITTED]
    return tuple(FlowStep(*row) for row in zip(instants.tolist(), limits, admitted.tolist(), strict=True))
