"""A small line of a few numbers, drawn on the server: points of an SVG and the same in words."""

from collections.abc import Sequence
from dataclasses import dataclass

from simulations.analysis.estimates.quantities import quantity

WIDTH, HEIGHT, EDGE = 88, 26, 4
"""Units of the view box; ``EDGE`` keeps the end marks inside."""


@dataclass(frozen=True)
class Sparkline:
    """``points`` of a polyline, the place of the last one, and what a screen reader says."""

    points: str
    x: float
    y: float
    text: str


def sparkline(values: Sequence[tuple[int, float]], unit: str = "s") -> Sparkline | None:
    """Draw a number by version, evenly spaced from the lowest to the highest; None for fewer than two."""
    if len(values) < 2:
        return None
    low, high = min(value for _, value in values), max(value for _, value in values)
    step, reach = (WIDTH - 2 * EDGE) / (len(values) - 1), HEIGHT - 2 * EDGE
    share = [(value - low) / (high - low) if high > low else 0.5 for _, value in values]
    places = [(round(EDGE + step * at, 1), round(EDGE + reach * (1 - part), 1)) for at, part in enumerate(share)]
    said = ", ".join(f"v{version} {quantity(value, unit)}" for version, value in values)
    return Sparkline(" ".join(f"{x},{y}" for x, y in places), *places[-1], f"95 % latency by version: {said}")
