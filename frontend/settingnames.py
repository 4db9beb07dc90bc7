"""The vendor's name and the unit of every setting of a scenario, by its path, and values in words."""

from collections.abc import Mapping
from typing import Any

from frontend.wording import plain, setting_name, setting_text
from simulations.parameters import Declaration, parameters_of
from simulations.scenario import ScenarioSpec


def setting_titles(spec: ScenarioSpec) -> dict[str, str]:
    """Return the vendor's name of every setting by its scenario path."""
    return {path: item.title for path, item in _settings(spec)}


def setting_units(spec: ScenarioSpec) -> dict[str, str]:
    """Return the unit of every setting by its scenario path."""
    return {path: item.unit for path, item in _settings(spec)}


def unit_of(spec: ScenarioSpec, path: str) -> str:
    """Return the unit of a setting or of a workload's number; ``1`` for none."""
    ends = {"rate": "/s", "mean": "s", "cpus": "CPUs"}
    return setting_units(spec).get(path) or ends.get(path.rsplit(".", 1)[-1], "1")


def swept_value(spec: ScenarioSpec, path: str, value: Any) -> str:
    """Write a swept value: times, sizes and rates with their unit, counts bare beside the setting's name."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return plain(value)
    unit = unit_of(spec, path)
    return setting_text(value, unit) if unit in ("s", "B", "/s") else str(value)


def swept_values(spec: ScenarioSpec, overrides: Mapping[str, Any], joint: str = " · ") -> str:
    """Return the values of a point's swept settings, for example ``36 · 3``; empty without a sweep."""
    return joint.join(swept_value(spec, path, value) for path, value in overrides.items())


def swept_text(spec: ScenarioSpec, overrides: Mapping[str, Any]) -> str:
    """Return a point's swept settings with their names, for example ``Maximum sessions 36, Servants 3``."""
    titles = setting_titles(spec)
    named = [f"{titles.get(path, setting_name(path))} {swept_value(spec, path, overrides[path])}" for path in overrides]
    return ", ".join(named)


def _settings(spec: ScenarioSpec) -> list[tuple[str, Declaration]]:
    servers = [(f"servers.{server.name}", server.settings) for server in spec.servers]
    queues = [(f"queues.{queue.name}", queue.settings) for queue in spec.queues]
    return [
        (f"{place}.settings.{item.name}", item)
        for place, settings in (*servers, *queues)
        for item in parameters_of(type(settings))
    ]
