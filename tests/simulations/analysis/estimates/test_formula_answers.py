"""The right formula for each queue, marked as exact or not, and silence where none applies."""

import math
from dataclasses import replace

import pytest

from simulations.analysis.estimates.formula_answers import FormulaAnswer, formula_answer
from simulations.engine.network.model import (
    ArrivalKind,
    ArrivalSpec,
    Gate,
    Horizon,
    Law,
    LawKind,
    NetworkSpec,
    Pool,
    PoolGrowth,
    Redelivery,
    Stream,
    Timeouts,
    Window,
)

POISSON = ArrivalSpec(ArrivalKind.POISSON, rate=60)
SATURATED = ArrivalSpec(ArrivalKind.SATURATED)
STREAM = Stream("orders", 0, POISSON, Law(LawKind.EXPONENTIAL, 0.2))
POOL = Pool(cpus=2, threads_per_servant=18)


def answer(stream: Stream = STREAM, pool: Pool = POOL) -> FormulaAnswer | None:
    return formula_answer(NetworkSpec((pool,), (stream,), Horizon(messages=1)), 0)


def values(found: FormulaAnswer | None) -> dict[str, float]:
    assert found is not None
    return {name: estimate.value for name, estimate in found.metrics.items()}


@pytest.mark.parametrize("gate", [None, Gate(36, 18), Gate(100, 50), Gate(18, 18)])
def test_marks_that_cover_the_threads_leave_an_erlang_queue(gate: Gate | None) -> None:
    found = answer(replace(STREAM, gate=gate))
    assert found is not None
    assert (found.formula, found.exact, found.stable) == ("M/M/18", True, True)
    assert found.metrics["latency.p95"].value == pytest.approx(0.602, abs=5e-4)
    assert found.metrics["latency.p95"].origin == "formula"


def test_marks_that_bind_ask_the_chain() -> None:
    found = answer(replace(STREAM, gate=Gate(18, 9)))
    assert found is not None
    assert (found.formula, found.exact) == ("throttle as a Markov chain", True)
    assert found.metrics["latency.mean"].value == pytest.approx(0.25899, abs=1e-5)


@pytest.mark.parametrize("arrivals", [SATURATED, ArrivalSpec(ArrivalKind.POISSON, rate=81)])
def test_a_full_queue_is_carried_by_its_window(arrivals: ArrivalSpec) -> None:
    found = answer(replace(STREAM, arrivals=arrivals, gate=Gate(18, 9)))
    assert found is not None
    assert found.metrics["throughput"].value == pytest.approx(67.55, abs=5e-3)
    assert found.stable is (arrivals is SATURATED)
    assert "latency.p95" not in found.metrics


def test_a_credit_window_of_16_before_32_threads() -> None:
    stream = replace(STREAM, arrivals=SATURATED, window=Window(16, 8))
    assert values(answer(stream, replace(POOL, threads_per_servant=32)))["threads.busy"] == pytest.approx(
        12.07, abs=5e-3
    )


def test_one_thread_is_a_pollaczek_khinchine_queue() -> None:
    stream = replace(STREAM, arrivals=replace(POISSON, rate=4), service=Law(LawKind.CONSTANT, 0.2))
    found = answer(stream, replace(POOL, threads_per_servant=1))
    assert found is not None
    assert (found.formula, found.exact) == ("M/G/1", True)
    assert found.metrics["latency.mean"].value == pytest.approx(0.2 + 0.8 * 0.2 / (2 * 0.2))


@pytest.mark.parametrize(("kind", "exact"), [(LawKind.EXPONENTIAL, True), (LawKind.CONSTANT, False)])
def test_threads_on_shared_processors(kind: LawKind, exact: bool) -> None:  # noqa: FBT001
    found = answer(replace(STREAM, service=Law(kind, 0.02), cpu_share=1.0), replace(POOL, threads_per_servant=100))
    assert found is not None
    assert found.exact is exact
    assert found.metrics["latency.mean"].value == pytest.approx(0.02 / (1 - 0.6**2))
    assert bool(found.metrics["latency.mean"].note) is not exact


def test_no_more_threads_than_processors_share_nothing() -> None:
    found = answer(
        replace(STREAM, arrivals=replace(POISSON, rate=5), cpu_share=1.0), Pool(cpus=2, threads_per_servant=2)
    )
    assert found is not None
    assert found.formula == "M/M/2"


def test_one_exponential_thread_with_regular_arrivals_is_exact() -> None:
    regular = replace(STREAM, arrivals=ArrivalSpec(ArrivalKind.CONSTANT, rate=4))
    found = answer(regular, replace(POOL, threads_per_servant=1))
    assert found is not None
    assert (found.formula, found.exact) == ("G/M/1", True)
    assert found.metrics["latency.p50"].value == pytest.approx(found.metrics["latency.mean"].value * math.log(2))


def test_other_service_times_are_approximated_and_say_so() -> None:
    found = answer(replace(STREAM, service=Law(LawKind.CONSTANT, 0.2)))
    assert found is not None
    assert (found.formula, found.exact) == ("Allen and Cunneen", False)
    assert "approximation" in found.metrics["latency.mean"].note


def test_intervals_with_the_variation_of_poisson_are_not_poisson() -> None:
    lookalike = ArrivalSpec(ArrivalKind.RENEWAL, law=Law(LawKind.GAMMA, 1.0, 1 / 60))
    found = answer(replace(STREAM, arrivals=lookalike))
    assert found is not None
    assert not found.exact


@pytest.mark.parametrize(("kind", "drain"), [(LawKind.CONSTANT, 5.0), (LawKind.EXPONENTIAL, 5.476)])
def test_a_surge_is_drained(kind: LawKind, drain: float) -> None:
    stream = replace(STREAM, arrivals=ArrivalSpec(ArrivalKind.SURGE, count=400), service=Law(kind, 0.2))
    assert values(answer(stream, replace(POOL, threads_per_servant=16)))["drain_time"] == pytest.approx(drain, abs=5e-4)


@pytest.mark.parametrize(
    "change",
    [
        {"gate": Gate(36, 18, agent_time=0.002)},
        {"gate": Gate(36, 18), "window": Window(64, 32)},
        {"window": Window(64, 32, round_trip=0.01)},
        {"failure_rate": 0.01},
        {"timeouts": Timeouts(queue=1.0)},
        {"background": True},
        {"arrivals": ArrivalSpec(ArrivalKind.ON_OFF, rate=60, mean_on=1, mean_off=1)},
        {"cpu_share": 0.1},
        {"constraint": (0,)},
    ],
)
def test_richer_queues_are_left_to_the_simulation(change: dict[str, object]) -> None:
    assert answer(replace(STREAM, **change)) is None  # type: ignore[arg-type]


@pytest.mark.parametrize("pool", [replace(POOL, instances=2), replace(POOL, growth=PoolGrowth.HISTORY)])
def test_clusters_and_growing_pools_are_left_to_the_simulation(pool: Pool) -> None:
    assert answer(pool=pool) is None


def test_redelivery_without_failures_changes_nothing() -> None:
    assert values(answer(replace(STREAM, redelivery=Redelivery(delay=1.0, limit=3)))) == values(answer())


def test_shared_threads_are_left_to_the_simulation() -> None:
    assert formula_answer(NetworkSpec((POOL,), (STREAM, replace(STREAM, name="b")), Horizon(messages=1)), 0) is None
