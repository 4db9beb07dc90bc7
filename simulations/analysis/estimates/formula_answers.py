"""Which closed form applies to a queue, and what it says: the answers that are there before any simulation."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from simulations.analysis.estimates.metrics import BY_NAME, PERCENTILES
from simulations.analysis.estimates.summary import Estimate
from simulations.analysis.theory import queues
from simulations.analysis.theory.plain_queue import PlainQueue, plain_queue
from simulations.analysis.theory.throttle import throttle_chain
from simulations.engine.network.model import LawKind, NetworkSpec


@dataclass(frozen=True)
class FormulaAnswer:
    """What one formula says about one queue.

    ``metrics``: metric name -> value with no interval, origin ``formula``. A queue that cannot keep up has only its
    throughput, and ``stable`` is False. ``exact`` is False for approximations, which must be shown as such.
    """

    formula: str
    exact: bool
    stable: bool
    metrics: Mapping[str, Estimate]


def formula_answer(network: NetworkSpec, index: int) -> FormulaAnswer | None:
    """Return what is known of queue ``index`` without simulating, or None where no formula applies.

    Formulas apply to a queue that has its server's threads to itself, on one instance, without failures, losses,
    time limits and downstream resources. They are tried from the sharpest to the roughest.
    """
    queue = plain_queue(network, index)
    if queue is None:
        return None
    if queue.surge:
        return _drain(queue)
    if queue.rate is None or queue.rate >= queue.capacity:
        return _limit(queue)
    rules = (_markov, _single, _regular, _shared_processors, _approximate) if queue.gate_never_binds else (_throttle,)
    return next((answer for rule in rules if (answer := rule(queue, queue.rate)) is not None), None)


def _answer(formula: str, values: Mapping[str, float], *, exact: bool = True, stable: bool = True) -> FormulaAnswer:
    note = "" if exact else f"approximation: {formula}"
    metrics = {
        name: Estimate(value, value, value, BY_NAME[name].unit, origin="formula", note=note)
        for name, value in values.items()
    }
    return FormulaAnswer(formula, exact, stable, metrics)


def _drain(queue: PlainQueue) -> FormulaAnswer | None:
    if queue.rate or not queue.gate_never_binds or queue.cpu_share:
        return None
    formulas = {LawKind.CONSTANT: queues.drain_time_constant, LawKind.EXPONENTIAL: queues.drain_time_exponential}
    if queue.kind not in formulas:
        return None
    time = formulas[queue.kind](queue.surge, queue.service, queue.threads)
    return _answer(f"drain of a surge, {queue.kind.name.lower()} service", {"drain_time": queue.surge_at + time})


def _limit(queue: PlainQueue) -> FormulaAnswer:
    """A queue that is never empty, by nature or because more arrives than it carries."""
    name = "all threads busy" if queue.gate_never_binds else "window with hysteresis"
    if queue.cpu_share:
        name = "slower of threads and CPUs"
    exact = queue.capacity_is_exact
    values = _carried(queue, queue.capacity) if exact else {"throughput": queue.capacity}
    return _answer(name, values, exact=exact, stable=queue.rate is None)


def _carried(queue: PlainQueue, rate: float) -> dict[str, float]:
    return {"throughput": rate, "threads.busy": rate * queue.service}


def _markov(queue: PlainQueue, rate: float) -> FormulaAnswer | None:
    if not queue.markov:
        return None
    formula = queues.MMc(rate, queue.service, queue.threads)
    values = {"latency.mean": formula.mean_latency} | _carried(queue, rate)
    values |= {f"latency.{name}": formula.percentile(share) for name, share in PERCENTILES.items()}
    return _answer(f"M/M/{queue.threads}", values)


def _throttle(queue: PlainQueue, rate: float) -> FormulaAnswer | None:
    if not (queue.markov and queue.is_gate):
        return None
    try:
        chain = throttle_chain(rate, queue.service, queue.threads, queue.high, queue.low)
    except ValueError:  # too close to saturation: a rougher formula has to do
        return None
    values = {
        "latency.mean": chain.latency,
        "throughput": chain.throughput,
        "threads.busy": chain.busy_threads,
        "threads.idle_blocked": chain.idle_blocked_threads,
        "gate.blocked_fraction": chain.blocked_fraction,
        "gate.in_flight": chain.in_flight,
    }
    return _answer("throttle as a Markov chain", values)


def _single(queue: PlainQueue, rate: float) -> FormulaAnswer | None:
    if queue.threads > 1 or not queue.poisson or queue.cpu_share:
        return None
    latency = queues.mg1_mean_latency(rate, queue.service, queue.service_cv2)
    return _answer("M/G/1", {"latency.mean": latency} | _carried(queue, rate))


def _regular(queue: PlainQueue, rate: float) -> FormulaAnswer | None:
    if queue.threads > 1 or queue.kind is not LawKind.EXPONENTIAL or queue.interval is None or queue.cpu_share:
        return None
    mean = queues.gm1_mean_latency(queue.interval, queue.service)
    if mean is None:
        return None
    values = {"latency.mean": mean} | _carried(queue, rate)
    values |= {f"latency.{name}": -mean * math.log1p(-share) for name, share in PERCENTILES.items()}
    return _answer("G/M/1", values)


def _shared_processors(queue: PlainQueue, rate: float) -> FormulaAnswer | None:
    """All of the service on shared CPUs: exact for exponential service, with more threads than CPUs near to it else.
    With processor sharing, n jobs at speed min(1, c / n) each, the mean latency of M/G/c depends on the mean service
    only (insensitivity) and is that of M/M/c."""
    if queue.cpu_share < 1 or not queue.poisson:
        return None
    latency = queues.MMc(rate, queue.service, queue.cpus).mean_latency
    exact = queue.kind is LawKind.EXPONENTIAL
    name = f"M/G/{queue.cpus} with processor sharing"
    return _answer(name, {"latency.mean": latency, "throughput": rate}, exact=exact)


def _approximate(queue: PlainQueue, rate: float) -> FormulaAnswer | None:
    if queue.cpu_share:
        return None
    variations = {"arrival_cv2": queue.arrival_cv2, "service_cv2": queue.service_cv2}
    latency = queues.ggc_mean_latency(rate, queue.service, queue.threads, **variations)
    return _answer("Allen and Cunneen", {"latency.mean": latency, "throughput": rate}, exact=False)
