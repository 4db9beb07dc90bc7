"""The answer and the verdict that lists show of a run."""

from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User

from planner import services
from planner.answers.choice import headline_body, headline_point, verdict_word
from planner.models import Run, Scenario
from simulations.analysis.estimates.summary import Estimate, PointSummary
from simulations.scenario.runsettings import Objective
from simulations.scenario.spec import parse
from tests.planner.computing import compute
from tests.planner.conftest import summary_of
from tests.scenarios import listener_port

PATH = "queues.orders.settings.maximum_sessions"


def point(index: int, sessions: int, p95: float | None) -> PointSummary:
    """An answer with a p95 of ± 10 %, or an unstable one."""
    metrics = {} if p95 is None else {"latency.p95": Estimate(p95, 0.9 * p95, 1.1 * p95, "s")}
    status: Any = "unstable" if p95 is None else "ok"
    return replace(summary_of(0), index=index, overrides={PATH: sessions}, status=status, metrics=metrics)


def test_the_headline_is_the_scenarios_own_point() -> None:
    spec = parse({**listener_port("x"), "sweep": [{"path": PATH, "values": [18, 50]}]})
    own = spec.queues[0].settings.maximum_sessions  # type: ignore[attr-defined]
    points = [point(0, own + 1, 1.0), point(1, own, 9.0), point(2, own + 2, None)]
    assert headline_point(spec.body(), points).index == 1
    assert headline_point(spec.body(), [points[2], points[0]]).index == 0
    assert headline_point(spec.body(), [points[2]]).index == 2
    assert headline_body(points[1])["metrics"]["latency.p95"]["high"] == pytest.approx(9.9)
    assert headline_body(points[2])["metrics"] == {}


@pytest.mark.parametrize(
    ("bounds", "word"),
    [
        ([], ""),
        ([2.0], "met"),
        ([0.5], "missed"),
        ([1.05], "unresolved"),
        ([2.0, 0.95], "unresolved"),
        ([1.05, 0.5], "missed"),
    ],
)
def test_a_miss_outweighs_what_is_not_resolved(bounds: list[float], word: str) -> None:
    objectives = [Objective(metric="latency.p95", at_most=bound) for bound in bounds]
    assert verdict_word(objectives, point(0, 18, 1.0)) == word


def test_without_a_number_an_objective_is_missed() -> None:
    assert verdict_word([Objective(metric="latency.p95", at_most=1.0)], point(0, 18, None)) == "missed"


@pytest.mark.django_db(transaction=True)
def test_the_migration_judges_what_is_there(run: Run, owner: User) -> None:
    compute(run)
    bounded = {**run.spec, "objectives": [{"metric": "latency.p95", "at_most": "1ms"}]}
    services.scenario_replace(scenario=run.version.scenario, author=owner, spec=parse(bounded))
    run.refresh_from_db()
    headline = run.headline
    assert headline["overrides"] == {PATH: 36}
    Run.objects.update(headline={})
    Scenario.objects.update(verdict="")
    import_module("planner.migrations.0006_saved_views_and_verdicts").judge_what_is_there(apps, None)
    run.refresh_from_db()
    assert run.headline == headline
    assert Scenario.objects.get().verdict == "missed"
