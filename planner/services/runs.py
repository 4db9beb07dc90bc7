"""What the owner does with runs: start, cancel, try again."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from planner.errors import Conflict
from planner.models import Run, RunStatus, ScenarioVersion
from planner.plans import plan_points
from planner.services.audit import audit
from planner.services.dispatch import run_send
from planner.services.transitions import run_transition
from simulations import ENGINE_VERSION
from simulations.scenario import ScenarioSpec, parse

ACTIVE = (RunStatus.QUEUED, RunStatus.RUNNING)


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
) -> Started:
    """Start a run of ``version``, or answer with the owner's run of the same content.

    The scenario is copied into the run together with the versions of engine and rules. A run of the same content
    that succeeded is the answer at once, one that is under way is the answer too. With ``force`` the numbers are
    computed again and compared (``Run.reproduced``). Raises InvalidInput for a plan that is too large or wrong.
    """
    spec = _with_settings(parse(version.spec), seed=seed, precision=precision)
    plan = _plan(spec)
    same = Run.objects.filter(owner=owner, content_hash=spec.content_hash())
    done = same.filter(status=RunStatus.SUCCEEDED).order_by("created_at").first()
    if not force:
        if done is not None:
            return Started(done, cached=True)
        active = same.filter(status__in=ACTIVE, forced=False).first()
        if active is not None:
            return Started(active, cached=False)
    try:
        return Started(_created(version, owner, spec, plan, forced=force, repeats=done), cached=False)
    except IntegrityError:
        # Somebody else started the same content between our look and our insert.
        return Started(same.get(status__in=ACTIVE, forced=False), cached=False)


@transaction.atomic
def _created(
    version: ScenarioVersion,
    owner: User,
    spec: ScenarioSpec,
    plan: dict[str, Any],
    *,
    forced: bool,
    repeats: Run | None,
) -> Run:
    run = Run.objects.create(
        version=version,
        owner=owner,
        spec=spec.body(),
        plan=plan,
        seed=spec.run.seed,
        engine_version=ENGINE_VERSION,
        rules_version=spec.family.rules_version,
        content_hash=spec.content_hash(),
        forced=forced,
        repeats=repeats if forced else None,
    )
    audit(actor=owner, action="run.start", target=run.pk, version=version.pk, forced=forced)
    run_send(run_id=run.pk)
    return run


@transaction.atomic
def run_cancel(*, run: Run, actor: User | None) -> Run:
    """Ask for the end of a run; asking again changes nothing.

    A queued run is cancelled at once, a running one becomes ``cancelling`` until its worker has stopped the Spark
    job. A run that is over stays as it is.
    """
    waiting = run_transition(run_id=run.pk, to=RunStatus.CANCELLED, sources=(RunStatus.QUEUED,))
    if waiting or run_transition(run_id=run.pk, to=RunStatus.CANCELLING):
        audit(actor=actor, action="run.cancel", target=run.pk)
    run.refresh_from_db()
    return run


@transaction.atomic
def run_retry(*, run: Run, actor: User | None) -> Run:
    """Send a failed or cancelled run again: same row, same numbers. Raises Conflict for any other status."""
    fresh: dict[str, Any] = {
        "attempt": 0,
        "error": None,
        "progress": {},
        "sent_at": None,
        "finished_at": None,
        "task_id": "",
    }
    try:
        with transaction.atomic():
            sources = (RunStatus.FAILED, RunStatus.CANCELLED)
            again = run_transition(run_id=run.pk, to=RunStatus.QUEUED, sources=sources, changes=fresh)
    except IntegrityError:
        raise Conflict("a run of the same content is under way; wait for it or cancel it") from None
    run.refresh_from_db()
    if not again:
        raise Conflict(f"only failed and cancelled runs can be tried again; this one is {run.status}")
    audit(actor=actor, action="run.retry", target=run.pk)
    run_send(run_id=run.pk)
    return run


def _with_settings(spec: ScenarioSpec, *, seed: int | None, precision: Mapping[str, Any] | None) -> ScenarioSpec:
    if seed is None and precision is None:
        return spec
    body = spec.body()
    run = {**body["run"], **({} if seed is None else {"seed": seed})}
    if precision is not None:
        run["precision"] = {**run["precision"], **precision}
    return parse({**body, "run": run})


def _plan(spec: ScenarioSpec) -> dict[str, Any]:
    axes = [{"path": axis.path, "values": axis.length} for axis in spec.sweep]
    return {"points": len(plan_points(spec)), "axes": axes}
