"""Text tables of results."""

import pytest

from planner.answers.text_tables import results_table
from simulations.analysis.estimates.summary import Estimate, PointSummary, estimate_text
from simulations.experiment import expansion
from simulations.scenario.spec import ScenarioSpec, parse

BODY = {
    "sluice": 1,
    "name": "Orders",
    "platform": "websphere-zos",
    "servers": [{"name": "payments"}],
    "queues": [
        {
            "name": "orders",
            "server": "payments",
            "arrivals": {"kind": "poisson", "rate": "10/s"},
            "service": {"kind": "exponential", "mean": "100ms"},
        }
    ],
    "sweep": [{"path": "queues.orders.settings.maximum_sessions", "values": [18, 36]}],
}


@pytest.fixture
def spec() -> ScenarioSpec:
    return parse(BODY)


def summaries(spec: ScenarioSpec, timeouts: tuple[float, float]) -> list[PointSummary]:
    return [
        PointSummary(
            index=point.index,
            overrides=point.overrides,
            status="ok",
            replications=10,
            events=1,
            metrics={
                "latency.p95": Estimate(0.7, 0.69, 0.71, "s"),
                "timeouts.queue": Estimate(count, count, count, "messages"),
            },
            queues={},
            derived={},
            findings=(),
            checks=(),
            warmup={},
        )
        for point, count in zip(expansion(spec).points, timeouts, strict=True)
    ]


def test_a_line_per_point_names_the_swept_value_and_the_interval(spec: ScenarioSpec) -> None:
    lines = results_table(spec, summaries(spec, (0, 0))).splitlines()
    assert lines[0].split() == ["maximum_sessions", "status", "latency.p95", "replications"]
    assert [line.split()[0] for line in lines[2:]] == ["18", "36"]
    assert "700 ± 10 ms" in lines[2]


def test_troubles_get_a_column_once_one_point_has_them(spec: ScenarioSpec) -> None:
    header, _, first, second = results_table(spec, summaries(spec, (0, 3))).splitlines()
    assert "timeouts.queue" in header
    assert "0 messages" in first
    assert "3 messages" in second


def test_a_number_that_does_not_exist_is_a_dash() -> None:
    assert estimate_text(None) == "–"
