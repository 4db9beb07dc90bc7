"""The context of the Explore page: one experiment, whole or partial, on one of its tabs, and its sentences.

The answer comes first, then what comes next and why the cheaper ones fail.
"""

from collections.abc import Mapping
from typing import Any

from frontend.answers.assumptions import ends_text
from frontend.charts.chart import Chart
from frontend.explore.pictures import choice_charts, headroom_picture, map_picture, sensitivity_picture
from frontend.wording.numbers import lowered, metric_title
from planner.models import RunKind
from planner.selectors import Experiment
from simulations.analysis.estimates.summary import change_text, estimate_text, percent, significant
from simulations.experiment import words
from simulations.experiment.arrivals import mean_rate
from simulations.experiment.choice import Best, best_of, nearest_cheaper, resources
from simulations.experiment.headrooms import Headroom, headroom_of
from simulations.experiment.questions import HeadroomQuestion, Optimize, SensitivityQuestion, Sweep
from simulations.experiment.sensitivities import Effect, effects_of, joint_of
from simulations.experiment.verdicts import objective_verdicts, verdict_of

TABS: Mapping[str, tuple[str, str]] = {
    "map": ("Map", RunKind.OPTIMIZE),
    "front": ("Front", RunKind.OPTIMIZE),
    "sensitivity": ("Sensitivity", RunKind.SENSITIVITY),
    "headroom": ("Headroom", RunKind.HEADROOM),
    "all": ("All runs", RunKind.OPTIMIZE),
}
"""Tab -> its title and the kind of experiment that it shows."""


def shown(found: Experiment, tab: str) -> tuple[tuple[str, ...], tuple[Chart, ...]]:
    """Return the sentences and the charts of a tab of an experiment that has at least one answer."""
    match found.question:
        case Optimize() as question:
            best = best_of(question, found.spec, found.answers)
            return choice_sentences(found, question, best), choice_charts(found, question, best, tab)
        case HeadroomQuestion() as question:
            headroom = headroom_of(found.spec.objectives, found.answers)
            picture = headroom_picture(found, question, headroom)
            return headroom_sentences(found, question, headroom), (picture,)
        case SensitivityQuestion() as question:
            effects = effects_of(question, found.answers)
            picture = sensitivity_picture(found, question, effects)
            joint = joint_of(question, found.spec.objectives, found.answers)
            together = words.joint_sentences(found.spec, question.kpi, joint) if joint else ()
            return (*together, *sensitivity_sentences(found, question, effects)), (picture,)
        case Sweep() as question:
            return sweep_sentences(found, question), (map_picture(found, question, None),)


def point_shown(found: Experiment, index: int | None) -> dict[str, Any] | None:
    """Return a point's settings, what it gives, and why it was not chosen; None where it has no answer. Where none is
    asked for it is the recommended one."""
    reason, question = "", found.question
    if isinstance(question, Optimize):
        best = best_of(question, found.spec, found.answers)
        index = best.chosen.index if index is None and best.chosen else index
        reason = words.why(question, found.spec, best, index) if index is not None and index in best.candidates else ""
    summary = None if index is None else found.answers.get(index)
    if summary is None:
        return None
    return {
        "index": index,
        "settings": words.settings_text(found.spec, summary.overrides),
        "verdict": words.COUNTED[verdict_of(found.spec.objectives, summary)][0],
        "why": reason,
        "metrics": tuple((metric_title(name), estimate_text(item)) for name, item in summary.metrics.items()),
        "objectives": tuple(
            (
                words.objective_text(item.objective),
                estimate_text(item.estimate),
                "met" if item.chance > 0.5 else "missed",
            )
            for item in objective_verdicts(found.spec.objectives, summary)
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


def choice_sentences(found: Experiment, question: Optimize, best: Best) -> tuple[str, ...]:
    """Return what is recommended and how sure that is, the runner-up, and why the nearest cheaper point fails."""
    so_far = "" if found.run.status == "succeeded" else " so far"
    if best.chosen is None:
        return (words.infeasible_reason(found.spec, best),)
    place = words.settings_text(found.spec, best.chosen.summary.overrides)
    value = best.chosen.summary.metrics.get(question.decider)
    gives = f": {lowered(metric_title(question.decider))} {estimate_text(value)}" if value else ""
    sure = f"{words.sure_text(best.probability)} sure that this is within {percent(question.indifference)} of the best"
    first = f"Recommended{so_far}: {place}{gives}. {sure}."
    return tuple(text for text in (first, _runner_up(found, question, best), _cheaper(found, question, best)) if text)


def sweep_sentences(found: Experiment, question: Sweep) -> tuple[str, ...]:
    """Return where the metric is smallest and largest, and how many points are unstable."""
    rated = [(item.metrics[question.kpi], item) for item in found.answers.values() if question.kpi in item.metrics]
    if not rated:
        return ("No point has a value yet.",)
    ends = [min(rated, key=lambda item: item[0].value), max(rated, key=lambda item: item[0].value)]
    places = [
        f"{estimate_text(value, ends[1][0].value)} at {words.settings_text(found.spec, item.overrides)}"
        for value, item in ends
    ]
    texts = [f"{metric_title(question.kpi)} lies between {places[0]} and {places[1]}."]
    unstable = sum(item.status == "unstable" for item in found.answers.values())
    counts = words.counts_text({"unstable": unstable})
    return (*texts, f"Of {len(found.answers)} points {counts}.") if unstable else tuple(texts)


def headroom_sentences(found: Experiment, question: HeadroomQuestion, headroom: Headroom) -> tuple[str, ...]:
    """Return the largest rate that meets the objectives, and where the system ends being stable."""
    today = mean_rate(found.spec)
    wanted = " and ".join(words.objective_text(item) for item in found.spec.objectives) or "Stability"
    if headroom.carried == 0:
        return (f"{wanted} does not hold even at {percent(headroom.missed or question.least)} of today's arrivals.",)
    if headroom.missed is None:
        return (
            f"{wanted} holds up to {significant(headroom.carried)} times today's arrivals, the most that was tried.",
        )
    most = headroom.high if headroom.high is not None else headroom.missed
    by, unit = (today, "/s") if today else (1.0, " times today's arrivals")
    carried, low, high = (significant(factor * by) for factor in (headroom.carried, headroom.low, most))
    times = f", {significant(float(f'{headroom.carried:.3g}'))} times today's {significant(today)}/s" if today else ""
    texts = [f"{wanted} holds up to {carried}{unit} ({low} to {high}){times}."]
    if headroom.unstable is not None:
        texts.append(f"From {significant(headroom.unstable * by)}{unit} on the backlog grows without end.")
    if headroom.losing is not None:
        texts.append(f"From {significant(headroom.losing * by)}{unit} on a larger share of the messages is lost.")
    if question.growth is not None:
        texts.append(words.reached_text(headroom, question.growth, found.run.created_at.date()))
    return tuple(filter(None, texts))


def sensitivity_sentences(
    found: Experiment, question: SensitivityQuestion, effects: tuple[Effect, ...]
) -> tuple[str, ...]:
    """Return which input matters most, and which ones make no measurable difference."""
    known = [effect for effect in effects if effect.swing > 0]
    if not known:
        return ("No input has an answer at both ends yet.",)
    first = known[0]
    depends = f"{metric_title(question.kpi)} depends most on {words.setting_title(found.spec, first.path)}"
    texts = [f"{depends}: {ends_text(found.spec, first)}."]
    quiet = [words.setting_title(found.spec, effect.path) for effect in effects if not effect.resolved]
    if quiet:
        texts.append(f"No difference can be told for {', '.join(quiet[:6])}{' and others' if len(quiet) > 6 else ''}.")
    return tuple(texts)


def _runner_up(found: Experiment, question: Optimize, best: Best) -> str:
    if best.runner_up is None or best.chosen is None:
        return ""
    place = words.settings_text(found.spec, best.runner_up.summary.overrides)
    mine, other = (item.summary.metrics.get(question.decider) for item in (best.chosen, best.runner_up))
    if mine is None or other is None:
        return f"Runner-up: {place}."
    change = other - mine
    clear = "" if change.leaves_zero_out else ", no measurable difference"
    return f"Runner-up: {place}{clear} ({change_text(change)})."


def _cheaper(found: Experiment, question: Optimize, best: Best) -> str:
    """The best of the cheaper points, and why it fails."""
    if best.chosen is None or not resources(question):
        return ""
    nearest = nearest_cheaper(best)
    if nearest is None:
        return "Nothing cheaper was searched."
    reason = words.why(question, found.spec, best, nearest.index)
    place = words.settings_text(found.spec, nearest.summary.overrides)
    return f"The nearest cheaper setting, {place}, fails: {lowered(reason)}"
