"""The throttle: closed forms, an exact Markov chain and the worked examples of the vendor's rule."""

import numpy as np
import pytest

from simulations.engine.network import Gate, Horizon, NetworkSpec, Pool, Timeouts
from simulations.engine.replicate import replicate
from simulations.engine.results import Count, Extreme, PoolSum, Sum
from tests.simulations.engine.networks import (
    exponential,
    interval,
    network,
    poisson,
    steady,
    stream,
    surge,
    throttle,
    throughput,
    total,
)


def _busy(high: int, low: int, threads: int) -> float:
    """Return the mean busy threads of a saturated window with exponential service (closed form)."""
    return (high - low) / sum(1.0 / min(k, threads) for k in range(low + 1, high + 1))


@pytest.mark.parametrize(("high", "low"), [(18, 9), (20, 10), (16, 8), (36, 18), (7, 3), (1, 0), (12, 12)])
def test_a_saturated_throttle_carries_what_the_closed_form_says(high: int, low: int) -> None:
    lower, upper = interval(throttle(high=high, low=low, messages=20_000), throughput)
    window = min(high, 18) if high == low else _busy(high, low, 18)
    assert lower <= window / 0.2 <= upper


def test_example_3_a_throttle_of_100_leaves_exactly_32_messages_at_each_release() -> None:
    result = replicate(throttle(high=100, low=50), seed=1, replication=0)
    assert result.extremes[0, Extreme.RELEASE_MIN] == 32
    assert result.extremes[0, Extreme.RELEASE_MAX] == 32
    assert result.pool_sums[4:, 0, PoolSum.IDLE_BLOCKED].sum() == 0.0


def test_example_4_a_throttle_of_36_leaves_none_and_no_thread_idles() -> None:
    result = replicate(throttle(high=36, low=18), seed=1, replication=0)
    assert result.extremes[0, Extreme.RELEASE_MAX] == 0
    assert result.pool_sums[4:, 0, PoolSum.IDLE_BLOCKED].sum() == 0.0


def test_example_5_a_throttle_of_20_idles_threads_while_blocked() -> None:
    result = replicate(throttle(high=20, low=10), seed=1, replication=0)
    assert result.pool_sums[4:, 0, PoolSum.IDLE_BLOCKED].sum() > 0.0


def test_example_6_a_throttle_of_1_keeps_the_order() -> None:
    result = replicate(throttle(high=1, low=0, arrivals=poisson(4.0), messages=5_000), seed=1, replication=0)
    assert total(result, Count.OVERTAKEN) == 0


def test_example_7_with_equal_marks_every_completion_admits_one() -> None:
    result = replicate(throttle(high=100, low=100, messages=5_000), seed=1, replication=0)
    assert total(result, Count.BLOCKS) == total(result, Count.RELEASES) + 1


def _chain_mean_wait(rate: float, mean: float, gate: Gate, threads: int, room: int) -> float:
    """Return the mean latency of the throttle as a Markov chain of (waiting, in flight, blocked), solved exactly."""
    states = [
        (w, n, b)
        for w in range(room + 1)
        for n in range(gate.high + 1)
        for b in (0, 1)
        if (b == 0 and w == 0 and n < gate.high) or (b == 1 and n > gate.low)
    ]
    place = {state: i for i, state in enumerate(states)}
    flow = np.zeros((len(states), len(states)))
    for (w, n, b), i in place.items():
        moves = []
        if b == 0:
            moves.append(((0, n + 1, int(n + 1 == gate.high)), rate))
        elif w < room:
            moves.append(((w + 1, n, 1), rate))
        if n > 0:
            moves.append((_after_completion(w, n, b, gate), min(n, threads) / mean))
        for state, speed in moves:
            flow[i, place[state]] += speed
            flow[i, i] -= speed
    flow[:, -1] = 1.0
    shares = np.linalg.solve(flow.T, np.eye(len(states))[-1])
    inside = sum(share * (w + n) for share, (w, n, _) in zip(shares, states, strict=True))
    return float(inside) / rate


def _after_completion(waiting: int, inflight: int, blocked: int, gate: Gate) -> tuple[int, int, int]:
    inflight -= 1
    if blocked == 0 or inflight > gate.low:
        return waiting, inflight, blocked
    admitted = min(waiting, gate.high - inflight)
    return waiting - admitted, inflight + admitted, int(inflight + admitted == gate.high)


def test_the_latency_is_that_of_the_exact_markov_chain() -> None:
    gate = Gate(6, 3)
    spec = throttle(high=6, low=3, threads=4, arrivals=poisson(14.0), messages=40_000)
    lower, upper = interval(spec, lambda result: steady(result, Sum.LATENCY))
    assert lower <= _chain_mean_wait(14.0, 0.2, gate, 4, 400) <= upper


@pytest.mark.parametrize(("sessions", "fraction"), [(1, 0.0), (2, 0.185), (4, 0.233), (36, 0.235)])
def test_job_5_the_overtaken_fraction_grows_with_the_sessions(sessions: int, fraction: float) -> None:
    spec = throttle(
        high=sessions, low=sessions // 2, arrivals=poisson(15.0), service=exponential(0.05), messages=10_000
    )
    lower, upper = interval(spec, lambda result: total(result, Count.OVERTAKEN) / total(result, Count.COMPLETED))
    assert lower - 0.01 <= fraction <= upper + 0.01


def _surge_p95(high: int) -> float:
    spec = throttle(
        high=high, low=high // 2, arrivals=surge(1_000), service=exponential(0.04), agent_time=0.002, messages=950
    )
    ends = [replicate(spec, seed=1, replication=r).extremes[0, Extreme.LAST_OUTCOME] for r in range(30)]
    return float(np.mean(ends))


def test_job_3_the_surge_is_done_as_fast_as_the_reference_says() -> None:
    times = {high: _surge_p95(high) for high in (18, 36, 100)}
    assert times[36] == pytest.approx(2.188, rel=0.02)
    assert times[100] == pytest.approx(2.159, rel=0.02)
    assert times[18] == pytest.approx(3.0, rel=0.03)


def _slow(high: int) -> NetworkSpec:
    return network(
        stream(
            arrivals=surge(2_000), service=exponential(8.0), gate=Gate(high, high // 2, 0.002),
            timeouts=Timeouts(queue=29.7),
        ),
        pool=Pool(threads_per_servant=18),
        horizon=Horizon(drained=True),
    )  # fmt: skip


def _timeouts(high: int) -> float:
    return float(
        np.mean([total(replicate(_slow(high), seed=1, replication=r), Count.QUEUE_TIMEOUTS) for r in range(20)])
    )


def test_job_3_a_slow_bean_times_out_more_the_higher_the_sessions() -> None:
    assert _timeouts(36) == 0.0
    assert _timeouts(80) == pytest.approx(49, rel=0.25)
    assert _timeouts(100) == pytest.approx(357, rel=0.15)
    assert _timeouts(200) == pytest.approx(2747, rel=0.15)
