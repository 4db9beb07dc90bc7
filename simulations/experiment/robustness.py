"""One setting for several workloads: the least worst case (Wald) and the least regret (Savage 1951).

The regret of a setting in a workload is what it loses there against the best setting for that workload.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simulations.analysis.estimates.intervals import t_quantile
from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.estimates.summary import Estimate, PointSummary
from simulations.experiment.verdicts import chance_of, paired_error
from simulations.scenario.runsettings import Objective


@dataclass(frozen=True)
class Workload:
    """A name, its weight, its objectives, and the answer of every setting under it, in the order of the settings."""

    name: str
    weight: float
    objectives: tuple[Objective, ...]
    answers: tuple[PointSummary, ...]


@dataclass(frozen=True)
class Robust:
    """A setting under all workloads. ``worst`` and ``weighted`` are infinite where one is overloaded.

    Attributes:
        values: the metric by workload; None where it has none.
        worst: the worst of these values, mirrored where more is better.
        regrets: by workload, loss against the best setting there, relative to that; paired, with its interval.
        weighted: mean of the values by the weights, mirrored like ``worst``.
        chance: probability that the objectives of all workloads hold, judged one by one.
    """

    overrides: Mapping[str, Any]
    values: Mapping[str, Estimate | None]
    worst: float
    regrets: Mapping[str, Estimate | None]
    weighted: float
    chance: float

    @property
    def largest_regret(self) -> Estimate | None:
        """The largest regret with its interval; None where the setting is overloaded in a workload."""
        known = [item for item in self.regrets.values() if item is not None]
        return max(known, key=lambda item: item.value) if len(known) == len(self.regrets) else None

    @property
    def regret(self) -> float:
        """The value of that; infinite where there is none."""
        return self.largest_regret.value if self.largest_regret else math.inf


def robust_of(workloads: Sequence[Workload], metric: str) -> tuple[Robust, ...]:
    """Return every setting under all workloads, in their order."""
    settings = zip(*(workload.answers for workload in workloads), strict=True)
    return tuple(_robust(workloads, answers, metric) for answers in settings)


def able(settings: Sequence[Robust]) -> list[Robust]:
    """Return those that more likely than not meet the objectives of all workloads and carry every load."""
    return [item for item in settings if item.chance > 0.5 and math.isfinite(item.worst)]


def _robust(workloads: Sequence[Workload], answers: Sequence[PointSummary], metric: str) -> Robust:
    pairs = list(zip(workloads, answers, strict=True))
    values = {workload.name: answer.metrics.get(metric) for workload, answer in pairs}
    losses = [_loss(value, metric) for value in values.values()]
    regrets = {workload.name: _regret(workload, answer, metric) for workload, answer in pairs}
    weights = [workload.weight for workload in workloads]
    return Robust(
        overrides=answers[0].overrides,
        values=values,
        worst=max(losses),
        regrets=regrets,
        weighted=sum(weight * loss for weight, loss in zip(weights, losses, strict=True)) / sum(weights),
        chance=min(chance_of(workload.objectives, answer) for workload, answer in pairs),
    )


def _loss(value: Estimate | None, metric: str) -> float:
    if value is None:
        return math.inf
    return -value.value if BY_NAME[metric].better == "higher" else value.value


def _regret(workload: Workload, answer: PointSummary, metric: str) -> Estimate | None:
    """What the setting loses against the best one for the workload, compared in pairs."""
    best = min(workload.answers, key=lambda item: _loss(item.metrics.get(metric), metric))
    value, reference = answer.metrics.get(metric), best.metrics.get(metric)
    if value is None or reference is None or reference.value == 0:
        return None
    scale, common = abs(reference.value), min(answer.replications, best.replications)
    lost = (_loss(value, metric) - _loss(reference, metric)) / scale
    error = paired_error(answer, best, metric)
    if error is None:
        return Estimate(lost, lost, lost, "1", note="one replication: no interval")
    half = t_quantile(common) * error / scale
    return Estimate(lost, lost - half, lost + half, "1")
