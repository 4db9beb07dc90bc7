"""The values of a swept setting and the axis they stand on."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from frontend.charts.parts import axis, shade
from frontend.charts.theme import Figure
from frontend.wording.numbers import titled
from simulations.analysis.estimates.quantities import estimate_text
from simulations.analysis.estimates.summary import Estimate

DECADES = 10
"""From this factor between its ends on, an axis of numbers is logarithmic."""
ROOM = 0.05
"""Share of an axis of numbers that stays free beyond its ends, and between two labels."""
AROUND_LABELS = 0.3


@dataclass(frozen=True)
class Swept:
    """One value of the swept setting with its metrics; ``problem`` says why there are no percentiles.

    ``number``: the value, None for words and for several settings; ``growth``: of what waits, messages/s.
    """

    label: str
    metrics: Mapping[str, Estimate]
    problem: str = ""
    number: float | None = None
    growth: float = 0.0

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
        if self.decades:
            return [math.log10(number) for number in self.numbers]
        return self.numbers or [float(place) for place in range(len(self.values))]

    @property
    def edges(self) -> list[float]:
        """The borders between the values, and the ends of the axis, as the axis counts them."""
        steps = self.steps
        room = ROOM * (steps[-1] - steps[0]) if self.numbers else AROUND_LABELS
        return [steps[0] - room, *((one + other) / 2 for one, other in pairwise(steps)), steps[-1] + room]

    @property
    def axis(self) -> Figure:
        """A numeric axis with a label at each value that has room for one; without numbers a place for each value."""
        ends = [self.edges[0], self.edges[-1]]
        if not self.numbers:
            order = {"categoryorder": "array", "categoryarray": self.places}
            return axis(self.setting, self.unit, type="category", **order, range=ends)
        kept: list[int] = []
        for place, step in enumerate(self.steps):
            if not kept or step - self.steps[kept[-1]] >= ROOM * (ends[1] - ends[0]):
                kept.append(place)
        labels = {"tickvals": [self.places[at] for at in kept], "ticktext": [self.values[at].label for at in kept]}
        return axis(self.setting, self.unit, type="log" if self.decades else "linear", range=ends, **labels)

    def drawn_at(self, step: float) -> float:
        """Return where a shape stands that the axis counts at ``step``."""
        return float(10**step if self.decades else step)

    def shaded(self, first: int, last: int, color: str) -> Figure:
        """Return the shading behind the values from the place ``first`` to ``last``."""
        return shade(self.drawn_at(self.edges[first]), self.drawn_at(self.edges[last + 1]), color)

    def known(self, metric: str) -> list[tuple[str, Estimate]]:
        """Return label and estimate of the values that have the metric."""
        return [(item.label, item.metrics[metric]) for item in self.values if metric in item.metrics]

    def rows(self, metrics: Sequence[str]) -> tuple[tuple[str, ...], ...]:
        """Return the rows of a table: each value with its metrics."""
        return tuple((item.label, *(item.text(name) for name in metrics)) for item in self.values)
