"""Numbers, settings and workloads as pages write them; estimates as everything writes them (``summary``)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from typing import Any, TypeGuard

from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.estimates.summary import SCALES, WRITTEN, Estimate, estimate_text, one_of, percent, quantity
from simulations.declarations.declared import Setting
from simulations.declarations.problems import Problem
from simulations.declarations.tables import table_beside
from simulations.declarations.texts import differing
from simulations.experiment.names import setting_at, settings_in
from simulations.experiment.points import ARRIVALS
from simulations.experiment.words import bound_text, plain, setting_title, unit_of, value_words
from simulations.scenario.spec import ScenarioSpec

TEXTS: Mapping[str, Mapping[str, str]] = table_beside(__file__, "texts.yaml")
UNKNOWN_LOAD = "Load unknown: enter it or import a log."
"""The note on a placeholder."""
ENDLESS = 1e9
"""Seconds that no setting exceeds, 32 years: what is given them ends nothing."""
_PARTS, _UNITS = TEXTS["work_parts"], TEXTS["work_units"]
_SILENT = ("at", "then")
"""Keys that are left out when they are 0."""
_UNSAID = ("queues", "servers", "settings", "knobs")
"""Keys that no page tells."""


def counted(count: int, noun: str) -> str:
    """Return a count with its noun, for example ``1 point`` or ``1,300 points``."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def lowered(text: str) -> str:
    """Return a title or sentence as it stands inside another one: with a small letter, unless it begins like CPU."""
    return text if text[1:2].isupper() else f"{text[0].lower()}{text[1:]}"


def problem_text(item: Problem, spec: ScenarioSpec | None = None) -> str:
    """Return what is wrong as a page says it: the title of the setting, or the words of its path, then why."""
    path, _, reason = item.message.partition(": ")
    if spec and setting_at(spec, path):
        return f"{setting_title(spec, path)}: {reason}"
    words = [key.replace("_", " ") for key in item.path.split(".") if not key.isdigit() and key not in _UNSAID]
    place = words[0].capitalize() if len(words) == 1 else " · ".join(words)
    return f"{place or 'Input'}: {item.message}"


def metric_title(name: str) -> str:
    """Return the title of a metric, for example ``p95 latency``."""
    return BY_NAME[name].title if name in BY_NAME else name


def size_text(change: Estimate) -> str:
    """Write how large a difference is; of shares in percentage points, as percent would be relative."""
    return estimate_text(abs(change)).replace("%", "percentage points")


def is_number(value: Any) -> TypeGuard[float]:
    """Return whether a value is a number: a switch is none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def setting_text(value: Any, unit: str, unlimited: float | None = None) -> str:
    """Write a setting's value with its unit, or with what ``unlimited`` means."""
    if not is_number(value):
        return plain(CHOICES.get(value, value) if isinstance(value, str) and "_" in value else value)
    if value == unlimited:
        return f"{plain(value)} (unlimited)"
    if unit == "s" and value >= ENDLESS:
        return "no limit"
    if unit in SCALES:
        return str(quantity(value, unit))
    written = WRITTEN.get(unit, one_of(unit) if value == 1 else unit)
    return f"{plain(value)}{written if not written or written.startswith('/') else f' {written}'}"


def titled(title: str, unit: str) -> str:
    """Return the title of an axis or a column with its unit; names, switches and ratios have none."""
    return title if unit in ("1", title, title.lower()) else f"{title} [{unit}]"


CHOICES, DIFFERENCES = TEXTS["choices"], TEXTS["differences"]


def setting_rows(specs: Sequence[ScenarioSpec], items: Mapping[str, Sequence[Any]]) -> list[tuple[str, str, list[str]]]:
    """Return path, title with owner, and values with unit of settings; each objective is one row, behind them."""
    known = {item.path: item for spec in specs for item in settings_in(spec)}
    own = [path for path in items if not path.startswith("objectives.")]
    rows = [(path, *_row(known.get(path), path, items[path])) for path in own]
    bounds = ([f"{metric_title(item.metric)} {bound_text(item)}" for item in spec.objectives] for spec in specs)
    told = enumerate(zip_longest(*bounds, fillvalue="–"))
    places = [(f"objectives.{place}", f"Objective {place + 1}", list(texts)) for place, texts in told]
    return rows + [row for row in places if any(path.startswith(f"{row[0]}.") for path in items)]


def change_rows(spec: ScenarioSpec, changes: Iterable[tuple[str, Any, Any]]) -> list[tuple[str, str, list[str]]]:
    """Return ``setting_rows`` of every single value that differs; a change: path, old and new value of a setting."""
    rows = (row for path, before, after in changes for row in differing(before, after, path))
    return setting_rows([spec], {path: ends for path, *ends in rows})


def _row(item: Setting | None, path: str, values: Iterable[Any]) -> tuple[str, list[str]]:
    """Title and owner of a setting, which may be of the run, and its values, a dash for none."""
    if item is None:
        bare = ["–" if value is None else setting_text(value, "1") for value in values]
        return path.replace("_", " ").replace(".", " · "), bare
    unit, unlimited = item.declaration.unit, item.declaration.quantity.unlimited
    write = percent if item.declaration.is_fraction else partial(setting_text, unit=unit, unlimited=unlimited)
    return f"{item.declaration.title} ({item.owner})", ["–" if value is None else write(value) for value in values]


def value_text(spec: ScenarioSpec, path: str, value: Any) -> str:
    """Return a value with its unit; ``path`` may be any that an experiment can change."""
    return f"× {setting_text(value, '1')}" if path == ARRIVALS else setting_text(value, unit_of(spec, path))


def swept_values(spec: ScenarioSpec, overrides: Mapping[str, Any]) -> str:
    """Return the values of a point's swept settings, counts bare, for example ``36 · 3``; empty without a sweep."""
    return " · ".join(value_words(value, unit_of(spec, path)) for path, value in overrides.items())


def place_text(spec: ScenarioSpec, values: Mapping[str, Any]) -> str:
    """Return the value of every setting with its unit, for example ``Maximum sessions 36 messages, CPUs 3``. The queue
    or server is named where two values have one title."""
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


def swept_title(setting: Setting) -> str:
    """Return the vendor's name with the unit and whose it is, for example ``Fair share [weight] (http, payments)``."""
    return f"{titled(setting.declaration.title, setting.declaration.unit)} ({setting.owner})"


def choice_word(choice: str) -> str:
    """Return a choice as people read it; the vendor's capitals stay."""
    return CHOICES.get(choice, choice if choice.isupper() else choice.replace("_", " "))


def work_text(body: Any, unit: str = "s") -> str:
    """Return arrivals or a distribution in words, for example ``exponential, mean 200 ms``. ``body``: as a scenario
    holds it, base units; a number alone is a constant. ``unit``: of a distribution's values."""
    if not isinstance(body, Mapping):
        return setting_text(body, unit)
    parts = [choice_word(str(body["kind"]))]
    for key, words in _PARTS.items():
        value = body.get(key)
        if value is not None and not (value == 0 and key in _SILENT):
            parts.append(words.format(setting_text(value, _UNITS.get(key, unit))))
    if "interval" in body:
        parts.append(f"intervals {work_text(body['interval'])}")
    if rates := sorted(rate for _, rate in body.get("points", ())):
        parts.append(f"{setting_text(rates[0], '/s')} to {setting_text(rates[-1], '/s')}")
    for key, noun in (("source", "values"), ("sizes", "sizes")):
        if body.get(key):
            parts.append(f"{plain(len(body[key]))} {noun}")
    if body.get("cpu"):
        parts.append(f"{percent(body['cpu'])} of it on the CPU")
    return ", ".join(parts)


def horizon_text(horizon: Mapping[str, Any]) -> str:
    """Return when a replication ends, for example ``after 200,000 messages``."""
    if horizon.get("messages") is not None:
        return f"after {setting_text(horizon['messages'], 'messages')}"
    if horizon.get("time") is not None:
        return f"after {setting_text(horizon['time'], 's')} of simulated time"
    return "when all messages are done"
