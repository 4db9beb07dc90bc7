"""A metric over the arrival rate or one knob: marks upright, unstable places without a value."""

import math

import pytest

from frontend.charts.explore.lines import along_chart, headroom_chart
from frontend.charts.swept import Sweep, Swept
from tests.frontend.charts.explore.drawn import seconds, traces

PLACES = (
    Swept("40/s", {"latency.p95": seconds(0.2, 0.01)}, number=40.0),
    Swept("80/s", {"latency.p95": seconds(0.9, 0.05)}, number=80.0),
    Swept("95/s", {}, "unstable", 95.0, 3.0),
)
SWEEP = Sweep("arrival rate", "messages/s", PLACES)
MARKS = {"today": 60.0, "1.5 × today": 90.0}
HEADROOM = headroom_chart(SWEEP, "latency.p95", objective=0.8, marks=MARKS, sentence="Headroom.")
CURVE = along_chart(SWEEP, "latency.p95", objective=0.8, chosen=0, sentence="A curve.")


def test_headroom_marks_stand_upright_and_unstable_rates_have_no_value() -> None:
    uprights = [shape for shape in HEADROOM.figure["layout"]["shapes"] if shape.get("x0") == shape.get("x1")]
    assert [shape["x0"] for shape in uprights] == [60.0, 90.0]
    assert traces(HEADROOM, mode="lines+markers")[0]["y"][-1] is None
    assert HEADROOM.rows[-1] == ("95/s", "unstable")
    objective = HEADROOM.figure["layout"]["annotations"][0]
    assert objective["y"] == pytest.approx(math.log10(800))


def test_the_recommended_value_has_a_star_on_the_curve() -> None:
    (star,) = traces(CURVE, name="recommended")
    assert (star["x"], star["y"]) == ([40.0], [200.0])
    assert CURVE.figure["layout"]["xaxis"]["ticktext"] == ["40/s", "80/s", "95/s"]
    assert CURVE.figure["layout"]["annotations"][-1]["text"] == "▲ unstable<br>+3.00 messages/s"
    assert CURVE.rows[0] == ("40/s", "200 ± 10 ms")
