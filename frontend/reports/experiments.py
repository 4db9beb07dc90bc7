"""The experiments inside a report, from its payload: what they say, and on what the decision depends."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from frontend.charts.chart import Chart
from frontend.explore.page import shown
from frontend.wording.setting_names import value_text
from frontend.wording.texts import TEXTS
from planner.answers.summaries import summary_read
from planner.models import Run, RunKind, RunStatus
from planner.selectors import Experiment
from simulations.experiment.questions import Optimize, SensitivityQuestion, asked_spec, stored_question
from simulations.experiment.turns import Turn
from simulations.experiment.verdicts import verdict_of
from simulations.experiment.words import objective_text, setting_title, turn_text
from simulations.scenario.spec import ScenarioSpec, parse

TITLES = TEXTS["experiment_kinds"]
MISSING = TEXTS["experiments_missing"]
"""Kind -> what is not known without it, and what to do to know it."""


@dataclass(frozen=True)
class ExperimentShown:
    """One experiment: what it says, and its pictures."""

    id: str
    kind: str
    title: str
    sentences: tuple[str, ...]
    charts: tuple[Chart, ...]
    result_hash: str


def experiment_stored(body: Mapping[str, Any]) -> Experiment:
    """Return a stored experiment as the pages know it; it needs no database."""
    question = stored_question(body["question"])
    summaries = [summary_read(point) for point in body["points"]]
    return Experiment(
        run=Run(pk=body["id"], kind=body["kind"], status=RunStatus.SUCCEEDED, spec=body["spec"]),
        question=question,
        spec=asked_spec(question, parse(body["spec"])),
        answers={summary.index: summary for summary in summaries},
        partial=frozenset(),
    )


def experiment_shown(found: Experiment, result_hash: str) -> ExperimentShown:
    """Return what an experiment says, with its map and, of a search, the front of what is paid for what is gained."""
    tabs = ("map", "front") if isinstance(found.question, Optimize) else (found.run.kind,)
    parts = [shown(found, tab) for tab in tabs]
    charts = tuple(chart for part in parts for chart in part.charts)
    title = TITLES[RunKind(found.run.kind)]
    return ExperimentShown(found.run.pk, found.run.kind, title, parts[0].sentences, charts, result_hash)


def missing_experiments(found: Sequence[Experiment]) -> tuple[str, ...]:
    """Return what is not known because nobody asked, each with what to do."""
    kinds = {item.run.kind for item in found}
    return tuple(text for kind, text in MISSING.items() if kind not in kinds)


def turns_of(spec: ScenarioSpec, turn: Turn | None, found: Sequence[Experiment]) -> tuple[tuple[str, str], ...]:
    """Return where objectives turn, by setting or input: along the sweep, and at the ends of a sensitivity's inputs.

    Each is a sentence without its end; ``turn``: where the first objective turns along the sweep.
    """
    along = f"{objective_text(spec.objectives[0])} is {turn_text(spec, turn)}" if turn else ""
    turns = [(setting_title(spec, turn.path), along)] if turn else []
    for item in found:
        if isinstance(item.question, SensitivityQuestion) and item.spec.objectives:
            turns += _at_ends(item, item.question)
    return tuple(turns)


def _at_ends(found: Experiment, question: SensitivityQuestion) -> list[tuple[str, str]]:
    asked = " and ".join(objective_text(item) for item in found.spec.objectives)
    turns = []
    for number, (path, ends) in enumerate(question.inputs.items()):
        summaries = [found.answers.get(1 + 2 * number + place) for place in range(2)]
        words = [verdict_of(found.spec.objectives, item) if item else "unsure" for item in summaries]
        texts = [value_text(found.spec, path, value) for value in ends]
        bad = [text for text, word in zip(texts, words, strict=True) if word in ("missed", "unstable")]
        title = setting_title(found.spec, path)
        if bad:
            turns.append((title, f"“{asked}” no longer holds at {' and '.join(bad)}"))
        elif words == ["met", "met"]:
            turns.append((title, f"“{asked}” holds from {texts[0]} to {texts[1]}, as far as it was tried"))
        else:
            turns.append((title, f"between {texts[0]} and {texts[1]} it is not resolved whether “{asked}” holds"))
    return turns
