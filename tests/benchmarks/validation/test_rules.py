"""What rules cost: the regret of a pair of runs, the word for a rule, and the line of the table."""

from dataclasses import replace

from benchmarks.validation.rules import Atlas, Regrets, broken, compared, measured, table
from simulations.analysis.estimates.summary import Estimate, PointSummary
from simulations.scenario.spec import parse
from tests.planner.conftest import summary_of
from tests.scenarios import listener_port


def point(latency: float, change: Estimate | None = None) -> PointSummary:
    mean = Estimate(latency, latency, latency, "s")
    differences = {"latency.mean": change} if change else {}
    return replace(summary_of(0), metrics={"latency.mean": mean}, differences=differences)


def test_regret_is_the_share_that_is_lost_against_the_better_one() -> None:
    worse, better = Estimate(1.0, 0.8, 1.2, "s"), Estimate(-1.0, -1.2, -0.8, "s")
    assert compared(point(1.0), point(2.0, worse)) == (0.0, 0.5)
    assert compared(point(2.0), point(1.0, better)) == (0.5, 0.0)
    assert compared(point(2.0), point(1.0, Estimate(-1.0, -2.5, 0.5, "s"))) == (0.0, 0.0)


def test_what_does_not_keep_up_loses_everything() -> None:
    flood = replace(point(1.0), status="unstable")
    assert compared(flood, point(1.0)) == (1.0, 0.0)
    assert compared(point(1.0), flood) == (0.0, 1.0)
    assert compared(flood, flood) == (0.0, 0.0)
    refused = Estimate(7.0, 6.0, 8.0, "1")
    full = replace(point(0.5), metrics={**point(0.5).metrics, "rejected": refused})
    assert compared(full, flood) == (0.0, 0.0), "what is turned away does not wait, which is no merit"


def test_a_rule_pays_where_the_difference_over_the_scenarios_says_so() -> None:
    assert Regrets([0.5, 0.4, 0.6], [0.0, 0.0, 0.1]).cells("a")[-1] == "pays"
    assert Regrets([0.0, 0.0, 0.1], [0.5, 0.4, 0.6]).cells("a")[-1] == "costs"
    assert Regrets([0.0, 0.0, 0.9], [0.5, 0.0, 0.0]).cells("a")[-1] == "cannot be told"
    assert Regrets([0.0] * 3, [0.0] * 3).cells("a")[-1] == "makes no difference here"
    assert Regrets([0.5], [0.0]).cells("a") == ["a", "1", "–", "–", "too few to judge"]


def test_the_cure_of_each_rule_is_simulated_alone() -> None:
    body = listener_port("Idle", settings={"maximum_sessions": 12}, run={"horizon": {"messages": 2_000}})
    body["queues"][0]["arrivals"] = {"kind": "saturated"}
    spec = parse(body)
    atlas = Atlas()
    atlas.add(1, measured(spec, (), 100_000))
    atlas.add(2, measured(spec, atlas.full(1), 100_000))
    atlas.add(3, None)
    assert set(atlas.regrets) == {finding.rule for finding in broken(spec)}
    assert all(len(item.breaking) == 1 for item in atlas.regrets.values())
    costs = atlas.regrets["websphere-zos.2xwt"]
    assert costs.breaking[0] > 0.2 > costs.obeying[0]
    text = "\n".join(table(atlas, 1, ""))
    assert text.count("3 random scenarios") == text.count("took too long: 3.") == 1
    assert "`websphere-zos.2xwt`" in text
