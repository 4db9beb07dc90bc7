"""The context of the Explore page: one experiment, whole or partial, on one of its tabs."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from frontend.charts.chart import Chart
from frontend.explore.pictures import choice_charts, headroom_picture, map_picture, sensitivity_picture
from frontend.explore.texts import choice_sentences, headroom_sentences, sensitivity_sentences, sweep_sentences
from frontend.wording.numbers import metric_title
from frontend.wording.texts import TEXTS
from planner.models import Run, RunKind
from planner.selectors import Experiment
from simulations.analysis.estimates.quantities import estimate_text
from simulations.analysis.estimates.summary import PointSummary
from simulations.experiment.choice import best_of
from simulations.experiment.headrooms import headroom_of
from simulations.experiment.questions import HeadroomQuestion, Optimize, SensitivityQuestion, Sweep
from simulations.experiment.sensitivities import effects_of
from simulations.experiment.verdicts import judged, verdict_of
from simulations.experiment.words import objective_text, settings_text, why

TABS: Mapping[str, tuple[str, str]] = {
    "map": ("Map", RunKind.OPTIMIZE),
    "front": ("Front", RunKind.OPTIMIZE),
    "sensitivity": ("Sensitivity", RunKind.SENSITIVITY),
    "headroom": ("Headroom", RunKind.HEADROOM),
    "all": ("All runs", RunKind.OPTIMIZE),
}
"""Tab -> its title and the kind of experiment that it shows."""
VERDICTS = TEXTS["point_verdicts"]


class Shown(NamedTuple):
    """What a tab says: sentences and pictures."""

    sentences: tuple[str, ...]
    charts: tuple[Chart, ...]


def shown(found: Experiment, tab: str) -> Shown:
    """Return the contents of a tab of an experiment that has at least one answer."""
    match found.question:
        case Optimize() as question:
            best = best_of(question, found.spec, found.answers)
            return Shown(choice_sentences(found, question, best), choice_charts(found, question, best, tab))
        case HeadroomQuestion() as question:
            headroom = headroom_of(found.spec.objectives, found.answers)
            picture = headroom_picture(found, question, headroom)
            return Shown(headroom_sentences(found, question, headroom), (picture,))
        case SensitivityQuestion() as question:
            effects = effects_of(question, found.answers)
            picture = sensitivity_picture(found, question, effects)
            return Shown(sensitivity_sentences(found, question, effects), (picture,))
        case Sweep() as question:
            return Shown(sweep_sentences(found, question), (map_picture(found, question, None),))


def point_shown(found: Experiment, index: int) -> dict[str, Any] | None:
    """Return a point's settings, what it gives, and why it was not chosen; None where it has no answer."""
    summary = found.answers.get(index)
    if summary is None:
        return None
    reason = ""
    if isinstance(found.question, Optimize):
        reason = why(found.question, found.spec, best_of(found.question, found.spec, found.answers), index)
    return {
        "index": index,
        "settings": settings_text(found.spec, summary.overrides),
        "verdict": VERDICTS[verdict_of(found.spec.objectives, summary)],
        "why": reason,
        "metrics": tuple((metric_title(name), estimate_text(item)) for name, item in summary.metrics.items()),
        "objectives": tuple(
            (objective_text(item.objective), estimate_text(item.estimate), "met" if item.chance > 0.5 else "missed")
            for item in judged(found.spec.objectives, summary)
        ),
        "replications": summary.replications,
        "partial": index in found.partial,
    }


def effort_text(found: Experiment) -> str:
    """Return how much each point is simulated."""
    effort = found.question.effort
    replications = effort.replications or found.spec.run.replications
    each = f" of {effort.messages:,} messages" if effort.messages is not None else ""
    return (
        f"Each point: {replications.min} to {replications.max} replications{each}, equal random numbers at all points."
    )


def fits(run: Run, tab: str) -> bool:
    """Return whether a tab can show the experiment: its own kind, on the map also a sweep."""
    return run.kind == TABS[tab][1] or (tab == "map" and run.kind == RunKind.SWEEP)


def point_rows(found: Experiment) -> tuple[list[str], list[list[Any]]]:
    """Return headings and rows of the CSV: settings, verdict, and every metric with its interval."""
    paths = list(dict.fromkeys(path for summary in found.answers.values() for path in summary.overrides))
    names = list(dict.fromkeys(name for summary in found.answers.values() for name in summary.metrics))
    head = ["point", *paths, "verdict", "status", "replications"]
    head += [part for name in names for part in (name, f"{name}.low", f"{name}.high")]
    return head, [_row(found, summary, paths, names) for summary in found.answers.values()]


def _row(found: Experiment, summary: PointSummary, paths: list[str], names: list[str]) -> list[Any]:
    verdict = verdict_of(found.spec.objectives, summary)
    settings = [summary.overrides.get(path, "") for path in paths]
    row = [summary.index, *settings, verdict, summary.status, summary.replications]
    for name in names:
        item = summary.metrics.get(name)
        row += [item.value, item.low, item.high] if item else ["", "", ""]
    return row
