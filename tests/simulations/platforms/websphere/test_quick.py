"""The transaction-timeout rule without a scenario."""

from typing import Any

import pytest

from simulations.platforms.websphere import WEBSPHERE


def quick(**question: Any) -> dict[str, Any]:
    assert WEBSPHERE.quick
    return dict(WEBSPHERE.quick({"platform": "was", "receive_timeout": "110s", "on_message": "15s", **question}))


def test_the_worst_case_of_the_worked_example() -> None:
    """Job J4 and fact list, example 11."""
    answer = quick(transaction_timeout="120s")
    assert answer["violations"][0]["worst_case_s"] == 125
    assert answer["max_receive_timeout_s"] == 105
    assert "125 s > 120 s" in answer["violations"][0]["message"]


@pytest.mark.parametrize(("rate", "percent"), [("6/h", 4.16), ("1/min", 1.65), ("6/min", 0.001)])
def test_the_exact_rollback_probability(rate: str, percent: float) -> None:
    assert 100 * quick(rate_per_session=rate)["rollback_probability"] == pytest.approx(percent, rel=0.1, abs=0.005)


def test_no_rollback_below_the_bound() -> None:
    assert quick(receive_timeout="104s", rate_per_session="1/min")["rollback_probability"] == 0


def test_a_slow_tail_lowers_the_bound() -> None:
    mean = 25 / 6.907755278982137
    answer = quick(on_message={"kind": "exponential", "mean": mean}, rate_per_session="1/min")
    assert answer["max_receive_timeout_s"] == pytest.approx(95)
    assert 0 < answer["rollback_probability"] < 0.01


@pytest.mark.parametrize(("sharing", "connections"), [(10, 1), (1, 10)])
def test_ten_threads_share_a_connection_since_version_7(sharing: int, connections: int) -> None:
    answer = quick(sessions=10, sharing_conversations=sharing)
    assert (answer["threads_held"], answer["connections"]) == (10, connections)
