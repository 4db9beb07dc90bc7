"""What the owner does with runs: start, cancel, try again."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from planner.errors import Conflict
from planner.jobs.dispatch import job_send
from planner.jobs.plans import plan_points
from planner.jobs.transitions import job_cancel, job_pause, job_resume, job_retry
from planner.models import ACTIVE, Run, RunStatus, ScenarioVersion, audit
from simulations import ENGINE_VERSION
from simulations.scenario.spec import ScenarioSpec, revised

LOOKS = 5
"""How often a start looks for an equal run before it gives up."""


@dataclass(frozen=True)
class Started:
    """The run that answers a request; ``cached`` when it had succeeded before."""

    run: Run
    cached: bool


def run_start(
    *,
    version: ScenarioVersion,
    owner: User,
    force: bool = False,
    seed: int | None = None,
    precision: Mapping[str, Any] | None = None,
    max_time: float | None = None,
) -> Started:
    """Start a run of ``version``, or answer with the owner's run of the same content.

    The scenario is copied into the run together with the versions of engine and rules. A run of the same content that
    succeeded is the answer at once, one that is under way is the answer too; a paused one goes on. With ``force`` the
    numbers are computed again and compared (``Run.reproduced``). Raises InvalidInput for a plan that is too large or
    wrong.
    """
    return run_prepare(version=version, owner=owner, force=force, precision=precision, seed=seed, max_time=max_time)()


def run_prepare(
    *,
    version: ScenarioVersion,
    owner: User,
    force: bool = False,
    precision: Mapping[str, Any] | None = None,
    **settings: float | None,
) -> Callable[[], Started]:
    """Do what ``run_start`` does before it needs the database, which may take seconds; the result does the rest."""
    spec = _with_settings(version.parsed, precision=precision, **settings)
    plan, content_hash = _plan(spec), spec.content_hash()
    return partial(
        run_begin, version=version, owner=owner, spec=spec, content_hash=content_hash, force=force, plan=plan
    )


def run_begin(
    *, version: ScenarioVersion, owner: User, spec: ScenarioSpec, content_hash: str, force: bool, **about: Any
) -> Started:
    """Create the run of that content with the fields ``about`` it, or answer with the owner's that is there already."""
    same = Run.objects.filter(owner=owner, content_hash=content_hash)
    fields = {**about, "content_hash": content_hash, "forced": force}
    if force:
        done = same.filter(status=RunStatus.SUCCEEDED).order_by("created_at").first()
        return Started(_created(version, owner, spec, {**fields, "repeats": done}), cached=False)
    for _ in range(LOOKS):
        found = _answering(same, owner)
        if found is not None:
            return found
        # Somebody else may start the same content between our look and our insert; it may even end before the next.
        with suppress(IntegrityError):
            return Started(_created(version, owner, spec, fields), cached=False)
    raise Conflict("equal runs begin and end all the time; try again")


def _answering(same: QuerySet[Run], owner: User) -> Started | None:
    done = same.filter(status=RunStatus.SUCCEEDED).order_by("created_at").first()
    if done is not None:
        return Started(done, cached=True)
    active = same.filter(status__in=ACTIVE, forced=False).first()
    return None if active is None else Started(job_resume(active, actor=owner), cached=False)


@transaction.atomic
def _created(version: ScenarioVersion, owner: User, spec: ScenarioSpec, fields: dict[str, Any]) -> Run:
    run = Run.objects.create(
        version=version,
        owner=owner,
        spec=spec.body(),
        seed=spec.run.seed,
        engine_version=ENGINE_VERSION,
        rules_version=spec.family.rules_version,
        **fields,
    )
    audit(actor=owner, action="run.start", target=run.pk, version=version.pk, forced=run.forced)
    job_send(run)
    return run


def run_cancel(*, run: Run, actor: User | None) -> Run:
    """``job_cancel`` of a run."""
    return job_cancel(run, actor=actor)


def run_pause(*, run: Run, actor: User | None) -> Run:
    """``job_pause`` of a run."""
    return job_pause(run, actor=actor)


def run_resume(*, run: Run, actor: User | None) -> Run:
    """``job_resume`` of a run."""
    return job_resume(run, actor=actor)


def run_retry(*, run: Run, actor: User | None) -> Run:
    """``job_retry`` of a run."""
    return job_retry(run, actor=actor)


def _with_settings(
    spec: ScenarioSpec, *, precision: Mapping[str, Any] | None, **settings: float | None
) -> ScenarioSpec:
    given = {name: value for name, value in settings.items() if value is not None}
    if not given and precision is None:
        return spec
    run = {**spec.run.model_dump(mode="json"), **given}
    if precision is not None:
        run["precision"] = {**run["precision"], **precision}
    return revised(spec, [(("run",), run)])


def _plan(spec: ScenarioSpec) -> dict[str, Any]:
    axes = [{"path": axis.path, "values": axis.length} for axis in spec.sweep]
    return {"points": len(plan_points(spec)), "axes": axes}
