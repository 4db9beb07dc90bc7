"""The vendor's name and the unit of every setting of a scenario, by its path."""

from simulations.parameters import Declaration, parameters_of
from simulations.scenario import ScenarioSpec


def setting_titles(spec: ScenarioSpec) -> dict[str, str]:
    """Return the vendor's name of every setting by its scenario path."""
    return {path: item.title for path, item in _settings(spec)}


def setting_units(spec: ScenarioSpec) -> dict[str, str]:
    """Return the unit of every setting by its scenario path."""
    return {path: item.unit for path, item in _settings(spec)}


def _settings(spec: ScenarioSpec) -> list[tuple[str, Declaration]]:
    servers = [(f"servers.{server.name}", server.settings) for server in spec.servers]
    queues = [(f"queues.{queue.name}", queue.settings) for queue in spec.queues]
    return [
        (f"{place}.settings.{item.name}", item)
        for place, settings in (*servers, *queues)
        for item in parameters_of(type(settings))
    ]
