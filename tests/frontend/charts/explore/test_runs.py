"""All runs as lines over every knob and result."""

from frontend.charts.chart import Column
from frontend.charts.explore.choice import runs_chart
from tests.frontend.charts.explore.drawn import traces

RUNS = runs_chart(
    (Column("Threads", (4.0, 8.0), ("4", "8")), Column("Latency", (100.0, None), ("100 ms", "–"), "ms")),
    ("met", "missed"),
    sentence="Two runs.",
)


def test_lines_of_runs_run_from_the_smallest_to_the_largest_value() -> None:
    met = traces(RUNS, name="meets the objectives")[0]
    assert met["y"] == [0.0, 0.5, None]
    missed = traces(RUNS, name="misses")[0]
    assert missed["y"] == [1.0, None, None]


def test_the_browser_gets_what_it_narrows_runs_by() -> None:
    meta = RUNS.figure["layout"]["meta"]
    assert [axis["values"] for axis in meta["brush"]] == [(4.0, 8.0), (100.0, None)]
    assert [axis["ends"] for axis in meta["brush"]] == [(4.0, 8.0), (100.0, 100.0)]
    assert meta["verdicts"] == ["met", "missed"]
    assert [(item.title, item.unit) for item in RUNS.ranges] == [("Threads", ""), ("Latency", "ms")]
