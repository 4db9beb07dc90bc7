"""The bottleneck is what the numbers say, for each platform."""

from dataclasses import replace

import pytest

from frontend.answers.mechanism.picture import bottleneck_of, picture_of, share_text
from planner.answers.quick import quick_answer
from simulations.analysis.estimates.summary import Estimate
from simulations.scenario.spec import parse
from tests.frontend.answers.mechanism.test_lane import lane
from tests.scenarios import listener_port


@pytest.mark.parametrize(
    ("key", "kind", "words"),
    [
        ("saturated", "limit", "the limit before the threads"),
        ("flow-limit", "limit", "the limit before the threads"),
        ("balance", "limit", "the flow window, which gives one of 2 members"),
        ("limit-of-16", "threads", "the 16 threads for orders, "),
        ("bursts", "threads", "the 20 threads of portal, all busy, "),
    ],
)
def test_it_is_where_messages_are_held_up(key: str, kind: str, words: str) -> None:
    found = bottleneck_of(lane(key))
    assert found is not None
    assert found[0] == kind
    assert words in found[1]


def test_there_may_be_none() -> None:
    assert bottleneck_of(lane("non-asf")) is None


def test_a_queue_whose_listener_stops_is_held_up_by_it() -> None:
    poisoned = {"poison_rate": 0.05, "maximum_retries": 2}
    spec = parse(listener_port("Poison", settings=poisoned, run={"horizon": {"messages": 1000}}))
    sentence = picture_of(spec, quick_answer(spec, events=20_000).summary).sentence
    assert (
        sentence == "Bottleneck: the listener of orders, which stops after failed deliveries, while messages pile up."
    )


def test_messages_that_pile_up_are_never_called_held_up_by_nothing() -> None:
    spec = parse(listener_port("Growth"))
    summary = quick_answer(spec, events=20_000).summary
    growth = {"backlog.growth": Estimate(3.0, 2.0, 4.0, "/s"), "throughput": summary.metrics["throughput"]}
    assert picture_of(spec, replace(summary, queues={"orders": growth})).sentence == "Messages of orders pile up."


def test_full_cpus_come_first() -> None:
    full = {**lane("saturated").metrics, "cpu.utilisation": Estimate(0.97, 0.96, 0.98, "1")}
    assert bottleneck_of(replace(lane("saturated"), metrics=full)) == (
        "cpu",
        "the CPUs of payments-full, 97.0 ± 1.0 % of them in use",
    )


def test_a_share_has_the_interval_of_its_number() -> None:
    half = {**lane("saturated").metrics, "threads.busy": Estimate(9.0, 8.1, 9.9, "threads")}
    assert share_text(replace(lane("saturated"), metrics=half), "threads.busy", 18) == "50.0 ± 5.0 %"
    assert share_text(replace(lane("saturated"), metrics={}), "threads.busy", 18) == "–"


def test_the_threads_that_idle_are_those_of_the_server_also_where_a_queue_may_use_half_of_them() -> None:
    one = lane("saturated")
    half = replace(one, stream=replace(one.stream, concurrency=one.pool.threads // 2))
    found = bottleneck_of(half)
    assert found == bottleneck_of(one)
    assert found is not None
    share = float(found[1].split("; ")[1].split(" ")[0])
    assert 0 < share <= 100
