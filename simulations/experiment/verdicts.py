"""Whether a point meets its objectives, with what probability, and by how much it misses."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import stdtr

from simulations.analysis.estimates.intervals import t_quantile
from simulations.analysis.estimates.metrics import BY_NAME, HELD, LOST
from simulations.analysis.estimates.summary import Estimate, PointSummary
from simulations.scenario.runsettings import Objective

Verdict = Literal["met", "missed", "unsure", "unstable"]
STEADY = ("ok", "not_converged")
"""States of points that have an answer."""
TO_HOLD = {"backlog", "buffer", "producer"}
"""First words of metrics whose bounds ask for senders that are held back."""
SURE = 0.975
"""Probability from which a point counts as decided: the one-sided end of the 95 % interval."""


@dataclass(frozen=True)
class ObjectiveVerdict:
    """An objective at a point; ``estimate`` is None where the point has no such number, and then it is missed, unless
    the point completes messages, but too ``few``, or ends before it recovers."""

    objective: Objective
    estimate: Estimate | None
    chance: float
    """Probability that the objective is met."""
    few: bool = False

    @property
    def met(self) -> bool:
        """Whether the estimated value meets it, give or take what adding floating point numbers up can change."""
        bound, value = self.objective.bound, self.estimate.value if self.estimate else math.nan
        if self.objective.equals is not None:
            return value == bound
        gap = bound - value if self.objective.at_most is not None else value - bound
        return gap >= 0 or math.isclose(value, bound)

    @property
    def unresolved(self) -> bool:
        """Whether the bound lies inside the interval, so that more replications may turn the verdict."""
        if self.few:
            return True
        if self.estimate is None or self.objective.equals is not None or not self.estimate.half_width:
            return False
        return self.estimate.low <= self.objective.bound <= self.estimate.high

    @property
    def word(self) -> Literal["met", "missed", "unresolved"]:
        """How the estimated value is judged."""
        return "unresolved" if self.unresolved else "met" if self.met else "missed"


def estimate_of(summary: PointSummary, objective: Objective) -> Estimate | None:
    """Return the estimate that the objective bounds."""
    return summary.of(objective.queue).get(objective.metric)


def objective_verdicts(
    objectives: Sequence[Objective], summary: PointSummary, spare: float = 0.0
) -> tuple[ObjectiveVerdict, ...]:
    """Judge every objective at the point, its bound made stricter by ``spare``, relative to it."""
    return tuple(_judged(objective, summary, spare) for objective in objectives)


def worst_verdict(objectives: Sequence[Objective], summary: PointSummary) -> ObjectiveVerdict | None:
    """Judge the objective that the sentences are about: the first that is missed, else too close to call, else met."""
    verdicts = objective_verdicts(objectives, summary)
    return min(verdicts, key=lambda item: ("missed", "unresolved", "met").index(item.word), default=None)


def _judged(objective: Objective, summary: PointSummary, spare: float) -> ObjectiveVerdict:
    estimate, done = estimate_of(summary, objective), summary.of(objective.queue).get("throughput")
    metric = BY_NAME[objective.metric]
    # What never recovers has no time for it either, so a search counts it as missed.
    recovers, anywhere = metric.needs == "outage", not metric.needs and not metric.only
    if estimate is None and (recovers or anywhere) and summary.status in STEADY and done and done.value > 0:
        return ObjectiveVerdict(objective, None, 0.0 if recovers else 0.5, few=True)
    return ObjectiveVerdict(objective, estimate, _chance(objective, estimate, summary.replications, spare))


def chance_of(objectives: Sequence[Objective], summary: PointSummary, spare: float = 0.0) -> float:
    """Return the probability that the point is stable and meets every objective, each with ``spare``."""
    if summary.status == "unstable":
        return 0.0
    return min((item.chance for item in objective_verdicts(objectives, summary, spare)), default=1.0)


def verdict_of(objectives: Sequence[Objective], summary: PointSummary) -> Verdict:
    """Return the verdict that is sure, or ``unsure``."""
    if summary.status == "unstable":
        return "unstable"
    chance = chance_of(objectives, summary)
    return "met" if chance >= SURE else "missed" if chance <= 1 - SURE else "unsure"


def least_lost(now: PointSummary | None, points: Iterable[PointSummary]) -> PointSummary | None:
    """Return the point that says what may be lost: the present settings; where these pile messages up or never end,
    the one of ``points`` that loses least. None where there is no such point."""
    if now is None or now.status in STEADY:
        return now
    steady = [item for item in points if item.status in STEADY]
    return min(steady, key=_cost_to_senders, default=None)


def _cost_to_senders(summary: PointSummary) -> tuple[float, float]:
    """The messages that are lost, then for how long a send waits."""
    values = {name: item.value for name, item in summary.metrics.items()}
    return sum(values.get(name, 0.0) for name in LOST), values.get(HELD, 0.0)


def lost_more(
    objectives: Sequence[Objective], summary: PointSummary, other: PointSummary | None, *, times: float = 1.0
) -> str:
    """Return the metric of messages that are lost, or else of the wait of senders, that the point surely has more of.

    Empty where there is none, and where the other piles messages up or never ends. What an objective bounds does not
    count, nor does less of one loss for more of another, nor the wait where the backlog is bounded. ``times`` as many
    messages arrive, so ``times`` its losses are not more; senders may wait longer then.
    """
    if other is None or other.status not in STEADY:
        return ""
    bounded = {item.metric for item in objectives}
    names = [name for name in LOST if name not in bounded and name in summary.metrics and name in other.metrics]
    surplus = {name: _surplus(name, summary, other, times) for name in names}
    most = max(names, key=lambda name: surplus[name].low, default="")
    if most and surplus[most].low > 0 and sum(item.value for item in surplus.values()) > 0:
        return most
    if times != 1.0 or {name.partition(".")[0] for name in bounded} & TO_HOLD or HELD not in summary.metrics:
        return ""
    return HELD if _surplus(HELD, summary, other, times).low > 0 else ""


def _surplus(metric: str, summary: PointSummary, other: PointSummary, times: float) -> Estimate:
    """What the point has more of than ``times`` the other; paired where that is point 0."""
    paired = summary.differences.get(metric) if other.index == 0 and times == 1.0 else None
    return paired or summary.metrics[metric] - other.metrics.get(metric, Estimate(0.0, 0.0, 0.0, "s")) * times


def paired_error(one: PointSummary, other: PointSummary, metric: str) -> float | None:
    """Return the standard error of the difference between two points over the replications that both have. None where
    they do not say what each replication did."""
    samples = [summary.samples.get(metric, ()) for summary in (one, other)]
    common = min(map(len, samples))
    if common < 2:
        return None
    return float(np.subtract(samples[0][:common], samples[1][:common]).std(ddof=1)) / math.sqrt(common)


def better_chance(
    value: Estimate, other: Estimate, replications: int, margin: float, *, error: float | None = None
) -> float:
    """Return the probability that ``value`` is smaller than ``other`` by more than ``margin``, relative to ``other``.

    Metrics where more is better come negated; the margin still counts against ``value``. ``error``: of the difference,
    where it is known; otherwise the intervals count as independent.
    """
    gap = other.value - margin * abs(other.value) - value.value
    if error is None:
        error = math.hypot(_error(value, replications), _error(other, replications))
    if error == 0:
        return 1.0 if gap > 0 else 0.0
    return float(stdtr(max(replications - 1, 1), gap / error))


def _chance(objective: Objective, estimate: Estimate | None, replications: int, spare: float) -> float:
    if estimate is None:
        return 0.0
    if objective.equals is not None:
        return _chance_equal(objective.equals, estimate)
    bound, room = objective.bound, spare * abs(objective.bound)
    gap = bound - room - estimate.value if objective.at_most is not None else estimate.value - bound - room
    error = _error(estimate, replications)
    if error == 0:
        return 1.0 if gap >= 0 else 0.0
    return float(stdtr(max(replications - 1, 1), gap / error))


def _chance_equal(wanted: float, estimate: Estimate) -> float:
    """A count that must be zero is refuted by one event; any other equality by an interval that excludes it."""
    if estimate.value == wanted:
        return 1.0 if estimate.low == estimate.high else 0.5
    return 0.0 if wanted == 0 or not estimate.low <= wanted <= estimate.high else 0.5


def _error(estimate: Estimate, replications: int) -> float:
    """The standard error behind the interval's wider half."""
    return estimate.half_width / t_quantile(max(replications, 2))
