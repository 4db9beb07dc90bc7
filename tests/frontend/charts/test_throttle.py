"""The throttle timeline: thresholds, ribbon of blocked time, idle threads."""

from frontend.charts.throttle import Thresholds, throttle_chart
from tests.frontend.charts.drawn import TIMELINE, figures, legend


def test_both_thresholds_are_labelled_lines() -> None:
    layout = figures()["throttle"]["layout"]
    assert [shape["y0"] for shape in layout["shapes"]] == [100, 50]
    assert legend(figures()["throttle"]) == ["high threshold 100", "low threshold 50"]


def test_blocked_time_and_idle_threads_are_drawn() -> None:
    traces = {trace["name"]: trace for trace in figures()["throttle"]["data"]}
    assert traces["throttle blocked"]["y"] == [0.0, 1.0, 0.0, 0.0]
    assert traces["idle while blocked"]["y"] == [0.0, 2.0, 0.0, 0.0]
    assert traces["in flight"]["y"] == [0.0, 98.0, 58.0, 4.0]


def test_the_sentence_tells_how_long_the_throttle_was_blocked_and_who_idled() -> None:
    chart = throttle_chart(TIMELINE, Thresholds(high=100, low=50))
    assert chart.sentence == (
        "The throttle was blocked 25 % of the time shown; 0.5 threads idled behind it on average."
    )
    calm = throttle_chart({**TIMELINE, "idle_blocked": [0.0] * 4}, Thresholds(high=100, low=50))
    assert calm.sentence.endswith("; no thread idled behind it.")
    assert throttle_chart(TIMELINE, Thresholds()).sentence == "Messages on the destination, prepared and running."


def test_a_threshold_that_is_never_reached_does_not_flatten_the_course() -> None:
    near = throttle_chart(TIMELINE, Thresholds(high=300, low=50)).figure["layout"]["yaxis"]["range"]
    far = throttle_chart(TIMELINE, Thresholds(high=4000, low=2000)).figure["layout"]["yaxis"]["range"]
    assert (near[1], far[1]) == (1.12 * 300, 1.12 * 98)


def test_a_stretch_that_does_not_begin_with_the_replication_is_named_with_its_reason() -> None:
    later: dict[str, list[float | None]] = {**TIMELINE, "time": [12.0, 13.0, 14.0, 15.0]}
    sentence = throttle_chart(later, Thresholds(high=100, low=50)).sentence
    assert sentence.endswith(
        "Shown are 12 s to 15 s of the first replication, where most threads idle while messages are held back."
    )
    calm: dict[str, list[float | None]] = {**later, "idle_blocked": [0.0] * 4, "blocked": [0.0] * 4}
    assert throttle_chart(calm, Thresholds()).sentence.endswith("where most messages wait.")
