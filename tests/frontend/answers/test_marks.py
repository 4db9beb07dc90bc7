"""The marks of a queue's charts."""

import pytest

from frontend.answers.marks import MOST_BURSTS, latency_objective, queue_marks
from frontend.charts.throttle import Thresholds
from simulations.scenario.spec import parse
from tests.scenarios import listener_port

SLO = [{"metric": "latency.p99", "at_most": "900ms", "queue": "orders"}, {"metric": "throughput", "at_least": "10/s"}]


def test_marks_are_read_from_the_network_that_is_simulated() -> None:
    marks = queue_marks(parse(listener_port("Marks", objectives=SLO)), "orders")
    assert marks.thresholds == Thresholds(high=36, low=18)
    assert (marks.server, marks.capacity, marks.objective) == ("payments", 18, 0.9)
    assert not marks.saturated
    assert marks.flow is None


def test_an_objective_of_another_queue_is_not_drawn() -> None:
    spec = parse(listener_port("Marks", objectives=SLO))
    assert latency_objective(spec, "bills") is None
    assert latency_objective(spec) == 0.9


def test_a_bound_on_urgent_messages_is_no_line_among_the_percentiles_of_all() -> None:
    urgent = {"metric": "latency.urgent", "at_most": "200ms", "queue": "orders"}
    body = listener_port("Marks", objectives=[urgent, *SLO])
    body["queues"][0]["settings"]["urgent_share"] = 0.2
    assert queue_marks(parse(body), "orders").objective == 0.9
    assert latency_objective(parse(body), "orders") == 0.2


def test_surges_and_bursts_are_named_once() -> None:
    body = listener_port("Marks")
    surge = {**body["queues"][0], "arrivals": {"kind": "surge", "count": 500, "at": 2.0}}
    drained = {"horizon": {"until": "drained"}}
    (moment,) = queue_marks(parse({**body, "queues": [surge], "run": drained}), "orders").moments
    assert moment == (2.0, "surge of 500")
    bursts = {**body["queues"][0], "arrivals": {"kind": "periodic_burst", "count": 50, "every": 10.0}}
    moments = queue_marks(parse({**body, "queues": [bursts]}), "orders").moments
    assert len(moments) == MOST_BURSTS
    assert [(moment.at, moment.text) for moment in moments[:2]] == [(0.0, "burst of 50"), (10.0, "")]


def test_an_unknown_queue_has_no_marks() -> None:
    with pytest.raises(StopIteration):
        queue_marks(parse(listener_port("Marks")), "bills")
