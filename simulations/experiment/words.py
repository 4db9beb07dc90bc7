"""Numbers, settings and objectives in words, for the sentences of an experiment."""

from collections.abc import Mapping
from typing import Any

from simulations.analysis.estimates.metrics import BY_NAME
from simulations.declarations.path_text import last_key
from simulations.experiment.names import setting_at
from simulations.experiment.points import ARRIVALS
from simulations.platforms.shared.queues import number
from simulations.scenario.runsettings import Objective
from simulations.scenario.spec import ScenarioSpec

_AFTER = {"s": " s", "/s": "/s", "B": " B", "%": " %"}
"""What is written after a number of such a unit; counts stand bare."""


def said(value: float, unit: str) -> str:
    """Return a number with its unit as a person would say it, three digits."""
    if unit == "s":
        return f"{_short(value)} s" if abs(value) >= 1 else f"{_short(1e3 * value)} ms"
    if unit == "1":
        return f"{_short(100 * value)} %"
    return f"{_short(value)}{unit}" if unit.startswith("/") else f"{_short(value)} {unit}".strip()


def setting_title(spec: ScenarioSpec, path: str) -> str:
    """Return the vendor's name of a setting, or the last words of its path."""
    if path == ARRIVALS:
        return "Arrivals"
    known = setting_at(spec, path)
    return known.declaration.title if known else last_key(path).replace("_", " ").capitalize()


def settings_text(spec: ScenarioSpec, overrides: Mapping[str, Any]) -> str:
    """Return the settings of a point, counts bare, for example ``Maximum sessions 36, Mean service time 50 ms``."""
    return ", ".join(
        f"{setting_title(spec, path)} {_value(value, unit_of(spec, path))}" for path, value in overrides.items()
    )


def unit_of(spec: ScenarioSpec, path: str) -> str:
    """Return the unit of a setting or of a workload's number; ``1`` for none."""
    known = setting_at(spec, path)
    return known.declaration.unit if known else "1"


def objective_text(objective: Objective) -> str:
    """Return an objective, for example ``Latency of 95 % at most 60 ms``."""
    metric = BY_NAME[objective.metric]
    if objective.at_most is not None:
        bound = f"at most {said(objective.at_most, metric.unit)}"
    elif objective.at_least is not None:
        bound = f"at least {said(objective.at_least, metric.unit)}"
    else:
        bound = f"exactly {said(objective.equals or 0.0, metric.unit)}"
    return f"{metric.title} {bound}"


def _value(value: Any, unit: str) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    if unit == "s" and 0 < abs(value) < 1:
        return f"{number(1e3 * value)} ms"
    return f"{number(float(value))}{_AFTER.get(unit, '')}"


def _short(value: float) -> str:
    return number(float(f"{value:.3g}"))
