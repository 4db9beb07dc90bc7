"""Bursts and flow control without a scenario."""

import pytest

from simulations.declarations.problems import InvalidInput
from simulations.platforms.weblogic import WEBLOGIC
from tests.simulations.platforms.samples import bean


def test_a_burst_behind_the_limit_of_16() -> None:
    """Job J6."""
    assert WEBLOGIC.quick
    question = {
        "platform": "weblogic",
        "max_beans_in_free_pool": 100,
        "burst": 400,
        "on_message": "200ms",
        "target": "2s",
    }
    answer = WEBLOGIC.quick({**question, "downstream_limit": 25})
    assert answer["max_concurrency"] == 16
    assert answer["drain_time_s"] == pytest.approx(5.0)
    assert (answer["threads_for_target"], answer["useful_maximum"]) == (40, 25)
    assert answer["useful_drain_time_s"] == pytest.approx(3.2)
    assert WEBLOGIC.quick({**question, "target": "100ms"})["threads_for_target"] is None


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
