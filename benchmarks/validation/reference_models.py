"""Networks whose answer is known exactly: what tests and the validation report hold the engine against."""

from collections.abc import Mapping
from dataclasses import replace

from simulations.analysis.theory.laws import law_mean
from simulations.engine.network.model import (
    ArrivalKind,
    ArrivalSpec,
    Gate,
    Horizon,
    Law,
    LawKind,
    NetworkSpec,
    Pool,
    Stream,
)

_POOL = Pool(cpus=2, threads_per_servant=6, servants_min=3, servants_max=3)
_SINGLE = Pool(threads_per_servant=1)
_SERVICE = Law(LawKind.EXPONENTIAL, 0.2)
_SATURATED = ArrivalSpec(ArrivalKind.SATURATED)


def _poisson(rate: float) -> ArrivalSpec:
    return ArrivalSpec(ArrivalKind.POISSON, rate=rate)


def _bursts(rate: float) -> ArrivalSpec:
    """Independent intervals with a squared coefficient of variation of 4 (balanced hyper-exponential)."""
    first = 0.5 * (1 - 0.6**0.5)
    mean = 1 / rate
    law = Law(LawKind.HYPEREXPONENTIAL, first, mean / (2 * first), mean / (2 * (1 - first)))
    return ArrivalSpec(ArrivalKind.RENEWAL, law=law)


def _network(
    arrivals: ArrivalSpec, service: Law, pool: Pool, messages: int, *, gate: Gate | None = None, cpu: float = 0.0
) -> NetworkSpec:
    stream = Stream("orders", 0, arrivals, service, cpu_share=cpu, gate=gate)
    return NetworkSpec((pool,), (stream,), Horizon(messages=messages))


def oracles(messages: int) -> Mapping[str, NetworkSpec]:
    """Return networks for which ``formula_answer`` is exact, by name; ``messages`` per replication."""
    heavy = Law(LawKind.LOGNORMAL, -2.0, 0.8)
    at_once = "400 messages at once on 16 threads"
    return {
        "M/M/18 behind 36 sessions": _network(_poisson(81), _SERVICE, _POOL, messages, gate=Gate(36, 18)),
        "M/M/18 behind 100 sessions": _network(_poisson(81), _SERVICE, _POOL, messages, gate=Gate(100, 50)),
        "18 sessions for 18 threads, 60/s": _network(_poisson(60), _SERVICE, _POOL, messages, gate=Gate(18, 9)),
        "18 sessions for 18 threads, saturated": _network(_SATURATED, _SERVICE, _POOL, messages, gate=Gate(18, 9)),
        "one session": _network(_poisson(3), _SERVICE, _POOL, messages, gate=Gate(1, 0)),
        "M/D/1": _network(_poisson(4), Law(LawKind.CONSTANT, 0.2), _SINGLE, messages),
        "M/G/1, lognormal service": _network(_poisson(3), heavy, _SINGLE, messages),
        "D/M/1": _network(ArrivalSpec(ArrivalKind.CONSTANT, rate=4), _SERVICE, _SINGLE, messages),
        "bursts, exponential service": _network(_bursts(3.5), _SERVICE, _SINGLE, messages),
        "processor sharing on 2 CPUs": _network(
            _poisson(70), Law(LawKind.EXPONENTIAL, 0.02), Pool(cpus=2, threads_per_servant=200), messages, cpu=1.0
        ),
        f"{at_once}, constant service": surge(Law(LawKind.CONSTANT, 0.2)),
        f"{at_once}, exponential service": surge(_SERVICE),
    }


def coverage_models(messages: int) -> Mapping[str, NetworkSpec]:
    """Return the networks on which the coverage of intervals is measured, by name."""
    loads = (0.5, 0.8, 0.9, 0.95)
    threads = {f"M/M/18, load {load:g}": _network(_poisson(90 * load), _SERVICE, _POOL, messages) for load in loads}
    single = {f"M/M/1, load {load:g}": _network(_poisson(5 * load), _SERVICE, _SINGLE, messages) for load in loads}
    heavy = Law(LawKind.LOGNORMAL, -2.0, 1.0)  # squared coefficient of variation 1.7
    bursts = {f"bursts, load {load:g}": _network(_bursts(5 * load), _SERVICE, _SINGLE, messages) for load in loads}
    tails = {
        f"heavy tail, load {load:g}": _network(_poisson(load / law_mean(heavy)), heavy, _SINGLE, messages)
        for load in loads
    }
    return {**threads, **single, **bursts, **tails}


STOPPED_BY_PRECISION = (
    *("M/M/18, load 0.8", "M/M/18, load 0.9", "M/M/1, load 0.5", "M/M/1, load 0.8"),
    *("bursts, load 0.8", "heavy tail, load 0.8"),
)
"""Coverage models whose p95 reaches 2 % with less than 100 replications of 100,000 messages."""


def surge(service: Law, messages: int = 400, threads: int = 16) -> NetworkSpec:
    """Return ``messages`` that come at once and are worked off by ``threads``."""
    base = _network(
        ArrivalSpec(ArrivalKind.SURGE, count=messages), service, Pool(threads_per_servant=threads), messages
    )
    return replace(base, horizon=Horizon(drained=True))
