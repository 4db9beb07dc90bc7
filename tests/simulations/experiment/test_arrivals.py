"""All arrivals made faster or slower, and what their rates are."""

from typing import Any

import pytest

from simulations.declarations.problems import InvalidInput
from simulations.experiment.arrivals import mean_rate, offered_rate, peak_rate, with_arrivals
from simulations.scenario.spec import ScenarioSpec, parse
from tests.simulations.platforms.samples import scenario_body


def arriving(**arrivals: Any) -> ScenarioSpec:
    return parse(scenario_body("openmq", arrivals=arrivals))


@pytest.mark.parametrize(
    ("arrivals", "faster"),
    [
        ({"kind": "poisson", "rate": 10.0}, {"rate": 25.0}),
        ({"kind": "constant", "rate": 10.0}, {"rate": 25.0}),
        (
            {"kind": "on_off", "on_rate": 8.0, "off_rate": 2.0, "mean_on": 5.0, "mean_off": 9.0},
            {"on_rate": 20.0, "off_rate": 5.0, "mean_on": 5.0, "mean_off": 9.0},
        ),
        ({"kind": "surge", "count": 3, "at": 4.0, "then": 2.0}, {"count": 8, "at": 4.0, "then": 5.0}),
        ({"kind": "periodic_burst", "count": 3, "every": 5.0}, {"count": 3, "every": 2.0}),
        ({"kind": "profile", "points": [[0, 1], [10, 2]]}, {"points": [[0.0, 2.5], [10.0, 5.0]]}),
        ({"kind": "trace", "source": [0, 5, 10]}, {"source": [0.0, 2.0, 4.0]}),
        ({"kind": "counts", "every": 60.0, "counts": [4, 8]}, {"scale": 2.5}),
        (
            {"kind": "renewal", "interval": {"kind": "gamma", "mean": 0.5, "cv": 2}},
            {"interval": {"kind": "gamma", "mean": 0.2, "cv": 2.0, "cpu": 0.0}},
        ),
        (
            {"kind": "renewal", "interval": {"kind": "empirical", "source": [0.5, 1.0]}},
            {"interval": {"kind": "empirical", "source": [0.2, 0.4], "cpu": 0.0}},
        ),
    ],
)
def test_a_factor_changes_rates_and_intervals_only(arrivals: dict[str, Any], faster: dict[str, Any]) -> None:
    found = with_arrivals(arriving(**arrivals), 2.5).queues[0].arrivals.model_dump(mode="json", exclude_none=True)
    assert {name: found[name] for name in faster} == faster
    assert found["kind"] == arrivals["kind"]


def test_a_queue_that_is_always_full_is_refused() -> None:
    with pytest.raises(InvalidInput, match="no rate that could grow"):
        with_arrivals(arriving(kind="saturated"), 2.0)


@pytest.mark.parametrize(
    ("arrivals", "mean", "peak"),
    [
        ({"kind": "poisson", "rate": 10}, 10.0, 10.0),
        ({"kind": "on_off", "on_rate": 30, "off_rate": 10, "mean_on": 1, "mean_off": 3}, 15.0, 30.0),
        ({"kind": "profile", "points": [[0, 10], [10, 30], [20, 10]]}, 20.0, 30.0),
        ({"kind": "saturated"}, None, None),
    ],
)
def test_mean_and_peak_rates(arrivals: dict[str, Any], mean: float | None, peak: float | None) -> None:
    spec = arriving(**arrivals)
    assert (mean_rate(spec), offered_rate(spec), peak_rate(spec)) == (mean, mean, peak)


def test_a_topic_offers_its_messages_to_every_instance() -> None:
    mode = {"topic_messages_distribution_mode": "One-Copy-Per-Server"}
    body = scenario_body("weblogic", arrivals={"kind": "poisson", "rate": 10}, queue=mode)
    body["servers"][0]["instances"] = 3
    body["queues"][0]["kind"] = "topic"
    assert (mean_rate(parse(body)), offered_rate(parse(body))) == (10.0, 30.0)
