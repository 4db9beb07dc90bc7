"""Bounds, and labels of knobs, as every chart of a search writes them."""

from collections.abc import Sequence
from typing import Any

from frontend.wording.numbers import plain, titled
from planner.selectors import Experiment
from simulations.experiment.words import setting_title, unit_of


def bound_of(found: Experiment, metric: str) -> float | None:
    """Return the largest value that the objectives allow the metric, or None."""
    return next((item.at_most for item in found.spec.objectives if item.metric == metric and item.at_most), None)


def labels(values: Sequence[Any]) -> tuple[str, ...]:
    """Return the values of a knob as people read them."""
    return tuple(plain(value) for value in values)


def with_unit(found: Experiment, path: str) -> str:
    """Return a knob's title with its unit."""
    return titled(setting_title(found.spec, path), unit_of(found.spec, path))
