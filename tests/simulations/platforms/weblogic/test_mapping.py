"""Work managers, pollers and pools as the engine gets them."""

from typing import Any

import pytest

from simulations.engine.network.model import Dispatch, PollerKind, PoolGrowth
from simulations.engine.network.results import Count, Sum
from simulations.engine.replicate import replicate
from simulations.platforms.weblogic import WEBLOGIC
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import bean, formula_value, scenario_body


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
    assert formula_value(WEBLOGIC.derive(spec.system), "constraint.five") == 20
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
    assert [formula_value(derivation, f"share.{s}") for s in (10, 20, 50)] == [0.125, 0.25, 0.625]
    assert [stream.weight for stream in spec.network().streams] == [10.0, 20.0, 50.0]


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


@pytest.mark.parametrize(
    ("kind", "settings", "threads"),
    [
        ("queue", {"destination": "foreign", "transactional": False}, 16),
        ("topic", {"destination": "foreign", "transactional": False, "max_beans_in_free_pool": 3}, 3),
        ("topic", {"destination": "foreign"}, 1),
        ("topic", {"max_messages_in_transaction": 5}, 1),
        ("queue", {"execute_queue_size": 20}, 20),
        ("queue", {"execute_queue_size": 20, "max_beans_in_free_pool": 5}, 5),
        ("queue", {"execute_queue_size": 20, "max_messages_in_transaction": 5}, 20),
        ("topic", {"execute_queue_size": 20}, 1),
        ("queue", {"destination": "foreign"}, 0),
        ("queue", {"transactional": False}, 0),
    ],
)
def test_who_has_threads_beside_the_pool(kind: str, settings: dict[str, Any], threads: int) -> None:
    spec = bean(kind, **settings)
    network = spec.network()
    assert [pool.threads for pool in network.pools[1:]] == [threads] * (threads > 0)
    assert network.machine(network.streams[0].pool) == 0
    answers = WEBLOGIC.derive(spec.system).values
    assert sum(item.value for item in answers if item.name == "own_threads") == threads


@pytest.mark.parametrize(
    ("kind", "settings", "share"),
    [
        ("topic", {"destination": "foreign", "transactional": False}, 0.3),
        ("topic", {"destination": "foreign", "transactional": False, "max_beans_in_free_pool": 1}, 0.0),
        ("topic", {"destination": "foreign"}, 0.0),
        ("topic", {"transactional": False}, 0.0),
        ("queue", {"destination": "foreign", "transactional": False}, 0.0),
    ],
)
def test_where_a_failure_may_be_acknowledged(kind: str, settings: dict[str, Any], share: float) -> None:
    assert bean(kind, acknowledged_failures=0.3, **settings).network().streams[0].loss_rate == share


def test_a_full_pool_does_not_delay_beans_on_threads_of_their_provider() -> None:
    """One thread of the pool always works for others; the bean's messages are taken as they come."""
    server = {"thread_pool_maximum": 1, "work_managers": [{"name": "w", "fair_share": 10}]}
    work = {"name": "http", "arrivals": {"kind": "saturated"}, "service": {"kind": "constant", "mean": 5.0}}
    waits = []
    for destination in ("weblogic", "foreign"):
        settings = {"transactional": False, "destination": destination, "work_manager": "w"}
        body = scenario_body("weblogic", server=server, queue=settings, service={"kind": "constant", "mean": 0.05})
        body["servers"][0]["background"] = [work]
        spec = parse(body)
        result = replicate(spec.network(), seed=1, replication=0)
        counts, sums = result.counts.sum(axis=0)[0], result.sums.sum(axis=0)[0]
        waits.append(sums[Sum.LATENCY] / counts[Count.COMPLETED] - 0.05)
        weights = [stream.weight for stream in spec.network().streams]
        assert weights == [10.0 if destination == "weblogic" else 1.0, 50.0]
    assert waits[0] > 5.0
    assert waits[1] == pytest.approx(0.0, abs=1e-3)


def test_share_rule_and_growth_reach_the_engine() -> None:
    pool = bean(server={"share_rule": "next_thread", "thread_growth": "history"}).network().pools[0]
    assert (pool.dispatch, pool.growth) == (Dispatch.NEXT_THREAD, PoolGrowth.HISTORY)


def test_destinations_of_one_jms_server_share_its_thresholds() -> None:
    """Those of the first that states them count; one that producers cannot be slowed at only counts along."""
    marks = {"messages_threshold_high": 900, "messages_threshold_low": 300}
    body = scenario_body("weblogic", queue={"jms_server": "js", **marks, "messages_per_producer": 7})
    first = body["queues"][0]
    others = ({"jms_server": "js", "flow_control_enabled": False}, marks, {"jms_server": "js2"})
    body["queues"] += [{**first, "name": f"q{i}", "settings": settings} for i, settings in enumerate(others)]
    network = parse(body).network()
    assert [(item.messages_high, item.messages_low) for item in network.stores] == [(900, 300)]
    assert [stream.store for stream in network.streams] == [0, 0, None, None]
    shared, counted, own, alone = network.streams
    assert shared.flow
    assert own.flow
    assert (shared.flow.marks.messages_high, shared.flow.messages_per_producer) == (0, 7)
    assert (own.flow.marks.messages_high, own.flow.marks.messages_low) == (900, 300)
    assert (counted.flow, counted.quota is not None) == (None, True)
    assert (alone.flow, alone.quota) == (None, None)
