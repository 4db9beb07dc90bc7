"""Flow control: the limit of a producer and the condition that causes it."""

from frontend.charts.throttle import condition, flow_chart
from tests.frontend.charts.drawn import FLOW, FLOWING, figures, legend


def test_the_condition_stays_on_between_the_thresholds() -> None:
    assert condition([0, 1000, 1001, 700, 499, 700], FLOW) == [0, 0, 1, 1, 0, 0]


def test_the_limit_is_that_of_one_producer() -> None:
    figure = figures()["flow"]
    limit, depth, on = figure["data"]
    assert limit["y"] == [None, 500, 250, 250, 375, None]
    assert depth["y"][1] == 1116
    assert on["y"] == [0, 1, 1, 1, 0 if depth["y"][4] < 500 else 1, 0]
    assert legend(figure) == ["FlowMaximum 500", "FlowMinimum 50", "high threshold 1000", "low threshold 500"]


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
