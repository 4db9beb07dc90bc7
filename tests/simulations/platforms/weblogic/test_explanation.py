"""What a simulated point of WebLogic says about its beans and other work."""

from dataclasses import replace
from typing import Any

import pytest

from simulations.analysis.estimates.summary import Estimate
from simulations.platforms.weblogic import WEBLOGIC
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import bean, empty_summary, managers, poisson, scenario_body


def test_what_other_work_gets_done_is_said() -> None:
    """Job J7: threads that the bean reserves are taken from the HTTP requests beside it."""
    http = {"name": "http", "arrivals": {"kind": "saturated"}, "service": {"kind": "exponential", "mean": "100ms"}}
    body = scenario_body("weblogic", server=managers(fair_share=80))
    spec = parse({**body, "servers": [{**body["servers"][0], "background": [http]}]})
    summary = replace(empty_summary(), queues={"http": {"throughput": Estimate(149.52, 148.3, 151.1, "/s")}})
    assert [claim.sentence for claim in WEBLOGIC.explain(spec.system, summary)][-1] == (
        "Meanwhile http completes 149.5 ± 1.6/s."
    )
    assert not any("http" in claim.sentence for claim in WEBLOGIC.explain(spec.system, empty_summary()))


@pytest.mark.parametrize("most", [16, {"name": "few", "kind": "max_threads", "count": 16}], ids=["own", "shared"])
def test_a_max_constraint_below_the_pool_of_beans_is_said(most: Any) -> None:
    """Job J12: a pull request lowers max-threads to 16."""
    shared = [most] if isinstance(most, dict) else []
    server = managers(max_threads="few" if shared else most) | {"constraints": shared}
    spec = bean(server=server, work_manager="work", max_beans_in_free_pool=100)
    waits = {"latency.mean": Estimate(0.3, 0.3, 0.3, "s"), "wait.prepared": Estimate(0.1, 0.1, 0.1, "s")}
    waits["threads.busy"] = Estimate(15.0, 14.0, 16.0, "threads")
    (claim,) = WEBLOGIC.explain(spec.system, empty_summary(queues={"orders": waits}))
    assert claim.sentence == (
        "At most 16 of 100 instances run at once, on average 15.0 ± 1.0: "
        "max-threads-constraint 16 of work manager 'work'."
    )


def test_a_max_constraint_that_others_use_too_is_said_to_be_shared() -> None:
    spec = bean(server=managers(max_threads=16), work_manager="work", max_beans_in_free_pool=100)
    body = spec.body()
    body["queues"].append({**body["queues"][0], "name": "batch"})
    waits = {"latency.mean": Estimate(0.3, 0.3, 0.3, "s"), "wait.prepared": Estimate(0.1, 0.1, 0.1, "s")}
    waits["threads.busy"] = Estimate(6.0, 5.9, 6.1, "threads")
    (claim,) = WEBLOGIC.explain(parse(body).system, empty_summary(queues={"orders": waits}))
    assert claim.sentence.endswith("max-threads-constraint 16 of work manager 'work', shared with batch.")


@pytest.mark.parametrize(
    ("settings", "running", "backlog", "claim", "words"),
    [
        (
            {"thread_pool_maximum": 24},
            [12, 16, 8],
            [90, 9, 9],
            "pool",
            "all 24 threads of the pool are taken; on average 9.0 ± 1.0 are busy",
        ),
        ({"thread_pool_maximum": 24}, [8, 16, 8], [90, 200, 9], "max_threads", "max-threads-constraint 16"),
        (
            {"thread_growth": "history"},
            [9, 16, 15],
            [90, 9, 9],
            "pool",
            "which grows by its history, has no thread free; on average 9.0",
        ),
        ({"thread_growth": "history"}, [9, 16, 15], [9, 90, 9], "max_threads", "max-threads-constraint 16"),
    ],
)
def test_the_pool_of_threads_is_named_where_most_messages_wait_for_it(
    settings: dict[str, Any], running: list[float | None], backlog: list[float | None], claim: str, words: str
) -> None:
    """Where the pool is small, another bean has 12, 4 and 4 of its threads."""
    body = bean(server=managers(max_threads=16) | settings, work_manager="work").body()
    body["queues"].append({**body["queues"][0], "name": "batch", "settings": {}})
    waits = {"latency.mean": Estimate(0.3, 0.3, 0.3, "s"), "wait.destination": Estimate(0.1, 0.1, 0.1, "s")}
    waits["threads.busy"] = Estimate(9.0, 8.0, 10.0, "threads")
    others: list[float | None] = [0.0] * 3 if "thread_growth" in settings else [12.0, 4.0, 4.0]
    course: dict[str, dict[str, list[float | None]]] = {"batch": {"running": others}}
    course["orders"] = {"running": running, "backlog": backlog, "prepared": [None] * 3}
    summary = replace(empty_summary(queues={"orders": waits}), timeline=course)
    found = {item.id: item.sentence for item in WEBLOGIC.explain(parse(body).system, summary)}
    assert list(found) == [f"orders.{claim}"]
    assert words in found[f"orders.{claim}"]


@pytest.mark.parametrize(
    ("server", "settings"),
    [
        (managers(max_threads=16), {"max_beans_in_free_pool": 16}),
        (managers(max_threads=16), {"max_beans_in_free_pool": 10}),
        (managers(max_threads=16) | {"thread_pool_maximum": 12}, {"max_beans_in_free_pool": 100}),
        (managers(max_threads=16), {"max_beans_in_free_pool": 100, "execute_queue_size": 40}),
        (managers(max_threads=16) | {"self_tuning": False}, {"max_beans_in_free_pool": 100}),
    ],
)
def test_a_max_constraint_that_keeps_nothing_back_is_not_blamed(server: Any, settings: Any) -> None:
    summary, system = empty_summary(growth={"orders": 3.0}), bean(server=server, work_manager="work", **settings).system
    assert not [claim for claim in WEBLOGIC.explain(system, summary) if claim.id == "orders.max_threads"]


@pytest.mark.parametrize(
    ("capacity", "quota", "who"),
    [
        (150, -1, "by the capacity 150 of work manager 'work'"),
        (None, 10, "for want of room within the send timeout"),
        (150, 10, "by the capacity 150 of work manager 'work' or for want of room within the send timeout"),
    ],
)
def test_who_refuses_messages_is_named(capacity: int | None, quota: int, who: str) -> None:
    limits = {"capacity": capacity} if capacity else {}
    spec = bean(server=managers(max_threads=16, **limits), work_manager="work", messages_quota=quota)
    summary = empty_summary(queues={"orders": {"rejected": Estimate(1500, 1500, 1500, "messages")}})
    assert f"1500 messages per replication were refused {who}." in [
        claim.sentence.replace(",", "") for claim in WEBLOGIC.explain(spec.system, summary)
    ]


def test_a_limit_of_each_member_is_not_compared_with_the_mean_of_all() -> None:
    spec = bean(server=managers(max_threads=16), instances=3, work_manager="work", max_beans_in_free_pool=100)
    waits = {"latency.mean": Estimate(0.3, 0.3, 0.3, "s"), "wait.prepared": Estimate(0.1, 0.1, 0.1, "s")}
    waits["threads.busy"] = Estimate(34.0, 31.0, 37.0, "threads")
    (claim,) = WEBLOGIC.explain(spec.system, empty_summary(queues={"orders": waits}))
    assert "run at once on each of 3 members, on average 34.0 ± 3.0 in all: " in claim.sentence


@pytest.mark.parametrize(("rate", "slowed"), [(15.0, True), (17.0, False)])
def test_flow_control_that_lets_less_in_than_is_carried_is_named(rate: float, slowed: bool) -> None:  # noqa: FBT001
    settings = {"messages_threshold_high": 60, "messages_threshold_low": 30, "work_manager": "work"}
    body = scenario_body("weblogic", server=managers(max_threads=16), queue=settings, arrivals=poisson(rate))
    body["queues"][0]["service"] = {"kind": "exponential", "mean": 1.0}
    limited = {"producer.limited_fraction": Estimate(0.86, 0.6, 1.0, "1")}
    summary = empty_summary(status="unstable", growth={"orders": 1.7}, queues={"orders": limited})
    told = [claim.sentence for claim in WEBLOGIC.explain(parse(body).system, summary)]
    assert any(sentence.startswith("Flow control limits the producers 86 ") for sentence in told) is slowed
