"""Starting an experiment: a run with a question, claimed, computed, cancelled and tried again as every run."""

import hashlib
import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User

from planner.models import ScenarioVersion
from planner.models.identity import public_id
from planner.services.runs import Started, run_begin
from simulations.declarations.problems import InvalidInput, problem
from simulations.experiment.questions import Question, asked_spec, question_body
from simulations.experiment.reading import points_planned, read_question
from simulations.scenario.spec import ScenarioSpec


def experiment_start(
    *, version: ScenarioVersion, owner: User, question: Mapping[str, Any], force: bool = False
) -> Started:
    """Ask ``question`` of ``version``, or answer with the owner's experiment that asked the same of the same content.

    Raises InvalidInput with every problem of the question, its size among them.
    """
    return experiment_prepare(version=version, owner=owner, question=question, force=force)()


def experiment_prepare(
    *, version: ScenarioVersion, owner: User, question: Mapping[str, Any], force: bool
) -> Callable[[], Started]:
    """Do what ``experiment_start`` does before it needs the database; the result does the rest."""
    spec = version.parsed
    asked = read_question(question, spec)
    points, most = points_planned(asked), settings.ENVIRONMENT.max_sweep_points
    if points > most:
        message = f"the experiment has {points} points, at most {most} are allowed; use fewer values or steps"
        raise InvalidInput([problem(("knobs",), message, code="too_many_points", value=points)])
    return partial(
        run_begin,
        version=version,
        owner=owner,
        spec=spec,
        content_hash=experiment_hash(asked, spec),
        force=force,
        id=public_id("exp"),
        kind=asked.type,
        question=question_body(asked),
        plan={"points": points, "axes": _axes(asked)},
    )


def experiment_hash(question: Question, spec: ScenarioSpec) -> str:
    """Return a SHA-256 over everything that decides the answer of a complete question."""
    content = [asked_spec(question, spec).content_hash(), question_body(question)]
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _axes(question: Question) -> list[dict[str, Any]]:
    knobs = getattr(question, "knobs", ())
    return [{"path": axis.path, "values": axis.length} for axis in knobs]
