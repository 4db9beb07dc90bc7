"""The worked questions of the first page: presets with their answers, simulated once by the process and kept."""

from dataclasses import dataclass

from frontend.answers.sentences import run_sentences
from frontend.scenarios.page import Sparkline, sparkline
from frontend.wording.numbers import metric_title, swept_values
from planner.answers.choice import asked_metric, good_points, verdict_word
from planner.answers.quick import paired_answers
from planner.answers.summaries import StoredPoint
from planner.presets.files import Preset, presets
from simulations.analysis.estimates.metrics import BY_NAME
from simulations.experiment import expansion
from simulations.experiment.turns import found_turn
from simulations.experiment.words import setting_title
from simulations.platforms import PLATFORMS

EVENTS = 500_000
"""Events of all values of one sweep together."""
SENTENCES = 2


@dataclass(frozen=True)
class WorkedAnswer:
    """What a preset's sweep says; ``verdict``: met, missed or unresolved by the best value, empty for no objective."""

    sentences: tuple[str, ...]
    verdict: str
    curve: Sparkline | None


_ANSWERS: dict[str, WorkedAnswer] = {}
"""Answers by the key of their preset: a preset never changes while the process lives."""


def questions() -> list[tuple[str, Preset, WorkedAnswer | None]]:
    """Return platform, preset and answer of every question in their order; None for what nobody asked yet."""
    return [(PLATFORMS[it.spec.platform].title, it, _ANSWERS.get(it.key)) for it in presets()]


def worked_answer(preset: Preset) -> WorkedAnswer:
    """Return the answer to a preset's question; the first call simulates, for about a tenth of a second."""
    key, spec = preset.key, preset.spec
    if key in _ANSWERS:
        return _ANSWERS[key]
    summaries = paired_answers(expansion(spec).points, events=EVENTS)
    points = [StoredPoint(item.index, item.overrides, partial=False, summary=item) for item in summaries]
    setting = setting_title(spec, spec.sweep[0].path)
    good = good_points(spec, points)
    verdict = verdict_word(spec.objectives, good[0][0].summary) if good else ""
    each = EVENTS // len(points)
    turn = found_turn(spec, summaries, lambda more: paired_answers(more, events=each * len(more)))
    sentences = run_sentences(spec, points, (), setting, turn)
    metric = asked_metric(spec)
    known = [(point, point.summary.metrics[metric]) for point in points if metric in point.summary.metrics]
    values = [(f"{swept_values(spec, point.overrides)}:", estimate.value) for point, estimate in known]
    curve = sparkline(values, BY_NAME[metric].unit, f"{metric_title(metric)} by {setting}")
    return _ANSWERS.setdefault(key, WorkedAnswer(sentences[:SENTENCES], verdict, curve))
