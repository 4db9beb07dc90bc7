"""Summaries survive storing, and equal numbers have equal hashes."""

import json
import math
from dataclasses import replace

import pytest
from django.contrib.auth.models import User

from planner import selectors
from planner.answers.summaries import estimate_plain, estimate_read, result_hash, summary_plain, summary_read
from planner.jobs.execute import run_points_save
from planner.models import Run
from simulations.analysis.estimates.summary import Estimate, PointSummary
from tests.claims import taken
from tests.planner.conftest import summary_of


def with_value(value: float) -> PointSummary:
    return replace(summary_of(0), metrics={"latency.p95": Estimate(value, value, value, "s")})


@pytest.mark.parametrize("value", [0.1 + 0.2, 1e-300, 1e300, 1e22, -0.0, 5.0, math.inf])
def test_a_summary_survives_the_database_bit_by_bit(run: Run, owner: User, value: float) -> None:
    claimed = taken(run)
    summary = with_value(value)
    run_points_save(run=claimed, summaries=[summary], partial=False)
    (stored,) = selectors.run_points(run=run)
    assert stored.summary == summary
    assert result_hash([stored.summary]) == result_hash([summary])


def test_what_is_no_number_stays_none() -> None:
    plain = json.loads(json.dumps(summary_plain(with_value(math.nan)), allow_nan=False))
    assert math.isnan(summary_read(plain).metrics["latency.p95"].value)


def test_the_hash_depends_on_numbers_only() -> None:
    points = [summary_of(0), summary_of(1)]
    other_words = replace(points[0], findings=(), timeline={}, checks=())
    assert result_hash(points) == result_hash(reversed(points)) == result_hash([other_words, points[1]])
    assert result_hash(points) != result_hash([summary_of(0, math.nextafter(0.25, 1)), points[1]])
    assert result_hash(points) != result_hash([replace(points[0], replications=3), points[1]])


def test_what_an_earlier_version_stored_is_read() -> None:
    """It had neither servers nor threads, and one field that is gone."""
    kept = {"index", "overrides", "status", "replications", "events", "metrics", "queues", "derived"}
    now = summary_plain(summary_of(0))
    old = {name: value for name, value in now.items() if name in kept | {"findings", "checks", "warmup"}}
    old["metrics"]["latency.p95"].pop("note")
    bare = replace(summary_of(0), timeline={}, servers={}, threads={})
    assert summary_read({**old, "elapsed": 3}) == bare


def test_an_estimate_alone_is_four_numbers_and_read_from_among_others() -> None:
    estimate = Estimate(1.0, 0.9, 1.3, "s")
    plain = estimate_plain(estimate)
    assert plain == {"value": 1.0, "low": 0.9, "high": 1.3, "unit": "s"}
    assert estimate_read({**plain, "paired": True, "verdict": "same"}) == estimate
