"""The number on top: what is asked, whether it is met, and where it lies beside its target."""

from dataclasses import replace
from typing import Any

import pytest
from django.template.loader import render_to_string

from frontend.answers.hero import heroes_of
from simulations.analysis.estimates.summary import Estimate, PointSummary, Status
from simulations.scenario.spec import ScenarioSpec, parse
from tests.planner.conftest import summary_of
from tests.scenarios import listener_port

METRICS = {"latency.p95": Estimate(0.5, 0.4, 0.6, "s"), "throughput": Estimate(40.0, 39.0, 41.0, "/s")}


def asked(*objectives: dict[str, Any]) -> ScenarioSpec:
    return parse(listener_port("Heroes", objectives=list(objectives)))


def answered(status: Status = "ok") -> PointSummary:
    return replace(summary_of(0), overrides={}, status=status, metrics=METRICS)


@pytest.mark.parametrize(
    ("bound", "target", "shown", "judgment"),
    [
        ({"at_most": "1s"}, "at most 1 s", "0.50 ± 0.10 s", "met"),
        ({"at_most": "300ms"}, "at most 300 ms", "500 ± 100 ms", "missed"),
        ({"at_most": "550ms"}, "at most 550 ms", "500 ± 100 ms", "unresolved"),
        ({"at_least": "1s"}, "at least 1 s", "0.50 ± 0.10 s", "missed"),
    ],
)
def test_the_number_is_judged_by_its_target(bound: dict[str, str], target: str, shown: str, judgment: str) -> None:
    (hero,) = heroes_of(asked({"metric": "latency.p95", **bound}), answered())
    assert (hero.title, str(hero.shown), hero.target) == ("p95 latency", shown, target)
    assert hero.judgment == judgment


def test_value_interval_and_target_lie_on_one_scale() -> None:
    (hero,) = heroes_of(asked({"metric": "latency.p95", "at_most": "800ms"}), answered())
    assert hero.scale is not None
    assert hero.scale.zone == pytest.approx((0.0, 80.0))
    assert hero.scale.interval == pytest.approx((40.0, 20.0))
    assert hero.scale.value == pytest.approx(50.0)
    (least,) = heroes_of(asked({"metric": "throughput", "at_least": 80}), answered())
    assert least.scale is not None
    assert least.scale.zone == pytest.approx((80.0, 20.0))


def test_every_objective_has_a_number_the_first_one_leads() -> None:
    spec = asked({"metric": "throughput", "at_least": 10}, {"metric": "latency.p95", "at_most": "1s"})
    assert [hero.title for hero in heroes_of(spec, answered())] == ["Throughput", "p95 latency"]
    (rest,) = heroes_of(asked({"metric": "rollbacks", "equals": 0}), answered())
    assert (str(rest.shown), rest.judgment, rest.scale) == ("none", "unresolved", None)
    (slow,) = heroes_of(asked({"metric": "gate.blocks", "equals": 0}), answered())
    assert (str(slow.shown), slow.judgment) == ("none", "missed")


def test_without_an_objective_the_number_is_the_verdicts() -> None:
    (hero,) = heroes_of(asked(), answered())
    assert (hero.title, hero.target, hero.judgment) == ("p95 latency", "", "")


def test_before_the_simulation_the_target_is_known() -> None:
    (hero,) = heroes_of(asked({"metric": "latency.p95", "at_most": "1s"}), None)
    assert (str(hero.shown), hero.target, hero.judgment) == ("…", "at most 1 s", "")


def test_a_backlog_that_grows_misses_whatever_is_asked() -> None:
    growing = replace(answered("unstable"), growth={"orders": 7.0})
    (hero,) = heroes_of(asked({"metric": "latency.p95", "at_most": "1s"}), growing)
    assert (hero.target, hero.judgment) == ("no growth", "missed")
    assert str(hero.shown).startswith("7")
    assert heroes_of(asked(), answered("invalid")) == ()


def test_what_piles_up_without_an_objective_misses_none() -> None:
    growing = replace(answered("unstable"), growth={"orders": 7.0})
    (hero,) = heroes_of(asked(), growing)
    assert (hero.target, hero.judgment) == ("", "missed")
    words = render_to_string("frontend/answers/hero.html", {"hero": hero})
    assert "<strong>Unstable</strong>" in words
    (other,) = heroes_of(asked({"metric": "latency.p95", "at_most": "1s"}), growing)
    assert "<strong>Missed:</strong>" in render_to_string("frontend/answers/hero.html", {"hero": other})
