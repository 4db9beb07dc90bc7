"""Refusals of the formulas: an impossible number is named at once instead of travelling on as nan."""

import math


class Unstable(ValueError):
    """The queue has no steady state: at least as much arrives as can be served."""


def positive(**values: float) -> None:
    """Raise ValueError naming the first value that is not a finite number above 0."""
    for name, value in values.items():
        if not (math.isfinite(value) and value > 0):
            msg = f"{name} must be a finite number above 0, not {value}"
            raise ValueError(msg)


def not_negative(**values: float) -> None:
    """Raise ValueError naming the first value that is not a finite number of at least 0."""
    for name, value in values.items():
        if not (math.isfinite(value) and value >= 0):
            msg = f"{name} must be a finite number of at least 0, not {value}"
            raise ValueError(msg)


def whole(**values: int) -> None:
    """Raise ValueError naming the first value that is not a whole number above 0."""
    for name, value in values.items():
        if value < 1 or value != int(value):
            msg = f"{name} must be a whole number above 0, not {value}"
            raise ValueError(msg)


def stable(load: float) -> None:
    """Raise Unstable when the load per server is 1 or more."""
    if load >= 1:
        msg = f"no steady state: the load is {load:.4g} per server and must be below 1"
        raise Unstable(msg)
