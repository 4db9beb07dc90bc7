"""Latency over the run, and its tail."""

from frontend.charts.latency import Moment, QueueMarks, latency_chart, tail_chart
from frontend.charts.throttle import Thresholds
from simulations.analysis.estimates.summary import Estimate
from tests.frontend.charts.drawn import TAIL, TIMELINE, figures, legend


def test_the_band_leaves_gaps_out() -> None:
    low, high = figures()["latency"]["data"][:2]
    assert (low["x"], low["y"], high["y"]) == ([0.5], [0.3], [0.5])


def test_latency_shows_what_happened_when() -> None:
    layout = figures()["latency"]["layout"]
    assert [shape["path"] for shape in layout["shapes"] if shape["type"] == "path"] == ["M1,0V1H2V0Z"]
    assert legend(figures()["latency"]) == ["objective 800 ms", "surge"]
    assert layout["meta"] == {"link": "run", "unit": 1.0}


def test_a_moment_after_the_end_is_not_marked_and_the_top_fixes_the_height() -> None:
    chart = latency_chart(TIMELINE, {}, QueueMarks(moments=(Moment(9.0, "surge"),)), top=2.0)
    assert legend(chart.figure) == []
    assert chart.figure["layout"]["yaxis"]["range"] == [0, 2.1]
    assert chart.sentence == "Over the run p95 lies between 400 ms and 500 ms."
    blocked = {"gate.blocked_fraction": Estimate(0.25, 0.2, 0.3, "1")}
    assert latency_chart(TIMELINE, blocked, QueueMarks()).sentence.endswith(
        "; the throttle was blocked 25 % of the time."
    )
    sessions = latency_chart(TIMELINE, blocked, QueueMarks(Thresholds(full="All sessions were in use")))
    assert sessions.sentence.endswith("; all sessions were in use 25 % of the time.")


def test_the_tail_begins_where_the_curve_falls_and_shows_the_percentiles_with_their_intervals() -> None:
    metrics = {"latency.p99": Estimate(0.9, 0.8, 1.0, "s")}
    chart = tail_chart(TAIL, metrics, objective=None)
    low, _, line, p99 = chart.figure["data"]
    assert line["x"] == [0.1, 0.5, 1.0]
    assert low["y"] == [0.58, 0.04, 0.001]
    assert (p99["x"], p99["y"], p99["error_x"]["array"]) == ([0.9], [0.01], [0.1])
    assert chart.sentence == "1 % of the messages take at least 900 ± 100 ms."
    assert len(chart.rows) == len(TAIL["latency"])
