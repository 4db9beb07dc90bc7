"""Limits behind the threads, from ends that are counted by the number in process."""

import numpy as np
import pytest

from simulations.pipeline.telemetry.fitting.limits import MOST, Limit, limit_fit, throughput

MEAN = 0.2


def shown(rates: np.ndarray, seed: int = 1) -> tuple[dict[int, int], dict[int, int]]:
    """Ends by the number in process that ``rates`` per mean work bring, and the microseconds of each number."""
    numbers = np.arange(1, len(rates) + 1)
    seconds = 2_000 * np.exp(-0.3 * numbers)
    ends = np.random.default_rng(seed).poisson(seconds * rates / MEAN)
    names = numbers.tolist()
    return (
        dict(zip(names, ends.tolist(), strict=True)),
        dict(zip(names, (1e6 * seconds).astype(int).tolist(), strict=True)),
    )


def test_cpus_serve_as_many_as_they_are_and_threads_alone_all() -> None:
    assert throughput(3, 1.0, 6) == pytest.approx([1, 2, 3, 3, 3, 3])
    assert throughput(6, 0.4, 6) == pytest.approx([1, 2, 3, 4, 5, 6])


def test_a_part_that_one_at_a_time_does_bounds_the_rate_by_its_share() -> None:
    rates = throughput(1, 0.5, 60)
    assert rates[0] == pytest.approx(1.0)
    assert rates[1] == pytest.approx(1.6)
    assert rates[-1] == pytest.approx(2.0, rel=1e-3)


@pytest.mark.parametrize(("number", "share"), [(3, 1.0), (2, 0.6), (4, 0.8)])
def test_a_limit_is_found_with_its_mean(number: int, share: float) -> None:
    found = limit_fit(*shown(throughput(number, share, 10)))
    assert found is not None
    assert (found.number, found.cpus) == (number, share == 1)
    assert found.share == pytest.approx(share, abs=0.03)
    assert found.mean == pytest.approx(MEAN, rel=0.03)


def test_ends_that_no_limit_explains_are_told_to_nobody() -> None:
    numbers = np.arange(1, 11)
    assert [limit_fit(*shown(numbers.astype(float), seed)) for seed in range(20)] == [None] * 20
    assert limit_fit(*shown(np.where(numbers < 5, numbers, 0.4 * numbers))) is None
    assert limit_fit({1: 50}, {1: 1_000_000}) is None
    assert limit_fit({1: 50}, dict.fromkeys(range(1, MOST + 2), 1_000)) is None


@pytest.mark.parametrize(("number", "share"), [(3, 1.0), (2, 0.6), (2, 0.645)])
def test_the_interval_of_what_a_limit_allows_holds_the_truth(number: int, share: float) -> None:
    found = [limit_fit(*shown(throughput(number, share, 10), seed)) for seed in range(40)]
    truth = number / share / MEAN
    assert sum(limit is not None and limit.low <= truth <= limit.high for limit in found) >= 37


def test_a_limit_says_what_it_is() -> None:
    for pair, part in {(1, 1.0): "all of the work, taken as CPUs", (2, 0.6): "the last 60 % of the work"}.items():
        words = f"a limit of {pair[0]} for {part}, which allows 15/s (14.2/s to 16.1/s)"
        assert Limit(*pair, MEAN, 15.0, 14.2, 16.1).words == words
