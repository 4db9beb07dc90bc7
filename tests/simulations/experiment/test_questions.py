"""How much each point gets: few points as precise as asked, many as much as together stay affordable."""

import pytest

from simulations.experiment.questions import MAP_PRECISION, MAP_REPLICATIONS, MESSAGES, SHORTEST, Effort, affordable
from simulations.scenario.runsettings import Replications
from simulations.scenario.spec import ScenarioSpec, parse
from tests.scenarios import listener_port


def asking(messages: int) -> ScenarioSpec:
    run = {
        "horizon": {"messages": messages},
        "replications": {"min": 10, "max": 90},
        "precision": {"relative": "2%"},
    }
    return parse(listener_port("Effort", run=run))


def test_a_few_points_of_a_sweep_are_as_precise_as_the_scenario() -> None:
    found = affordable(Effort(), asking(50_000), 5, kind="sweep")
    assert found == Effort(messages=50_000, replications=Replications(min=10, max=90), precision=0.02)


def test_a_search_begins_with_fewer_replications() -> None:
    found = affordable(Effort(), asking(50_000), 5, kind="headroom")
    assert found.replications == Replications(min=8, max=40)


@pytest.mark.parametrize("points", [101, 1000, 100_000])
def test_a_map_shares_the_messages_among_its_cells(points: int) -> None:
    found = affordable(Effort(), asking(500_000), points, kind="sweep")
    assert (found.replications, found.precision) == (MAP_REPLICATIONS, MAP_PRECISION)
    assert found.messages == max(SHORTEST, MESSAGES // (points * MAP_REPLICATIONS.min))
    assert found.messages * points * MAP_REPLICATIONS.min <= max(MESSAGES, SHORTEST * points * MAP_REPLICATIONS.min)


def test_what_was_asked_is_kept() -> None:
    own = Effort(messages=700, replications=Replications(min=2, max=3), precision=0.5)
    assert affordable(own, asking(50_000), 5000, kind="optimize") == own
