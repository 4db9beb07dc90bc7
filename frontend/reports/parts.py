"""The parts of a report that are gathered from several places: checks, differences, risks, and its experiments.

These say on what the decision depends; they are drawn from the payload.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from frontend.answers.point import Answer
from frontend.explore.page import shown
from frontend.wording.numbers import DIFFERENCES, TEXTS, metric_title, place_text, value_text
from planner.answers.choice import asked_metric
from planner.answers.summaries import estimate_read, summary_read
from planner.models import Run, RunStatus
from planner.selectors import Experiment, StoredPoint
from simulations.analysis.estimates.summary import change_text, estimate_text
from simulations.experiment.questions import Optimize, SensitivityQuestion, asked_spec, stored_question
from simulations.experiment.turns import Turn
from simulations.experiment.verdicts import verdict_of
from simulations.experiment.words import measured_turn, objective_text, setting_title
from simulations.scenario.spec import ScenarioSpec, parse

TOLD = tuple(name for name, where in TEXTS["metrics_shown"].items() if where != "comparison")
"""Metrics whose differences are shown."""
RISKS, NOT_MODELED = TEXTS["risks"], TEXTS["not_modeled"]
"""Metric -> how bad it is above 0, and what the model leaves out -> what would show that it matters."""
MISSING = TEXTS["experiments_missing"]
"""Kind of an experiment -> what is not known because nobody asked, with what to do."""


def checks_told(
    spec: ScenarioSpec, points: Sequence[StoredPoint], experiments: Sequence[Experiment]
) -> list[dict[str, Any]]:
    """Return each self-check over all points of the run and of its experiments, the failed ones first: how many points
    hold it, how far off the worst is, and where it fails."""
    every = [(place_text(spec, point.overrides) or "as set", point.summary.checks) for point in points]
    every += [
        (f"{item.run.pk} {place_text(item.spec, summary.overrides)}".strip(), summary.checks)
        for item in experiments
        for summary in item.answers.values()
    ]
    by_name: dict[str, list[tuple[str, bool, float]]] = {}
    for label, checks in every:
        for check in checks:
            by_name.setdefault(check["name"], []).append((label, bool(check["passed"]), abs(float(check["residual"]))))
    results = [_check(name, rows) for name, rows in by_name.items()]
    return sorted(results, key=lambda item: not item["failed"])


def change_table(payload: Mapping[str, Any], spec: ScenarioSpec, points: Sequence[StoredPoint]) -> dict[str, Any]:
    """Return headings and rows of the paired differences against the present settings (else the first point). A row is
    the label of a point, then cells of text, verdict and whether it is paired."""
    changes = payload["changes"]["points"]
    asked = (asked_metric(spec), *(item.metric for item in spec.objectives))
    names = [name for name in dict.fromkeys((*asked, *TOLD)) if any(name in item for item in changes.values())]
    places = {point.index: place_text(spec, point.overrides) for point in points}
    rows = [
        (place, [_cell(changes[str(index)].get(name)) for name in names])
        for index, place in places.items()
        if str(index) in changes
    ]
    baseline = places.get(payload["changes"]["baseline"], "")
    return {"change_headings": [*map(metric_title, names)], "change_rows": rows, "baseline": baseline}


def risks_of(answer: Answer | None, chosen: StoredPoint | None, holds: str) -> list[tuple[str, str, str, str]]:
    """Return title, severity, likelihood and trigger of broken rules, measured harm, growth of the arrivals, and what
    the model leaves out. Nothing is invented: what nobody stated says so."""
    certain, unknown = "certain: the rule compares these settings", "not known: a forecast of the arrivals would say"
    broken = [
        (": ".join(filter(None, (card.queue, card.message))), card.look, certain, card.source)
        for card in (answer.broken if answer else ())
    ]
    metrics, here = chosen.summary.metrics if chosen else {}, "this work and these settings"
    harm = [
        (metric_title(name), severity, f"seen in the simulation: {estimate_text(metrics[name])}", here)
        for name, severity in RISKS.items()
        if name in metrics and metrics[name].value > 0
    ]
    growth = [("More arrives than these settings carry", "error", unknown, holds)]
    left = [(f"Not modeled: {name}", "not known", "not known: measure it", sign) for name, sign in NOT_MODELED.items()]
    return [*broken, *harm, *(growth if holds else ()), *left]


def _check(name: str, rows: Sequence[tuple[str, bool, float]]) -> dict[str, Any]:
    failed, worst = [label for label, passed, _ in rows if not passed], max(size for *_, size in rows)
    return {"name": name, "passed": len(rows) - len(failed), "count": len(rows), "worst": worst, "failed": failed}


def _cell(item: Mapping[str, Any] | None) -> tuple[str, str, bool]:
    if item is None:
        return "–", "", True
    return change_text(estimate_read(item)), DIFFERENCES[item["verdict"]], item["paired"]


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


def experiment_shown(found: Experiment, result_hash: str) -> dict[str, Any]:
    """Return what an experiment says, with its map and, of a search, the front of what is paid for what is gained."""
    tabs = ("map", "front") if isinstance(found.question, Optimize) else (found.run.kind,)
    parts = [shown(found, tab) for tab in tabs]
    charts = tuple(chart for _, drawn in parts for chart in drawn)
    about = {"id": found.run.pk, "kind": found.run.kind, "title": found.run.get_kind_display()}
    return {**about, "sentences": parts[0][0], "charts": charts, "result_hash": result_hash}


def turns_of(spec: ScenarioSpec, turn: Turn | None, found: Sequence[Experiment]) -> tuple[tuple[str, str], ...]:
    """Return where objectives turn, by setting or input: along the sweep, and at the ends of a sensitivity's inputs.
    Each is a sentence without its end; ``turn``: where the first objective turns along the sweep."""
    along = f"{objective_text(spec.objectives[0])} is {measured_turn(spec, turn)}" if turn else ""
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
