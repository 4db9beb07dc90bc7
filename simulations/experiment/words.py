"""An experiment in words: numbers, settings, objectives, and why a point was not chosen or none could be."""

import math
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from simulations.analysis.estimates.metrics import BY_NAME, HELD
from simulations.analysis.estimates.summary import (
    PointSummary,
    Scale,
    estimate_text,
    exact_scale,
    percent,
    quantity,
    significant,
)
from simulations.declarations.texts import last_key
from simulations.experiment.arrivals import offered_rate
from simulations.experiment.choice import Best, Candidate, nearest_cheaper, resources
from simulations.experiment.headrooms import Headroom, reached
from simulations.experiment.names import setting_at, settings_in
from simulations.experiment.points import ARRIVALS, with_overrides
from simulations.experiment.questions import Optimize
from simulations.experiment.sensitivities import Joint
from simulations.experiment.turns import Turn
from simulations.experiment.verdicts import ObjectiveVerdict, Verdict, least_lost, lost_more, objective_verdicts
from simulations.scenario.runsettings import Objective
from simulations.scenario.spec import ScenarioSpec

COUNTED: Mapping[Verdict, tuple[str, str]] = {
    "met": ("meets the objectives", "meet the objectives"),
    "missed": ("misses them", "miss them"),
    "unsure": ("is undecided", "are undecided"),
    "unstable": ("is unstable", "are unstable"),
}
"""Verdict -> what one point does, and what several do."""


def setting_title(spec: ScenarioSpec, path: str) -> str:
    """Return the vendor's name of a setting, of several that share it with its owner's, or its path's last words."""
    if path == ARRIVALS:
        return "Arrivals"
    known = setting_at(spec, path)
    if known is None:
        return last_key(path).replace("_", " ").capitalize()
    alike = [item.owner for item in settings_in(spec) if item.declaration == known.declaration]
    nearest = {owner.partition(", ")[0] for owner in alike}
    whose = known.owner.partition(", ")[0] if len(nearest) == len(alike) else known.owner
    return known.declaration.title + (f" of {whose}" if len(alike) > 1 else "")


def settings_text(spec: ScenarioSpec, overrides: Mapping[str, Any]) -> str:
    """Return the settings of a point, counts bare, for example ``Maximum sessions 36, Mean service time 50 ms``."""
    return ", ".join(
        f"{setting_title(spec, path)} {value_words(value, unit_of(spec, path))}" for path, value in overrides.items()
    )


def unit_of(spec: ScenarioSpec, path: str) -> str:
    """Return the unit of a setting or of a workload's number; ``1`` for none."""
    known = setting_at(spec, path)
    return known.declaration.unit if known else "1"


def objective_text(objective: Objective) -> str:
    """Return an objective, for example ``p95 latency at most 60 ms``, that of one queue with its name."""
    whose = f" of {objective.queue}" if objective.queue else ""
    return f"{BY_NAME[objective.metric].title}{whose} {bound_text(objective)}"


def bound_text(objective: Objective) -> str:
    """Return what an objective asks of its metric, for example ``at most 60 ms``."""
    bounds = {"at most": objective.at_most, "at least": objective.at_least, "exactly": objective.equals}
    words, bound = next((words, bound) for words, bound in bounds.items() if bound is not None)
    return f"{words} {quantity(bound, BY_NAME[objective.metric].unit)}"


def beside_bound(objective: Objective) -> Scale:
    """Return how numbers are written beside the bound of an objective: 1,165 ms and 800 ms, not 0.8 s."""
    return exact_scale(objective.bound, BY_NAME[objective.metric].unit, objective.bound)


def value_and_bound(item: ObjectiveVerdict) -> tuple[str, str]:
    """Return what a point reaches, a dash for none, and what an objective asks of it, in one unit."""
    return estimate_text(item.estimate, beside_bound(item.objective)), bound_text(item.objective)


def turn_text(spec: ScenarioSpec, turn: Turn) -> str:
    """Return where the first objective turns, for example ``met up to 63 and missed from 64 on``."""
    last, first = (value_words(value, unit_of(spec, turn.path)) for value in (turn.last, turn.first))
    words = ("met", "missed") if turn.met_below else ("missed", "met")
    return f"{words[0]} up to {last} and {words[1]} from {first} on"


def measured_turn(spec: ScenarioSpec, turn: Turn) -> str:
    """Return the same with what was measured on both sides."""
    scale = beside_bound(spec.objectives[0])
    values = [estimate_text(it, scale) if it else "a growing backlog" for it in (turn.below, turn.above)]
    if turn.found:
        between = ""
    else:
        between = ", too few to tell in between" if turn.tried else "; nothing in between was simulated"
    numbers = f"{values[0]} and {values[1]} in {turn.replications} replications{between}"
    return f"{turn_text(spec, turn)} ({numbers})"


def turn_sentence(spec: ScenarioSpec, turn: Turn) -> str:
    """Return the same as a sentence that names setting and objective."""
    return f"{objective_text(spec.objectives[0])}, by {setting_title(spec, turn.path)}: {measured_turn(spec, turn)}."


def reached_text(headroom: Headroom, growth: float, since: date) -> str:
    """Return when growing arrivals reach the limit, by month; empty where those of today do already."""
    days = reached(headroom, growth, since)
    months = {name: day and f"{day:%B %Y}" for name, day in days.items()}
    if days["low"] is None:
        return ""
    monthly = percent((1 + growth) ** (1 / 12) - 1)
    grow = f"Arrivals that grow by {percent(growth)} a year ({monthly} a month) from {since:%B %Y} on"
    if days["carried"] is None:
        return f"{grow} surely hold it until {months['low']}; no larger load was tried."
    span = "" if months["low"] == months["high"] else f" ({months['low']} to {months['high']})"
    ahead = 12 * (days["carried"].year - since.year) + days["carried"].month - since.month
    return f"{grow} reach that in {ahead} month{'s' * (ahead != 1)}, in {months['carried']}{span}."


def counts_text(verdicts: Mapping[Verdict, int]) -> str:
    """Return how many points do what, for example ``3 meet the objectives, 1 is unstable``."""
    known = [(verdicts[verdict], words) for verdict, words in COUNTED.items() if verdicts.get(verdict)]
    return ", ".join(f"{count} {words[count > 1]}" for count, words in known)


def joint_sentences(spec: ScenarioSpec, metric: str, joint: Joint) -> Iterator[str]:
    """Yield what the answer may be while no input is known exactly, how often it is met, what matters most."""
    title, unit = BY_NAME[metric].title, BY_NAME[metric].unit
    low, high = joint.low, joint.high
    sides = (low and quantity(low.low, unit, beside=high.high if high else 0.0), high and quantity(high.high, unit))
    ends = [str(side) if side else "a growing backlog" for side in sides]
    error = max((end.half_width for end in (low, high) if end), default=0.0)
    noise = quantity(error, unit, error)._replace(half="")
    among = f"95 % of {joint.draws} draws over the ranges of all inputs at once"
    yield f"{title} is between {ends[0]} and {ends[1]} in {among}; up to ± {noise} at either end is simulation error."
    if spec.objectives or "unstable" in joint.verdicts:
        yield f"Of these draws {counts_text(joint.verdicts)}."
    for path, share in list(joint.shares.items())[:1]:
        left = math.sqrt(1.0 - share.value)
        part = f"at least {percent(share.value)} of the variance ({percent(share.low)} to {percent(share.high)})"
        yield (
            f"{setting_title(spec, path)} matters most: it explains {part}. If it were known exactly, "
            f"at most about {percent(round(left, 2))} of the spread would be left."
        )


def sure_text(probability: float) -> str:
    """Return a probability as the start of a sentence that goes on with ``sure``."""
    return "More than 99 %" if probability > 0.99 else f"At least {math.floor(100 * probability)} %"


def why(question: Optimize, spec: ScenarioSpec, best: Best, index: int) -> str:
    """Return why the point was chosen or lost."""
    candidate = best.candidates[index]
    if candidate.summary.status == "unstable":
        return f"Unstable: {_ceiling(spec, candidate.summary)}."
    missed = [item for item in objective_verdicts(spec.objectives, candidate.summary) if item.chance <= 0.5]
    if missed:
        return f"{_missed(missed[0])}."
    if lost := _lost(spec, best, candidate):
        what = "holds senders back" if lost.startswith(BY_NAME[HELD].title) else "loses messages"
        return f"It {what}: {lost}."
    if best.chosen is None or best.chosen is candidate:
        saved = [f"lowest {setting_title(spec, it)}" if "." in it else f"fewest {it}" for it in resources(question)]
        least = " and ".join(saved) or f"best {BY_NAME[question.decider].title}"
        return f"Chosen: it meets every objective with the {least}."
    return f"It meets every objective, but {_beaten(question, spec, candidate, best.chosen)}."


def binding(spec: ScenarioSpec, best: Best) -> str | None:
    """Return the metric whose objective keeps the choice from being cheaper, ``throughput`` where the load does."""
    cheaper = nearest_cheaper(best)
    if cheaper is None:
        return None
    if cheaper.summary.status == "unstable":
        return "throughput"
    lost = lost_more(spec.objectives, cheaper.summary, _allowed(best))
    verdicts = objective_verdicts(spec.objectives, cheaper.summary)
    return lost or min(verdicts, key=lambda item: item.chance).objective.metric


def infeasible_reason(spec: ScenarioSpec, best: Best) -> str:
    """Return why no point meets the objectives: the nearest miss, or the ceiling of those that meet them. As long as
    the evidence is thin, only that it cannot be told yet."""
    wanted = " and ".join(objective_text(item) for item in spec.objectives) or "stability"
    if best.status == "open":
        closest = max(best.candidates.values(), key=lambda item: item.chance)
        place, chance = settings_text(spec, closest.summary.overrides), percent(round(closest.chance, 2))
        return f"Cannot be told yet whether a setting meets {wanted}. Most likely {place} does: {chance}."
    stable = [item for item in best.candidates.values() if item.summary.status != "unstable"]
    capped = [item for item in best.candidates.values() if _only_unstable(spec, item)]
    if capped or not stable:
        most = max(capped or best.candidates.values(), key=lambda item: _carried(item.summary)).summary
        first = f"{wanted} holds only where the load is not carried" if capped else "No point is stable"
        return f"{first}. {settings_text(spec, most.overrides)}: {_ceiling(spec, most)}."
    nearest = min(stable, key=lambda item: _distance(spec, item.summary))
    worst = min(objective_verdicts(spec.objectives, nearest.summary), key=lambda item: item.chance)
    lost = _lost(spec, best, nearest) if worst.chance > 0.5 else ""
    allowed = "losing more messages or holding senders back longer, which an objective would have to allow"
    without = f" without {allowed}" if lost else ""
    place = settings_text(spec, nearest.summary.overrides)
    return f"No point meets {wanted}{without}. Nearest is {place}: {lost or _missed(worst)}."


def _lost(spec: ScenarioSpec, best: Best, candidate: Candidate) -> str:
    """By what a point loses more messages, or holds senders back longer, than the scenario as it is; or empty."""
    other = _allowed(best)
    name = lost_more(spec.objectives, candidate.summary, other)
    if other is None or not name:
        return ""
    mine, theirs = (estimate_text(item.metrics[name]) for item in (candidate.summary, other))
    whose = f"with {settings_text(spec, other.overrides)}" if other.index else "as it is now"
    return f"{BY_NAME[name].title} {mine}, {theirs} {whose}"


def _allowed(best: Best) -> PointSummary | None:
    """The point that says what may be lost."""
    now = best.candidates.get(0)
    return least_lost(now.summary if now else None, (item.summary for item in best.candidates.values()))


def _missed(item: ObjectiveVerdict) -> str:
    title = BY_NAME[item.objective.metric].title
    if item.estimate is None:
        return f"{title} does not exist here"
    value, bound = value_and_bound(item)
    return f"{title} is {value}, not {bound}"


def _beaten(question: Optimize, spec: ScenarioSpec, candidate: Candidate, chosen: Candidate) -> str:
    for name, ours, theirs in zip(resources(question), candidate.cost, chosen.cost, strict=True):
        if ours > theirs:
            title = setting_title(spec, name) if "." in name else name
            return f"takes {title} {ours:g} where {theirs:g} is enough"
    metric = BY_NAME[question.decider]
    mine, best = (item.summary.metrics.get(metric.name) for item in (candidate, chosen))
    if mine is None or best is None:
        return "comes later in the plan"
    return f"{metric.title} is {estimate_text(mine, best.value)} against {estimate_text(best, mine.value)}"


def _ceiling(spec: ScenarioSpec, summary: PointSummary) -> str:
    carried = quantity(_carried(summary), "/s")
    arriving = offered_rate(with_overrides(spec, summary.overrides))
    most = f"{carried} is the ceiling"
    return f"{most}, and {quantity(arriving, '/s')} arrive" if arriving else most


def _carried(summary: PointSummary) -> float:
    """The closed form where every queue has one, else what was carried in the simulation."""
    exact = [value for name, value in summary.derived.items() if name.endswith("carried_rate")]
    queues = summary.growth.keys() - {"carried"}
    return exact[0] if len(exact) == len(queues) == 1 else summary.growth.get("carried", 0.0)


def _only_unstable(spec: ScenarioSpec, candidate: Candidate) -> bool:
    """Whether the point meets all objectives that an unstable system can have."""
    if candidate.summary.status != "unstable":
        return False
    found = [item for item in objective_verdicts(spec.objectives, candidate.summary) if item.estimate is not None]
    return bool(found) and all(item.chance > 0.5 for item in found)


def _distance(spec: ScenarioSpec, summary: PointSummary) -> float:
    """How far the worst objective is missed, relative to its bound."""
    gaps = []
    for item in objective_verdicts(spec.objectives, summary):
        bound = item.objective.bound
        gap = abs(item.estimate.value - bound) if item.estimate else float("inf")
        gaps.append(0.0 if item.chance > 0.5 else gap / (abs(bound) or 1.0))
    return max(gaps, default=0.0)


def plain(value: Any) -> str:
    """Write the value of a setting: choices and texts as they are, numbers without needless digits."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int | float):
        return significant(value)
    if value is None:
        return "none"
    if isinstance(value, dict):
        return ", ".join(f"{key.replace('_', ' ')} {plain(item)}" for key, item in value.items() if item is not None)
    if isinstance(value, list | tuple):
        return ", ".join(f"({plain(item)})" if isinstance(item, dict) else plain(item) for item in value) or "none"
    return str(value)


def value_words(value: Any, unit: str) -> str:
    """Return a setting's value, counts bare."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return plain(value)
    if unit in ("s", "/s", "B"):
        return str(quantity(value, unit))
    return f"{significant(value)} %" if unit == "%" else significant(value)
