"""The sentences of the Explore page: the answer first, then what comes next and why the cheaper ones fail."""

from frontend.wording.numbers import lowered, metric_title
from frontend.wording.setting_names import value_text
from planner.selectors import Experiment
from simulations.analysis.estimates.quantities import change_text, estimate_text, percent, significant
from simulations.experiment.arrivals import mean_rate
from simulations.experiment.choice import Best, nearest_cheaper, resources
from simulations.experiment.headrooms import Headroom
from simulations.experiment.questions import HeadroomQuestion, Optimize, SensitivityQuestion, Sweep
from simulations.experiment.sensitivities import Effect
from simulations.experiment.words import infeasible_reason, objective_text, setting_title, settings_text, sure_text, why


def choice_sentences(found: Experiment, question: Optimize, best: Best) -> tuple[str, ...]:
    """Return what is recommended and how sure that is, the runner-up, and why the nearest cheaper point fails."""
    so_far = "" if found.run.status == "succeeded" else " so far"
    if best.chosen is None:
        return (infeasible_reason(found.spec, best),)
    place = settings_text(found.spec, best.chosen.summary.overrides)
    value = best.chosen.summary.metrics.get(question.decider)
    gives = f": {metric_title(question.decider)} {estimate_text(value)}" if value else ""
    sure = f"{sure_text(best.probability)} sure that this is within {percent(question.indifference)} of the best"
    first = f"Recommended{so_far}: {place}{gives}. {sure}."
    return tuple(text for text in (first, _runner_up(found, question, best), _cheaper(found, question, best)) if text)


def sweep_sentences(found: Experiment, question: Sweep) -> tuple[str, ...]:
    """Return where the metric is smallest and largest, and how many points are unstable."""
    rated = [(item.metrics[question.kpi], item) for item in found.answers.values() if question.kpi in item.metrics]
    if not rated:
        return ("No point has a value yet.",)
    ends = [min(rated, key=lambda item: item[0].value), max(rated, key=lambda item: item[0].value)]
    places = [f"{estimate_text(value)} at {settings_text(found.spec, item.overrides)}" for value, item in ends]
    texts = [f"{metric_title(question.kpi)} lies between {places[0]} and {places[1]}."]
    unstable = sum(item.status == "unstable" for item in found.answers.values())
    are = "is" if unstable == 1 else "are"
    return (*texts, f"Of {len(found.answers)} points {unstable} {are} unstable.") if unstable else tuple(texts)


def headroom_sentences(found: Experiment, question: HeadroomQuestion, headroom: Headroom) -> tuple[str, ...]:
    """Return the largest rate that meets the objectives, and where the system ends being stable."""
    today = mean_rate(found.spec)
    wanted = " and ".join(objective_text(item) for item in found.spec.objectives) or "Stability"
    if headroom.carried == 0:
        return (f"{wanted} does not hold even at {percent(headroom.missed or question.least)} of today's arrivals.",)
    if headroom.missed is None:
        return (
            f"{wanted} holds up to {significant(headroom.carried)} times today's arrivals, the most that was tried.",
        )
    high = headroom.high if headroom.high is not None else headroom.missed
    if today is None:
        span = f"{significant(headroom.low)} to {significant(high)}"
        return (f"{wanted} holds up to {significant(headroom.carried)} times today's arrivals ({span}).",)
    rate = f"{significant(headroom.carried * today)}/s"
    span = f"{significant(headroom.low * today)} to {significant(high * today)}"
    first = f"{wanted} holds up to {rate} ({span}), {significant(float(f'{headroom.carried:.3g}'))} times today's"
    texts = [f"{first} {significant(today)}/s."]
    if headroom.unstable is not None:
        texts.append(f"From {significant(headroom.unstable * today)}/s on the backlog grows without end.")
    return tuple(texts)


def sensitivity_sentences(
    found: Experiment, question: SensitivityQuestion, effects: tuple[Effect, ...]
) -> tuple[str, ...]:
    """Return which input matters most, and which ones make no measurable difference."""
    known = [effect for effect in effects if effect.swing > 0]
    if not known:
        return ("No input has an answer at both ends yet.",)
    metric = metric_title(question.kpi)
    first = known[0]
    title = setting_title(found.spec, first.path)
    ends = [
        f"{change_text(end.difference)} at {value_text(found.spec, first.path, end.value)}"
        for end in (first.low, first.high)
        if end.difference
    ]
    if first.swing == float("inf"):
        ends.append("unstable at one end")
    texts = [f"{metric} depends most on {title}: {', '.join(ends)}."]
    quiet = [setting_title(found.spec, effect.path) for effect in effects if not effect.resolved]
    if quiet:
        texts.append(f"No difference can be told for {', '.join(quiet[:6])}{' and others' if len(quiet) > 6 else ''}.")
    return tuple(texts)


def _runner_up(found: Experiment, question: Optimize, best: Best) -> str:
    if best.runner_up is None or best.chosen is None:
        return ""
    place = settings_text(found.spec, best.runner_up.summary.overrides)
    name = question.decider
    mine, other = (item.summary.metrics.get(name) for item in (best.chosen, best.runner_up))
    if mine is None or other is None:
        return f"Runner-up: {place}."
    return f"Runner-up: {place} ({change_text(other - mine)})."


def _cheaper(found: Experiment, question: Optimize, best: Best) -> str:
    """The best of the cheaper points, and why it fails."""
    if best.chosen is None or not resources(question):
        return ""
    nearest = nearest_cheaper(best)
    if nearest is None:
        return "Nothing cheaper was searched."
    reason = why(question, found.spec, best, nearest.index)
    place = settings_text(found.spec, nearest.summary.overrides)
    return f"Nearest cheaper fails, {place}: {lowered(reason)}"
