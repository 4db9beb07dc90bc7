"""Windows, redeliveries and quotas as the engine gets them."""

from typing import Any

import pytest

from simulations.engine.network.model import Exhausted, LimitBehaviour, Quota, Redelivery, Transaction, Window
from simulations.engine.network.results import Count
from simulations.engine.replicate import replicate
from simulations.platforms.openmq import OPENMQ
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import formula_value, mdb, scenario_body


@pytest.mark.parametrize(("attempts", "count"), [(6, 7), (1, 2), (0, 1)])
def test_invocations_before_the_dead_message_queue(attempts: int, count: int) -> None:
    """Fact list, example 46."""
    spec = mdb(redelivery_attempts=attempts)
    assert formula_value(OPENMQ.derive(spec.system), "invocations") == count
    redelivery = spec.network().streams[0].redelivery
    assert (redelivery.limit, redelivery.delay, redelivery.in_place) == (count, 0.5, True)


def test_the_window_is_the_consumers_and_the_connection_bounds_it_where_it_is_enabled() -> None:
    (stream,) = mdb(consumer_flow_limit=64, consumer_flow_threshold=25.0, round_trip=0.1).network().streams
    assert (stream.concurrency, stream.window) == (32, Window(64, 16, 0.1, 0, 100))
    server = {"connection_flow_limit_enabled": True, "connection_flow_limit": 50, "connection_flow_count": 0}
    (stream,) = mdb(server=server, prefetch=False).network().streams
    assert stream.window == Window(1, 0, 0.005, 50, 0)


def test_what_is_consumed_together_makes_room_together() -> None:
    """One bean, a window of 8 with a threshold of 4: 4 more are granted when 4 are left, or 8 when 8 are committed."""
    grants = []
    for together in (1, 8):
        given = {"consumer_flow_limit": 8, "round_trip": 0.0, "bean_pool_maximum": 1, "messages_per_commit": together}
        spec = parse(scenario_body("openmq", queue=given, arrivals={"kind": "surge", "count": 400}))
        counts = replicate(spec.network(), seed=1, replication=0).counts.sum(axis=0)[0]
        grants.append(counts[Count.GRANTED] / counts[Count.TOPUPS])
        assert counts[Count.COMPLETED] == 400
    assert grants == [4.0, 8.0]


def test_what_waits_for_its_commit_has_no_closed_form_and_is_compared_with_the_threshold() -> None:
    spec = mdb(messages_per_commit=20)
    assert spec.network().streams[0].transaction == Transaction(20)
    assert mdb().network().streams[0].transaction is None
    derivation = OPENMQ.derive(spec.system)
    assert not {"mean_concurrency_saturated", "carried_rate"} & {item.name for item in derivation.values}
    (finding,) = (item for item in derivation.findings if item.rule == "openmq.threshold-covers-pool")
    assert (finding.status, dict(finding.fix)["queues.orders.settings.consumer_flow_limit"]) == ("violated", 1280)
    assert "32 beans can hold 640 messages" in finding.message


def test_rollbacks_come_back_at_once_and_end_only_with_a_limit() -> None:
    (stream,) = mdb(failure_mode="rollback", max_consecutive_rollbacks=4).network().streams
    assert stream.redelivery == Redelivery(limit=4, exhausted=Exhausted.DEAD_LETTER)


@pytest.mark.parametrize(
    ("settings", "server", "quota"),
    [
        ({}, {}, None),
        ({"max_num_msgs": 500}, {}, Quota(500, 0.0, LimitBehaviour.REJECT_NEWEST)),
        (
            {"max_num_msgs": 500, "limit_behavior": "FLOW_CONTROL"},
            {},
            Quota(500, 0.0, LimitBehaviour.FLOW_CONTROL, producer_batch=5),
        ),
        (
            {"max_total_msg_bytes": 1e6, "max_num_producers": 40, "limit_behavior": "FLOW_CONTROL"},
            {},
            Quota(0, 1e6, LimitBehaviour.FLOW_CONTROL, producer_batch=1000, producer_bytes=25_000.0),
        ),
        (
            {"max_num_msgs": 500, "limit_behavior": "FLOW_CONTROL"},
            {"broker_max_count": 499},
            Quota(499, 0.0, LimitBehaviour.REJECT_NEWEST),
        ),
        (
            {"max_total_msg_bytes": 1e6, "limit_behavior": "REMOVE_OLDEST"},
            {"broker_max_size": 1e6},
            Quota(0, 1e6, LimitBehaviour.REMOVE_OLDEST),
        ),
    ],
)
def test_the_lower_limit_of_destination_and_broker_decides(
    settings: dict[str, Any], server: dict[str, Any], quota: Quota | None
) -> None:
    assert mdb(server=server, **settings).network().streams[0].quota == quota
