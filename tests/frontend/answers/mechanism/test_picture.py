"""The picture of every preset, drawn: well-formed, with a place for each mechanism, and names that cannot break it."""

import re
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest
from django.template.loader import render_to_string

from frontend.answers.marks import queue_marks
from frontend.answers.mechanism.picture import MOST_LANES, picture_of
from frontend.answers.throttle_closeup import closeup
from frontend.charts.throttle import throttle_chart
from planner.answers.quick import glance, quick_answer
from planner.presets.files import presets
from simulations.analysis.estimates.summary import PointSummary
from simulations.scenario.spec import ScenarioSpec, parse
from tests.simulations.platforms.samples import scenario_body


def preset(key: str) -> ScenarioSpec:
    return next(item.spec for item in presets() if item.key == key)


def drawn(spec: ScenarioSpec, summary: PointSummary | None) -> tuple[str, ElementTree.Element]:
    """Return the picture's HTML and the same read as XML."""
    answer = SimpleNamespace(picture=picture_of(spec, summary, knobs=True))
    text = render_to_string("frontend/answers/mechanism.html", {"answer": answer})
    return text, ElementTree.fromstring(text)  # noqa: S314 - our own text


@pytest.mark.parametrize("key", [item.key for item in presets()])
def test_every_preset_is_drawn_with_and_without_an_answer(key: str) -> None:
    spec = preset(key)
    before, _ = drawn(spec, None)
    after, tree = drawn(spec, glance(spec).summary)
    assert "The numbers come with the simulation." in before
    assert "ottleneck" in after
    assert not re.search(r"\bstyle=", after)
    shares = [float(bar.get("width", "").rstrip("%")) for bar in tree.iter("rect") if bar.get("rx") == "3"]
    assert shares
    assert all(0 <= share <= 100 for share in shares)


def test_a_name_cannot_end_the_picture_and_urgent_messages_are_told() -> None:
    body: dict[str, Any] = preset("surge-backlog").body()
    body["servers"][0]["name"] = body["queues"][0]["server"] = "<b>&\"'</svg>"
    body["queues"][0]["settings"]["urgent_share"] = 0.1
    text, tree = drawn(parse({**body, "sweep": []}), None)
    assert "<b>&" not in text
    assert "Threads of <b>&\"'</svg>" in "".join(tree.itertext())
    assert "10 % urgent" in "".join(tree.itertext())


def test_the_threads_of_the_bottleneck_are_marked_and_named() -> None:
    spec = preset("saturated")
    picture = picture_of(spec, glance(spec).summary)
    assert picture.sentence.startswith("Bottleneck: the limit before the threads; 2")
    marked = [station.kind for lane in picture.lanes for station in lane.stations() if station.bottleneck]
    assert marked == ["limit"]


def test_of_many_queues_those_that_wait_longest_are_drawn() -> None:
    body = preset("surge-backlog").body()
    queue = body["queues"][0]
    body["queues"] = [{**queue, "name": f"queue {number}"} for number in range(MOST_LANES + 3)]
    picture = picture_of(parse({**body, "sweep": [], "objectives": []}), None)
    assert (len(picture.lanes), picture.left_out) == (MOST_LANES, 3)


def test_threads_beside_the_pool_have_the_cpus_of_its_server_and_none_of_its_idle_threads() -> None:
    body = scenario_body("weblogic", queue={"destination": "foreign", "transactional": False})
    body["queues"][0]["arrivals"] = {"kind": "poisson", "rate": 78}
    spec = parse(body)
    picture = picture_of(spec, glance(spec).summary)
    (lane,) = picture.lanes
    assert lane.server == spec.servers[0].name
    assert {name for name in lane.metrics if name.startswith(("threads.", "cpu."))} == {
        "threads.busy",
        "cpu.utilisation",
    }
    assert picture.sentence.startswith("Bottleneck: the ")
    assert "16 " in picture.sentence


def test_the_queue_of_the_charts_is_drawn_first_however_short_it_waits() -> None:
    body = preset("surge-backlog").body()
    queue = body["queues"][0]
    rates = [{"kind": "poisson", "rate": 1.0 + number} for number in range(MOST_LANES + 3)]
    body["queues"] = [{**queue, "name": f"queue {at}", "arrivals": rate} for at, rate in enumerate(rates)]
    spec = parse({**body, "sweep": [], "objectives": [{"metric": "latency.p95", "queue": "queue 6", "at_most": 1.0}]})
    summary = glance(spec).summary
    for name in ("queue 0", "queue 3"):
        lanes = [lane.stream.name for lane in picture_of(spec, summary, queue=name).lanes]
        assert lanes[:2] == [name, "queue 6"]
        assert len(lanes) == MOST_LANES


def test_the_bottleneck_is_where_messages_wait_and_sessions_are_no_throttle() -> None:
    """Two activation specifications share 15 threads: bookings waits, mail does not, though it takes longer."""
    asf = {"mode": "activation_spec", "maximum_server_sessions": 10, "failure_delivery_count": 5}
    body = scenario_body("websphere", queue=asf, instances=2)
    body["servers"][0]["settings"] = {"adapter_pool_maximum": 15}
    arrivals, service = {"kind": "poisson", "rate": 70}, {"kind": "exponential", "mean": 0.25}
    bookings = {**body["queues"][0], "name": "bookings", "arrivals": arrivals, "service": service}
    calm = {"arrivals": {"kind": "poisson", "rate": 20}, "service": {"kind": "exponential", "mean": 0.4}}
    spec = parse({**body, "queues": [bookings, {**bookings, "name": "mail", **calm}]})
    summary = quick_answer(spec).summary
    picture = picture_of(spec, summary)
    assert "bookings" in picture.sentence
    text, _ = drawn(spec, summary)
    assert "WLM queue" not in text
    assert "In a session" in text
    chart = throttle_chart(closeup(spec).throttle["bookings"], queue_marks(spec, "bookings").thresholds)
    assert chart.sentence.startswith("All sessions were in use on at least one member ")
