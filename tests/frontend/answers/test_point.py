"""What is shown of one point: formula answers as tiles, metrics as rows."""

from dataclasses import replace

from frontend.answers.hero import Hero, Judgment
from frontend.answers.point import Answer, point_answer, simulated_answer, tiles_of
from frontend.charts.panels import Courses
from simulations.analysis.estimates.summary import Derived, Estimate, Quantity, Source
from simulations.scenario.spec import parse
from tests.planner.conftest import summary_of
from tests.scenarios import listener_port


def rate(entity: str) -> Derived:
    source = Source("Manual", "p. 3")
    return Derived("carried_rate", "Largest rate", 90.0, "/s", "18 threads / 200 ms", source, entity)


def test_a_tile_names_its_queue_only_where_there_are_several() -> None:
    (alone,) = tiles_of([rate("orders")])
    assert (alone.entity, alone.value, alone.unit) == ("", 90.0, "/s")
    assert [tile.entity for tile in tiles_of([rate(name) for name in ("a", "b", "c")])] == ["a", "b", "c"]


def test_metrics_are_rows_with_their_half_widths() -> None:
    summary = replace(
        summary_of(0), metrics={"latency.p95": Estimate(0.7, 0.6, 0.8, "s"), "unknown": Estimate(1, 1, 1, "")}
    )
    spec = parse(listener_port("Rows"))
    answer = point_answer(spec, summary, derived=(), claims=(), courses=Courses(), provenance="", queues=())
    ((title, text, meaning),) = answer.metrics
    assert (title, text) == ("p95 latency", "700 ± 100 ms")
    assert meaning
    none = Courses()
    live = point_answer(
        spec, summary, derived=(), claims=(), courses=none, provenance="", queues=["orders"], detailed=False
    )
    assert live.metrics == ()  # the live panel has no such table


def test_the_basis_tells_how_precise_the_number_on_top_is() -> None:
    metrics = {"latency.p95": Estimate(0.7, 0.6, 0.8, "s"), "throughput": Estimate(90.0, 89.1, 90.9, "/s")}
    body = listener_port("Basis")
    full = {**body, "queues": [{**body["queues"][0], "arrivals": {"kind": "saturated"}}]}
    for asked, told in ((body, "p95 latency ± 14.3 %"), (full, "Throughput ± 1 %")):
        summary, none = replace(summary_of(0), metrics=metrics), Courses()
        answer = point_answer(parse(asked), summary, derived=(), claims=(), courses=none, provenance="", queues=())
        assert answer.effort.endswith(told)
    growing = replace(summary_of(0), metrics=metrics, status="unstable")
    answer = point_answer(parse(body), growing, derived=(), claims=(), courses=Courses(), provenance="", queues=())
    assert "±" not in answer.effort
    judged = parse({**body, "objectives": [{"metric": "latency.p95", "queue": "orders", "at_most": 1}]})
    slow = replace(summary_of(0), metrics=metrics, queues={"orders": {"latency.p95": Estimate(2.0, 1.9, 2.1, "s")}})
    answer = point_answer(judged, slow, derived=(), claims=(), courses=Courses(), provenance="", queues=())
    assert answer.effort.endswith("p95 latency ± 5 %")


def test_checks_hold_only_where_there_are_any() -> None:
    none = Answer("ok", (), (), (), ())
    assert not none.checks_hold
    assert replace(none, checks=({"passed": True},)).checks_hold
    assert not replace(none, checks=({"passed": True}, {"passed": False})).checks_hold


def test_the_worst_of_several_objectives_colors_the_answer() -> None:
    words: tuple[Judgment, ...] = ("met", "missed")
    heroes = tuple(Hero("p95 latency", Quantity("1", "s", ""), "at most 2 s", word) for word in words)
    none = Answer("ok", (), (), (), ())
    assert none.judgment == ""
    assert replace(none, heroes=heroes[:1]).judgment == "met"
    assert replace(none, heroes=heroes).judgment == "missed"


def test_the_first_hours_of_a_day_judge_nothing() -> None:
    day = {"kind": "profile", "points": [["0s", "5/s"], ["8h", "80/s"], ["16h", "60/s"], ["24h", "5/s"]]}
    objectives = [{"metric": "latency.p95", "at_most": "1min"}]
    body = listener_port("A day", run={"horizon": {"time": "2d"}}, objectives=objectives)
    body["queues"][0]["arrivals"] = day
    for brief in (True, False):
        answer, quick = simulated_answer(parse(body), brief=brief)
        assert quick is not None
        assert quick.cycles < 0.1
        assert (answer.judgment, answer.missed) == ("unresolved", ())
        assert answer.sentences[1].startswith("This is the first ")
