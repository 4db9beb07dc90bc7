"""What formulas refuse: an impossible number is named at once instead of turning up later as nan."""

import math
from collections.abc import Callable, Mapping


class Unstable(ValueError):
    """The queue has no steady state: at least as much arrives as can be served."""


def positive(**values: float) -> None:
    """Raise ValueError naming the first value that is not a finite number above 0."""
    _require(values, "a finite number above 0", lambda value: math.isfinite(value) and value > 0)


def not_negative(**values: float) -> None:
    """Raise ValueError naming the first value that is not a finite number of at least 0."""
    _require(values, "a finite number of at least 0", lambda value: math.isfinite(value) and value >= 0)


def whole(**values: int) -> None:
    """Raise ValueError naming the first value that is not a whole number above 0."""
    _require(values, "a whole number above 0", lambda value: value >= 1 and value == int(value))


def _require(values: Mapping[str, float], wording: str, holds: Callable[[float], bool]) -> None:
    for name, value in values.items():
        if not holds(value):
            raise ValueError(f"{name} must be {wording}, not {value}")


def stable(load: float) -> None:
    """Raise Unstable when the load per server is 1 or more."""
    if load >= 1:
        raise Unstable(f"no steady state: the load is {load:.4g} per server and must be below 1")
