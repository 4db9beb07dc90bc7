"""Formula answers of WebLogic."""

from typing import Any

import pytest

from simulations.platforms.weblogic import WEBLOGIC
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import bean, formula_value, scenario_body


def test_batches_and_their_ceiling() -> None:
    """Job J8: b / (20 + 5 b) per thread, and fact list, example 28."""
    for size, ceiling in ((1, 40.0), (2, 66.7), (5, 111.1), (10, 142.9)):
        body = scenario_body("weblogic", queue={"max_messages_in_transaction": size, "commit_time": 0.02})
        body["queues"][0]["service"] = {"kind": "constant", "mean": 0.005}
        assert formula_value(WEBLOGIC.derive(parse(body).system), "thread_capacity") == pytest.approx(ceiling, abs=0.05)
    body = scenario_body("weblogic", queue={"max_messages_in_transaction": 5})
    body["queues"][0]["service"] = {"kind": "constant", "mean": 7.0}
    findings = {item.rule: item.status for item in WEBLOGIC.derive(parse(body).system).findings}
    assert findings["weblogic.batch-fits-timeout"] == "violated"


def test_messages_held_behind_instances() -> None:
    """Fact list, example 29: 15 instances of 10 messages."""
    assert formula_value(WEBLOGIC.derive(bean(max_beans_in_free_pool=15).system), "pipeline") == 150
    assert bean().network().streams[0].pipeline == 10


@pytest.mark.parametrize(("server", "trust"), [({}, "source"), ({"self_tuning": False}, "unverified")])
def test_the_row_whose_rounding_nobody_confirmed_says_so(server: dict[str, Any], trust: str) -> None:
    values = WEBLOGIC.derive(parse(scenario_body("weblogic", server=server)).system).values
    assert {item.source.trust for item in values if item.name.endswith("_concurrency")} == {trust}
