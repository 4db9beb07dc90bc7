"""The values of a swept setting and the axis they stand on."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any, Self

from frontend.charts.parts import Figure, axis, in_legend, shade
from frontend.wording.numbers import is_number, titled
from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.estimates.summary import Estimate, PointSummary, Scale, estimate_text, quantity, scale_of

DECADES = 10
"""From this factor between its ends on, an axis of numbers is logarithmic."""
ROOM = 0.05
"""Share of an axis of numbers that stays free beyond its ends."""
MOST_LABELS = 12
AROUND_LABELS = 0.3
PROBLEMS = ("unstable", "invalid")
"""States without percentiles."""


@dataclass(frozen=True)
class Swept:
    """One value of the swept setting with its metrics; ``problem`` says why there are no percentiles.

    ``number``: the value, None for words and for several settings; ``growth``: of what waits, messages/s; ``met``:
    whether every objective is met there.
    """

    label: str
    metrics: Mapping[str, Estimate]
    problem: str = ""
    number: float | None = None
    growth: float = 0.0
    met: bool = False

    @classmethod
    def of(cls, summary: PointSummary, label: str, value: Any, *, queue: str = "", met: bool = False) -> Self:
        """Return the value that was swept to ``summary``, with the metrics of the ``queue`` or of the whole system."""
        number = float(value) if is_number(value) else None
        growth = sum(rate for name, rate in summary.growth.items() if name != "carried")
        problem = summary.status if summary.status in PROBLEMS else ""
        return cls(label, summary.of(queue), problem, number, growth, met)

    def text(self, name: str) -> str:
        """Return the metric as a table shows it; where there is none, the reason or a dash."""
        estimate = self.metrics.get(name)
        return estimate_text(estimate) if estimate else self.problem or "–"


@dataclass(frozen=True)
class Sweep:
    """A swept setting: the vendor's name, its unit, and its values in their order."""

    setting: str
    unit: str
    values: Sequence[Swept]
    queue: str = ""
    """Queue of the metrics; empty for the whole system."""

    def title(self, what: str) -> str:
        """Return the title of a chart of ``what``."""
        return f"{what}{f' of {self.queue}' if self.queue else ''} over {self.setting}"

    @property
    def heading(self) -> str:
        """The heading of the column of values."""
        return titled(self.setting, self.unit)

    @property
    def numbers(self) -> list[float]:
        """The values where they are numbers that rise, otherwise nothing."""
        numbers = [item.number for item in self.values if item.number is not None]
        return numbers if numbers == sorted(set(numbers)) and len(numbers) == len(self.values) > 1 else []

    @property
    def places(self) -> Sequence[float | str]:
        """Where each value stands on the axis: at its number or at its label."""
        return self.numbers or [item.label for item in self.values]

    @property
    def decades(self) -> bool:
        """Whether the axis is logarithmic."""
        return bool(self.numbers) and 0 < DECADES * self.numbers[0] <= self.numbers[-1]

    @property
    def steps(self) -> list[float]:
        """The places as the axis counts them: powers of ten over decades, labels one after another."""
        numbers = self.numbers or [float(place) for place in range(len(self.values))]
        return [math.log10(number) for number in numbers] if self.decades else numbers

    @property
    def edges(self) -> list[float]:
        """The borders between the values, and the ends of the axis, as the axis counts them."""
        steps = self.steps
        room = ROOM * (steps[-1] - steps[0]) if self.numbers else AROUND_LABELS
        return [steps[0] - room, *((one + other) / 2 for one, other in pairwise(steps)), steps[-1] + room]

    @property
    def axis(self) -> Figure:
        """A numeric axis, each of a few values labelled; without numbers a place for each value."""
        ends = [self.edges[0], self.edges[-1]]
        if not self.numbers:
            order = {"categoryorder": "array", "categoryarray": self.places}
            return axis(self.setting, self.unit, type="category", **order, range=ends)
        each = {"tickvals": self.numbers, "ticktext": [item.label for item in self.values]}
        few = each if len(self.values) <= MOST_LABELS else {}
        return axis(self.setting, self.unit, type="log" if self.decades else "linear", range=ends, **few)

    def shaded(self, first: int, last: int, color: str) -> Figure:
        """Return the shading behind the values from the place ``first`` to ``last``."""
        start, end = self.edges[first], self.edges[last + 1]
        return shade(10**start, 10**end, color) if self.decades else shade(start, end, color)

    def marked(self, lines: Sequence[Figure] = ()) -> list[Figure]:
        """Return the shapes of a layout: lines, where all objectives are met, and where messages pile up."""
        shapes = [*lines, *(self.shaded(first, last, "green/12") for first, last in stretches(self.met))]
        for first, last in stretches([place for place, item in enumerate(self.values) if item.problem]):
            values = self.values[first : last + 1]
            reach = self.reach(range(first, last + 1))
            rate = max(item.growth for item in values)
            speed = f": +{quantity(rate, '/s', rate / 10).value} messages/s" if rate else ""
            words = in_legend(f"{values[0].problem} at {reach}{speed}")
            shapes.append({**self.shaded(first, last, "vermillion/12"), **words})
        return shapes

    @property
    def met(self) -> list[int]:
        """The places at which every objective is met."""
        return [place for place, item in enumerate(self.values) if item.met]

    def reach(self, places: Sequence[int]) -> str:
        """Return the values at ``places``, which rise, for example ``18 to 36 and 100``."""
        ends = [(self.values[first].label, self.values[last].label) for first, last in stretches(places)]
        return " and ".join(first if first == last else f"{first} to {last}" for first, last in ends)

    def scale(self, metric: str, bound: float | None = None) -> Scale:
        """Return the scale of a metric and of the bound on it; shares are percentages."""
        unit = BY_NAME[metric].unit
        if unit == "1":
            return Scale(100.0, "%")
        largest = max([bound or 0.0, *(item.value for item in self.known(metric).values())])
        return scale_of(largest, "messages/s" if unit == "/s" else unit)

    def known(self, metric: str) -> dict[int, Estimate]:
        """Return the estimates of the values that have the metric, by place."""
        return {place: item.metrics[metric] for place, item in enumerate(self.values) if metric in item.metrics}

    def rows(self, metrics: Sequence[str]) -> tuple[tuple[str, ...], ...]:
        """Return the rows of a table: each value with its metrics."""
        return tuple((item.label, *(item.text(name) for name in metrics)) for item in self.values)


def stretches(places: Sequence[int]) -> list[tuple[int, int]]:
    """Return the first and last place of each unbroken stretch of ``places``, which rise."""
    groups = groupby(enumerate(places), key=lambda item: item[1] - item[0])
    unbroken = [[place for _, place in group] for _, group in groups]
    return [(group[0], group[-1]) for group in unbroken]
