"""Estimates: their half-width and their arithmetic; the places of a point's numbers."""

import pytest

from simulations.analysis.estimates.summary import Estimate, PointSummary, quantity

LOPSIDED = Estimate(1.0, 0.9, 1.3, "s", note="few")


def test_the_half_width_is_the_longer_side() -> None:
    assert LOPSIDED.half_width == (-LOPSIDED).half_width == pytest.approx(0.3)
    assert LOPSIDED.ci95 == (0.9, 1.3)
    assert Estimate(2.0, 2.0 - 4e-16, 2.0 + 4e-16, "s").half_width == 0
    assert Estimate(0.0, 0.0, 1e-12, "s").half_width == 1e-12


def test_a_sign_turns_the_interval_around() -> None:
    assert Estimate(-1.0, -1.3, -0.9, "s", note="few") == -LOPSIDED
    assert abs(-LOPSIDED) == abs(LOPSIDED) == LOPSIDED
    assert Estimate(10.0, 9.0, 13.0, "s", note="few") == LOPSIDED * 10


def test_sides_of_independent_estimates_add_up_as_squares() -> None:
    difference = LOPSIDED - Estimate(3.0, 2.6, 3.1, "s")
    assert (difference.value, difference.unit) == (-2.0, "s")
    assert difference.value - difference.low == pytest.approx((0.1**2 + 0.1**2) ** 0.5)
    assert difference.high - difference.value == pytest.approx((0.3**2 + 0.4**2) ** 0.5)


def test_a_point_without_numbers_has_one_empty_place() -> None:
    assert list(PointSummary(0, {}, "invalid", problems=("why",)).places()) == [("", "", {})]


def test_the_metrics_of_a_queue_or_of_the_whole_system() -> None:
    queues = {"orders": {"latency.mean": LOPSIDED}}
    summary = PointSummary(0, {}, "ok", metrics={"throughput": LOPSIDED}, queues=queues)
    assert (summary.of("orders"), summary.of("none")) == (queues["orders"], {})
    assert summary.of(None) == summary.of("") == {"throughput": LOPSIDED}


def test_a_number_keeps_its_own_unit_beside_one_that_is_far_larger() -> None:
    assert [str(quantity(0.02, "s", 0.0005, beside)) for beside in (10.0, 300.0)] == [
        "0.02000 ± 0.00050 s",
        "20.00 ± 0.50 ms",
    ]
