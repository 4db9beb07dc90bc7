"""Storing what a run computes: the answers of its points, its end, its headline, and its scenario's verdict."""

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils import timezone

from planner.answers.choice import run_headline, verdict_word
from planner.answers.summaries import result_hash, summary_plain, summary_read
from planner.jobs.leases import job_end, job_touch
from planner.models import PointResult, Run, RunKind, RunStatus, Scenario
from simulations.analysis.estimates.summary import PointSummary
from simulations.scenario.runsettings import Objective


@transaction.atomic
def run_points_save(
    *, run: Run, summaries: Sequence[PointSummary], partial: bool, content_keys: Mapping[int, str] | None = None
) -> RunStatus:
    """Store the answers of points of one round in one statement; points that are stored already are replaced.

    ``run`` holds the worker's claim; raises ClaimLost. ``content_keys``: point -> ``replication_key`` of its scenario,
    by which later experiments find the replications.
    """
    status = job_touch(run)
    now = timezone.now()
    PointResult.objects.bulk_create(
        [
            PointResult(
                run_id=run.pk,
                index=summary.index,
                overrides=dict(summary.overrides),
                status=summary.status,
                summary=summary_plain(summary),
                partial=partial,
                content_key=(content_keys or {}).get(summary.index, ""),
                updated_at=now,
            )
            for summary in summaries
        ],
        update_conflicts=True,
        unique_fields=["run", "index"],
        update_fields=["overrides", "status", "summary", "partial", "content_key", "updated_at"],
        batch_size=200,
    )
    return status


@transaction.atomic
def run_finish(
    *, run: Run, store_path: str = "", timings: Mapping[str, float] | None = None, points: int | None = None
) -> RunStatus:
    """End a run whose points are all stored; the result hash is taken from them.

    ``points``: how many an experiment turned out to need; a plain run has those of its plan. Returns ``succeeded``,
    or ``cancelled`` when the owner asked for that in the meantime.
    Raises ClaimLost, and ValueError when points are missing.
    """
    job_touch(run)
    stored = Run.objects.select_related("version").get(pk=run.pk)
    summaries = [summary_read(plain) for plain in stored.points.values_list("summary", flat=True)]
    planned = stored.plan["points"] if points is None else points
    if len(summaries) != planned:
        raise ValueError(f"{run.pk} has {len(summaries)} of {planned} points")
    stored.points.update(partial=False)
    status = job_end(
        run,
        to=RunStatus.SUCCEEDED,
        progress={**stored.progress, "fraction": 1.0, "eta_s": 0.0},
        result_hash=result_hash(summaries),
        store_path=store_path,
        timings=dict(timings or {}),
        plan={**stored.plan, "points": planned},
        headline=stored.headline | run_headline(stored, summaries),
    )
    if status == RunStatus.SUCCEEDED:
        scenario_judge(scenario_id=stored.version.scenario_id)
    return status


def scenario_judge(*, scenario_id: str) -> None:
    """Keep with the scenario the verdict of its newest answer, so that lists can be filtered by it.

    Call it inside the transaction of what may change the answer or the objectives.
    """
    scenario = Scenario.objects.select_for_update().select_related(None).get(pk=scenario_id)
    verdict = _verdict(scenario)
    if verdict != scenario.verdict:
        Scenario.objects.filter(pk=scenario_id).update(verdict=verdict)


def _verdict(scenario: Scenario) -> str:
    # Reading the rest of a large scenario would take seconds, in which no other process could write.
    objectives = [Objective.model_validate(item) for item in scenario.version.spec["objectives"]]
    done = Run.objects.filter(version__scenario=scenario, kind=RunKind.RUN, status=RunStatus.SUCCEEDED)
    newest = done.order_by("-created_at", "-pk").values_list("pk", "headline").first() if objectives else None
    if newest is None or not newest[1]:
        return ""
    run_id, headline = newest
    stored = PointResult.objects.get(run_id=run_id, index=headline["index"])
    return verdict_word(objectives, summary_read(stored.summary))
