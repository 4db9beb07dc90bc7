"""A cure is offered when its simulation shows that it helps, and for nothing else."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from planner.answers.cures import NOTHING, PILE_UP, TOO_RARE, Trial, cure_trials, fix_key, judged
from planner.answers.quick import paired_answers, quick_answer
from planner.presets.files import presets
from simulations.analysis.estimates.summary import Estimate, Finding, PointSummary
from simulations.experiment import Point, with_overrides
from simulations.pipeline.answers import Asked
from simulations.pipeline.work import expected_events
from simulations.scenario.spec import ScenarioSpec, parse
from tests.scenarios import listener_port


def preset(key: str, **changes: Any) -> ScenarioSpec:
    found = next(item.spec for item in presets() if item.key == key)
    return parse({**found.body(), "sweep": [], **changes})


def saying(findings: Sequence[Finding]) -> PointSummary:
    return PointSummary(0, {}, "ok", findings=tuple(findings))


def tried(spec: ScenarioSpec) -> dict[str, Trial]:
    """Return what the cure of each broken rule does, by the rule's short name."""
    findings = spec.family.derive(spec.system).findings
    trials = cure_trials(spec, saying(findings))
    broken = [item for item in findings if item.fix and item.status in ("violated", "ignored")]
    return {item.rule.split(".", 1)[1]: trials[fix_key(item.fix)] for item in broken}


def test_more_sessions_are_not_offered_where_the_order_must_be_kept() -> None:
    found = tried(preset("order"))
    for rule in ("low-covers-threads", "2xwt", "sessions-above-threads"):
        assert (found[rule].effect, found[rule].offered) == ("breaks_objective", False)
        assert "Overtaken" in found[rule].reason
    assert "Overtaken" in found["2xwt"].text, "the page shows what would have happened"


def test_without_that_objective_the_same_cure_helps() -> None:
    found = tried(preset("order", objectives=[]))
    assert found["2xwt"].offered
    assert {change.metric for change in found["2xwt"].changes if change.better} >= {"latency.mean", "latency.p95"}


def test_a_full_queue_asks_for_throughput_alone() -> None:
    trial = tried(preset("saturated"))["low-covers-threads"]
    (change,) = trial.changes
    assert (trial.offered, change.metric, change.better) == (True, "throughput", True)
    assert change.before.value * 1.2 < change.after.value


def test_of_a_full_queue_a_lower_throughput_is_no_price_for_an_objective() -> None:
    spec = preset("saturated", objectives=[{"metric": "latency.p95", "at_most": 0.8}])

    def at(index: int, p95: float, rate: float) -> PointSummary:
        known = {"latency.p95": (p95, "s"), "throughput": (rate, "/s")}
        metrics = {name: Estimate(value, value, value, unit) for name, (value, unit) in known.items()}
        return PointSummary(index, {}, "ok", metrics=metrics)

    slower = judged(spec, at(0, 1.1, 119.4), at(1, 0.6, 80.0), {"latency.p95"})
    assert (slower.effect, slower.offered) == ("harms", False)
    assert judged(spec, at(0, 1.1, 119.4), at(1, 0.6, 119.4), {"latency.p95"}).offered


def test_of_two_values_for_one_setting_only_the_one_that_suffices_is_offered() -> None:
    spec = preset("flow-limit")
    found = tried(spec)
    assert found["threshold-covers-pool"].offered, "64 keeps 31.5 beans busy, which the objective asks"
    assert not found["limit-covers-pool"].offered
    loose = tried(preset("flow-limit", objectives=[]))
    assert [loose[rule].offered for rule in ("limit-covers-pool", "threshold-covers-pool")] == [False, True]


def test_a_cure_that_changes_nothing_is_not_offered() -> None:
    found = tried(preset("surge"))
    assert (found["ports-come-back"].effect, found["ports-come-back"].changes) == ("no_effect", ())


def test_a_cure_that_changes_something_else_says_so() -> None:
    """The rule promises fewer dead letters, of which there are none; that the queue is faster is not its promise."""
    spec = preset("saturated")
    (finding,) = (item for item in spec.family.derive(spec.system).findings if item.rule == "websphere-zos.2xwt")
    promise = Estimate(0.0, 0.0, 0.0, "messages")
    (trial,) = cure_trials(spec, saying([replace(finding, cost={"dead_letters": promise})])).values()
    assert (trial.effect, [change.metric for change in trial.changes]) == ("no_effect", ["throughput"])
    assert "it only changes Throughput" in trial.reason


def test_a_cure_that_worsens_the_latency_is_not_offered() -> None:
    """More sessions only crowd the CPUs of servers that have none to spare."""
    body = listener_port("Crowded", rate="34/s", settings={"maximum_sessions": 7})
    body["queues"][0]["service"] = {"kind": "exponential", "mean": "50ms", "cpu": 1.0}
    found = tried(parse(body))
    assert (found["2xwt"].effect, found["2xwt"].offered) == ("harms", False)
    assert found["2xwt"].reason.startswith("it makes this worse: p95 latency")


def crowded(rate: float) -> ScenarioSpec:
    """Two queues on 18 threads of 200 ms, which carry 90 messages per second; of such a mix there is no formula."""
    body = listener_port("Crowded", rate=f"{rate}/s", objectives=[{"metric": "throughput", "at_least": 85}])
    (orders,) = body["queues"]
    return parse({**body, "queues": [orders, {**orders, "name": "bills"}]})


def cures(*fixes: dict[str, Any]) -> list[Finding]:
    source = crowded(30).family.derive(crowded(30).system).findings[0].source
    return [Finding(str(place), "violated", "warning", "", source, fix=fix) for place, fix in enumerate(fixes)]


RATES = ("queues.orders.arrivals.rate", "queues.bills.arrivals.rate")
SHORT = 400_000
OTHERS = [{"queues.orders.settings.maximum_sessions": 50 + number} for number in range(18)]
"""So many cures at once leave each only a short course."""


def test_where_a_short_course_hides_that_messages_pile_up_a_longer_one_is_told() -> None:
    spec, slower = crowded(46.5), {"queues.orders.service.mean": 0.199}
    answer = quick_answer(spec, events=SHORT).summary
    assert answer.status == "unstable"
    faster = {"queues.orders.service.mean": 0.1, "queues.bills.service.mean": 0.1}
    trials = cure_trials(spec, replace(answer, findings=tuple(cures(slower, faster, *OTHERS))), events=SHORT)
    assert trials[fix_key(faster)].offered
    assert trials[fix_key(faster)].text.endswith("; messages no longer pile up")
    told = [change.metric for trial in trials.values() for change in trial.changes]
    assert not {name for name in told if name.startswith("latency")}, "such an overload has no latencies"


def test_a_cure_with_which_messages_pile_up_after_the_short_course_is_not_offered() -> None:
    spec, more = crowded(30.0), dict.fromkeys(RATES, 46.5)
    trials = cure_trials(spec, saying(cures(more, *OTHERS)), events=SHORT)
    assert (trials[fix_key(more)].effect, trials[fix_key(more)].reason) == ("harms", PILE_UP)


def test_what_is_beyond_a_live_answer_is_untried_and_says_why() -> None:
    spec = preset(
        "surge", queues=[{**preset("surge").body()["queues"][0], "arrivals": {"kind": "surge", "count": 10_000_000}}]
    )
    trials = tried(spec)
    assert {trial.effect for trial in trials.values()} == {"untried"}
    assert all("too many for a quick answer" in trial.reason for trial in trials.values())


def test_cures_of_a_course_too_long_for_all_at_once_are_tried_one_by_one() -> None:
    spec = preset("surge")
    each, name = expected_events(Asked(Point(0, {}, spec)).network), spec.queues[0].name
    faster, slower = ({f"queues.{name}.service.mean": mean} for mean in (0.01, 10.0))
    trials = cure_trials(spec, saying(cures(faster, slower)), events=int(3.1 * each))
    assert (trials[fix_key(faster)].effect, trials[fix_key(slower)].effect) == ("improves", "harms")


def test_a_cure_of_losses_that_its_trial_hardly_sees_is_not_said_to_change_nothing() -> None:
    spec = preset("saturated")
    (finding,) = (item for item in spec.family.derive(spec.system).findings if item.rule.endswith("ports-come-back"))
    for count, reason in ((0.0, NOTHING), (20.0, TOO_RARE)):
        answer = replace(saying([finding]), metrics={"rejected": Estimate(count, 0.0, 60.0, "messages")})
        assert [trial.reason for trial in cure_trials(spec, answer).values()] == [reason]


def test_a_fix_that_the_platform_forbids_is_untried_and_says_why() -> None:
    spec = preset("surge")
    source = spec.family.derive(spec.system).findings[0].source
    path = f"queues.{spec.queues[0].name}.settings.maximum_sessions"
    finding = Finding("x", "violated", "warning", "", source, fix={path: -3})
    (trial,) = cure_trials(spec, saying([finding])).values()
    assert (trial.effect, trial.offered) == ("untried", False)
    assert trial.reason


@pytest.mark.parametrize("key", [item.key for item in presets()])
def test_offered_cures_hold_in_a_rerun_with_another_seed(key: str) -> None:
    spec = preset(key)
    findings = spec.family.derive(spec.system).findings
    other = parse({**spec.body(), "run": {**spec.body()["run"], "seed": spec.run.seed + 1}})
    trials = cure_trials(spec, saying(findings))
    for finding in findings:
        trial = trials.get(fix_key(finding.fix))
        if finding.fix and trial and trial.offered:
            cured = Point(1, finding.fix, with_overrides(other, finding.fix))
            before, after = paired_answers([Point(0, {}, other), cured])
            for change in trial.changes:
                moved = after.metrics[change.metric].value - before.metrics[change.metric].value
                assert (moved > 0) == (change.after.value > change.before.value), (finding.rule, change.metric)


def test_a_course_over_time_is_tried_whole_with_fewer_replications() -> None:
    body = listener_port("Surge", run={"horizon": {"messages": 2_000}, "replications": {"min": 10, "max": 10}})
    body["queues"][0]["arrivals"] = {"kind": "surge", "count": 1_000, "then": 1.0}
    spec = parse(body)
    points = [Point(0, {}, spec), Point(1, {}, spec)]
    whole, _ = paired_answers(points, events=2_000_000)
    tried, _ = paired_answers(points, events=whole.events)
    assert 4 <= tried.replications < whole.replications == 10
    assert paired_answers(points, events=whole.events // 2)[0].replications == 4, "two differences tell nothing"
    assert tried.metrics["drain_time"].value == pytest.approx(whole.metrics["drain_time"].value, rel=0.1)
