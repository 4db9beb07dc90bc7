"""Figures are pure: data in, dictionary out, every axis with its unit, nothing that JSON cannot say."""

import copy
import json
import re

import pytest

from frontend.charts.balance import balance_chart
from frontend.charts.budget import SLOWEST, Bar, budget_chart, has_budget, latency_budget
from frontend.charts.curves import Swept
from frontend.charts.drain import drain_chart
from frontend.charts.flow import condition, flow_chart
from frontend.charts.instances import instances_chart
from frontend.charts.panels import risk_chart
from frontend.charts.theme import COLOURS, themes
from frontend.charts.threads import threads_by_state, threads_chart
from frontend.charts.throttle import blocked_spans
from simulations.analysis.estimates.summary import Estimate
from tests.frontend.charts.drawn import (
    BUDGET,
    DRAINED,
    FLOW,
    FLOWING,
    INSTANCES,
    SHARED,
    SWEPT,
    TAIL,
    THREADS,
    TIMELINE,
    TURNS,
    figures,
)
from tests.frontend.charts.painting import paint

UNITS = re.compile(r"\[.+\]$")


@pytest.mark.parametrize("name", figures())
def test_every_axis_says_its_unit(name: str) -> None:
    layout = figures()[name]["layout"]
    for axis, settings in layout.items():
        named = settings.get("type") == "category" and "title" not in settings if isinstance(settings, dict) else False
        if axis.startswith(("xaxis", "yaxis")) and settings.get("showticklabels", True) and not named:
            assert UNITS.search(settings["title"]["text"]), axis


@pytest.mark.parametrize("name", figures())
def test_equal_data_give_equal_figures_and_stay_untouched(name: str) -> None:
    before = copy.deepcopy((TIMELINE, TAIL, SWEPT, THREADS, BUDGET, FLOWING))
    assert figures()[name] == figures()[name]
    assert before == (TIMELINE, TAIL, SWEPT, THREADS, BUDGET, FLOWING)
    assert json.loads(json.dumps(figures()[name], allow_nan=False)) == figures()[name]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", figures())
def test_a_theme_names_every_colour(name: str, theme: str) -> None:
    assert "@" not in json.dumps(paint(figures()[name], theme))


def luminance(colour: str) -> float:
    """Return the relative luminance that WCAG 2 defines."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", ["blue", "sky", "green", "orange", "vermillion", "purple", "grey"])
def test_lines_stand_out_from_their_ground(name: str, theme: str) -> None:
    line, ground = luminance(COLOURS[theme][name]), luminance(COLOURS[theme]["surface"])
    assert (max(line, ground) + 0.05) / (min(line, ground) + 0.05) >= 3


def test_the_browser_gets_both_themes() -> None:
    assert set(themes()["colours"]) == {"light", "dark"}
    assert themes()["colours"]["light"].keys() == themes()["colours"]["dark"].keys()


def test_an_unstable_point_is_named_and_has_no_percentile() -> None:
    figure = figures()["curve"]
    assert [note["text"] for note in figure["layout"]["annotations"]] == ["objective 800 ms", "▲ unstable"]
    p95 = next(
        trace
        for trace in figure["data"]
        if trace["name" if "name" in trace else "legendgroup"] == "p95" and "markers" in trace["mode"]
    )
    assert p95["y"] == [None, 700.0]


def test_both_thresholds_are_labelled_lines() -> None:
    layout = figures()["throttle"]["layout"]
    assert [shape["y0"] for shape in layout["shapes"]] == [100, 50]
    assert [note["text"] for note in layout["annotations"]][:2] == ["high threshold 100", "low threshold 50"]


def test_blocked_time_and_idle_threads_are_drawn() -> None:
    traces = {trace["name"]: trace for trace in figures()["throttle"]["data"]}
    assert traces["throttle blocked"]["y"] == [0.0, 1.0, 0.0, 0.0]
    assert traces["idle while blocked"]["y"] == [0.0, 2.0, 0.0, 0.0]
    assert traces["in flight"]["y"] == [0.0, 98.0, 58.0, 4.0]


def test_the_band_leaves_gaps_out() -> None:
    low, high = figures()["latency"]["data"][:2]
    assert (low["x"], low["y"], high["y"]) == ([0.5], [0.3], [0.5])


def test_latency_shows_what_happened_when() -> None:
    layout = figures()["latency"]["layout"]
    spans = [shape for shape in layout["shapes"] if shape["type"] == "rect"]
    assert [(shape["x0"], shape["x1"]) for shape in spans] == [(1.0, 2.0)]
    assert [note["text"] for note in layout["annotations"]] == ["objective 800 ms", "surge"]
    assert layout["meta"] == {"link": "run", "unit": 1.0}


def test_blocked_spans_begin_and_end_with_the_samples() -> None:
    path: dict[str, list[float | None]] = {"time": [0, 1, 2, 3, 4], "blocked": [1, 1, 0, 0, 1]}
    assert blocked_spans(path) == [(0, 2), (4, 4)]


def test_the_parts_of_the_budget_add_up_to_the_mean() -> None:
    data = figures()["budget"]["data"]
    assert sum(trace["x"][0] for trace in data) == pytest.approx(280)
    chart = budget_chart([Bar("mean", BUDGET)])
    assert chart.rows[-1] == ("Mean latency, the sum", "280 ± 10 ms", "100 %")
    assert chart.rows[-2][-1] == "25 %"
    assert "the largest part is commit, 25 %" in chart.sentence


def test_a_growing_backlog_has_no_budget() -> None:
    assert has_budget(BUDGET)
    assert not has_budget({name: item for name, item in BUDGET.items() if name != "wait.prepared"})


@pytest.mark.parametrize("name", ["budget", "threads"])
def test_what_is_stacked_differs_without_its_colour(name: str) -> None:
    traces = [trace for trace in figures()[name]["data"] if trace.get("showlegend", True)]
    shapes = [trace.get("fillpattern", trace.get("marker", {}).get("pattern", {})).get("shape", "") for trace in traces]
    assert len(set(shapes)) == len(shapes) > 1


def test_states_are_stacked_up_to_the_capacity() -> None:
    figure = figures()["threads"]
    stacked = [trace for trace in figure["data"] if trace.get("stackgroup")]
    assert [sum(values) for values in zip(*(trace["y"] for trace in stacked), strict=True)] == [18, 18, 18]
    assert [note["text"] for note in figure["layout"]["annotations"]] == ["18 threads"]


def test_threads_are_told_in_a_sentence() -> None:
    metrics = {"threads.busy": Estimate(12.5, 12, 13, "threads"), "threads.idle_blocked": Estimate(1, 1, 1, "threads")}
    chart = threads_chart(THREADS, metrics, server="payments", capacity=18, link="")
    idle = "idle while a throttle or a flow limit holds messages back: 1 thread"
    assert chart.sentence == f"On average 12.50 ± 0.50 of 18 threads are busy (69.4 %); {idle}."
    assert chart.rows[1] == ("1.5 s", "16 threads", "0 threads", "2 threads", "0 threads")


def test_the_condition_stays_on_between_the_thresholds() -> None:
    assert condition([0, 1000, 1001, 700, 499, 700], FLOW) == [0, 0, 1, 1, 0, 0]


def test_the_limit_is_that_of_one_producer() -> None:
    figure = figures()["flow"]
    limit, depth, on = figure["data"]
    assert limit["y"] == [None, 500, 250, 250, 375, None]
    assert depth["y"][1] == 1116
    assert on["y"] == [0, 1, 1, 1, 0 if depth["y"][4] < 500 else 1, 0]
    assert [note["text"] for note in figure["layout"]["annotations"]] == [
        "FlowMaximum 500",
        "FlowMinimum 50",
        "high threshold 1000",
        "low threshold 500",
        "on",
    ]


def test_flow_control_is_told_step_by_step() -> None:
    chart = flow_chart(FLOWING, FLOW)
    assert chart.rows == (
        ("0 ms", "no limit"),
        ("1 s", "500/s"),
        ("2 s", "250/s"),
        ("4 s", "375/s"),
        ("5 s", "no limit"),
    )
    assert chart.sentence.endswith("then down to 250/s; the producers are free again at 5 s.")


def test_the_share_of_each_instance_is_told() -> None:
    chart = balance_chart(INSTANCES, {"balance.busiest_share": Estimate(0.75, 0.7, 0.8, "1")})
    assert chart.rows[0] == ("instance 1", "750 ± 50 messages", "75 %")
    assert "the busiest of 2 instances completed 75 % of the messages; even is 50 %" in chart.sentence
    assert chart.figure["layout"]["shapes"][0]["y0"] == 500


def test_the_time_in_which_an_instance_idles_beside_a_full_one_is_shaded_and_told() -> None:
    chart = instances_chart(SHARED)
    assert chart.columns == ("Time", "Buffered 1", "Buffered 2", "In process 1", "In process 2")
    assert chart.rows[1] == ("1 s", "900 messages", "0 messages", "32 threads", "0 threads")
    assert [(shape["x0"], shape["x1"]) for shape in chart.figure["layout"]["shapes"]] == [(1, 3)]
    assert chart.sentence.startswith("50 % of the time shown an instance had nothing to do")
    even = SHARED | {"running.2": [0.0, 1.0, 1.0, 1.0]}
    assert instances_chart(even).sentence.startswith("At no time")


def test_threads_that_are_never_used_do_not_flatten_the_others() -> None:
    layout = threads_by_state(THREADS, capacity=400)["layout"]
    assert layout["yaxis"]["range"][1] < 40
    assert layout["annotations"][0]["text"] == "↑ 400 threads in all"


def test_bars_are_labelled_at_their_place_even_when_they_are_named_by_numbers() -> None:
    figure = latency_budget([Bar("18", BUDGET), Bar("36", BUDGET)])
    assert [note["y"] for note in figure["layout"]["annotations"]] == [0, 1]
    sentence = budget_chart([Bar("18", BUDGET), Bar("36", BUDGET)]).sentence
    assert sentence == "The largest part of the mean latency is commit: 25 % at 18 and 25 % at 36."


def test_the_slowest_messages_have_a_bar_and_a_sentence_of_their_own() -> None:
    slow = {**BUDGET, "latency.mean": Estimate(0.9, 0.8, 1.0, "s"), "service.wait": Estimate(0.72, 0.7, 0.74, "s")}
    sentence = budget_chart([Bar("mean", BUDGET), Bar(SLOWEST, slow)]).sentence
    assert sentence.endswith("; of the 900 ± 100 ms of the slowest 5 % it is onMessage off the CPU, 80 %.")


def test_timeouts_are_told_with_the_values_that_have_none() -> None:
    swept = [
        Swept(label, {"timeouts.queue": Estimate(value, value, value, "messages")})
        for label, value in (("36", 0), ("60", 0), ("80", 49), ("200", 2747))
    ]
    chart = risk_chart(swept, setting="Maximum sessions", unit="messages")
    assert chart.sentence == (
        "No message times out in the queue at Maximum sessions 36, 60; at 200 2,747 messages do in each run."
    )
    assert chart.rows[2] == ("80", "49 messages")
    assert chart.figure["data"][-1]["y"] == [0, 0, 49, 2747]


def test_the_best_values_are_shaded_and_each_rule_has_its_line() -> None:
    chart = drain_chart(DRAINED, setting="Limit", unit="messages", zone=(1, 2), turns=TURNS)
    assert chart.sentence == (
        "Best (shaded): Limit 64 to 100, with 19.20 ± 0.40 s at 64. "
        "Rule 1, kept from 64 on: the limit covers the pool. Rule 2, kept up to 100: nobody hoards."
    )
    places = [(shape["type"], shape["x0"], shape["x1"]) for shape in chart.figure["layout"]["shapes"]]
    assert places == [("rect", 0.75, 2.25), ("line", 1, 1), ("line", 2, 2)]
    assert chart.rows[3] == ("1000", "34.60 ± 0.40 s")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", figures())
def test_words_in_a_picture_can_be_read(name: str, theme: str) -> None:
    figure = paint(figures()[name], theme)
    fonts = [note.get("font", {}) for note in figure["layout"].get("annotations", [])]
    fonts += [trace.get("textfont", {}) for trace in figure["data"]]
    ground = luminance(COLOURS[theme]["surface"])
    for font in fonts:
        ink = luminance(font.get("color", COLOURS[theme]["ink"]))
        assert (max(ink, ground) + 0.05) / (min(ink, ground) + 0.05) >= 4.5, font
