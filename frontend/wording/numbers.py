"""Numbers and settings as pages write them; estimates as everything writes them (``quantities``)."""

from typing import Any, TypeGuard

from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.estimates.quantities import SCALES, WRITTEN, estimate_text, one_of, quantity, significant
from simulations.analysis.estimates.summary import Estimate


def counted(count: int, noun: str) -> str:
    """Return a count with its noun, for example ``1 point`` or ``1,300 points``."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def lowered(text: str) -> str:
    """Return a title or sentence as it stands inside another sentence: its first letter small."""
    return f"{text[0].lower()}{text[1:]}"


def metric_title(name: str) -> str:
    """Return the title of a metric, for example ``p95 latency``."""
    return BY_NAME[name].title if name in BY_NAME else name


def size_text(change: Estimate) -> str:
    """Write how large a difference is; of shares in percentage points, as percent would be relative."""
    return estimate_text(abs(change)).replace("%", "percentage points")


def is_number(value: Any) -> TypeGuard[float]:
    """Return whether a value is a number: a switch is none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


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


def setting_text(value: Any, unit: str) -> str:
    """Write a setting's value with its unit."""
    if not is_number(value):
        return plain(value)
    if unit in SCALES:
        return str(quantity(value, unit))
    written = WRITTEN.get(unit, one_of(unit) if value == 1 else unit)
    return f"{plain(value)}{written if not written or written.startswith('/') else f' {written}'}"


def titled(title: str, unit: str) -> str:
    """Return the title of an axis or a column with its unit; names, switches and ratios have none."""
    return title if unit in ("1", title.lower()) or unit == title else f"{title} [{unit}]"
