"""Explanations of simulated points name true causes: nothing is blamed that held no message up."""

from dataclasses import replace
from typing import Any

import pytest

from simulations.analysis.estimates.summary import Estimate, PointSummary
from simulations.analysis.theory.throttle import window_mean_busy
from simulations.experiment import expansion
from simulations.experiment.verdicts import objective_verdicts
from simulations.pipeline.rounds import run_rounds
from simulations.pipeline.spark.executors import InlineExecutor
from simulations.platforms.shared import claims
from simulations.platforms.shared.claims import end_to_end, explained
from simulations.scenario.runsettings import Objective
from simulations.scenario.spec import ScenarioSpec, parse

SIX_THREADS: dict[str, Any] = {"min_servants": 1, "max_servants": 1, "workload_profile": "IOBOUND"}


def queue(name: str, rate: float = 0.0, server: str = "one", **settings: Any) -> dict[str, Any]:
    """A queue of exponential 100 ms messages, ``rate`` per second; never empty where it is 0."""
    arrivals = {"kind": "poisson", "rate": rate} if rate else {"kind": "saturated"}
    service = {"kind": "exponential", "mean": 0.1}
    return {"name": name, "server": server, "arrivals": arrivals, "service": service, "settings": settings}


def told(
    platform: str,
    settings: dict[str, Any],
    *queues: dict[str, Any],
    horizon: dict[str, Any] | None = None,
    instances: int = 1,
) -> dict[str, str]:
    """Simulate equal servers; claim id -> sentence."""
    spec, summary = simulated(platform, settings, *queues, horizon=horizon, instances=instances)
    return {claim.id: claim.sentence for claim in explained(spec.family, spec.system, summary)}


def simulated(
    platform: str,
    settings: dict[str, Any],
    *queues: dict[str, Any],
    horizon: dict[str, Any] | None = None,
    instances: int = 1,
) -> tuple[ScenarioSpec, PointSummary]:
    """Simulate equal servers of 2 CPUs, one for each name that a queue gives."""
    names = sorted({item["server"] for item in queues})
    servers = [{"name": name, "cpus": 2, "instances": instances, "settings": settings} for name in names]
    run = {"horizon": horizon or {"messages": 2000}, "replications": {"min": 4, "max": 4}, "seed": 1}
    spec = parse(
        {"sluice": 1, "name": "Causes", "platform": platform, "servers": servers, "queues": list(queues), "run": run}
    )
    rounds = run_rounds(expansion(spec).points, spec.run, InlineExecutor(1), should_stop=lambda: False)
    *_, summary = [summary for step in rounds for summary in step.summaries]
    return spec, summary


def test_the_throttle_that_was_closed_is_named_and_no_other() -> None:
    """Two throttles below the threads; only one of them ever closes."""
    beside = told(
        "websphere-zos", SIX_THREADS, queue("full", maximum_sessions=6), queue("calm", 0.5, maximum_sessions=6)
    )
    apart = told(
        "websphere-zos",
        SIX_THREADS,
        queue("full", maximum_sessions=6),
        queue("calm", 0.5, "two", maximum_sessions=6),
    )
    for found in (beside, apart):
        assert "full.idle_while_blocked" in found
        assert "calm.idle_while_blocked" not in found


def test_a_throttle_that_closed_while_all_threads_were_busy_is_not_named() -> None:
    found = told("websphere-zos", SIX_THREADS, queue("full", maximum_sessions=6), queue("busy", 8, maximum_sessions=6))
    assert "full.idle_while_blocked" in found
    assert "busy.idle_while_blocked" not in found


def test_idle_threads_are_those_of_the_own_server() -> None:
    wide, narrow = queue("wide", maximum_sessions=6), queue("narrow", 10, "two", maximum_sessions=2)
    spec, summary = simulated("websphere-zos", SIX_THREADS, wide, narrow)
    found = {claim.id: claim for claim in explained(spec.family, spec.system, summary)}
    wide_idle, narrow_idle = (found[f"{name}.idle_while_blocked"] for name in ("wide", "narrow"))
    assert wide_idle.estimate is not None
    idle = wide_idle.estimate.value * summary.queues["wide"]["gate.blocked_fraction"].value
    assert idle == pytest.approx(6 - window_mean_busy(6, 3, 6), abs=0.2)
    assert narrow_idle.about == {"server": "two"}
    assert narrow_idle.estimate == summary.servers["two"]["threads.idle_given_blocked"]


def test_the_throttle_is_not_blamed_for_a_small_session_pool() -> None:
    found = told("websphere-zos", SIX_THREADS, queue("full", maximum_sessions=8, session_pool_maximum=3))
    assert "full.idle_while_blocked" not in found
    assert "full.idle_while_blocked" in told("websphere-zos", SIX_THREADS, queue("full", maximum_sessions=8))


@pytest.mark.parametrize("platform", ["websphere-zos", "websphere", "weblogic", "openmq"])
def test_only_the_queue_that_grows_is_called_unstable(platform: str) -> None:
    """Two servers; the messages of one queue are more than any of the families' defaults carries."""
    found = told(platform, {}, queue("flood", 5000), queue("calm", 5, "two"), horizon={"messages": 4000})
    assert "flood.unstable" in found
    assert "calm.unstable" not in found


def test_a_sentence_names_its_queue_although_a_word_in_it_holds_the_name() -> None:
    found = told(
        "websphere-zos", SIX_THREADS, queue("a", maximum_sessions=6), queue("b", 10, "two", maximum_sessions=2)
    )
    for name in ("a", "b"):
        assert found[f"{name}.idle_while_blocked"].startswith(f"{name}: ")
        assert found[f"{name}.gate.block_time"].startswith(f"{name}: ")


BEANS: dict[str, Any] = {"max_beans_in_free_pool": 100}


@pytest.mark.parametrize(
    ("rate", "settings", "held"),
    [
        (10, {}, False),
        (10, {"destination": "foreign"}, False),
        (20, {"destination": "foreign", "use_81_style_polling": True}, False),
        (20, {"max_messages_in_transaction": 5}, False),
        (140, {}, True),
        (0, {}, True),
        (500, {}, True),
        (140, {"destination": "foreign"}, True),
    ],
)
def test_the_limit_of_16_is_a_cause_where_messages_waited_for_it(
    rate: float,
    settings: dict[str, Any],
    held: bool,  # noqa: FBT001
) -> None:
    assert ("orders.limit_of_16" in told("weblogic", {}, queue("orders", rate, **BEANS, **settings))) is held


def test_of_two_beans_the_one_that_waited_for_the_limit_is_named() -> None:
    found = told("weblogic", {}, queue("full", **BEANS), queue("calm", 10, **BEANS))
    assert ("full.limit_of_16" in found, "calm.limit_of_16" in found) == (True, False)


def test_the_limit_of_16_is_not_blamed_for_a_pool_of_threads_that_others_use() -> None:
    """Of 20 threads the never empty queue leaves the other bean fewer than 16, and at times none."""
    found = told("weblogic", {"thread_pool_maximum": 20}, queue("full", **BEANS), queue("beside", 30, **BEANS))
    assert "beside.limit_of_16" not in found
    assert found["beside.pool"].startswith("beside: Most messages wait while all 20 threads of the pool are taken; on")


@pytest.mark.parametrize(("rate", "held"), [(1, False), (30, True)])
def test_a_shared_constraint_is_a_cause_where_its_users_together_reached_it(rate: float, held: bool) -> None:  # noqa: FBT001
    settings = {
        "constraints": [{"name": "four", "kind": "max_threads", "count": 4}],
        "work_managers": [{"name": "one", "max_threads": "four"}, {"name": "two", "max_threads": "four"}],
    }
    other = queue("other", rate, work_manager="two", **BEANS)
    found = told("weblogic", settings, queue("orders", 5, work_manager="one", **BEANS), other)
    assert ("orders.max_threads" in found) is held


@pytest.mark.parametrize(("rate", "held"), [(5, False), (45, True), (0, True)])
@pytest.mark.parametrize("mode", [{}, {"mode": "non_asf", "receive_timeout": 60.0}], ids=["asf", "non_asf"])
def test_a_pool_below_the_sessions_is_a_cause_where_messages_waited_for_it(
    rate: float,
    held: bool,  # noqa: FBT001
    mode: dict[str, Any],
) -> None:
    settings: dict[str, Any] = {"listener_pool_maximum": 5}
    found = told("websphere", settings, queue("orders", rate, maximum_sessions=10, **mode))
    assert ("orders.pool_shortage" in found) is held


def test_the_pool_of_threads_is_not_blamed_for_few_sessions() -> None:
    """One queue waits for its two sessions; the five threads that the pool has are never all in use."""
    few, many = queue("few", 18, maximum_sessions=2), queue("many", 0.2, maximum_sessions=10)
    found = told("websphere", {"listener_pool_maximum": 5}, few, many)
    assert not [name for name in found if name.endswith("pool_shortage")]


def test_a_receive_timeout_that_no_message_outlived_is_not_blamed() -> None:
    settings: dict[str, Any] = {"mode": "non_asf", "maximum_sessions": 5, "receive_timeout": 119.9}
    assert "orders.timeouts.transaction" not in told("websphere", {}, queue("orders", **settings))
    goes_on = settings | {"maximum_retries": 10_000}
    slow = queue("orders", 0.02, **goes_on) | {"service": {"kind": "constant", "mean": 30.0}}
    assert "orders.timeouts.transaction" in told("websphere", {}, slow, horizon={"messages": 500})


@pytest.mark.parametrize(("rate", "held"), [(5, False), (50, True), (0, True), (500, True)])
def test_a_narrow_window_is_a_cause_where_it_held_messages_back(rate: float, held: bool) -> None:  # noqa: FBT001
    found = told("openmq", {"max_pool_size": 8}, queue("orders", rate, consumer_flow_limit=8))
    assert ("orders.dry_beans" in found) is held


def test_of_two_narrow_windows_the_one_that_held_messages_back_is_named() -> None:
    full, calm = (queue(name, rate, consumer_flow_limit=8) for name, rate in (("full", 0.0), ("calm", 1.0)))
    found = told("openmq", {"max_pool_size": 8}, full, calm)
    assert ("full.dry_beans" in found, "calm.dry_beans" in found) == (True, False)


def test_idle_beans_of_two_pools_are_not_told_as_those_of_one() -> None:
    one, other = queue("one", 60, consumer_flow_limit=10), queue("other", 250, consumer_flow_limit=50)
    found = told(
        "openmq", {"max_pool_size": 10}, one, other | {"settings": {**other["settings"], "bean_pool_maximum": 60}}
    )
    assert not [name for name in found if name.endswith("dry_beans")]


def test_instances_that_may_not_be_active_are_not_said_to_have_too_little_work() -> None:
    active = queue("orders", 120, consumer_flow_limit=40, max_active_consumers=2)
    assert "orders.imbalance" not in told("openmq", {"max_pool_size": 10}, active, instances=4)


def test_threads_that_another_pool_has_are_not_told_of_the_one_that_is_short() -> None:
    port, spec = queue("port", 46, maximum_sessions=9), queue("spec", 40, mode="activation_spec")
    found = told("websphere", {"listener_pool_maximum": 5}, port, spec)
    assert ("port.longest_wait" in found, "port.pool_shortage" in found) == (True, False)


def test_an_instance_that_may_not_take_more_than_its_beans_is_not_said_to_hoard() -> None:
    """Five messages over three instances are uneven by themselves."""
    few = queue("orders", consumer_flow_limit=4) | {"arrivals": {"kind": "surge", "count": 5, "at": 0, "then": 0}}
    body = told("openmq", {"max_pool_size": 8}, few, horizon={"time": 10}, instances=3)
    assert "orders.imbalance" not in body
    many = queue("orders", consumer_flow_limit=1000) | {"arrivals": {"kind": "surge", "count": 900, "at": 0, "then": 0}}
    assert "orders.imbalance" in told("openmq", {"max_pool_size": 8}, many, horizon={"time": 100}, instances=3)


def test_full_cpus_are_named_as_the_limit() -> None:
    busy = queue("orders", 40, maximum_sessions=100) | {"service": {"kind": "exponential", "mean": 0.1, "cpu": 1.0}}
    found = told("websphere-zos", SIX_THREADS, busy)
    assert next(iter(found)) == "one.cpu_full", "what bounds everything comes first"
    assert "one.cpu_full" not in told("websphere-zos", SIX_THREADS, queue("orders", 40))


@pytest.mark.parametrize(("crowding", "named"), [(0.2, True), (0.02, False), (2.0, False)])
def test_cpus_that_keep_threads_taken_are_named_beside_a_longer_wait(crowding: float, named: bool) -> None:  # noqa: FBT001
    """Where they are what messages wait for longest, or hardly anything, nothing is said here."""
    spec, summary = simulated("websphere-zos", SIX_THREADS, queue("orders", 30, maximum_sessions=100))
    times = {"cause.cpu": crowding, "cause.thread": 1.0, "service.cpu": 0.2, "service.wait": 0.1}
    measured = {name: Estimate(value, value, value, "s") for name, value in times.items()}
    crowded = replace(summary, queues={"orders": measured})
    assert ("orders.cause.cpu" in {claim.id for claim in claims.limits(spec.system, crowded)}) is named


@pytest.mark.parametrize(("limit", "named"), [(2, True), (50, False)])
def test_a_downstream_resource_that_threads_wait_for_is_named(limit: int, named: bool) -> None:  # noqa: FBT001
    database = {"name": "database", "limit": limit, "share": 1.0}
    assert ("orders.cause.downstream" in told("weblogic", {}, queue("orders", 30, downstream=database))) is named


def test_the_longest_wait_is_named_by_its_cause() -> None:
    spec, summary = simulated("websphere-zos", SIX_THREADS, queue("orders", 50, maximum_sessions=100))
    (claim,) = (item for item in explained(spec.family, spec.system, summary) if item.id == "orders.longest_wait")
    assert (claim.metric, claim.estimate) == ("cause.thread", summary.queues["orders"]["cause.thread"])
    assert claim.sentence.startswith("Messages wait longest until a thread may take them: ")


@pytest.mark.parametrize(
    ("platform", "settings", "limits", "sentences"),
    [
        (
            "websphere-zos",
            SIX_THREADS,
            [{"maximum_sessions": 100}, {"maximum_sessions": 6}],
            ["on the destination while no thread may take them", "for a session"],
        ),
        (
            "openmq",
            {"max_pool_size": 8},
            [{"consumer_flow_limit": 40}, {"consumer_flow_limit": 8}],
            ["on the destination while no bean may take them", "until a flow limit lets them through"],
        ),
    ],
)
def test_neither_gate_nor_credit_is_what_messages_wait_for_while_every_thread_is_busy(
    platform: str, settings: dict[str, Any], limits: list[dict[str, Any]], sentences: list[str]
) -> None:
    surge = {"arrivals": {"kind": "surge", "count": 900, "at": 0, "then": 0}}
    for limit, sentence in zip(limits, sentences, strict=True):
        found = told(platform, settings, queue("orders", **limit) | surge, horizon={"time": 100})
        assert found["orders.longest_wait"].startswith(f"Messages wait longest {sentence}: ")


def test_what_waits_although_the_throttle_is_open_waits_for_the_agent() -> None:
    """The agent carries 50 messages per second; the six threads have work for four of them."""
    for sessions, reason in ((100, "for the queue agent"), (4, "for a session")):
        settings: dict[str, Any] = {"maximum_sessions": sessions, "queue_agent_time": 0.02}
        found = told("websphere-zos", SIX_THREADS, queue("orders", 40 if sessions > 6 else 25, **settings))
        assert found["orders.longest_wait"].startswith(f"Messages wait longest {reason}: ")


def test_the_wait_of_senders_is_said_beside_latencies_that_begin_after_it() -> None:
    settings: dict[str, Any] = {"max_num_msgs": 50, "limit_behavior": "FLOW_CONTROL", "bean_pool_maximum": 3}
    surge = {"arrivals": {"kind": "surge", "count": 300}, "producers": 2}
    drained = {"until": "drained"}
    said = told("openmq", {}, queue("orders", **settings) | surge, horizon=drained)["orders.producer.wait"]
    assert said.endswith("until its message is on the destination; latencies begin after that.")
    roomy = queue("orders", **{**settings, "max_num_msgs": 5000}) | surge
    assert "orders.producer.wait" not in told("openmq", {}, roomy, horizon=drained)


@pytest.mark.parametrize(
    ("limit", "sentence"),
    [(16, "until a flow limit lets them through"), (20, "on the destination while no bean may take them")],
)
def test_credit_is_blamed_only_where_more_of_it_saves_a_good_part_of_the_wait(limit: int, sentence: str) -> None:
    """At 95 % load a limit of 1000 has a mean latency of 0.260 s, one of 20 has 0.264 s, one of 16 has 0.470 s."""
    spec, summary = simulated("openmq", {"max_pool_size": 10}, queue("orders", 95, consumer_flow_limit=limit))
    measured = {"latency.mean": Estimate(0.3, 0.3, 0.3, "s"), "cause.window": Estimate(0.2, 0.2, 0.2, "s")}
    (claim,) = claims.largest_wait(spec.system, spec.system.queues[0], replace(summary, queues={"orders": measured}))
    assert claim.sentence.startswith(f"Messages wait longest {sentence}: ")


def test_nothing_is_said_of_an_effect_that_may_be_none() -> None:
    spec, summary = simulated("websphere-zos", SIX_THREADS, queue("orders", 10, maximum_sessions=12))
    counts = {"timeouts.queue": Estimate(0.3, -0.1, 0.7, "messages")}
    rare = replace(summary, queues={"orders": {**summary.queues["orders"], **counts}})
    assert "orders.timeouts.queue" not in {claim.id for claim in explained(spec.family, spec.system, rare)}
    sure, lost = (Estimate(3.0, low, 10.0, "messages") for low in (1.0, 0.0))
    counts = {"timeouts.queue": sure, "dead_letters": lost}
    uneven = replace(summary, queues={"orders": {**summary.queues["orders"], **counts}})
    ids = {claim.id for claim in explained(spec.family, spec.system, uneven)}
    assert ids >= {"orders.timeouts.queue", "orders.dead_letters"}, "sure, or lost messages that no chance undoes"


def test_an_outage_says_how_long_it_is_felt_and_what_it_costs() -> None:
    """30 messages per second pile up for 20 s; 60 per second are carried, so that the backlog takes 20 s more."""
    away = {**SIX_THREADS, "outage": {"start": 30, "duration": 20}}
    spec, summary = simulated("websphere-zos", away, queue("felt", 30.0, maximum_sessions=12), horizon={"time": 120})
    said = {claim.id: claim.sentence for claim in explained(spec.family, spec.system, summary)}
    recovery = summary.queues["felt"]["recovery_time"]
    assert recovery.low < 20 < recovery.high
    assert summary.metrics["away_fraction"].value == pytest.approx(20 / 120)
    assert said["felt.recovery_time"].startswith("After the outage it takes ")
    assert "rolled back" in said["felt.rollbacks"]


def test_a_run_that_ends_before_an_outage_is_made_good_says_so_and_judges_nothing() -> None:
    away = {**SIX_THREADS, "outage": {"start": 30, "duration": 20}}
    one = queue("felt", 30.0, maximum_sessions=12)
    spec, summary = simulated("websphere-zos", away, one, horizon={"time": 55})
    (claim,) = (item for item in explained(spec.family, spec.system, summary) if item.id == "felt.unrecovered")
    assert claim.sentence.startswith("At least one replication ends before")
    (verdict,) = objective_verdicts([Objective(metric="recovery_time", at_most=60.0)], summary)
    assert (verdict.word, verdict.chance) == ("unresolved", 0.0)


def test_what_is_away_downstream_kills_messages_with_a_limit_of_deliveries() -> None:
    one = queue("orders", 20.0, downstream_outage={"start": 30, "duration": 5}, backout_threshold=2, maximum_retries=9)
    said = told("websphere-zos", SIX_THREADS, one, horizon={"time": 60})
    assert "dead letters" in said["orders.dead_letters"]
    assert "rolled back" in said["orders.rollbacks"]


def test_a_server_that_fails_under_its_queue_says_for_how_long() -> None:
    weak = {**SIX_THREADS, "wlm_queue_capacity": 20, "restart_time": 5}
    said = told("websphere-zos", weak, queue("flood", 65.0, maximum_sessions=500), horizon={"time": 60})
    assert "overloaded WLM queue" in said["one.away"]


def test_urgent_messages_say_how_fast_they_are() -> None:
    spec, summary = simulated(
        "websphere-zos", SIX_THREADS, queue("orders", 55.0, maximum_sessions=12, urgent_share=0.2)
    )
    said = {claim.id: claim for claim in explained(spec.family, spec.system, summary)}
    urgent = summary.queues["orders"]["latency.urgent"]
    assert said["orders.latency.urgent"].estimate == urgent
    assert urgent.value < summary.queues["orders"]["latency.mean"].value
    assert "orders.latency.urgent" not in told("websphere-zos", SIX_THREADS, queue("orders", 55.0, maximum_sessions=12))


def test_the_time_of_a_chain_is_told_where_it_ends() -> None:
    first = {**queue("orders", 4), "sends": [{"name": "payments", "messages": 0.5}]}
    second = {**queue("payments", server="two"), "arrivals": {"kind": "none"}}
    passed = {**second, "sends": [{"name": "mail"}]}
    spec, summary = simulated("websphere-zos", SIX_THREADS, first, passed, queue("mail", 2, "two"))
    (claim,) = (claim for item in spec.queues for claim in end_to_end(spec.system, item, summary))
    start = "From the first arrival of their chain to the end at 'mail', 95 % of the messages take at most "
    assert claim.id == "mail.end_to_end.p95"
    assert claim.sentence.startswith(start)
    assert claim.estimate == summary.metrics["end_to_end.p95"]
