"""Flow control: the rates of a limited producer, and the settings that would be nonsense."""

from typing import Any

import pytest

from simulations.declarations.problems import InvalidInput
from simulations.platforms.weblogic import WEBLOGIC
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import bean, scenario_body


def test_the_descent_and_the_ascent_of_a_limited_producer() -> None:
    """Job J9 and fact list, examples 30 and 31, to nine digits."""
    assert WEBLOGIC.quick
    table = WEBLOGIC.quick({"platform": "wls-flow"})
    assert table["step_s"] == 6
    assert [row["at_s"] for row in table["down"]] == [6.0 * step for step in range(11)]
    assert [row["limit"] for row in table["down"]] == pytest.approx(
        [500 * 10 ** (-step / 10) for step in range(11)], rel=1e-12
    )
    assert [row["limit"] for row in table["up"]] == pytest.approx([50 + 45 * step for step in range(11)], rel=1e-12)
    assert table["admitted_down"] == pytest.approx(13127.7134534, abs=1e-6)
    assert table["admitted_up"] == pytest.approx(15150, abs=1e-9)
    small = WEBLOGIC.quick({"platform": "wls-flow", "flow_maximum": 100, "flow_minimum": 12.5, "flow_steps": 3})
    assert [row["limit"] for row in small["down"]] == pytest.approx([100, 50, 25, 12.5], rel=1e-12)
    assert WEBLOGIC.quick({"platform": "wls-flow", "flow_steps": 6})["step_s"] == 10


def test_flow_questions_and_settings_refuse_a_minimum_above_the_maximum() -> None:
    assert WEBLOGIC.quick
    with pytest.raises(InvalidInput, match="above flow_maximum"):
        WEBLOGIC.quick({"platform": "wls-flow", "flow_minimum": 600})
    with pytest.raises(InvalidInput, match="above flow_maximum"):
        bean(flow_minimum=600)


def test_three_producers_at_their_minimum_can_outrun_the_consumers() -> None:
    """Fact list, example 36: 150/s against 120/s."""
    thresholds = {"messages_threshold_high": 1000, "messages_threshold_low": 800}
    body = scenario_body("weblogic", queue={**thresholds, "max_beans_in_free_pool": 12}, producers=3)
    body["queues"][0]["service"] = {"kind": "exponential", "mean": 0.1}
    spec = parse(body)
    derivation = WEBLOGIC.derive(spec.system)
    assert derivation.value("flow.floor") == 150
    assert derivation.value("carried_rate") == pytest.approx(120)
    assert {item.rule: item.status for item in derivation.findings}["weblogic.flow-minimum-bounds"] == "violated"


@pytest.mark.parametrize(
    ("thresholds", "message"),
    [
        ({"messages_threshold_high": 5}, "give both"),
        ({"bytes_threshold_high": 5, "bytes_threshold_low": 6}, "above the high"),
    ],
)
def test_thresholds_come_in_ordered_pairs(thresholds: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        bean(**thresholds)
