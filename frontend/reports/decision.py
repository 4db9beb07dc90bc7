"""What a report decides: the line on top, drawn from the frozen payload alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from frontend.wording.numbers import lowered, metric_title, place_text
from planner.answers.choice import Choice, asked_metric
from planner.answers.claims import growth_sentence
from planner.selectors import StoredPoint
from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.estimates.summary import estimate_text, percent, quantity
from simulations.experiment.verdicts import objective_verdicts
from simulations.experiment.words import value_and_bound
from simulations.scenario.spec import ScenarioSpec

NUMBERS = ("latency.p95", "drain_time", "throughput", "latency.p99", "cpu.utilisation", "threads.busy")
"""Metrics of the summary, three in all: the question's, the deciding one, then the first of these."""
OF_FULL_QUEUES = ("threads.busy", "threads.idle_blocked", "latency.mean")
"""The same where queues are always full: a latency without what waits on the destination answers little."""

UNSETTLED = 0.5
"""Probability of a right choice below which the report says that it is not settled."""


@dataclass(frozen=True)
class Judged:
    """An objective at the point that the report recommends."""

    title: str
    bound: str
    value: str
    word: str


@dataclass(frozen=True)
class Decision:
    """The line on top, how sure it is, until when it holds, what else was in reach, and what if nothing is done."""

    line: str
    confidence: str
    holds: str
    runner_up: str
    nothing_done: str
    changes: bool
    """Whether it recommends other settings than the present ones."""


def decision(
    payload: Mapping[str, Any], spec: ScenarioSpec, points: Sequence[StoredPoint], choice: Choice, line: str
) -> Decision:
    """Return the decision; ``line`` is the sentence that answers the run's question."""
    chosen, present = choice.chosen, choice.present
    changes = chosen is not None and (present is None or present.index != chosen.index)
    return Decision(
        line=line,
        confidence=_confidence(payload, spec, points, choice),
        holds=_holds(payload, spec, chosen),
        runner_up=_runner_up(spec, choice),
        nothing_done=_nothing_done(spec, choice),
        changes=changes,
    )


def judged_objectives(spec: ScenarioSpec, chosen: StoredPoint | None) -> tuple[Judged, ...]:
    """Return every objective with its value and interval at the recommended point."""
    if chosen is None:
        return ()
    return tuple(
        Judged(
            title=" · ".join(filter(None, (metric_title(item.objective.metric), item.objective.queue))),
            bound=value_and_bound(item)[1],
            value=value_and_bound(item)[0] if item.estimate else "no value",
            word="not resolved" if item.unresolved else item.word,
        )
        for item in objective_verdicts(spec.objectives, chosen.summary)
    )


def three_numbers(spec: ScenarioSpec, choice: Choice) -> tuple[tuple[str, str, str], ...]:
    """Return title, value with interval and meaning of the numbers that matter most at the chosen point."""
    if choice.chosen is None:
        return ()
    metrics = choice.chosen.summary.metrics
    usual = OF_FULL_QUEUES if spec.always_full else NUMBERS
    names = [name for name in dict.fromkeys((asked_metric(spec), choice.metric, *usual)) if name in metrics][:3]
    return tuple((BY_NAME[name].title, estimate_text(metrics[name]), BY_NAME[name].meaning) for name in names)


def watched_metrics(spec: ScenarioSpec, choice: Choice) -> tuple[str, ...]:
    """Return the titles of what to watch after the change: the metrics of the objectives, else the deciding one."""
    names = [item.metric for item in spec.objectives] or [choice.metric]
    return tuple(dict.fromkeys(lowered(metric_title(name)) for name in names))


def _confidence(payload: Mapping[str, Any], spec: ScenarioSpec, points: Sequence[StoredPoint], choice: Choice) -> str:
    if choice.chosen is None or choice.metric not in choice.chosen.summary.metrics or choice.word == "missed":
        return ""
    claims = ["it meets every objective"] if spec.objectives else []
    if len(points) > 1:
        claims.append(f"no other simulated point{' that does' if claims else ''} is better by more than 2 %")
    probability = payload.get("choice", {}).get("probability")
    if not claims or probability is None:
        return ""
    unsettled = probability < UNSETTLED or choice.word == "unresolved"
    more = " It is not settled: a run with more replications would tell." if unsettled else ""
    sure = _chance(probability)
    return f"Confidence: {sure} that {' and '.join(claims)}, if the inputs of sections 3 to 5 are right.{more}"


def _chance(probability: float) -> str:
    if probability > 0.99:
        return "more than 99 %"
    return "less than 1 %" if probability < 0.01 else percent(round(probability, 2))


def _holds(payload: Mapping[str, Any], spec: ScenarioSpec, point: StoredPoint | None) -> str:
    """Until when: the rate that the settings carry, where a formula gives it."""
    if point is None:
        return ""
    rates = [item for item in payload["points"][point.index]["derived"] if item["name"] == "carried_rate"]
    carried = ", ".join(f"{quantity(item['value'], '/s')} at {item['entity']}" for item in rates)
    asked = ", and the objectives may be missed below that (a headroom experiment tells)" if spec.objectives else ""
    text = f"These settings carry at most {carried}, by formula{asked}. Check again before the load grows."
    return text if carried else ""


def _runner_up(spec: ScenarioSpec, choice: Choice) -> str:
    """The next best and why it lost."""
    other, chosen = choice.runner_up, choice.chosen
    if other is None or chosen is None:
        return ""
    mine, value = (point.summary.metrics.get(choice.metric) for point in (chosen, other))
    place = place_text(spec, other.overrides)
    if mine is None or value is None:
        return f"{place}."
    name = lowered(metric_title(choice.metric))
    missed = [_missed(item) for item in judged_objectives(spec, other) if item.word == "missed"]
    worse = value.low > mine.high if BY_NAME[choice.metric].better == "lower" else value.high < mine.low
    if missed:
        why = f"it misses an objective ({missed[0]})"
    elif worse:
        why = f"its {name} is worse"
    else:
        why = "it is not better by more than the interval"
    return f"{place}, {name} {estimate_text(value)}; it lost because {why}."


def _nothing_done(spec: ScenarioSpec, choice: Choice) -> str:
    present = choice.present
    if present is None and (choice.chosen is None or not choice.chosen.overrides):
        return ""
    if present is None:
        return "not known: the present settings were not simulated. A run whose sweep contains them would say."
    now = _now(present, asked_metric(spec))
    if choice.chosen is None or choice.chosen.index == present.index:
        return f"these settings stay, and with them {now}."
    missed = [lowered(_missed(item)) for item in judged_objectives(spec, present) if item.word == "missed"]
    broken = f"; missed: {', '.join(missed)}" if missed else ""
    return f"{place_text(spec, present.overrides)} stays, and with it {now}{broken}."


def _now(point: StoredPoint, metric: str) -> str:
    if point.summary.status == "unstable":
        return f"the state that it is in: {lowered(growth_sentence(point.summary)).rstrip('.')}"
    found = point.summary.metrics.get(metric)
    return f"{lowered(metric_title(metric))} {estimate_text(found)}" if found else "an unknown result"


def _missed(item: Judged) -> str:
    return f"{item.title} {item.value}, asked: {item.bound}"
