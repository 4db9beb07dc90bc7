"""Numbers as people read them: value, half-width of the interval and unit, rounded to what the interval supports.

Pages, reports, command line and explanations write every result with these, so that it reads the same everywhere.
"""

import math
from typing import NamedTuple

from simulations.analysis.estimates.summary import Estimate

SCALES: dict[str, tuple[tuple[float, float, str], ...]] = {
    "s": ((3600.0, 1 / 3600.0, "h"), (180.0, 1 / 60.0, "min"), (1.0, 1.0, "s"), (1e-3, 1e3, "ms"), (0.0, 1e6, "µs")),
    "B": ((1e9, 1e-9, "GB"), (1e6, 1e-6, "MB"), (1e3, 1e-3, "kB"), (0.0, 1.0, "B")),
}
"""By unit: from this size on, this factor gives the unit that people use."""
WRITTEN = {"1": "", "weight": ""}
"""Units that are not written as they are called."""
FINEST = 1e-4
"""Relative half-width below which nobody wants to read another digit."""


class Scale(NamedTuple):
    """How to write numbers of one unit and size: multiply by ``factor``, then append ``unit``."""

    factor: float
    unit: str


class Quantity(NamedTuple):
    """A number ready to be shown; ``half`` is empty for exact numbers."""

    value: str
    half: str
    unit: str

    def __str__(self) -> str:
        half = f" ± {self.half}" if self.half else ""
        gap = "" if not self.unit or self.unit.startswith("/") else " "
        return f"{self.value}{half}{gap}{self.unit}"


def scale_of(size: float, unit: str) -> Scale:
    """Return the scale for numbers about as large as ``size``; fractions stay as they are."""
    if size == 0 and unit == "s":
        return Scale(1e3, "ms")
    for least, factor, name in SCALES.get(unit, ()):
        if abs(size) >= least:
            return Scale(factor, name)
    return Scale(1.0, WRITTEN.get(unit, unit))


def significant(value: float, half: float = 0.0) -> str:
    """Write ``value`` with four significant digits, and no more than two digits of ``half`` support."""
    if not math.isfinite(value):
        return "∞" if value > 0 else "-∞"
    text = _rounded(value, _decimals(value, half))
    return text.rstrip("0").rstrip(".") if "." in text and half <= 0 else text


def _decimals(value: float, half: float) -> int:
    """How many decimals to write; below zero the last digits before the point are rounded, for exact values never."""
    four = max(0, min(3 - _magnitude(value), 6)) if value else 6
    if half > 0 and math.isfinite(half):
        return min(1 - _magnitude(half), four)
    return four if value else 0


def _magnitude(value: float) -> int:
    return math.floor(math.log10(abs(value)))


def _rounded(value: float, decimals: int) -> str:
    return f"{round(value, decimals) + 0.0:,.{max(0, decimals)}f}"


def quantity(value: float, unit: str, half: float = 0.0) -> Quantity:
    """Return a number with its half-width in the unit that suits its size, a fraction as a percentage."""
    scale = Scale(100.0, "%") if unit == "1" else scale_of(max(abs(value), half), unit)
    shown, width = value * scale.factor, half * scale.factor
    text = significant(shown, width)
    unit = one_of(scale.unit) if text == "1" else scale.unit
    return Quantity(text, _half_text(shown, width) if half > 0 else "", unit)


def _half_text(value: float, half: float) -> str:
    """Write a half-width to the last digit of its value; rounded up where it has digits beyond that one."""
    if not math.isfinite(half):
        return "∞"
    decimals = _decimals(value, half)
    whole = decimals == 1 - _magnitude(half)
    return _rounded(half if whole else math.ceil(half * 10**decimals) / 10**decimals, decimals)


def one_of(unit: str) -> str:
    """Return a unit as it stands after 1: ``threads`` become ``thread``, symbols such as ``ms`` stay."""
    return unit[:-1] if len(unit) > 3 and unit.endswith("s") else unit


def estimate_quantity(estimate: Estimate) -> Quantity:
    """Return an estimate with the half-width of its 95 % interval; exact ones have none."""
    return quantity(estimate.value, estimate.unit, estimate.half_width)


def estimate_text(estimate: Estimate | None) -> str:
    """Write an estimate with its half-width and unit, a dash for none."""
    return str(estimate_quantity(estimate)) if estimate else "–"


def change_text(change: Estimate) -> str:
    """Write a difference: as an estimate, with its sign; of shares in points, as percent would be relative."""
    sign = "−" if change.value < 0 else "+" if change.value > 0 else ""
    return f"{sign}{estimate_text(abs(change))}".replace("%", "% points")


def percent(fraction: float) -> str:
    """Write a fraction as a percentage with up to three digits."""
    return f"{significant(float(f'{100 * fraction:.3g}'))} %"


def precision_text(relative: float) -> str:
    """Write a half-width relative to its value, asked or reached."""
    return f"± {percent(relative)}" if relative >= FINEST or relative == 0 else f"± less than {percent(FINEST)}"
