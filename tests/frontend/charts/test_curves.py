"""Charts over a swept setting: curve, timeouts, drain time."""

from dataclasses import replace

import pytest

from frontend.charts.curves import curve_chart, metric_chart
from frontend.charts.swept import Sweep, Swept, stretches
from simulations.analysis.estimates.summary import Estimate
from tests.frontend.charts.drawn import DRAINED, SWEPT, TURNS, figures, legend


def test_an_unstable_point_is_named_and_has_no_percentile() -> None:
    figure = figures()["curve"]
    assert legend(figure) == ["objective 800 ms", "unstable at 18"]
    p95 = next(
        trace
        for trace in figure["data"]
        if trace["name" if "name" in trace else "legendgroup"] == "p95" and "markers" in trace["mode"]
    )
    assert p95["y"] == [None, 700.0]


def test_timeouts_are_told_with_the_values_that_have_none() -> None:
    swept = [
        Swept(label, {"timeouts.queue": Estimate(value, value, value, "messages")})
        for label, value in (("36", 0), ("60", 0), ("80", 49), ("200", 2747))
    ]
    chart = metric_chart(Sweep("Maximum sessions", "messages", swept), "timeouts.queue", objective=0.0)
    assert chart.sentence == "Queue timeouts: lowest 0 messages at 36 to 60, highest 2,747 messages at 200."
    assert legend(chart.figure) == ["objective 0 messages"]
    assert chart.rows[2] == ("80", "49 messages")
    assert chart.figure["data"][-1]["y"] == [0, 0, 49, 2747]


def test_the_best_values_are_shaded_and_each_rule_has_its_line() -> None:
    chart = metric_chart(Sweep("Limit", "messages", DRAINED), "drain_time", zone=(1, 2), turns=TURNS)
    assert chart.sentence == (
        "Best (shaded): Limit 64 to 100, with 19.20 ± 0.40 s at 64. "
        "Rule 1, kept from 64 on: the limit covers the pool. Rule 2, kept up to 100: nobody hoards."
    )
    places = [(shape["type"], shape["x0"], shape["x1"]) for shape in chart.figure["layout"]["shapes"]]
    assert places == [("line", 1, 1), ("line", 2, 2), ("rect", 0.5, 2.5)]
    assert legend(chart.figure) == ["rule 1, from 64 on", "rule 2, up to 100"]
    assert chart.rows[3] == ("1000", "34.60 ± 0.40 s")


def test_the_best_values_have_a_deeper_shade_where_those_that_meet_the_objectives_have_one() -> None:
    swept = [replace(item, met=item.label != "1000") for item in DRAINED]
    chart = metric_chart(Sweep("Limit", "messages", swept), "drain_time", objective=25.0, zone=(1, 2))
    assert chart.sentence == (
        "Best (deeper shade): Limit 64 to 100, with 19.20 ± 0.40 s at 64. Objectives met (shaded): 32 to 100."
    )
    shades = [shape["fillcolor"] for shape in chart.figure["layout"]["shapes"] if shape["type"] == "rect"]
    assert shades == ["@green/12", "@green/18"]


def test_places_side_by_side_are_one_stretch() -> None:
    assert stretches([0, 2, 3, 4, 6]) == [(0, 0), (2, 4), (6, 6)]


def test_the_curve_tells_where_latency_is_lowest_and_highest() -> None:
    swept = [
        Swept(label, {"latency.p95": Estimate(value, value, value, "s")}, problem)
        for label, value, problem in (("18", 0.9, ""), ("36", 0.7, ""), ("50", 0.75, ""))
    ]
    chart = curve_chart(Sweep("Maximum sessions", "messages", swept), objective=None)
    assert chart.sentence == "p95 latency: lowest 700 ms at 36, highest 900 ms at 18."
    assert chart.columns == ("Maximum sessions [messages]", "p95 latency")
    assert chart.rows[1] == ("36", "700 ms")
    assert chart.choices == (("latency.p95", "p95", True),)
    assert curve_chart(Sweep("Limit", "1", [Swept("1", {}, "unstable")]), objective=None).sentence == (
        "p95 latency: no value of the setting has any."
    )


def test_any_metric_has_a_curve_with_its_unit() -> None:
    chart = metric_chart(Sweep("Maximum sessions", "messages", SWEPT), "throughput")
    assert (chart.key, chart.title) == ("throughput", "Throughput over Maximum sessions")
    assert chart.sentence == "Throughput: 81.0 ± 1.0/s at 36."
    assert chart.rows == (("18", "unstable"), ("36", "81.0 ± 1.0/s"))
    assert chart.figure["layout"]["yaxis"]["title"]["text"] == "throughput [messages/s]"
    none = metric_chart(Sweep("Maximum sessions", "messages", SWEPT), "overtaken_fraction")
    assert none.sentence == "Overtaken: no value of the setting has any."


def test_a_share_is_drawn_in_percent_with_its_objective_and_where_it_is_met() -> None:
    swept = [
        Swept(label, {"overtaken_fraction": Estimate(value, value, value, "1")}, met=met)
        for label, value, met in (("1", 0.0, True), ("2", 0.185, False), ("4", 0.233, False))
    ]
    chart = metric_chart(Sweep("Maximum sessions", "messages", swept, "postings"), "overtaken_fraction", objective=0.1)
    assert chart.title == "Overtaken of postings over Maximum sessions"
    assert chart.sentence == "Overtaken: lowest 0 % at 1, highest 23.3 % at 4. Objectives met (shaded): 1."
    layout = chart.figure["layout"]
    assert layout["yaxis"]["title"]["text"] == "overtaken [%]"
    line, zone = layout["shapes"]
    assert (line["y0"], line["name"]) == (10, "objective 10 %")
    assert (zone["x0"], zone["x1"], zone["fillcolor"]) == (-0.3, 0.5, "@green/12")
    assert chart.figure["data"][-1]["y"] == [0, 18.5, 23.3]


@pytest.mark.parametrize("values", [((0.70, 0.02), (0.71, 0.02)), ((15.03001, 0.000002), (15.03002, 0.000002))])
def test_what_the_intervals_or_their_digits_do_not_tell_neither_falls_nor_grows(
    values: tuple[tuple[float, float], ...],
) -> None:
    swept = [
        Swept(str(place), {"latency.p95": Estimate(value, value - half, value + half, "s")})
        for place, (value, half) in enumerate(values)
    ]
    chart = curve_chart(Sweep("Limit", "messages", swept), objective=None)
    assert chart.sentence.startswith("p95 latency: ")
    assert chart.sentence.endswith(" at 1; these intervals tell no difference.")


def test_the_range_in_which_messages_pile_up_is_shaded_with_how_fast() -> None:
    lost = [Swept(f"{value:g}", {}, "unstable", value, growth) for value, growth in ((10.0, 13.41), (20.0, 2.0))]
    held = Swept("100", {"latency.p95": Estimate(0.7, 0.69, 0.71, "s")}, number=100.0)
    figure = curve_chart(Sweep("Limit", "messages", [*lost, held]), objective=None).figure
    assert legend(figure) == ["unstable at 10 to 20: +13.4 messages/s"]
    (zone,) = figure["layout"]["shapes"]
    assert (round(zone["x0"], 2), round(zone["x1"], 2)) == (8.91, 44.72)
