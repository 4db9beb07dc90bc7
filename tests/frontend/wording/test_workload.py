"""Arrivals, times and sizes as people read them: with units, without keys."""

from typing import Any

import pytest

from frontend.wording.workload import horizon_text, work_text


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ({"kind": "poisson", "rate": 81.0}, "Poisson (random), 81/s"),
        ({"kind": "exponential", "mean": 0.2, "cpu": 0.0}, "exponential, mean 200 ms"),
        ({"kind": "constant", "mean": 0.05, "cpu": 0.5}, "constant, mean 50 ms, 50 % of it on the CPU"),
        (
            {"kind": "lognormal", "mean": None, "cv": None, "p50": 0.02, "p95": 0.4, "p99": None, "cpu": 0.0},
            "lognormal, p50 20 ms, p95 400 ms",
        ),
        ({"kind": "surge", "count": 1000, "at": 0.0, "then": 0.0}, "surge, 1,000 messages"),
        ({"kind": "surge", "count": 1, "at": 5.0, "then": 2.0}, "surge, 1 message, at 5 s, then 2/s"),
        ({"kind": "periodic_burst", "count": 400, "every": 60.0}, "periodic bursts, 400 messages, every 60 s"),
        (
            {"kind": "renewal", "interval": {"kind": "gamma", "mean": 0.1, "cv": 2.0, "cpu": 0.0}},
            "renewal, intervals gamma, mean 100 ms, coefficient of variation 2",
        ),
        ({"kind": "trace", "source": [0.0, 1.0, 1.5], "sizes": []}, "trace, 3 values"),
    ],
)
def test_work_in_words(body: dict[str, Any], text: str) -> None:
    assert work_text(body) == text


def test_sizes_are_bytes() -> None:
    assert work_text(2000.0, "B") == "2 kB"
    assert work_text({"kind": "exponential", "mean": 3e6}, "B") == "exponential, mean 3 MB"


def test_when_a_replication_ends() -> None:
    assert horizon_text({"messages": 200_000, "time": None, "until": None}) == "after 200,000 messages"
    assert horizon_text({"messages": None, "time": 600.0, "until": None}) == "after 10 min of simulated time"
    assert horizon_text({"messages": None, "time": None, "until": "drained"}) == "when all messages are done"
