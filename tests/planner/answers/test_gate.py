"""The gate of a pipeline: which objectives count at which load, each with its verdict and the reasons why."""

from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest

from planner.answers.gate import cases, junit, read_slo, spec_under
from simulations.analysis.estimates.summary import Estimate
from simulations.declarations.problems import InvalidInput
from simulations.platforms.weblogic import WEBLOGIC
from simulations.scenario.spec import parse
from tests.planner.conftest import summary_of
from tests.simulations.platforms.samples import scenario_body

POOL = {"objectives": [{"metric": "threads.idle_blocked", "queue": "orders", "at_most": 1}]}
MET = {"objectives": [{"metric": "latency.p95", "queue": "orders", "at_most": "5s"}]}


def test_the_load_grows_the_arrivals_and_the_sweep_is_left_out(body: dict[str, Any]) -> None:
    spec = spec_under(parse(body), read_slo({**MET, "load": 1.5}))
    assert spec.queues[0].arrivals.model_dump()["rate"] == pytest.approx(81 * 1.5)
    assert (spec.sweep, len(spec.objectives)) == ((), 1)


def test_the_scenarios_own_objectives_count_without_a_file(body: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match="has none"):
        spec_under(parse(body), None)
    own = spec_under(parse({**body, **MET}), None)
    assert [item.metric for item in own.objectives] == ["latency.p95"]


@pytest.mark.parametrize("slo", [None, {}, {"objectives": []}, {**MET, "load": 0}, {**MET, "limit": 1}, POOL])
def test_a_wrong_file_is_refused(slo: object) -> None:
    with pytest.raises(InvalidInput):
        read_slo(slo)


def test_an_objective_is_judged_by_the_estimate(body: dict[str, Any]) -> None:
    slo = {"objectives": [{"metric": "latency.p95", "at_most": "0.2s"}, {"metric": "latency.p95", "at_least": "0.2s"}]}
    found = cases(spec_under(parse(body), read_slo(slo)), summary_of(0, 0.25))
    assert [case.met for case in found] == [False, True]
    assert found[0].result == "latency.p95 is 250 ± 10 ms, at most 200 ms is asked"
    suite = ElementTree.fromstring(junit("Orders \x01 & others", found, 1.0))[0]  # noqa: S314 - our own text
    assert suite.get("failures") == "1"


def test_what_keeps_instances_from_running_is_said_before_what_only_warns() -> None:
    """Job J12: max-threads lowered from 40 to 16."""
    server = {"work_managers": [{"name": "orders-work", "max_threads": 16}]}
    queue = {"work_manager": "orders-work", "max_beans_in_free_pool": 100}
    spec = parse(scenario_body("weblogic", server=server, queue=queue))
    waits = {"latency.mean": Estimate(0.3, 0.3, 0.3, "s"), "wait.prepared": Estimate(0.1, 0.1, 0.1, "s")}
    waits["threads.busy"] = Estimate(15.0, 14.0, 16.0, "threads")
    findings = WEBLOGIC.derive(spec.system).findings
    summary = replace(summary_of(0, 0.25), findings=findings, queues={"orders": waits})
    slo = read_slo({"objectives": [{"metric": "latency.p95", "at_most": "0.2s"}]})
    (case,) = cases(spec_under(spec, slo), summary)
    assert case.reasons[0].startswith("At most 16 of 100 instances run at once, on average 15.0 ± 1.0: max-threads")
    assert any("[weblogic.pipeline-hoards]" in reason for reason in case.reasons[1:])


def test_an_unstable_answer_says_what_grows_and_what_the_system_carries(body: dict[str, Any]) -> None:
    growth = {"orders": 3.25, "carried": 77.75}
    done = {"orders": {"throughput": Estimate(77.75, 77.25, 78.25, "/s")}}
    unstable = replace(summary_of(0), status="unstable", metrics={}, queues=done, growth=growth)
    (case,) = cases(spec_under(parse(body), read_slo(MET)), unstable)
    assert (case.met, case.name) == (False, "latency.p95 of orders at most 5 s")
    assert case.result.endswith("orders grows by 3.25 messages per second; it completes 77.75 ± 0.50/s.")
