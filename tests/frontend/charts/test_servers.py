"""Threads by state, and how instances share the messages."""

from frontend.charts.servers import balance_chart, instances_chart, threads_chart
from simulations.analysis.estimates.summary import Estimate
from tests.frontend.charts.drawn import INSTANCES, SHARED, THREADS, figures, legend


def test_states_are_stacked_up_to_the_capacity() -> None:
    figure = figures()["threads"]
    stacked = [trace for trace in figure["data"] if trace.get("stackgroup")]
    assert [sum(values) for values in zip(*(trace["y"] for trace in stacked), strict=True)] == [18, 18, 18]
    assert legend(figure) == ["18 threads"]


def test_threads_are_told_in_a_sentence() -> None:
    metrics = {"threads.busy": Estimate(12.5, 12, 13, "threads"), "threads.idle_blocked": Estimate(1, 1, 1, "threads")}
    chart = threads_chart(THREADS, metrics, server="payments", capacity=18, link="")
    idle = "idle while a throttle or a flow limit holds messages back: 1 thread"
    assert chart.sentence == f"On average 12.50 ± 0.50 of 18 threads are busy (69.4 %); {idle}."
    assert chart.rows[1] == ("1.5 s", "16 threads", "0 threads", "2 threads", "0 threads")


def test_threads_that_are_never_used_do_not_flatten_the_others() -> None:
    figure = threads_chart(THREADS, {}, server="payments", capacity=400).figure
    assert figure["layout"]["yaxis"]["range"][1] < 40
    assert legend(figure) == ["↑ 400 threads in all"]


def test_the_share_of_each_instance_is_told() -> None:
    chart = balance_chart(INSTANCES, {"balance.busiest_share": Estimate(0.75, 0.7, 0.8, "1")})
    assert chart.rows[0] == ("instance 1", "750 ± 50 messages", "75 %")
    assert "the busiest of 2 instances completed 75 % of the messages; even is 50 %" in chart.sentence
    assert chart.figure["layout"]["shapes"][0]["y0"] == 500


def test_the_time_in_which_an_instance_idles_beside_a_full_one_is_shaded_and_told() -> None:
    chart = instances_chart(SHARED)
    assert chart.columns == ("Time", "Buffered 1", "Buffered 2", "In process 1", "In process 2")
    assert chart.rows[1] == ("1 s", "900 messages", "0 messages", "32 threads", "0 threads")
    assert [shape["path"] for shape in chart.figure["layout"]["shapes"]] == ["M1,0V1H3V0Z"]
    assert chart.sentence.startswith("50 % of the time shown an instance had nothing to do")
    even = SHARED | {"running.2": [0.0, 1.0, 1.0, 1.0]}
    assert instances_chart(even).sentence.startswith("At no time")
