"""What each gain costs, and what the answer depends on."""

import json

import pytest

from frontend.charts.explore.choice import Bar, Paid, front_chart, frontier, tornado_chart
from tests.frontend.charts.explore.drawn import seconds, traces

PAID = (
    Paid(4, seconds(0.087, 0.001), "4 threads", "missed"),
    Paid(8, seconds(0.048, 0.001), "8 threads", "met", "recommended"),
    Paid(16, seconds(0.051), "16 threads, batch 2", "met"),
    Paid(16, seconds(0.035), "16 threads", "met"),
)
FRONT = front_chart(PAID, cost="Threads", metric="latency.p95", sentence="The front.")
BARS = (
    Bar("Arrivals", seconds(-0.08, 0.04), None, "× 0.8", "× 1.2", "unstable at × 1.2"),
    Bar("CPUs", seconds(0.02), seconds(-0.01), "1", "3"),
)
TORNADO = tornado_chart(BARS, metric="latency.p95", sentence="Inputs.")


def test_the_frontier_holds_what_nothing_cheaper_beats() -> None:
    assert [item.label for item in frontier(PAID)] == ["4 threads", "8 threads", "16 threads"]
    met = traces(FRONT, name="meets the objectives")[0]
    assert met["error_y"]["array"][0] == pytest.approx(1.0)
    assert traces(FRONT, name="recommended")[0]["x"] == [8]


def test_the_tornado_puts_the_first_input_on_top_and_says_what_is_unstable() -> None:
    low = traces(TORNADO, name="input lower")[0]
    assert low["y"][-1] == "Arrivals"
    assert low["x"][-1] == pytest.approx(-80.0)
    assert "unstable at × 1.2" in json.dumps(TORNADO.figure["layout"]["annotations"], ensure_ascii=False)
    assert TORNADO.rows[0][4] == "unstable at × 1.2"
