"""The throttle: closed forms, an exact Markov chain and the worked examples of the vendor's rule."""

import dataclasses
import math
import random

import numpy as np
import pytest
from numpy.typing import NDArray

from simulations.engine.network.model import Gate, Horizon, Pool, Timeouts
from simulations.engine.network.results import Count, Extreme, PoolSum, Sum
from simulations.engine.records.codes import Step
from simulations.engine.replicate import replicate
from tests.simulations.engine.courses import counted, instants, one
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
from tests.simulations.engine.plain_port import PlainPort


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


def test_example_8_commit_and_rollback_both_count_down() -> None:
    """With one in flight every delivery closes the gate and its end, whichever it is, opens it."""
    spec = throttle(high=1, low=0, arrivals=surge(500), failure_rate=0.3, threads=4)
    result = replicate(dataclasses.replace(spec, horizon=Horizon(drained=True)), seed=1, replication=0)
    rolled_back = total(result, Count.ROLLBACKS)
    assert rolled_back > 100
    assert total(result, Count.COMPLETED) == 500
    assert total(result, Count.BLOCKS) == total(result, Count.RELEASES) == 500 + rolled_back


def _chain_mean_wait(rate: float, mean: float, gate: Gate, threads: int, room: int) -> float:
    """Return the mean latency of the throttle as a Markov chain of (waiting, in flight, blocked), solved exactly."""
    states: list[tuple[int, int, int]] = [
        (w, n, b)
        for w in range(room + 1)
        for n in range(gate.high + 1)
        for b in (0, 1)
        if (b == 0 and w == 0 and n < gate.high) or (b == 1 and n > gate.low)
    ]
    place = {state: i for i, state in enumerate(states)}
    flow = np.zeros((len(states), len(states)))
    for (w, n, b), i in place.items():
        moves: list[tuple[tuple[int, int, int], float]] = []
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


SURGE = 1_000
PAIRS = 120
SLOW = 2_000


def _surge_p95s(high: int) -> NDArray[np.float64]:
    """Return the 95th percentile of completion, seconds, of paired replications of the surge."""
    spec = throttle(
        high=high, low=high // 2, arrivals=surge(SURGE), service=exponential(0.04), agent_time=0.002, messages=950
    )
    ends = [replicate(spec, seed=1, replication=r).extremes[0, Extreme.LAST_OUTCOME] for r in range(PAIRS)]
    return np.array(ends)


def _around(values: NDArray[np.float64]) -> tuple[float, float]:
    """Return the 99 % interval of the mean of ``values``."""
    half = 2.62 * float(values.std(ddof=1)) / math.sqrt(values.size)
    return float(values.mean()) - half, float(values.mean()) + half


def _overlap(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]


@pytest.mark.parametrize(("high", "reference"), [(36, 2.188), (50, 2.162), (100, 2.159)])
def test_job_3_the_surge_is_done_as_fast_as_the_reference_says(high: int, reference: float) -> None:
    assert _overlap(_around(_surge_p95s(high)), (reference - 0.014, reference + 0.014))


@pytest.mark.parametrize(
    ("high", "seconds", "half"), [(36, 28.5e-3, 3.1e-3), (50, 2.8e-3, 1.1e-3)], ids=["36-100", "50-100"]
)
def test_job_3_paired_differences_are_those_of_the_reference(high: int, seconds: float, half: float) -> None:
    found = _around(_surge_p95s(high) - _surge_p95s(100))
    assert found[0] > 0.0
    assert _overlap(found, (seconds - half, seconds + half))


def test_job_3_eighteen_sessions_take_as_long_as_in_a_plain_simulation() -> None:
    """The reference gives a rounded 3.0 s; a simulation of a few lines gives the interval to compare with."""
    ends = [PlainPort(18, random.Random(r), mean=0.04, waiting=SURGE).run(950) for r in range(PAIRS)]
    found = _around(_surge_p95s(18))
    assert _overlap(found, _around(np.array(ends)))
    assert found[0] > 2.85


def _timeouts(high: int) -> NDArray[np.float64]:
    """Return the timed-out deliveries of 2 000 messages of 8 s, of each of 20 replications."""
    spec = network(
        stream(
            arrivals=surge(SLOW),
            service=exponential(8.0),
            gate=Gate(high, high // 2, 0.002),
            timeouts=Timeouts(queue=29.7),
        ),
        pool=Pool(threads_per_servant=18),
        horizon=Horizon(drained=True),
    )
    return np.array([float(total(replicate(spec, seed=1, replication=r), Count.QUEUE_TIMEOUTS)) for r in range(20)])


def test_job_3_the_risk_of_a_slow_bean_passes_one_in_a_thousand_between_60_and_80_sessions() -> None:
    assert _timeouts(36).sum() == 0.0
    assert _around(_timeouts(60))[1] < SLOW / 1_000 < _around(_timeouts(80))[0]


@pytest.mark.parametrize(("high", "reference"), [(80, 49.0), (100, 357.0), (200, 2_747.0)])
def test_job_3_a_slow_bean_times_out_more_the_higher_the_sessions(high: int, reference: float) -> None:
    assert _overlap(_around(_timeouts(high)), (0.85 * reference, 1.15 * reference))


def test_job_3_timed_out_deliveries_are_those_of_a_plain_simulation() -> None:
    ports = [PlainPort(200, random.Random(r), mean=8.0, waiting=SLOW, timeout=29.7) for r in range(20)]
    for port in ports:
        port.run(SLOW)
    assert _overlap(_around(_timeouts(200)), _around(np.array([float(port.rejected) for port in ports])))


def test_what_the_agent_prepares_is_in_flight_from_the_start_where_the_scenario_says_so() -> None:
    """H = 2, L = 1: counted early, the gate closes when the second message is taken and not when it is prepared."""
    late, early = (
        one(arrivals=surge(4), gate=Gate(2, 1, 0.1, from_start), pool=Pool(threads_per_servant=2))
        for from_start in (False, True)
    )
    assert instants(late, Step.PREPARE) == pytest.approx([0.1, 0.2, 1.2, 1.3])
    assert instants(early, Step.PREPARE) == pytest.approx([0.1, 0.2, 1.2, 1.3])
    assert (counted(late, Count.BLOCKS), counted(early, Count.BLOCKS)) == ([2], [3])


def test_counted_early_a_low_threshold_below_the_threads_leaves_more_of_them_idle() -> None:
    """Counted late, completions during a preparation keep the gate open; counted early it closes before them."""
    rates = []
    for from_start in (False, True):
        spec = throttle(high=6, low=3, threads=6, messages=10_000)
        gated = dataclasses.replace(spec.streams[0], gate=Gate(6, 3, 0.04, from_start))
        rates.append(interval(dataclasses.replace(spec, streams=(gated,)), throughput))
    assert rates[1][1] < rates[0][0]
