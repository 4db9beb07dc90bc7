"""Arrivals and demands: what makes no sense is refused where it is written."""

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from simulations.declarations.workload import Arrivals, Counts, Distribution, Trace

ARRIVALS: TypeAdapter[Arrivals] = TypeAdapter(Arrivals)
DISTRIBUTION: TypeAdapter[Distribution] = TypeAdapter(Distribution)


@pytest.mark.parametrize(
    ("adapter", "body", "message"),
    [
        (DISTRIBUTION, {"kind": "lognormal", "mean": 1}, "either mean and cv"),
        (DISTRIBUTION, {"kind": "gamma", "mean": 1, "cv": 1, "p50": 1, "p95": 2}, "either mean and cv"),
        (DISTRIBUTION, {"kind": "weibull", "mean": 1, "cv": 1, "p99": 2}, "either mean and cv"),
        (DISTRIBUTION, {"kind": "gamma", "p50": 2, "p95": 1}, "percentiles must grow"),
        (DISTRIBUTION, {"kind": "gamma", "p50": 1, "p95": 2, "p99": 2}, "percentiles must grow"),
        (DISTRIBUTION, {"kind": "hyperexponential", "mean": 1, "cv": 1}, "greater than 1"),
        (DISTRIBUTION, {"kind": "empirical", "source": []}, "at least 1"),
        (DISTRIBUTION, {"kind": "empirical", "source": [0, 0]}, "value must be above 0"),
        (DISTRIBUTION, {"kind": "weibull", "mean": 1, "cv": 0.0001}, "greater than or equal to 0.001"),
        (DISTRIBUTION, {"kind": "pareto", "mean": 1}, "does not match any of the expected tags"),
        (ARRIVALS, {"kind": "poisson", "rate": 0}, "greater than 0"),
        (ARRIVALS, {"kind": "profile", "points": [[1, 1], [2, 1]]}, "start at 0s"),
        (ARRIVALS, {"kind": "profile", "points": [[0, 1], [0, 1]]}, "grow strictly"),
        (ARRIVALS, {"kind": "profile", "points": [[0, 0], [1, 0]]}, "at least one rate"),
        (ARRIVALS, {"kind": "profile", "points": [[0, 1e-9], [1, 0]]}, "at least 0.01 messages"),
        (ARRIVALS, {"kind": "on_off", "on_rate": 1, "mean_on": 1e-6, "mean_off": 1}, "once bring 1e-06 messages"),
        (ARRIVALS, {"kind": "trace", "source": [2, 1]}, "never fall"),
        (ARRIVALS, {"kind": "trace", "source": [1, 2], "sizes": [1]}, "as many sizes"),
        (ARRIVALS, {"kind": "trace", "source": [1], "pace": 0}, "greater than 0"),
        (ARRIVALS, {"kind": "counts", "every": 60, "counts": [0, 0]}, "make 0 messages"),
        (ARRIVALS, {"kind": "counts", "every": 60, "counts": [900_000, 900_000]}, "between 1 and 1000000"),
        (ARRIVALS, {"kind": "surge", "count": 0}, "greater than or equal to 1"),
    ],
)
def test_impossible_workloads_are_refused(adapter: TypeAdapter[Any], body: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        adapter.validate_python(body)


def test_units_are_read_everywhere() -> None:
    burst = ARRIVALS.validate_python({"kind": "periodic_burst", "count": 400, "every": "1min"})
    assert burst.model_dump()["every"] == 60.0
    trace = ARRIVALS.validate_python({"kind": "trace", "source": ["0s", "250ms"], "sizes": ["4kB", 10]})
    assert (trace.model_dump()["source"], trace.model_dump()["sizes"]) == ((0.0, 0.25), (4000.0, 10.0))
    service = DISTRIBUTION.validate_python({"kind": "gamma", "p50": "200ms", "p95": "1s", "cpu": "30%"})
    assert (service.model_dump()["p50"], service.cpu) == (0.2, 0.3)


def test_counts_are_spread_over_their_intervals_and_scaled_without_a_rest_lost() -> None:
    log = Counts.model_validate({"every": "1min", "counts": [2, 0, 3]})
    assert log.instants == pytest.approx((15.0, 45.0, 130.0, 150.0, 170.0))
    tenth = Counts.model_validate({"every": 1, "counts": [3] * 100, "scale": 0.1})
    assert len(tenth.instants) == 30
    assert len(Counts.model_validate({**tenth.model_dump(), "scale": 2.5}).instants) == 750


def test_a_trace_is_replayed_at_its_pace() -> None:
    assert Trace.model_validate({"source": [0, 6], "pace": 3}).instants == (0.0, 2.0)
