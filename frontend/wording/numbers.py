"""Numbers as people read them: value, half-width of the interval and unit, rounded to what the interval supports."""

import math
from typing import Any, NamedTuple

from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.estimates.summary import Estimate
from simulations.runsettings import Objective

_SCALES: dict[str, tuple[tuple[float, float, str], ...]] = {
    "s": ((3600.0, 1 / 3600.0, "h"), (180.0, 1 / 60.0, "min"), (1.0, 1.0, "s"), (1e-3, 1e3, "ms"), (0.0, 1e6, "µs")),
    "B": ((1e9, 1e-9, "GB"), (1e6, 1e-6, "MB"), (1e3, 1e-3, "kB"), (0.0, 1.0, "B")),
}
"""By unit: from this size on, this factor gives the unit that people use."""
_ROUNDING = 1e-9
_WRITTEN = {"1": "", "/s": "/s", "weight": ""}


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
    for least, factor, name in _SCALES.get(unit, ()):
        if abs(size) >= least:
            return Scale(factor, name)
    return Scale(1.0, _WRITTEN.get(unit, unit))


def significant(value: float, half: float = 0.0) -> str:
    """Write ``value`` with four significant digits, or as many decimals as two digits of ``half`` support."""
    if not math.isfinite(value):
        return "∞" if value > 0 else "-∞"
    if half > 0 and math.isfinite(half):
        decimals = 1 - math.floor(math.log10(half))
    else:
        decimals = 3 - (math.floor(math.log10(abs(value))) if value else 3)
    decimals = max(0, min(decimals, 6))
    text = f"{value:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text and half <= 0 else text


def half_width(estimate: Estimate) -> float:
    """Return the wider half of the interval; 0 where it is only the rounding of floating point numbers."""
    half = max(estimate.high - estimate.value, estimate.value - estimate.low, 0.0)
    return half if half > _ROUNDING * abs(estimate.value) else 0.0


def quantity(value: float, unit: str, half: float = 0.0) -> Quantity:
    """Return a number with its half-width in the unit that suits its size."""
    scale = scale_of(value, unit)
    shown, width = value * scale.factor, half * scale.factor
    text = significant(shown, width)
    unit = one_of(scale.unit) if text == "1" else scale.unit
    return Quantity(text, significant(width, width) if half > 0 else "", unit)


def counted(count: int, noun: str) -> str:
    """Return a count with its noun, for example ``1 point`` or ``1,300 points``."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def one_of(unit: str) -> str:
    """Return a unit as it stands after 1: ``threads`` become ``thread``, symbols such as ``ms`` stay."""
    return unit[:-1] if len(unit) > 3 and unit.endswith("s") else unit


def estimate_quantity(estimate: Estimate) -> Quantity:
    """Return an estimate with the half-width of its 95 % interval; exact ones have none."""
    return quantity(estimate.value, estimate.unit, half_width(estimate))


def lowered(text: str) -> str:
    """Return a title or sentence as it stands inside another sentence: its first letter small."""
    return f"{text[0].lower()}{text[1:]}"


def estimate_text(estimate: Estimate) -> str:
    """Write an estimate with its unit, a fraction as a percentage."""
    if estimate.unit == "1":
        return str(quantity(100 * estimate.value, "%", 100 * half_width(estimate)))
    return str(estimate_quantity(estimate))


def interval_text(change: Estimate) -> str:
    """Write a difference with its sign and both ends of its interval, for example ``+24.8 (21.9 to 27.8) ms``."""
    factor, unit = (100.0, "%") if change.unit == "1" else scale_of(change.value, change.unit)
    value, low, high = (part * factor for part in (change.value, change.low, change.high))
    half = (high - low) / 2
    shown = f"{'+' if value > 0 else ''}{significant(value, half)}"
    ends = f" ({significant(low, half)} to {significant(high, half)})" if half > 0 else ""
    return f"{shown}{ends}{'' if unit.startswith('/') else ' '}{unit}".strip()


def percent(fraction: float) -> str:
    """Write a fraction as a percentage with up to three digits."""
    return f"{significant(float(f'{100 * fraction:.3g}'))} %"


def metric_title(name: str) -> str:
    """Return the title of a metric, for example ``95 % latency``."""
    return BY_NAME[name].title if name in BY_NAME else name


def plain(value: Any) -> str:
    """Write the value of a setting: choices and texts as they are, numbers without needless digits."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int | float):
        return significant(value)
    if value is None:
        return "none"
    if isinstance(value, dict):
        return ", ".join(f"{key.replace('_', ' ')} {plain(item)}" for key, item in value.items() if item is not None)
    if isinstance(value, list | tuple):
        return ", ".join(f"({plain(item)})" if isinstance(item, dict) else plain(item) for item in value) or "none"
    return str(value)


def bound_text(objective: Objective) -> str:
    """Say what an objective asks, in the unit of its metric."""
    unit = BY_NAME[objective.metric].unit if objective.metric in BY_NAME else "1"
    if objective.at_most is not None:
        return f"at most {setting_text(objective.at_most, unit)}"
    if objective.at_least is not None:
        return f"at least {setting_text(objective.at_least, unit)}"
    return f"exactly {setting_text(objective.equals, unit)}"


def setting_text(value: Any, unit: str) -> str:
    """Write a setting's value with its unit."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return plain(value)
    return str(quantity(value, unit)) if unit in _SCALES else f"{plain(value)}{_unit_after(value, unit)}"


def _unit_after(value: float, unit: str) -> str:
    written = _WRITTEN.get(unit, one_of(unit) if value == 1 else unit)
    return written if not written or written.startswith("/") else f" {written}"


def titled(title: str, unit: str) -> str:
    """Return the title of an axis or a column with its unit; names, switches and ratios have none."""
    return title if unit == "1" else f"{title} [{unit}]"


def setting_name(path: str) -> str:
    """Return the last part of a scenario path in words, for example ``maximum sessions``."""
    return path.rsplit(".", 1)[-1].replace("_", " ")
