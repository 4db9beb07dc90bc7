"""Why a point was not chosen, and why none could be: the sentence that answers a click on it."""

from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.estimates.quantities import estimate_text
from simulations.analysis.estimates.summary import PointSummary
from simulations.experiment.arrivals import offered_rate
from simulations.experiment.choice import Best, Candidate, decider, resources
from simulations.experiment.points import with_overrides
from simulations.experiment.questions import Optimize
from simulations.experiment.verdicts import Judged, judged
from simulations.experiment.words import bound_text, objective_text, said, setting_title, settings_text
from simulations.scenario.spec import ScenarioSpec


def why(question: Optimize, spec: ScenarioSpec, best: Best, index: int) -> str:
    """Return why the point was chosen or lost."""
    candidate = best.candidates[index]
    if candidate.summary.status == "unstable":
        return f"Unstable: {_ceiling(spec, candidate.summary)}."
    missed = [item for item in judged(spec.objectives, candidate.summary) if item.chance <= 0.5]
    if missed:
        return f"{_missed(missed[0])}."
    if best.chosen is None or best.chosen is candidate:
        return "Chosen: it meets every objective with the least."
    return f"It meets every objective, but {_beaten(question, spec, candidate, best.chosen)}."


def infeasible_reason(spec: ScenarioSpec, best: Best) -> str:
    """Return why no point meets the objectives: the nearest miss, or the ceiling of those that meet them."""
    wanted = " and ".join(objective_text(item) for item in spec.objectives) or "stability"
    stable = [item for item in best.candidates.values() if item.summary.status != "unstable"]
    capped = [item for item in best.candidates.values() if _only_unstable(spec, item)]
    if capped:
        most = max(capped, key=lambda item: _carried(item.summary))
        place = settings_text(spec, most.summary.overrides)
        return f"{wanted} holds only where the load is not carried. {place}: {_ceiling(spec, most.summary)}."
    if not stable:
        most = max(best.candidates.values(), key=lambda item: _carried(item.summary))
        return f"No point is stable. {settings_text(spec, most.summary.overrides)}: {_ceiling(spec, most.summary)}."
    nearest = min(stable, key=lambda item: _distance(spec, item.summary))
    worst = min(judged(spec.objectives, nearest.summary), key=lambda item: item.chance)
    return f"No point meets {wanted}. Nearest is {settings_text(spec, nearest.summary.overrides)}: {_missed(worst)}."


def _missed(item: Judged) -> str:
    if item.estimate is None:
        return f"{BY_NAME[item.objective.metric].title} does not exist here"
    return f"{BY_NAME[item.objective.metric].title} is {estimate_text(item.estimate)}, not {_bound(item)}"


def _bound(item: Judged) -> str:
    return bound_text(item.objective)


def _beaten(question: Optimize, spec: ScenarioSpec, candidate: Candidate, chosen: Candidate) -> str:
    for name, ours, theirs in zip(resources(question), candidate.cost, chosen.cost, strict=True):
        if ours > theirs:
            title = setting_title(spec, name) if "." in name else name
            return f"takes {title} {ours:g} where {theirs:g} is enough"
    metric = BY_NAME[decider(question)]
    mine, best = (item.summary.metrics.get(metric.name) for item in (candidate, chosen))
    if mine is None or best is None:
        return "comes later in the plan"
    return f"{metric.title} is {estimate_text(mine)} against {estimate_text(best)}"


def _ceiling(spec: ScenarioSpec, summary: PointSummary) -> str:
    carried = said(_carried(summary), "")
    arriving = offered_rate(with_overrides(spec, summary.overrides))
    most = f"{carried} msg/s is the ceiling"
    return f"{most}, and {said(arriving, '')} msg/s arrive" if arriving else most


def _carried(summary: PointSummary) -> float:
    """The closed form where every queue has one, else what was carried in the simulation."""
    exact = [value for name, value in summary.derived.items() if name.endswith("carried_rate")]
    queues = summary.growth.keys() - {"carried"}
    return exact[0] if len(exact) == len(queues) == 1 else summary.growth.get("carried", 0.0)


def _only_unstable(spec: ScenarioSpec, candidate: Candidate) -> bool:
    """Whether the point meets all objectives that an unstable system can have."""
    if candidate.summary.status != "unstable":
        return False
    found = [item for item in judged(spec.objectives, candidate.summary) if item.estimate is not None]
    return bool(found) and all(item.chance > 0.5 for item in found)


def _distance(spec: ScenarioSpec, summary: PointSummary) -> float:
    """How far the worst objective is missed, relative to its bound."""
    gaps = []
    for item in judged(spec.objectives, summary):
        bounds = (item.objective.at_most, item.objective.at_least, item.objective.equals)
        bound = next(value for value in bounds if value is not None)
        gap = abs(item.estimate.value - bound) if item.estimate else float("inf")
        gaps.append(0.0 if item.chance > 0.5 else gap / (abs(bound) or 1.0))
    return max(gaps, default=0.0)
