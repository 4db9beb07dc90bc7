"""Runs and experiments: start, and try again."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from planner.errors import Conflict, QuotaReached
from planner.jobs.dispatch import job_send
from planner.jobs.plans import most_replications, plan_points, plan_work
from planner.jobs.transitions import RETRIED, job_resume, job_retry
from planner.jobs.turns import shares
from planner.models import ACTIVE, Run, RunStatus, ScenarioVersion, audit
from planner.models.identity import public_id
from planner.models.report import payload_digest
from planner.models.team import beside
from simulations import ENGINE_VERSION
from simulations.declarations.problems import InvalidInput
from simulations.experiment.questions import Question, asked_spec
from simulations.experiment.reading import points_planned, read_question
from simulations.scenario.runsettings import Axis
from simulations.scenario.spec import ScenarioSpec, revised

ATTEMPTS = 5
"""Of a start, while equal runs begin and end."""


@dataclass(frozen=True)
class Started:
    """The run that answers a request; ``cached`` when it had succeeded before."""

    run: Run
    cached: bool


def run_start(*, version: ScenarioVersion, owner: User, **asked: Any) -> Started:
    """Start a run of ``version``, or answer with the run of the same content; ``asked`` as ``run_prepare``.

    The scenario is copied into the run together with the versions of engine and rules. A run of the same content that
    succeeded or is under way is the answer at once; a paused one goes on. With ``force`` the numbers are computed again
    and compared (``Run.reproduced``). Raises InvalidInput for a plan that is too large or wrong.
    """
    return run_prepare(version=version, owner=owner, **asked)()


def run_prepare(
    *,
    version: ScenarioVersion,
    owner: User,
    force: bool = False,
    precision: Mapping[str, Any] | None = None,
    **settings: float | None,
) -> Callable[[], Started]:
    """Do the part of ``run_start`` before its transaction, which may take seconds; calling the result does the rest."""
    spec = _with_settings(version.parsed, precision=precision, **settings)
    points = plan_points(spec)
    place = ("run", "replications", "max")
    work = plan_work([point.spec for point in points.points], points=len(points.points), place=place)
    plan = _plan(len(points), spec.sweep, work)
    return partial(_begun, version, owner, spec, force=force, content_hash=spec.content_hash(), plan=plan)


def _begun(
    version: ScenarioVersion, owner: User, spec: ScenarioSpec, *, force: bool, content_hash: str, **about: Any
) -> Started:
    """Create the run of that content with the fields ``about`` it, or answer with the one of the owner or the team."""
    same = Run.objects.filter(beside(version.scenario, Run.held_by), content_hash=content_hash)
    fields = {**about, "content_hash": content_hash, "forced": force}
    if force:
        done = same.filter(status=RunStatus.SUCCEEDED).order_by("created_at").first()
        return Started(_created(version, owner, spec, {**fields, "repeats": done}), cached=False)
    for _ in range(ATTEMPTS):
        known = _answering(same, owner)
        if known is not None:
            return known
        # Another request may start the same content between the query and the insert; it may even end before the next.
        with suppress(IntegrityError):
            return Started(_created(version, owner, spec, fields), cached=False)
    raise Conflict("equal runs begin and end all the time; try again")


def _answering(same: QuerySet[Run], owner: User) -> Started | None:
    done = same.filter(status=RunStatus.SUCCEEDED).order_by("created_at").first()
    if done is not None:
        return Started(done, cached=True)
    active = same.filter(status__in=ACTIVE, forced=False).first()
    return None if active is None else Started(job_resume(active, actor=owner), cached=False)


def _check_quota(version: ScenarioVersion, owner: User, cpu_s: float) -> None:
    """Raise QuotaReached where this run and those under way of the person or the team are too many, or too much."""
    team = version.scenario.team
    holder = owner.get_username(), team.name if team else None
    for share in shares(holder)[holder]:
        whose = "your runs" if share.kind == "person" else f"the runs of the team {share.name}"
        limit = f"MAX_{share.kind.upper()}"
        if share.runs >= share.most_runs:
            text = f"{share.runs} of {whose} wait, compute or are paused, which is the most ({limit}_RUNS)"
            raise QuotaReached(f"{text}; wait for one or cancel one")
        total = cpu_s + share.cpu_s
        if total > share.most_cpu_s:
            text = f"{whose} under way and this one may take {total:,.0f} CPU seconds"
            most = f"at most {share.most_cpu_s:,} are allowed ({limit}_CPU_SECONDS)"
            raise QuotaReached(f"{text}, {most}; wait for one, cancel one, or ask for fewer replications")


@transaction.atomic
def _created(version: ScenarioVersion, owner: User, spec: ScenarioSpec, fields: dict[str, Any]) -> Run:
    _check_quota(version, owner, fields["plan"]["work"]["cpu_s"])
    run = Run.objects.create(
        version=version,
        owner=owner,
        spec=spec.body(),
        seed=spec.run.seed,
        engine_version=ENGINE_VERSION,
        rules_version=spec.family.rules_version,
        **fields,
    )
    audit(actor=owner, action="run.start", row=run, version=version.pk, forced=run.forced)
    job_send(run)
    return run


@transaction.atomic
def run_retry(run: Run, *, actor: User | None) -> Run:
    """``job_retry`` of a run; raises QuotaReached too, where the run's status allows another try."""
    if run.status in RETRIED:
        _check_quota(run.version, run.owner, run.plan.get("work", {}).get("cpu_s", 0.0))
    return job_retry(run, actor=actor)


def _with_settings(
    spec: ScenarioSpec, *, precision: Mapping[str, Any] | None, **settings: float | None
) -> ScenarioSpec:
    given: dict[str, Any] = {name: value for name, value in settings.items() if value is not None}
    run = spec.run.model_dump(mode="json")
    if precision is not None:
        given["precision"] = {**run["precision"], **precision}
    return revised(spec, [(("run",), {**run, **given})]) if given else spec


def _within_memory(question: Question, most: int) -> Question:
    """Return the question, which does not say how many replications it wants, with at most ``most`` of each point."""
    body = question.model_dump(by_alias=True)
    chosen = body["effort"]["replications"]
    chosen["max"] = max(chosen["min"], min(chosen["max"], most))
    return question.model_validate(body)


def _plan(points: int, axes: Iterable[Axis], work: dict[str, Any]) -> dict[str, Any]:
    return {"points": points, "axes": [{"path": axis.path, "values": axis.length} for axis in axes], "work": work}


def experiment_prepare(
    *, version: ScenarioVersion, owner: User, question: Mapping[str, Any], force: bool = False
) -> Callable[[], Started]:
    """Read ``question`` of ``version``, which may take seconds; calling the result asks it, or answers with what asked
    the same of the same content. Raises InvalidInput with every problem of the question, its size among them."""
    spec = version.parsed
    most = settings.ENVIRONMENT.max_sweep_points
    complete = read_question(question, spec, most)
    points = points_planned(complete)
    if points > most:
        message = f"the experiment has {points} points, at most {most} are allowed; use fewer values or steps"
        raise InvalidInput.at(("knobs",), message, code="too_many_points", value=points)
    if "replications" not in question.get("effort", {}):
        complete = _within_memory(complete, most_replications(spec, points=points))
    asked, body = asked_spec(complete, spec), complete.model_dump(mode="json", by_alias=True)
    work = plan_work([asked], points=points, place=("effort", "replications", "max"))
    about = {"id": public_id("exp"), "kind": complete.type, "question": body}
    plan = _plan(points, getattr(complete, "knobs", ()), work)
    content_hash = payload_digest([asked.content_hash(), body])
    return partial(_begun, version, owner, spec, force=force, content_hash=content_hash, plan=plan, **about)
