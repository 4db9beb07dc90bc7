"""The basket: answers put aside to be compared, kept in the session, and their names."""

from collections.abc import Sequence
from contextlib import suppress

from django.http import HttpRequest

from frontend.wording.numbers import swept_values
from planner import selectors
from planner.errors import Conflict, NotFound
from planner.selectors import Subject
from planner.selectors.comparison import MOST
from simulations.experiment.words import setting_title

HELD = "compare"
"""The key of the session."""


def basket_keys(request: HttpRequest) -> list[str]:
    """Return what is in the basket, in the order in which it was put there: keys of ``selectors.subject_get``."""
    return list(request.session.get(HELD, []))


def basket_add(request: HttpRequest, keys: Sequence[str]) -> list[str]:
    """Put more into the basket and return all; raises NotFound for what is not the person's, Conflict beyond six."""
    added = [selectors.subject_get(user=request.user, key=key).key for key in keys]
    held = list(dict.fromkeys([*basket_keys(request), *added]))
    if len(held) > MOST:
        raise Conflict(f"at most {MOST} answers can be compared; remove one first")
    return _kept(request, held)


def basket_remove(request: HttpRequest, keys: Sequence[str]) -> list[str]:
    """Take something out and return what is left; what is not in the basket does no harm."""
    return _kept(request, [key for key in basket_keys(request) if key not in keys])


def basket_shown(request: HttpRequest) -> list[tuple[str, str]]:
    """Return key and name of everything in the basket; what is gone meanwhile is taken out."""
    held = basket_keys(request)
    subjects = []
    for key in held:
        with suppress(NotFound):
            subjects.append(selectors.subject_get(user=request.user, key=key))
    if len(subjects) < len(held):
        _kept(request, [subject.key for subject in subjects])
    labels = subject_labels(subjects)
    # The label alone tells the points of one run apart, but not of which scenario they are.
    return [
        (subject.key, label if label.startswith(subject.spec.name) else f"{subject.spec.name}: {label}")
        for subject, label in zip(subjects, labels, strict=True)
    ]


def subject_labels(subjects: Sequence[Subject]) -> tuple[str, ...]:
    """Return short names that tell the subjects apart: the values of a sweep, else version, else name too."""
    names = {subject.version.scenario_id for subject in subjects}
    versions = {subject.version.pk for subject in subjects}
    labels = [_label(subject, name=len(names) > 1, version=len(versions) > 1) for subject in subjects]
    return tuple(
        label if labels.count(label) == 1 else f"{label} ({place})" for place, label in enumerate(labels, start=1)
    )


def _kept(request: HttpRequest, keys: list[str]) -> list[str]:
    request.session[HELD] = keys
    return keys


def _label(subject: Subject, *, name: bool, version: bool) -> str:
    overrides = subject.point.overrides if subject.point else {}
    swept = swept_values(subject.spec, overrides)
    if len(overrides) == 1:
        swept = f"{setting_title(subject.spec, next(iter(overrides)))} {swept}"
    parts = [
        subject.spec.name if name else "",
        f"v{subject.version.number}" if version or not swept else "",
        swept if not version or ":" in subject.key else "",
    ]
    return " ".join(part for part in parts if part)
