"""Groups of threads, conversations, connections and the largest throughput of WebSphere."""

import math
from typing import Any

import pytest

from simulations.platforms.websphere import formulas
from simulations.scenario.spec import ScenarioSpec, parse
from tests.simulations.platforms.samples import constant, poisson, scenario_body

NON_ASF: dict[str, Any] = {"mode": "non_asf", "receive_timeout": 100.0}
SPEC = {"mode": "activation_spec"}
BUS = {**SPEC, "provider": "default_messaging"}


def port(server: dict[str, Any] | None = None, **settings: Any) -> ScenarioSpec:
    return parse(scenario_body("websphere", server=server, queue=settings))


@pytest.mark.parametrize(
    ("settings", "kind", "group", "sessions", "talks"),
    [
        ({"maximum_sessions": 7}, "queue", "listener", 7, 8),
        ({"maximum_sessions": 7, "session_pool_maximum": 4}, "queue", "listener", 4, 5),
        ({**NON_ASF, "maximum_sessions": 7}, "queue", "listener", 7, 7),
        ({**NON_ASF, "maximum_sessions": 7}, "topic", "listener", 1, 1),
        ({**SPEC, "maximum_server_sessions": 7, "session_pool_maximum": 4}, "queue", "adapter", 7, 8),
        ({**BUS, "maximum_concurrent_endpoints": 7}, "queue", "endpoints", 7, 0),
        ({**BUS, "maximum_concurrent_endpoints": 7, "mdb_pool_maximum": 4}, "queue", "endpoints", 4, 0),
    ],
)
def test_whose_threads_work_and_how_many_sessions_there_are(
    settings: dict[str, Any], kind: str, group: str, sessions: int, talks: int
) -> None:
    spec = parse(scenario_body("websphere", queue=settings, kind=kind))
    queue = spec.queues[0]
    assert formulas.group_of(queue) == group
    assert (formulas.sessions(queue), formulas.conversations(queue)) == (sessions, talks)
    assert formulas.groups(spec.system, spec.servers[0]) == (group,)


@pytest.mark.parametrize(
    ("server", "settings", "missing", "threads"),
    [
        ({"listener_pool_maximum": 5}, {"maximum_sessions": 7}, 2, 5),
        ({"listener_pool_maximum": 5, "listener_pool_growable": True}, {"maximum_sessions": 7}, 0, 7),
        ({"adapter_pool_maximum": 5}, {**SPEC, "maximum_server_sessions": 7}, 2, 5),
        ({}, {**BUS, "maximum_concurrent_endpoints": 70}, 0, 70),
    ],
)
def test_sessions_without_a_thread_carry_nothing(
    server: dict[str, Any], settings: dict[str, Any], missing: int, threads: int
) -> None:
    spec = port(server, **settings)
    one, queue = spec.servers[0], spec.queues[0]
    group = formulas.group_of(queue)
    assert formulas.shortage(spec.system, one, group) == missing
    assert formulas.group_threads(spec.system, one, group) == threads
    assert formulas.carried(spec.system, queue) == pytest.approx(threads / 0.2)


def test_the_last_scheduled_message_waits_for_the_missing_threads() -> None:
    spec = port({"adapter_pool_maximum": 5}, **SPEC, maximum_server_sessions=7)
    assert formulas.start_wait(spec.system, spec.servers[0], spec.queues[0]) == pytest.approx(2 * 0.2 / 5)
    spec = port({"listener_pool_maximum": 5}, maximum_sessions=7)
    assert formulas.start_wait(spec.system, spec.servers[0], spec.queues[0]) == 0


def test_handles_beyond_the_threshold_are_spare() -> None:
    spec = port({"pooling_threshold": 5}, maximum_sessions=7)
    assert formulas.spare_handles(spec.system, spec.servers[0]) == 3
    spec = port({"pooling_threshold": 8}, maximum_sessions=7)
    assert formulas.spare_handles(spec.system, spec.servers[0]) == 0


def test_members_share_the_messages_of_a_queue_and_each_gets_those_of_a_topic() -> None:
    changes: dict[str, Any] = {"instances": 4, "arrivals": poisson(8.0), "service": constant(0.1)}
    queue = parse(scenario_body("websphere", queue={"maximum_sessions": 2}, **changes))
    topic = parse(scenario_body("websphere", queue={"maximum_sessions": 2}, kind="topic", **changes))
    assert formulas.rate_per_session(queue.system, queue.queues[0]) == 1
    assert formulas.rate_per_session(topic.system, topic.queues[0]) == 4
    assert formulas.carried(queue.system, queue.queues[0]) == pytest.approx(4 * 2 / 0.1)


def test_idle_sessions_of_all_members_begin_empty_transactions() -> None:
    body = scenario_body("websphere", queue={**NON_ASF, "maximum_sessions": 5}, instances=2)
    spec = parse(body)
    assert formulas.empty_transactions(spec.system, spec.servers[0], spec.queues[0]) == pytest.approx(2 * 5 / 100)
    assert formulas.empty_transactions(port().system, port().servers[0], port().queues[0]) == 0


def test_messages_that_do_not_suit_cost_throughput_and_age() -> None:
    """0.2 s of service; 4 messages of 25 ms each are passed over, 0.1 s on average."""
    plain = parse(scenario_body("websphere", queue=NON_ASF, service=constant(0.2)))
    spec = parse(
        scenario_body(
            "websphere", queue={**NON_ASF, "unsuitable_messages": 4, "selection_time": 0.025}, service=constant(0.2)
        )
    )
    assert formulas.session_time(spec.queues[0]) == pytest.approx(0.3)
    assert formulas.carried(plain.system, plain.queues[0]) == pytest.approx(5.0)
    assert formulas.carried(spec.system, spec.queues[0]) == pytest.approx(1 / 0.3)
    assert formulas.slowest_service(plain.queues[0]) == 0.2
    slow = formulas.slowest_service(spec.queues[0]) - 0.2
    assert 0.8 * math.exp(-slow / 0.125) == pytest.approx(0.001), "one search in a thousand takes longer"
    assert formulas.rollback_share(spec.system, spec.queues[0]) is None
    assert formulas.rollback_share(plain.system, plain.queues[0]) is not None


def test_a_slow_search_that_hardly_ever_happens_adds_nothing() -> None:
    rare = {**NON_ASF, "unsuitable_messages": 0.0005, "selection_time": 9.0}
    queue = parse(scenario_body("websphere", queue=rare, service=constant(0.2))).queues[0]
    assert formulas.slowest_service(queue) == 0.2
