"""The WebLogic family: the concurrency table, shares, batches, who polls, and what is refused or has no effect."""

from dataclasses import replace
from typing import Any

import pytest

from simulations.analysis.estimates.summary import Estimate
from simulations.declarations.problems import InvalidInput
from simulations.engine.network.model import Dispatch, PollerKind, PoolGrowth
from simulations.experiment import with_overrides
from simulations.platforms.weblogic import WEBLOGIC
from simulations.platforms.weblogic.formulas import concurrency
from simulations.scenario.spec import ScenarioSpec, parse
from tests.simulations.platforms.samples import bean, empty_summary, managers, scenario_body

MANAGER = "work_manager"


def parallel(spec: ScenarioSpec) -> tuple[int, int]:
    found = concurrency(spec.servers[0], spec.queues[0])
    return found.minimum, found.maximum


@pytest.mark.parametrize(("beans", "most"), [(1000, 16), (8, 8), (100, 16)])
def test_without_a_max_constraint_at_most_16_run(beans: int, most: int) -> None:
    """Fact list, example 18."""
    assert parallel(bean(max_beans_in_free_pool=beans)) == (0, most)


@pytest.mark.parametrize("values", [{"fair_share": 90}, {"min_threads": 20}, {"response_time_goal": 2.0}])
def test_shares_goals_and_min_constraints_keep_16(values: dict[str, Any]) -> None:
    """Fact list, example 19."""
    spec = bean(server=managers(**values), work_manager="work")
    assert parallel(spec)[1] == 16
    findings = {item.rule: item.status for item in WEBLOGIC.derive(spec.system).findings}
    assert findings["weblogic.fair-share-keeps-16"] == "violated"


@pytest.mark.parametrize(
    ("values", "beans", "expected"),
    [
        ({"max_threads": 50}, 1000, (0, 50)),
        ({"max_threads": 50}, 30, (0, 30)),
        ({"min_threads": 10, "max_threads": 50}, 1000, (10, 50)),
    ],
)
def test_a_max_constraint_lifts_the_limit(values: dict[str, Any], beans: int, expected: tuple[int, int]) -> None:
    """Fact list, example 20."""
    assert parallel(bean(server=managers(**values), work_manager="work", max_beans_in_free_pool=beans)) == expected


@pytest.mark.parametrize(
    ("server", "settings", "most"),
    [
        ({}, {"execute_queue_size": 40}, 40),
        ({"self_tuning": False, "default_thread_pool_size": 15}, {}, 8),
        ({"self_tuning": False, "default_thread_pool_size": 31}, {}, 16),
    ],
)
def test_execute_queues_and_the_pool_of_release_8(server: dict[str, Any], settings: dict[str, Any], most: int) -> None:
    """Fact list, example 21: integer division."""
    assert parallel(bean(server=server, **settings))[1] == most


def test_a_transactional_compatibility_topic_has_one_instance() -> None:
    """Fact list, example 22."""
    spec = bean("topic", max_beans_in_free_pool=100)
    assert parallel(spec)[1] == 1
    findings = {item.rule: item.status for item in WEBLOGIC.derive(spec.system).findings}
    assert findings["weblogic.compatibility-topic"] == "ignored"


def test_two_managers_share_one_constraint() -> None:
    """Fact list, example 23: five threads together on each of four servers."""
    server = {
        "constraints": [{"name": "five", "kind": "max_threads", "count": 5}],
        "work_managers": [{"name": "a", "max_threads": "five"}, {"name": "b", "max_threads": "five"}],
    }
    body = scenario_body("weblogic", server=server, queue={"work_manager": "a"}, instances=4)
    body["queues"].append({**body["queues"][0], "name": "second", "settings": {"work_manager": "b"}})
    spec = parse(body)
    network = spec.network()
    assert [constraint.maximum for constraint in network.pools[0].constraints] == [5]
    assert network.streams[0].constraint == network.streams[1].constraint == (0,)
    assert WEBLOGIC.derive(spec.system).value("constraint.five") == 20
    findings = {item.rule: item.status for item in WEBLOGIC.derive(spec.system).findings}
    assert findings["weblogic.shared-constraint"] == "violated"


def test_fair_shares_are_relative_weights() -> None:
    """Fact list, example 24."""
    body = scenario_body(
        "weblogic", server={"work_managers": [{"name": str(s), "fair_share": s} for s in (10, 20, 50)]}
    )
    first = body["queues"][0]
    body["queues"] = [{**first, "name": f"q{s}", "settings": {"work_manager": str(s)}} for s in (10, 20, 50)]
    spec = parse(body)
    derivation = WEBLOGIC.derive(spec.system)
    assert [derivation.value(f"share.{s}") for s in (10, 20, 50)] == [0.125, 0.25, 0.625]
    assert [stream.weight for stream in spec.network().streams] == [10.0, 20.0, 50.0]


def test_a_burst_behind_the_limit_of_16() -> None:
    """Job J6."""
    assert WEBLOGIC.quick
    question = {
        "platform": "weblogic",
        "max_beans_in_free_pool": 100,
        "burst": 400,
        "on_message": "200ms",
        "target": "2s",
    }
    answer = WEBLOGIC.quick({**question, "downstream_limit": 25})
    assert answer["max_concurrency"] == 16
    assert answer["drain_time_s"] == pytest.approx(5.0)
    assert (answer["threads_for_target"], answer["useful_maximum"]) == (40, 25)
    assert answer["useful_drain_time_s"] == pytest.approx(3.2)
    assert WEBLOGIC.quick({**question, "target": "100ms"})["threads_for_target"] is None


def test_batches_and_their_ceiling() -> None:
    """Job J8: b / (20 + 5 b) per thread, and fact list, example 28."""
    for size, ceiling in ((1, 40.0), (2, 66.7), (5, 111.1), (10, 142.9)):
        body = scenario_body("weblogic", queue={"max_messages_in_transaction": size, "commit_time": 0.02})
        body["queues"][0]["service"] = {"kind": "constant", "mean": 0.005}
        assert WEBLOGIC.derive(parse(body).system).value("thread_capacity") == pytest.approx(ceiling, abs=0.05)
    body = scenario_body("weblogic", queue={"max_messages_in_transaction": 5})
    body["queues"][0]["service"] = {"kind": "constant", "mean": 7.0}
    findings = {item.rule: item.status for item in WEBLOGIC.derive(parse(body).system).findings}
    assert findings["weblogic.batch-fits-timeout"] == "violated"


def test_messages_held_behind_instances() -> None:
    """Fact list, example 29: 15 instances of 10 messages."""
    assert WEBLOGIC.derive(bean(max_beans_in_free_pool=15).system).value("pipeline") == 150
    assert bean().network().streams[0].pipeline == 10


@pytest.mark.parametrize(
    ("kind", "settings", "poller"),
    [
        ("queue", {}, None),
        ("queue", {"transactional": False, "max_messages_in_transaction": 5}, None),
        ("queue", {"max_messages_in_transaction": 5}, PollerKind.TOKEN),
        ("queue", {"destination": "foreign"}, PollerKind.TOKEN),
        ("queue", {"destination": "foreign", "use_81_style_polling": True}, PollerKind.LEGACY),
        ("topic", {"destination": "foreign"}, PollerKind.EAGER),
        ("topic", {"max_messages_in_transaction": 5}, PollerKind.EAGER),
        (
            "topic",
            {"max_messages_in_transaction": 5, "topic_messages_distribution_mode": "One-Copy-Per-Server"},
            PollerKind.TOKEN,
        ),
    ],
)
def test_who_polls_for_messages(kind: str, settings: dict[str, Any], poller: PollerKind | None) -> None:
    found = bean(kind, **settings).network().streams[0].poller
    assert (None if found is None else found.kind) == poller


def test_share_rule_and_growth_reach_the_engine() -> None:
    pool = bean(server={"share_rule": "next_thread", "thread_growth": "history"}).network().pools[0]
    assert (pool.dispatch, pool.growth) == (Dispatch.NEXT_THREAD, PoolGrowth.HISTORY)


@pytest.mark.parametrize(
    "server",
    [
        {"work_managers": [{"name": "a", "fair_share": 5, "response_time_goal": 1.0}]},
        {"work_managers": [{"name": "a", "max_threads": "nobody"}]},
        {"work_managers": [{"name": "a"}, {"name": "a"}]},
        {"thread_pool_minimum": 9, "thread_pool_maximum": 3},
    ],
)
def test_impossible_work_managers_are_refused(server: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        bean(server=server)


def test_every_row_of_settings_without_effect() -> None:
    """Ignored settings say so."""
    cases: list[tuple[str, dict[str, Any]]] = [
        ("batching-needs-transaction", {"transactional": False, "max_messages_in_transaction": 5}),
        ("polling-ignored", {"use_81_style_polling": True}),
        ("distribution-mode-ignored", {"topic_messages_distribution_mode": "One-Copy-Per-Server"}),
        ("flow-control-acts", {}),
        ("send-timeout", {"send_timeout": 1.0}),
        ("one-way-sends", {"one_way_send_mode": "enabled"}),
    ]
    for rule, settings in cases:
        findings = {item.rule: item.status for item in WEBLOGIC.derive(bean(**settings).system).findings}
        assert findings[f"weblogic.{rule}"] == "ignored", rule


@pytest.mark.parametrize(("server", "trust"), [({}, "source"), ({"self_tuning": False}, "unverified")])
def test_the_row_whose_rounding_nobody_confirmed_says_so(server: dict[str, Any], trust: str) -> None:
    values = WEBLOGIC.derive(parse(scenario_body("weblogic", server=server)).system).values
    assert {item.source.trust for item in values if item.name.endswith("_concurrency")} == {trust}


def test_what_other_work_gets_done_is_said() -> None:
    """Job J7: threads that the bean reserves are taken from the HTTP requests beside it."""
    http = {"name": "http", "arrivals": {"kind": "saturated"}, "service": {"kind": "exponential", "mean": "100ms"}}
    body = scenario_body("weblogic", server=managers(fair_share=80))
    spec = parse({**body, "servers": [{**body["servers"][0], "background": [http]}]})
    summary = replace(empty_summary(), queues={"http": {"throughput": Estimate(149.52, 148.3, 151.1, "/s")}})
    assert [claim.sentence for claim in WEBLOGIC.explain(spec.system, summary)][-1] == (
        "Beside it http gets 149.5 ± 1.6/s done."
    )
    assert not any("http" in claim.sentence for claim in WEBLOGIC.explain(spec.system, empty_summary()))


@pytest.mark.parametrize("most", [16, {"name": "few", "kind": "max_threads", "count": 16}], ids=["own", "shared"])
def test_a_max_constraint_below_the_pool_of_beans_is_said(most: Any) -> None:
    """Job J12: a pull request lowers max-threads to 16."""
    shared = [most] if isinstance(most, dict) else []
    server = managers(max_threads="few" if shared else most) | {"constraints": shared}
    spec = bean(server=server, work_manager="work", max_beans_in_free_pool=100)
    waits = {"latency.mean": Estimate(0.3, 0.3, 0.3, "s"), "wait.prepared": Estimate(0.1, 0.1, 0.1, "s")}
    (claim,) = WEBLOGIC.explain(spec.system, empty_summary(queues={"orders": waits}))
    assert claim.sentence.startswith(
        "16 of 100 instances run at once: max-threads-constraint 16 of work manager 'work'"
    )
    assert parallel(with_overrides(spec, claim.proof)) == (0, 100)


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


def test_sizes_and_rates_are_read_with_units() -> None:
    settings = (
        bean(bytes_quota="10MB", bytes_threshold_high="2.3kB", bytes_threshold_low="1KiB", flow_maximum="30000/min")
        .queues[0]
        .settings.model_dump()
    )
    found = [settings[f"bytes_{name}"] for name in ("quota", "threshold_high", "threshold_low")]
    assert ([repr(value) for value in found], settings["flow_maximum"]) == (["10000000", "2300", "1024"], 500)
    for name, text in (("bytes_quota", "10MB/s"), ("flow_maximum", "90/min"), ("flow_minimum", "0/s")):
        wrong: dict[str, Any] = {name: text}
        with pytest.raises(InvalidInput):
            bean(**wrong)
