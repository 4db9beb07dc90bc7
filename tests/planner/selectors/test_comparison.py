"""Comparisons of stored answers: paired where replications are stored, told apart where plans do not match."""

import shutil
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User

from planner import selectors, services
from planner.errors import NotFound
from planner.jobs import execute
from planner.models import Run, Scenario
from planner.selectors.comparison import verdict_of
from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.estimates.summary import Estimate
from simulations.pipeline.spark.executors import InlineExecutor
from simulations.scenario.spec import parse

# The heartbeat sees the run through a connection of its own, so that the run must be committed.
pytestmark = pytest.mark.django_db(transaction=True)
PATH = "queues.orders.settings.maximum_sessions"


def finished(run: Run) -> Run:
    """Compute the run in this process."""
    execute.run_compute(run_id=run.pk, worker="test", executor_of=lambda _: InlineExecutor())
    run.refresh_from_db()
    return run


@pytest.fixture
def stable(body: dict[str, Any]) -> dict[str, Any]:
    """Two stable points: 36 and 100 sessions."""
    run = {"horizon": {"messages": 4000}, "replications": {"min": 4, "max": 4}, "precision": {"relative": "50%"}}
    return {**body, "run": run, "sweep": [{"path": PATH, "values": [36, 100]}]}


@pytest.fixture
def run(owner: User, stable: dict[str, Any]) -> Run:
    """A finished run of both."""
    scenario = services.scenario_store(owner=owner, spec=parse(stable))
    return finished(services.run_start(version=scenario.version, owner=owner).run)


def keyed(owner: User, *keys: str) -> list[selectors.Subject]:
    return [selectors.subject_get(user=owner, key=key) for key in keys]


def test_points_of_one_run_differ_in_the_swept_setting_alone(owner: User, run: Run) -> None:
    found = selectors.compared(subjects=keyed(owner, f"{run.pk}:0", f"{run.pk}:1"))
    assert [(item.path, item.values) for item in found.differing] == [(PATH, (36, 100))]
    assert len(found.equal) > 20
    assert found.notes == ()


def test_differences_are_paired_and_those_of_the_run_itself(owner: User, run: Run) -> None:
    found = selectors.compared(subjects=keyed(owner, f"{run.pk}:0", f"{run.pk}:1"))
    kpi = next(item for item in found.kpis if item.metric.name == "latency.p95")
    change = kpi.changes[1]
    assert change is not None
    assert change.paired
    assert change.estimate == selectors.run_point(run=run, index=1).summary.differences["latency.p95"]
    assert kpi.changes[0] is None


def test_the_metric_of_the_question_comes_first(owner: User, stable: dict[str, Any], run: Run) -> None:
    found = selectors.compared(subjects=keyed(owner, f"{run.pk}:0", f"{run.pk}:1"))
    assert (found.asked, found.kpis[0].metric.name) == ("latency.p95", "latency.p95")
    order = {**stable, "objectives": [{"metric": "overtaken_fraction", "equals": 0}]}
    other = finished(
        services.run_start(version=services.scenario_store(owner=owner, spec=parse(order)).version, owner=owner).run
    )
    found = selectors.compared(subjects=keyed(owner, f"{other.pk}:0", f"{run.pk}:1"))
    assert (found.asked, found.kpis[0].metric.name) == ("overtaken_fraction", "overtaken_fraction")


def test_the_other_way_round_the_sign_turns(owner: User, run: Run) -> None:
    subjects = keyed(owner, f"{run.pk}:0", f"{run.pk}:1")
    there, back = (
        {item.metric.name: item.changes for item in selectors.compared(subjects=subjects, baseline=place).kpis}
        for place in (0, 1)
    )
    for name, changes in there.items():
        change, opposite = changes[1], back[name][0]
        assert (change is None) == (opposite is None), name
        if change and opposite:
            assert opposite.estimate.value == pytest.approx(-change.estimate.value), name


def test_a_queue_alone_has_no_metrics_of_servers(owner: User, run: Run) -> None:
    subjects = keyed(owner, f"{run.pk}:0", f"{run.pk}:1")
    found = selectors.compared(subjects=subjects, queue="orders")
    names = {item.metric.name for item in found.kpis}
    assert "latency.p95" in names
    assert "cpu.utilisation" not in names
    assert selectors.queue_names(subjects) == ("orders",)
    assert all(item.changes[1].paired for item in found.kpis if item.changes[1] is not None)


def test_without_stored_replications_the_differences_are_unpaired_and_wider(owner: User, run: Run) -> None:
    keys = (f"{run.pk}:0", f"{run.pk}:1")
    paired = {item.metric.name: item.changes[1] for item in selectors.compared(subjects=keyed(owner, *keys)).kpis}
    shutil.rmtree(settings.ENVIRONMENT.store / run.pk)
    found = selectors.compared(subjects=keyed(owner, *keys))
    change = next(item.changes[1] for item in found.kpis if item.metric.name == "latency.mean")
    assert change is not None
    assert not change.paired
    assert paired["latency.mean"] is not None
    narrow = paired["latency.mean"].estimate
    assert change.estimate.value == pytest.approx(narrow.value)
    assert change.estimate.high - change.estimate.low > narrow.high - narrow.low
    assert any("not stored any more" in note for note in found.notes)


def test_other_seeds_lengths_and_work_are_said(owner: User, stable: dict[str, Any], run: Run) -> None:
    longer = {**stable, "sweep": [], "run": {**stable["run"], "seed": 7, "horizon": {"messages": 5000}}}
    queue = {**stable["queues"][0], "service": {"kind": "exponential", "mean": "190ms"}}
    other = services.scenario_store(owner=owner, spec=parse({**longer, "queues": [queue]}))
    finished(services.run_start(version=other.version, owner=owner).run)
    notes = " ".join(selectors.compared(subjects=keyed(owner, f"{run.pk}:0", other.pk)).notes)
    assert "The seeds differ" in notes
    assert "length of a replication differs" in notes
    assert "Arrivals or service times differ" in notes


def test_a_scenario_stands_for_its_newest_answer_at_its_own_settings(owner: User, run: Run) -> None:
    subject = selectors.subject_get(user=owner, key=run.version.scenario_id)
    assert subject.run == run
    assert subject.point is not None
    assert subject.point.overrides == {PATH: 36}
    assert selectors.subject_get(user=owner, key=f"{run.version.scenario_id}:1").run == run


def test_a_scenario_without_a_run_has_no_numbers_but_settings(owner: User, run: Run, body: dict[str, Any]) -> None:
    fresh = services.scenario_store(owner=owner, spec=parse({**body, "sweep": []}))
    found = selectors.compared(subjects=keyed(owner, f"{run.pk}:1", fresh.pk))
    assert found.subjects[1].run is None
    assert PATH in {item.path for item in found.differing}
    assert all(item.changes[1] is None for item in found.kpis)


@pytest.mark.parametrize("key", ["", "run_", "run_unknown", "scn_unknown:3", "x", "run_a:b", "rep_1"])
def test_what_is_not_there_is_not_found(owner: User, key: str) -> None:
    with pytest.raises(NotFound):
        selectors.subject_get(user=owner, key=key)


def test_strangers_find_nothing(stranger: User, run: Run, scenario: Scenario) -> None:
    for key in (run.pk, f"{run.pk}:0", run.version.scenario_id, scenario.pk):
        with pytest.raises(NotFound):
            selectors.subject_get(user=stranger, key=key)


@pytest.mark.parametrize(
    ("metric", "low", "high", "verdict"),
    [
        ("latency.p95", -0.2, -0.1, "better"),
        ("latency.p95", 0.1, 0.2, "worse"),
        ("latency.p95", -0.1, 0.1, "not resolved"),
        ("throughput", 0.1, 0.2, "better"),
        ("throughput", -0.2, -0.1, "worse"),
        ("cpu.utilisation", 0.1, 0.2, "higher"),
        ("cpu.utilisation", -0.2, -0.1, "lower"),
        ("rollbacks", 0.0, 0.0, "same"),
    ],
)
def test_the_verdict_follows_the_interval_and_the_better_direction(
    metric: str, low: float, high: float, verdict: str
) -> None:
    assert verdict_of(BY_NAME[metric], Estimate((low + high) / 2, low, high, "s")) == verdict
