"""The vendor's name and the unit of every setting of a scenario, by its path, and values in words."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from frontend.wording.numbers import is_number, plain, setting_text, titled
from frontend.wording.texts import TEXTS
from simulations.declarations.declared import Setting
from simulations.declarations.parameters import Declaration
from simulations.declarations.path_text import keys_in
from simulations.experiment.names import setting_at, setting_paths
from simulations.experiment.points import ARRIVALS
from simulations.experiment.words import setting_title, unit_of
from simulations.scenario.spec import ScenarioSpec

CHOICES = TEXTS["choices"]


def known_settings(specs: Iterable[ScenarioSpec]) -> dict[str, Declaration]:
    """Return the declarations of all settings of several scenarios by their scenario path."""
    return {path: item for spec in specs for path, item in setting_paths(spec).items()}


def setting_row(known: Mapping[str, Declaration], path: str, values: Iterable[Any]) -> tuple[str, list[str]]:
    """Return title and owner of a setting and values of it with their unit, a dash for none; ``known`` may lack it."""
    item, (_, *keys) = known.get(path), keys_in(path)
    title, unit = (
        (f"{item.title} ({keys[0]})", item.unit) if item else (path.replace("_", " ").replace(".", " · "), "1")
    )
    return title, ["–" if value is None else setting_text(value, unit) for value in values]


def value_text(spec: ScenarioSpec, path: str, value: Any) -> str:
    """Return a value with its unit; ``path`` may be any that an experiment can change."""
    return f"× {setting_text(value, '1')}" if path == ARRIVALS else setting_text(value, unit_of(spec, path))


def swept_values(spec: ScenarioSpec, overrides: Mapping[str, Any]) -> str:
    """Return the values of a point's swept settings, counts bare, for example ``36 · 3``; empty without a sweep."""
    return " · ".join(_swept(spec, path, value) for path, value in overrides.items())


def place_text(spec: ScenarioSpec, values: Mapping[str, Any]) -> str:
    """Return the value of every setting with its unit, for example ``Maximum sessions 36 messages, CPUs 3``.

    The queue or server is named where two values have one title.
    """
    return ", ".join(
        f"{name} {value_text(spec, path, values[path])}" for path, name in place_names(spec, values).items()
    )


def place_names(spec: ScenarioSpec, paths: Collection[str]) -> dict[str, str]:
    """Return the title of each path, with its queue or server where two of them have one title."""
    titles = [setting_title(spec, path) for path in paths]
    owners = [f" of {setting.owner}" if (setting := setting_at(spec, path)) else "" for path in paths]
    return {
        path: f"{title}{owner if titles.count(title) > 1 else ''}"
        for path, title, owner in zip(paths, titles, owners, strict=True)
    }


def _swept(spec: ScenarioSpec, path: str, value: Any) -> str:
    if not is_number(value):
        return plain(value)
    unit = unit_of(spec, path)
    return setting_text(value, unit) if unit in ("s", "B", "/s") else str(value)


def swept_title(setting: Setting) -> str:
    """Return the vendor's name with the unit and whose it is, for example ``Fair share [weight] (http, payments)``."""
    return f"{titled(setting.declaration.title, setting.declaration.unit)} ({setting.owner})"


def choice_word(choice: str) -> str:
    """Return a choice as people read it; the vendor's capitals stay."""
    return CHOICES.get(choice, choice if choice.isupper() else choice.replace("_", " "))
