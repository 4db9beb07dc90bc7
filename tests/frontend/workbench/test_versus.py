"""The strip of differences to the baseline."""

from frontend.workbench.versus import versus
from planner.models import Baseline, Scenario, ScenarioVersion
from simulations.analysis.estimates.summary import Estimate

SCENARIO, OTHER = Scenario(pk="scn_1", name="Orders"), Scenario(pk="scn_2", name="Bills")
NONE = Estimate(0.0, 0.0, 0.0, "messages")


def pinned(scenario: Scenario) -> Baseline:
    return Baseline(version=ScenarioVersion(scenario=scenario, number=3))


def test_nothing_is_shown_where_nothing_is_pinned() -> None:
    assert versus(SCENARIO, None, {}) is None


def test_a_baseline_of_another_scenario_is_named() -> None:
    own, other = versus(SCENARIO, pinned(SCENARIO), None), versus(SCENARIO, pinned(OTHER), None)
    assert own is not None
    assert other is not None
    assert (own.label, own.address, own.differences) == ("v3", "/scenarios/scn_1/?version=3", ())
    assert other.label == "Bills v3"


def test_each_difference_has_its_verdict_and_only_losses_that_changed_are_shown() -> None:
    found = {
        "latency.p95": Estimate(-0.1, -0.15, -0.05, "s"),
        "throughput": Estimate(-2.0, -3.0, -1.0, "/s"),
        "drain_time": Estimate(0.5, -0.5, 1.5, "s"),
        "timeouts.queue": NONE,
        "dead_letters": Estimate(4.0, 3.0, 5.0, "messages"),
    }
    strip = versus(SCENARIO, pinned(SCENARIO), found)
    assert strip is not None
    assert [(item.text, item.verdict, item.look) for item in strip.differences] == [
        ("−100 ± 50 ms", "better", "ok"),
        ("+0.5 ± 1.0 s", "no measurable difference", ""),
        ("−2.0 ± 1.0/s", "worse", "bad"),
        ("+4.0 ± 1.0 messages", "worse", "bad"),
    ]


def test_of_losses_that_stayed_the_first_stands_for_all() -> None:
    strip = versus(SCENARIO, pinned(SCENARIO), {"timeouts.queue": NONE, "dead_letters": NONE})
    assert strip is not None
    assert [(item.text, item.verdict, item.look) for item in strip.differences] == [("0", "same", "")]
