"""The z/OS family: worked examples 1-2 and 9-10 of the fact list, the first three jobs, scripts and explanations."""

from dataclasses import replace
from typing import Any

import pytest

from simulations.analysis.estimates.summary import Estimate
from simulations.declarations.problems import InvalidInput
from simulations.engine.network.model import Exhausted, Horizon, PoolGrowth, TimeoutAction
from simulations.platforms.websphere_zos import WEBSPHERE_ZOS
from simulations.platforms.websphere_zos.formulas import low_threshold, threads_per_servant
from simulations.platforms.websphere_zos.parameters.server import ListenerPort, ServerSettings
from simulations.scenario.spec import ScenarioSpec, parse
from tests.simulations.engine.networks import interval, throughput
from tests.simulations.platforms.samples import empty_summary, scenario_body


def surge(**queue: Any) -> ScenarioSpec:
    """The worked example: 2 CPUs, 3 servants, IOBOUND."""
    settings = {"queue_agent_time": 0.0, **queue}
    body = scenario_body("websphere-zos", server={"min_servants": 3, "max_servants": 3}, queue=settings)
    body["servers"][0]["cpus"] = 2
    body["queues"][0]["arrivals"] = {"kind": "saturated"}
    return parse(body)


@pytest.mark.parametrize(
    ("profile", "rule", "threads"),
    [
        ("IOBOUND", "capped", {1: 5, 2: 6, 4: 12, 8: 24, 10: 30, 12: 30, 16: 30, 32: 30}),
        ("IOBOUND", "plain", {1: 3, 2: 6, 4: 12, 8: 24, 10: 30, 12: 36, 16: 48, 32: 96}),
        ("CPUBOUND", "capped", {1: 3, 2: 3, 4: 3, 8: 7, 10: 9, 12: 11, 16: 15, 32: 31}),
        ("CPUBOUND", "plain", {1: 1, 2: 2, 4: 4, 8: 8, 10: 10, 12: 12, 16: 16, 32: 32}),
        ("LONGWAIT", "capped", {1: 40, 32: 40}),
        ("ISOLATE", "plain", {1: 1, 32: 1}),
    ],
)
def test_threads_by_profile_and_rule(profile: str, rule: str, threads: dict[int, int]) -> None:
    """Fact list, example 10."""
    settings = ServerSettings.model_validate({"workload_profile": profile, "thread_rule": rule})
    assert {cpus: threads_per_servant(settings, cpus) for cpus in threads} == threads


@pytest.mark.parametrize(("high", "low"), [(1, 0), (2, 1), (3, 1), (5, 2), (7, 3), (99, 49), (100, 50)])
def test_the_low_threshold_is_half_rounded_down(high: int, low: int) -> None:
    """Fact list, example 2."""
    assert low_threshold(ListenerPort(maximum_sessions=high)) == low
    assert low_threshold(ListenerPort(maximum_sessions=high, low_equals_high=True)) == high


@pytest.mark.parametrize("platform", ["was-zos", "websphere-zos"])
def test_sizing_from_the_ready_backlog(platform: str) -> None:
    """Job J1 and fact list, example 1."""
    question = {"platform": platform, "cpus": 2, "servants_max": 3, "profile": "IOBOUND", "backlog": 32}
    answer = WEBSPHERE_ZOS.quick(question) if WEBSPHERE_ZOS.quick else {}
    expected = {"threads_per_servant": 6, "worker_threads": 18, "max_sessions": 100, "low_threshold": 50, "backlog": 32}
    assert {key: answer[key] for key in expected} == expected
    assert answer["baseline_sessions"] == 36
    assert {finding.status for finding in answer["rules"]} == {"ok"}


@pytest.mark.parametrize(
    ("sessions", "equal", "low", "backlog"), [(100, False, 50, 32), (99, False, 49, 31), (100, True, 100, 32)]
)
def test_sizing_from_the_sessions(sessions: int, equal: bool, low: int, backlog: int) -> None:  # noqa: FBT001
    assert WEBSPHERE_ZOS.quick
    answer = WEBSPHERE_ZOS.quick(
        {"platform": "was-zos", "cpus": 2, "servants_max": 3, "max_sessions": sessions, "low_equals_high": equal}
    )
    assert (answer["low_threshold"], answer["backlog"]) == (low, backlog)


def test_a_wrong_sizing_question_names_every_field() -> None:
    assert WEBSPHERE_ZOS.quick
    with pytest.raises(InvalidInput) as error:
        WEBSPHERE_ZOS.quick({"platform": "was-zos", "cpus": 0, "profile": "NORMAL", "bakclog": 3})
    assert {item.pointer for item in error.value.problems} == {"/cpus", "/profile", "/bakclog"}
    assert "backlog" in str(error.value)


@pytest.mark.parametrize(("sessions", "rate"), [(18, 67.55), (36, 90.0), (100, 90.0)])
def test_the_largest_throughput_by_closed_form(sessions: int, rate: float) -> None:
    """Job J2: 18 sessions for 18 threads carry three quarters of what the threads could."""
    spec = surge(maximum_sessions=sessions)
    assert WEBSPHERE_ZOS.carried
    assert WEBSPHERE_ZOS.carried(spec.system, spec.queues[0]) == pytest.approx(rate, abs=0.005)


def test_no_closed_form_where_none_is_exact() -> None:
    body = surge(maximum_sessions=18).body()
    body["queues"][0]["service"] = {"kind": "constant", "mean": 0.2}
    spec = parse(body)
    assert WEBSPHERE_ZOS.carried
    assert WEBSPHERE_ZOS.carried(spec.system, spec.queues[0]) is None


@pytest.mark.parametrize(("service", "status"), [(30.0, "violated"), (25.0, "ok")])
def test_the_tail_of_a_full_window_against_the_queue_timeout(service: float, status: str) -> None:
    """Fact list, example 9: 136.7 s against 118.8 s, and 113.9 s."""
    body = surge(maximum_sessions=100).body()
    body["queues"][0]["service"] = {"kind": "constant", "mean": service}
    spec = parse(body)
    derivation = WEBSPHERE_ZOS.derive(spec.system)
    assert derivation.value("queue_timeout") == pytest.approx(118.8)
    assert derivation.value("tail_wait") == pytest.approx(82 * service / 18)
    finding = next(item for item in derivation.findings if item.rule == "websphere-zos.queue-timeout-tail")
    assert finding.status == status
    fixed = finding.fix.get("queues.orders.settings.maximum_sessions")
    if fixed:
        assert 118.8 * 18 / service + 17 <= fixed + 1 <= 118.8 * 18 / service + 19


def test_what_the_throttle_costs_is_stated_with_the_verdict() -> None:
    system = surge(maximum_sessions=18).system
    findings = {item.rule: item for item in WEBSPHERE_ZOS.judge(system, empty_summary())}
    for rule in ("websphere-zos.low-covers-threads", "websphere-zos.2xwt"):
        assert findings[rule].status == "violated"
        assert findings[rule].cost["throughput_loss_pct"].value == pytest.approx(24.9, abs=0.05)
        assert findings[rule].fix == {"queues.orders.settings.maximum_sessions": 36}


def test_idle_threads_are_explained_in_numbers() -> None:
    """Job J2's sentence."""
    idle = Estimate(4.49, 4.4, 4.6, "threads")
    closed = {"orders": {"gate.blocked_fraction": Estimate(0.9, 0.9, 0.9, "1")}}
    summary = empty_summary(queues=closed, servers={"payments": {"threads.idle_blocked": idle}})
    claims = {claim.id: claim for claim in WEBSPHERE_ZOS.explain(surge(maximum_sessions=18).system, summary)}
    assert claims["orders.idle_while_blocked"].sentence == (
        "While blocked, on average 4.5 of 18 threads had nothing to do. The low threshold 9 is below the 18 threads. "
        "Raise Maximum sessions to at least 36, or set LOW.EQUALS.HIGH."
    )
    assert claims["orders.no_throttle"].proof["queues.orders.settings.maximum_sessions"] == 36
    assert "67.6" in claims["orders.no_throttle"].sentence


def test_timeouts_and_an_unstable_point_are_explained() -> None:
    queues = {"orders": {"timeouts.queue": Estimate(357.0, 300.0, 400.0, "messages")}}
    summary = empty_summary(status="unstable", queues=queues, growth={"orders": 12.0})
    sentences = [claim.sentence for claim in WEBSPHERE_ZOS.explain(surge(maximum_sessions=18).system, summary)]
    assert any("357 deliveries" in sentence and "118.8 s" in sentence for sentence in sentences)
    assert any("carry 67.6 messages per second" in sentence for sentence in sentences)


@pytest.mark.parametrize(
    ("settings", "limit", "end"),
    [
        ({}, 1, Exhausted.STOP_STREAM),
        ({"maximum_retries": 5}, 5, Exhausted.STOP_STREAM),
        ({"maximum_retries": 5, "backout_threshold": 3}, 3, Exhausted.DEAD_LETTER),
        ({"maximum_retries": 2, "backout_threshold": 3}, 2, Exhausted.STOP_STREAM),
    ],
)
def test_backout_comes_first_only_below_the_retries(settings: dict[str, Any], limit: int, end: Exhausted) -> None:
    redelivery = surge(**settings).network().streams[0].redelivery
    assert (redelivery.limit, redelivery.exhausted) == (limit, end)


def test_servants_that_start_late_are_mapped_as_such() -> None:
    body = surge().body()
    body["servers"][0]["settings"] |= {"min_servants": 1, "dispatch_timeout_action": "restart_servant"}
    network = parse(body).network()
    assert network.pools[0].growth is PoolGrowth.SERVANTS
    assert network.streams[0].timeouts is not None
    assert network.streams[0].timeouts.action is TimeoutAction.RESTART_SERVANT
    body["servers"][0]["settings"]["servant_start_time"] = 0.0
    assert parse(body).network().pools[0].growth is PoolGrowth.FIXED


def test_fewer_servants_at_most_than_at_least_are_refused() -> None:
    body = scenario_body("websphere-zos", server={"min_servants": 3, "max_servants": 2})
    with pytest.raises(InvalidInput, match="below min_servants"):
        parse(body)


def test_the_wsadmin_script_changes_the_chosen_settings_only() -> None:
    chosen = {
        "queues.orders.settings.maximum_sessions": 36,
        "queues.orders.settings.queue_agent_time": 0.004,
        "queues.orders.settings.backout_threshold": 1,
        "servers.payments.settings.workload_profile": "LONGWAIT",
    }
    scripts = {item.format: item for item in WEBSPHERE_ZOS.write(surge(maximum_sessions=18).system, chosen, "cafe")}
    steps = [line.strip() for line in scripts["wsadmin"].apply.splitlines() if line.startswith("    ('")]
    assert steps == [
        "('queues.orders.settings.maximum_sessions', Attribute,"
        " ('payments', 'ListenerPort', 'orders', 'maxSessions',), ('18',), '36'),",
        "('servers.payments.settings.workload_profile', Child, ('payments', 'VariableMap', '',"
        " 'VariableSubstitutionEntry', ('symbolicName', 'server_region_workload_profile',), 'value', (),),"
        " ('IOBOUND', None,), 'LONGWAIT'),",
    ]
    assert (
        "Not written, not a setting of the application server: queues.orders.settings.queue_agent_time"
        in scripts["wsadmin"].apply
    )
    assert "'maxSessions',), ('36',), '18')" in scripts["wsadmin"].undo
    assert 'step queues.orders.settings.backout_threshold "$QUEUE" BOTHRESH 0 1' in scripts["mqsc"].apply
    assert 'step queues.orders.settings.backout_threshold "$QUEUE" BOTHRESH 1 0' in scripts["mqsc"].undo


def test_one_servant_without_multiple_instances() -> None:
    body = scenario_body("websphere-zos", server={"max_servants": 3, "multiple_instances": False})
    spec = parse(body)
    assert (spec.network().pools[0].servants_min, spec.network().pools[0].servants_max) == (1, 1)
    assert WEBSPHERE_ZOS.derive(spec.system).value("worker_threads") == 30


def test_a_topic_without_durable_subscription_has_the_other_time_limit() -> None:
    server = {"wlm_dispatch_timeout": 200.0, "iiop_queue_timeout_percent": 50.0}
    for kind, durable, limits in (
        ("topic", False, (100.0, 200.0)),
        ("topic", True, (118.8, 120.0)),
        ("queue", False, (118.8, 120.0)),
    ):
        body = scenario_body("websphere-zos", server=server, queue={"durable_subscription": durable}, kind=kind)
        timeouts = parse(body).network().streams[0].timeouts
        assert timeouts is not None
        assert (timeouts.queue, timeouts.dispatch) == pytest.approx(limits)


def test_hung_threads_and_the_time_without_a_servant() -> None:
    server = {"stalled_thread_threshold": 25.0, "timeout_delay": 15.0, "service_classes": 2, "max_servants": 3}
    derivation = WEBSPHERE_ZOS.derive(parse(scenario_body("websphere-zos", server=server)).system)
    assert derivation.value("stalled_threads") == 7, "a quarter of 30, rounded down"
    assert derivation.value("servant_outage") == 75
    assert derivation.value("servants_per_class") == 1.5


def test_a_small_session_pool_bounds_the_threads_in_use() -> None:
    spec = surge(maximum_sessions=100, session_pool_maximum=10)
    assert spec.network().streams[0].concurrency == 10
    assert WEBSPHERE_ZOS.derive(spec.system).value("busy_threads_saturated") == 10
    low, high = interval(replace(spec.network(), horizon=Horizon(messages=20_000)), throughput)
    assert low <= 10 / 0.2 <= high, "the simulation has no more than ten at work either"
