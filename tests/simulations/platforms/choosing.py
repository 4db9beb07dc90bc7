"""New values for the settings of any family, and the scripts that make them."""

import re
from collections.abc import Iterable
from typing import Any, cast

import yaml
from hypothesis import strategies as st

from simulations.declarations.parameters import Declaration, PlatformParameters, parameters_of
from simulations.declarations.problems import InvalidInput
from simulations.declarations.texts import keys_in
from simulations.platforms import PLATFORMS
from simulations.platforms.shared.family import Script
from simulations.scenario.spec import ScenarioSpec, parse
from tests.simulations.platforms.samples import BASES, scenario_body, sweep_value

SIMPLE = ("integer", "number", "boolean", "choice", "text")


@st.composite
def choices(draw: st.DrawFn, platform: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """A scenario in one of the family's modes, and new values for some settings."""
    family = PLATFORMS[platform]
    body = scenario_body(platform, **draw(st.sampled_from(BASES[platform])))
    models = (("servers", family.server_parameters), ("queues", family.queue_parameters))
    items = [(entity, item) for entity, model in models for item in parameters_of(model) if item.kind in SIMPLE]
    picked = draw(st.lists(st.sampled_from(items), min_size=1, max_size=6, unique_by=lambda pair: pair[1].name))
    return body, dict(_chosen(body, entity, item) for entity, item in picked)


def _chosen(body: dict[str, Any], entity: str, item: Declaration) -> tuple[str, Any]:
    held = body[entity][0].setdefault("settings", {})
    return f"{entity}.{body[entity][0]['name']}.settings.{item.name}", sweep_value(
        item, held.get(item.name, item.default)
    )


def written(platform: str, body: dict[str, Any], chosen: dict[str, Any]) -> dict[str, Script]:
    """The scripts that write something by format; none when the platform does not allow the values together."""
    try:
        found = PLATFORMS[platform].write(parse(body).system, chosen, "cafe")
    except InvalidInput:
        return {}
    return {script.format: script for script in found if not chosen or not chosen.keys() <= set(script.left_out)}


def filled_in(model: str) -> dict[str, Any]:
    """A Deploy Tooling model with a name for each of its variables."""
    endings = {"module": "-module", "factory": "-factory", "quota": "-quota"}

    def name(found: re.Match[str]) -> str:
        what, _, of = found[1].partition(".of.")
        return what if what in ("Queue", "Topic") else of.rpartition(".")[2] + endings.get(what, "")

    found: dict[str, Any] = yaml.safe_load(re.sub(r"@@PROP:([\w.]+)@@", name, model))
    return found


def others(spec: ScenarioSpec, paths: Iterable[str]) -> dict[str, Any]:
    """A different value for each setting, as far as all of them are allowed together."""
    chosen: dict[str, Any] = {}
    for path in paths:
        kind, name, _, setting = keys_in(path)
        entity = next(item for item in getattr(spec, kind) if item.name == name)
        model = cast("type[PlatformParameters]", type(entity.settings))
        declared = next(item for item in parameters_of(model) if item.name == setting)
        wanted = {**chosen, path: sweep_value(declared, getattr(entity.settings, setting))}
        try:
            spec.family.write(spec.system, wanted, "cafe")
        except InvalidInput:
            continue
        chosen = wanted
    return chosen


def settings_of(spec: ScenarioSpec) -> dict[str, Any]:
    """Every plain setting by path."""
    return {
        f"{entity.path}.settings.{name}": value
        for kind in ("servers", "queues")
        for entity in getattr(spec, kind)
        for name, value in entity.settings.model_dump().items()
        if isinstance(value, int | float | str)
    }
