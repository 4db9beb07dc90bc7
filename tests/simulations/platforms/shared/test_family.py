"""A family judges a result: what a broken rule costs is stated where it is known, and nowhere else."""

from dataclasses import replace
from typing import Any

import pytest

from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.estimates.summary import Estimate
from simulations.platforms import PLATFORMS
from simulations.platforms.shared.family import Claim, Platform
from simulations.platforms.weblogic import WEBLOGIC
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import bean, empty_summary, scenario_body

DROPPED = Estimate(7.0, 6.0, 8.0, "messages")


def costs(**settings: Any) -> dict[str, dict[str, Estimate]]:
    summary = empty_summary(queues={"orders": {"dropped": DROPPED}})
    findings = WEBLOGIC.derive(bean(**settings).system).findings
    return {item.rule: dict(WEBLOGIC.with_cost(item, summary).cost) for item in findings}


def test_only_a_violated_rule_has_a_cost() -> None:
    assert costs(redelivery_limit=3)["weblogic.error-destination"] == {"dropped": DROPPED}
    assert costs(redelivery_limit=3, error_destination="errors")["weblogic.error-destination"] == {}
    assert costs(redelivery_limit=3)["weblogic.pipeline-hoards"] == {}, "nobody knows what that costs"


@pytest.mark.parametrize("family", PLATFORMS.values(), ids=PLATFORMS)
def test_costs_name_rules_of_the_family_and_metrics(family: Platform) -> None:
    assert family.costs.keys() <= {rule.id for rule in family.rules}
    assert {name for names in family.costs.values() for name in names} <= BY_NAME.keys()


def test_a_limit_costs_the_wait_for_it_and_not_the_work_itself() -> None:
    metrics = {name: Estimate(0.1, 0.1, 0.1, "s") for name in ("latency.p95", "cause.thread")}
    finding = next(item for item in WEBLOGIC.derive(bean().system).findings if item.rule == "weblogic.limit-of-16")
    found = WEBLOGIC.with_cost(finding, empty_summary(queues={"orders": metrics}))
    assert dict(found.cost) == {"cause.thread": metrics["cause.thread"]}


def test_answers_and_verdicts_make_the_derivation() -> None:
    system = bean().system
    derivation = WEBLOGIC.derive(system)
    assert derivation.values == tuple(WEBLOGIC.answers(system))
    assert {item.rule for item in derivation.findings} <= {rule.id for rule in WEBLOGIC.rules}
    assert replace(WEBLOGIC, rules=()).derive(system).findings == ()


def test_a_claim_counts_one_thing_in_the_singular() -> None:
    assert Claim("orders.x", "1 threads are busy.", {}).sentence == "1 thread is busy."


@pytest.mark.parametrize("platform", PLATFORMS)
def test_an_outage_never_raises_the_largest_throughput(platform: str) -> None:
    away = {"start": 60, "duration": 90, "cause": "server"}
    whole, broken = (parse(scenario_body(platform, server=server)).system for server in ({}, {"outage": away}))
    family = PLATFORMS[platform]
    assert family.largest_throughputs(broken) == family.largest_throughputs(whole) != {}
