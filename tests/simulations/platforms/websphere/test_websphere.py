"""The WebSphere family: the transaction-timeout rule of job J4, connections and the listener pool."""

from typing import Any

import pytest

from simulations.declarations.problems import InvalidInput
from simulations.engine.network.model import PollerKind
from simulations.platforms.websphere import WEBSPHERE
from simulations.scenario.spec import ScenarioSpec, parse
from tests.simulations.platforms.samples import scenario_body


def quick(**question: Any) -> dict[str, Any]:
    assert WEBSPHERE.quick
    return dict(WEBSPHERE.quick({"platform": "was", "receive_timeout": "110s", "on_message": "15s", **question}))


def port(*, kind: str = "queue", server: dict[str, Any] | None = None, **settings: Any) -> ScenarioSpec:
    return parse(scenario_body("websphere", server=server, queue=settings, kind=kind))


def test_the_worst_case_of_the_worked_example() -> None:
    """Job J4 and fact list, example 11."""
    answer = quick(transaction_timeout="120s")
    assert answer["violations"][0]["worst_case_s"] == 125
    assert answer["max_receive_timeout_s"] == 105
    assert "125 s > 120 s" in answer["violations"][0]["message"]


@pytest.mark.parametrize(
    ("receive", "service", "status"),
    [(100.0, 15.0, "ok"), (105.0, 15.0, "violated"), (110.0, 10.0, "violated"), (110.0, 15.0, "violated")],
)
def test_the_difference_must_be_greater_than_on_message(receive: float, service: float, status: str) -> None:
    """Fact list, examples 12-14: the documented condition is strict."""
    body = scenario_body("websphere", queue={"mode": "non_asf", "receive_timeout": receive})
    body["queues"][0]["service"] = {"kind": "constant", "mean": service}
    findings = {item.rule: item for item in WEBSPHERE.derive(parse(body).system).findings}
    assert findings["websphere.transaction-timeout"].status == status


def test_a_receive_timeout_as_long_as_the_transaction_is_refused_by_its_own_rule() -> None:
    """Fact list, example 14."""
    findings = WEBSPHERE.derive(port(mode="non_asf", receive_timeout=120.0).system).findings
    assert {item.rule: item.status for item in findings}["websphere.receive-timeout-below-lifetime"] == "violated"


@pytest.mark.parametrize(("rate", "percent"), [("6/h", 4.16), ("1/min", 1.65), ("6/min", 0.001)])
def test_the_exact_rollback_probability(rate: str, percent: float) -> None:
    assert 100 * quick(rate_per_session=rate)["rollback_probability"] == pytest.approx(percent, rel=0.1, abs=0.005)


def test_no_rollback_below_the_bound() -> None:
    assert quick(receive_timeout="104s", rate_per_session="1/min")["rollback_probability"] == 0


def test_a_slow_tail_lowers_the_bound() -> None:
    mean = 25 / 6.907755278982137
    answer = quick(on_message={"kind": "exponential", "mean": mean}, rate_per_session="1/min")
    assert answer["max_receive_timeout_s"] == pytest.approx(95)
    assert 0 < answer["rollback_probability"] < 0.01


@pytest.mark.parametrize(("sharing", "connections"), [(10, 1), (1, 10)])
def test_ten_threads_share_a_connection_since_version_7(sharing: int, connections: int) -> None:
    answer = quick(sessions=10, sharing_conversations=sharing)
    assert (answer["threads_held"], answer["connections"]) == (10, connections)


@pytest.mark.parametrize(("sessions", "talks", "links"), [(9, 10, 1), (10, 11, 2), (25, 26, 3), (50, 51, 6)])
def test_conversations_and_connections_in_asf_mode(sessions: int, talks: int, links: int) -> None:
    """Fact list, example 16."""
    derivation = WEBSPHERE.derive(port(maximum_sessions=sessions).system)
    assert derivation.value("conversations") == talks
    assert derivation.value("connections") == links
    assert derivation.value("threads_held") == 0


def test_a_non_asf_port_holds_its_threads_from_the_start() -> None:
    """Fact list, example 15."""
    spec = port(mode="non_asf", receive_timeout=100.0, maximum_sessions=2)
    assert WEBSPHERE.derive(spec.system).value("threads_held") == 2
    poller = spec.network().streams[0].poller
    assert poller is not None
    assert (poller.kind, poller.sessions, poller.receive_timeout) == (PollerKind.EAGER, 2, 100.0)


def test_sessions_beyond_the_listener_pool_have_no_thread() -> None:
    """Fact list, example 17."""
    body = scenario_body("websphere", server={"listener_pool_maximum": 15})
    first = body["queues"][0]
    body["queues"] = [
        {**first, "name": f"q{index}", "settings": {"maximum_sessions": sessions}}
        for index, sessions in enumerate((5, 5, 10))
    ]
    derivation = WEBSPHERE.derive(parse(body).system)
    assert derivation.value("sessions_total") == 20
    assert derivation.value("pool_shortage") == 5
    finding = next(item for item in derivation.findings if item.rule == "websphere.pool-covers-sessions")
    assert finding.fix == {"servers.payments.settings.listener_pool_maximum": 20}


@pytest.mark.parametrize(
    ("settings", "kind", "rule"),
    [
        ({"receive_timeout": 5.0}, "queue", "receive-timeout-ignored"),
        ({"mode": "non_asf", "receive_timeout": 5.0, "maximum_messages": 3}, "queue", "maximum-messages-ignored"),
        ({"mode": "non_asf", "receive_timeout": 5.0, "maximum_sessions": 3}, "topic", "topic-sessions-ignored"),
    ],
)
def test_settings_without_effect_say_so(settings: dict[str, Any], kind: str, rule: str) -> None:
    findings = WEBSPHERE.derive(port(kind=kind, **settings).system).findings
    assert {item.rule: item.status for item in findings}[f"websphere.{rule}"] == "ignored"


def test_non_asf_mode_needs_a_receive_timeout() -> None:
    with pytest.raises(InvalidInput, match="receive_timeout above 0"):
        port(mode="non_asf")


def test_a_small_session_pool_bounds_the_sessions() -> None:
    spec = port(maximum_sessions=25, session_pool_maximum=10)
    assert spec.network().streams[0].concurrency == 10
    assert WEBSPHERE.derive(spec.system).value("conversations") == 11


def test_a_growable_pool_has_a_thread_for_every_session() -> None:
    assert port(maximum_sessions=80).network().pools[0].threads_per_servant == 50
    spec = port(maximum_sessions=80, server={"listener_pool_growable": True})
    assert spec.network().pools[0].threads_per_servant == 80
    assert WEBSPHERE.derive(spec.system).value("pool_shortage") == 0


def test_recovery_gives_the_outage_that_a_port_survives() -> None:
    assert WEBSPHERE.derive(port().system).value("recovery_time") == 300
