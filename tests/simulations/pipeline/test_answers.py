"""The answer of a point joins what formulas, replications and rules say."""

from simulations.analysis.estimates.summary import PointSummary
from simulations.analysis.replications.rows import compact
from simulations.engine.replicate import replicate
from simulations.pipeline.answers import Asked
from simulations.scenario.spec import parse
from tests.simulations.pipeline.doubles import BODY, points_of, scenario
from tests.simulations.platforms.samples import scenario_body


def answer_of(index: int) -> PointSummary:
    point = points_of(scenario())[index]
    asked = Asked(point)
    return asked.answer([compact(replicate(asked.network, seed=7, replication=number)) for number in range(3)])


def test_formula_answers_stand_beside_the_metrics() -> None:
    answer = answer_of(1)
    assert answer.derived["worker_threads"] == 18
    assert answer.metrics["throughput"].value > 50
    assert list(answer.queues) == ["orders"]


def test_each_rule_is_judged_once() -> None:
    findings = answer_of(0).findings
    rules = [(finding.rule, finding.queue) for finding in findings]
    assert len(rules) == len(set(rules))
    assert any(finding.status == "violated" for finding in findings)


def test_answers_of_the_same_name_carry_their_queues_name() -> None:
    second = {**BODY["queues"][0], "name": "returns"}
    spec = parse({**BODY, "queues": [BODY["queues"][0], second], "sweep": []})
    asked = Asked(points_of(spec)[0])
    derived = asked.answer(
        [compact(replicate(asked.network, seed=7, replication=number)) for number in range(2)]
    ).derived
    assert derived["orders.low_threshold"] == derived["returns.low_threshold"] == 18


def test_of_several_queues_a_formula_that_holds_for_one_alone_carries_its_name_too() -> None:
    body = scenario_body("websphere", queue={"mode": "non_asf", "receive_timeout": 10.0})
    (first,) = body["queues"]
    body["queues"] = [first, {**first, "name": "returns", "service": {"kind": "constant", "mean": 0.1, "cpu": 1.0}}]
    asked = Asked(points_of(parse(body))[0])
    derived = asked.answer([compact(replicate(asked.network, seed=7, replication=0))]).derived
    assert [name for name in derived if name.endswith("carried_rate")] == [f"{first['name']}.carried_rate"]
