"""How far the arrivals can grow: a ladder of factors, narrowed around the first that misses an objective."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from math import log, log1p

from simulations.analysis.estimates.summary import PointSummary
from simulations.experiment.points import ARRIVALS, Answers, Point, Steering, with_overrides
from simulations.experiment.questions import HeadroomQuestion
from simulations.experiment.verdicts import chance_of, lost_more, verdict_of
from simulations.scenario.runsettings import Objective
from simulations.scenario.spec import ScenarioSpec

LADDER = 9
"""Factors between two ends, the ends included."""
WITHIN = 0.01
"""The search ends when the bracket is this narrow, relative to it."""
MOST_POINTS = 33


@dataclass(frozen=True)
class Headroom:
    """Factors on all arrivals. Good at a factor is taken to mean good below it.

    ``carried``: the largest factor tried that meets the objectives, 0 when not even the least does; ``missed``: the
    next one, None when all do. The true limit lies between ``low``, the largest that surely meets them, and ``high``,
    the smallest that surely does not (95 %). ``stable``: the largest factor at which no queue grows without end,
    ``unstable`` the smallest at which one does. ``losing``: the smallest at which surely a larger share of the messages
    is lost than today, which counts as missed.
    """

    carried: float
    missed: float | None
    low: float
    high: float | None
    stable: float
    unstable: float | None
    tried: Mapping[float, PointSummary]
    losing: float | None = None


class HeadroomPlan:
    """Point 0 is the scenario as it is; the others multiply its arrivals."""

    def __init__(self, question: HeadroomQuestion, spec: ScenarioSpec) -> None:
        self.question, self.spec = question, spec
        self.factors = [1.0]

    def first(self) -> tuple[Point, ...]:
        """Return the scenario and the first ladder."""
        start = Point(0, {ARRIVALS: 1.0}, self.spec)
        return (start, *self._points(ladder(self.question.least, self.question.most)))

    def steer(self, answers: Answers) -> Steering:
        """Settle what is clear and put the next ladder into the bracket of the objectives, then of stability."""
        settled = {index for index, summary in answers.items() if verdict_of(self.spec.objectives, summary) != "unsure"}
        found = headroom_of(self.spec.objectives, answers)
        brackets = (found.carried, found.missed), (found.stable, found.unstable)
        wide = [(low, high) for low, high in brackets if low and high and high > low * (1 + WITHIN)]
        if not wide or len(self.factors) + LADDER - 2 > MOST_POINTS:
            return Steering(frozenset(settled))
        more = tuple(self._points(ladder(*wide[0])))
        return Steering(frozenset(settled), more, upcoming=LADDER - 2)

    def _points(self, factors: Sequence[float]) -> Iterator[Point]:
        for factor in factors:
            if all(abs(factor / held - 1) > WITHIN / 4 for held in self.factors):
                overrides = {ARRIVALS: factor}
                yield Point(len(self.factors), overrides, with_overrides(self.spec, overrides))
                self.factors.append(factor)


def headroom_of(objectives: Sequence[Objective], answers: Answers) -> Headroom:
    """Return the headroom as far as the answers tell it; without objectives it ends where the system is unstable."""
    by_factor = {float(summary.overrides[ARRIVALS]): summary for summary in answers.values()}
    tried = dict(sorted(by_factor.items()))
    now = tried.get(1.0)
    losing = [at for at, summary in tried.items() if lost_more(objectives, summary, now, times=max(at, 1.0))]
    verdicts = {at: "missed" if at in losing else verdict_of(objectives, item) for at, item in tried.items()}
    carried, missed = _bracket({at: at not in losing and chance_of(objectives, it) > 0.5 for at, it in tried.items()})
    surely_met, _ = _bracket({at: verdict == "met" for at, verdict in verdicts.items()})
    surely_missed = (at for at, verdict in verdicts.items() if verdict in ("missed", "unstable") and at >= carried)
    stable, unstable = _bracket({at: summary.status != "unstable" for at, summary in tried.items()})
    low, high, lost = min(surely_met, carried), min(surely_missed, default=None), min(losing, default=None)
    return Headroom(carried, missed, low, high, stable, unstable, tried, lost)


def reached(headroom: Headroom, growth: float, since: date) -> dict[str, date | None]:
    """Return the days on which arrivals that grow by ``growth`` a year reach the limit and the ends of its interval.

    ``since``: the day of today's arrivals, which the ends do not precede. Only the lower end where no factor tried
    misses an objective; None everywhere when the arrivals of that day do.
    """
    if headroom.carried < 1:
        return dict.fromkeys(("carried", "low", "high"))
    factors: dict[str, float | None] = {"carried": None, "low": max(headroom.low, 1.0), "high": None}
    if headroom.missed is not None:
        factors |= {"carried": headroom.carried, "high": headroom.high or headroom.missed}
    year = log1p(growth) / 365.25
    return {name: since + timedelta(days=log(factor) / year) if factor else None for name, factor in factors.items()}


def ladder(low: float, high: float) -> list[float]:
    """Return ``LADDER`` factors from ``low`` to ``high``, evenly on a logarithmic scale."""
    return [low * (high / low) ** (step / (LADDER - 1)) for step in range(LADDER)]


def _bracket(good: Mapping[float, bool]) -> tuple[float, float | None]:
    """The last good factor before the first bad one, and that one."""
    carried = 0.0
    for factor, is_good in good.items():
        if not is_good:
            return carried, factor
        carried = factor
    return carried, None
