"""Titles, units and values of knobs and inputs, as every chart of a search writes them."""

from collections.abc import Sequence
from typing import Any

from frontend import settingnames
from frontend.wording import plain, setting_text
from planner.selectors import Experiment
from simulations.experiment.points import ARRIVALS
from simulations.experiment.words import setting_title


def bound_of(found: Experiment, metric: str) -> float | None:
    """Return the largest value that the objectives allow the metric, or None."""
    return next((item.at_most for item in found.spec.objectives if item.metric == metric and item.at_most), None)


def labels(values: Sequence[Any]) -> tuple[str, ...]:
    """Return the values of a knob as people read them."""
    return tuple(plain(value) for value in values)


def with_unit(found: Experiment, path: str) -> str:
    """Return a knob's title with its unit."""
    unit = unit_of(found, path)
    return f"{title_of(found, path)} [{unit}]" if unit != "1" else title_of(found, path)


def unit_of(found: Experiment, path: str) -> str:
    """Return the unit of a knob or an input."""
    return settingnames.unit_of(found.spec, path)


def value_text(found: Experiment, path: str, value: Any) -> str:
    """Return a value of a knob or an input with its unit."""
    if path == ARRIVALS:
        return f"× {plain(value)}"
    return plain(value) if isinstance(value, bool | str) else setting_text(value, unit_of(found, path))


def title_of(found: Experiment, path: str) -> str:
    """Return the title of a knob or an input."""
    return setting_title(found.spec, path)
