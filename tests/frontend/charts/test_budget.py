"""The latency budget: parts that add up to the mean."""

import pytest

from frontend.charts.budget import SLOWEST, Bar, budget_chart, has_budget
from simulations.analysis.estimates.summary import Estimate
from tests.frontend.charts.drawn import BUDGET, figures


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


def test_bars_are_labelled_at_their_place_even_when_they_are_named_by_numbers() -> None:
    figure = budget_chart([Bar("18", BUDGET), Bar("36", BUDGET)]).figure
    assert [note["y"] for note in figure["layout"]["annotations"]] == [0, 1]
    sentence = budget_chart([Bar("18", BUDGET), Bar("36", BUDGET)]).sentence
    assert sentence == "The largest part of the mean latency is commit: 25 % at 18 and 25 % at 36."


def test_the_slowest_messages_have_a_bar_and_a_sentence_of_their_own() -> None:
    slow = {**BUDGET, "latency.mean": Estimate(0.9, 0.8, 1.0, "s"), "service.wait": Estimate(0.72, 0.7, 0.74, "s")}
    sentence = budget_chart([Bar("mean", BUDGET), Bar(SLOWEST, slow)]).sentence
    assert sentence.endswith("; of the 900 ± 100 ms of the slowest 5 % it is onMessage off the CPU, 80 %.")
