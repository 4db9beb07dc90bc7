"""Broken rules, their cures and what breaking them costs."""

from dataclasses import replace

import pytest

from simulations.analysis.estimates.summary import Estimate
from simulations.declarations.problems import InvalidInput
from simulations.experiment.cures import costly, cures_of
from simulations.scenario.spec import parse
from tests.simulations.experiment.answers import answer
from tests.simulations.platforms.samples import scenario_body

RULE = "openmq.limit-covers-pool"
LIMIT = "queues.orders.settings.consumer_flow_limit"
BROKEN = parse(
    scenario_body("openmq", queue={"consumer_flow_limit": 16}) | {"sweep": [{"path": LIMIT, "values": [16]}]}
)


def test_a_broken_rule_has_the_scenario_with_its_cure() -> None:
    base, (cure,) = cures_of(BROKEN, [RULE])
    assert (base.index, base.overrides, base.spec) == (0, {}, BROKEN.unswept)
    assert (cure.finding.rule, cure.finding.status) == (RULE, "violated")
    assert cure.point is not None
    assert (cure.point.index, cure.point.overrides) == (1, cure.finding.fix)
    assert cure.point.spec.queues[0].settings != BROKEN.queues[0].settings
    _, again = cures_of(cure.point.spec, [RULE])
    assert again == (), "the cure keeps the rule"


def test_cures_are_numbered_and_those_that_are_missing_may_be_chosen() -> None:
    chosen = {"queues.orders.producers": 2}
    _, plain = cures_of(BROKEN)
    _, cures = cures_of(BROKEN, chosen=chosen)
    numbers = [cure.point.index for cure in cures if cure.point]
    assert numbers == list(range(1, len(cures) + 1))
    for before, after in zip(plain, cures, strict=True):
        assert after.finding.fix == (before.finding.fix or chosen)


def test_a_rule_that_the_platform_lacks_is_named() -> None:
    with pytest.raises(InvalidInput, match=r"unknown rule; did you mean 'openmq.limit-covers-pool'"):
        cures_of(BROKEN, ["openmq.limit-covers-pol"])


def test_the_cost_is_what_the_cure_saves() -> None:
    _, cures = cures_of(BROKEN, [RULE])
    difference = Estimate(-0.2, -0.25, -0.15, "s")
    cured = replace(answer(1, {}, 0.5), differences={"latency.p95": difference})
    ((finding, found),) = costly(cures, [answer(0, {}, 0.7), cured])
    assert found is cured
    assert finding.cost == {"latency.p95": Estimate(0.2, 0.15, 0.25, "s")}
    assert costly([replace(cures[0], point=None)], []) == ((replace(cures[0].finding, cost={}), None),)
