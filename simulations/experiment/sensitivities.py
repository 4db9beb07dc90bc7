"""What each input does to the KPI when it is off: one input at a time, compared message by message."""

from dataclasses import dataclass
from typing import Any

from simulations.analysis.estimates.summary import Estimate
from simulations.experiment.plans import Answers, Steering
from simulations.experiment.points import Point, with_overrides
from simulations.experiment.questions import SensitivityQuestion
from simulations.scenario.spec import ScenarioSpec


@dataclass(frozen=True)
class End:
    """An input at one end of its range; ``difference`` to the scenario is None where there is none yet or never."""

    value: Any
    status: str
    difference: Estimate | None


@dataclass(frozen=True)
class Effect:
    """What one input does."""

    path: str
    low: End
    high: End

    @property
    def swing(self) -> float:
        """The larger difference without its sign; infinite where an end is unstable, 0 where nothing is known."""
        if "unstable" in (self.low.status, self.high.status):
            return float("inf")
        return max((abs(end.difference.value) for end in (self.low, self.high) if end.difference), default=0.0)

    @property
    def resolved(self) -> bool:
        """Whether at least one end differs from the scenario by more than the interval, or is unstable."""
        known = [end.difference for end in (self.low, self.high) if end.difference]
        return self.swing == float("inf") or any(not item.low <= 0 <= item.high for item in known)


class SensitivityPlan:
    """Point 0 is the scenario; points 1 + 2k and 2 + 2k set input k to its low and its high end."""

    def __init__(self, question: SensitivityQuestion, spec: ScenarioSpec) -> None:
        self.question, self.spec = question, spec

    def first(self) -> tuple[Point, ...]:
        """Return the whole plan."""
        ends: list[dict[str, Any]] = [{}]
        ends += [{path: value} for path, pair in self.question.inputs.items() for value in pair]
        return tuple(Point(index, change, with_overrides(self.spec, change)) for index, change in enumerate(ends))

    def steer(self, answers: Answers) -> Steering:
        """Settle the points whose difference is clear or small beside the value itself."""
        return Steering(frozenset(index for index in answers if index and self._clear(index, answers)))

    def _clear(self, index: int, answers: Answers) -> bool:
        base = answers[0].metrics.get(self.question.kpi) if 0 in answers else None
        difference = answers[index].differences.get(self.question.kpi)
        if base is None or difference is None:
            return False
        half = (difference.high - difference.low) / 2
        return half <= max(abs(difference.value) / 10, abs(base.value) * (self.question.effort.precision or 0.02) / 2)


def effects_of(question: SensitivityQuestion, answers: Answers) -> tuple[Effect, ...]:
    """Return the effects known so far, the largest first."""
    found = []
    for number, (path, (low, high)) in enumerate(question.inputs.items()):
        ends = [_end(value, answers, 1 + 2 * number + place, question.kpi) for place, value in enumerate((low, high))]
        found.append(Effect(path, *ends))
    return tuple(sorted(found, key=lambda effect: -effect.swing))


def _end(value: Any, answers: Answers, index: int, kpi: str) -> End:
    summary = answers.get(index)
    if summary is None:
        return End(value, "open", None)
    return End(value, summary.status, summary.differences.get(kpi))
