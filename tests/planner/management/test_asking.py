"""Objectives and values of settings as people type them at a command."""

from typing import Any

import pytest

from planner.management.asking import axis, objective
from simulations.declarations.problems import InvalidInput


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("a.b=18,36,50", [18, 36, 50]),
        ("a.b=10ms,1s", ["10ms", "1s"]),
        ("a.b=true,false", [True, False]),
        ("a.b=2:5", [2, 3, 4, 5]),
        ("a.b=18:60:6", [18, 24, 30, 36, 42, 48, 54, 60]),
        ("a.b=0.1:0.35:0.1", pytest.approx([0.1, 0.2, 0.3])),
        ("a.b=7:7", [7]),
    ],
)
def test_values_of_a_setting(text: str, values: Any) -> None:
    assert axis(text) == {"path": "a.b", "values": values}


def test_whole_numbers_stay_whole() -> None:
    assert all(isinstance(value, int) for value in axis("a=1:9:2")["values"])


@pytest.mark.parametrize(
    "text", ["", "a", "=3", "a=", "a=1:x", "a=5:2", "a=1:9:0", "a=1:9:-1", "a=0.5:2", "a=1:2:3:4", "a=0:1e9", "a=1:inf"]
)
def test_values_that_mean_nothing_name_the_option(text: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        axis(text)
    assert [item.path for item in refused.value.problems] == ["--vary"]


@pytest.mark.parametrize(
    ("text", "operator", "value"),
    [
        ("latency.p95<=800ms", "<=", "800ms"),
        ("latency.p95 >= 0.5", ">=", "0.5"),
        ("latency.p95=0", "==", "0"),
        ("latency.p95==0", "==", "0"),
    ],
)
def test_objectives(text: str, operator: str, value: str) -> None:
    assert objective(text) == {"kpi": "latency.p95", "op": operator, "value": value}


@pytest.mark.parametrize("text", ["", "latency.p95", "<=5", "latency.p95<=", "latency.p95<5"])
def test_an_objective_without_bound_names_the_option(text: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        objective(text)
    assert [item.path for item in refused.value.problems] == ["--objective"]
