"""What rules cost: the regret of a pair of runs, the word for a rule, and the line of the table."""

from collections import defaultdict
from dataclasses import replace

from benchmarks.validation.rules import Regrets, broken, compared, measure, table
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
    found: defaultdict[str, Regrets] = defaultdict(Regrets)
    measure(spec, found, 1, 100_000)
    measure(spec, found, 1, 100_000)
    assert set(found) == {finding.rule for finding in broken(spec)}
    assert all(len(item.breaking) == 1 for item in found.values())
    assert found["websphere-zos.2xwt"].breaking[0] > 0.2 > found["websphere-zos.2xwt"].obeying[0]
    assert "`websphere-zos.2xwt`" in "\n".join(table(found, 2, 1))
