"""What people call things in a question: settings by a short name, metrics with an area before them, resources."""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from simulations.analysis.estimates.metrics import BY_NAME
from simulations.declarations.declared import Setting, settings_below
from simulations.declarations.parameters import Declaration
from simulations.declarations.problems import nearest, short
from simulations.declarations.texts import last_key
from simulations.experiment.points import ARRIVALS
from simulations.scenario.spec import ScenarioSpec

_AREAS = ("order.", "mdb_", "throttle.")
_METRICS = {"timeouts": "timeouts.share"}
"""Short names of metrics that are not the metric's own."""
RESOURCES: Mapping[str, Callable[[ScenarioSpec], float]] = {
    "cpus": lambda spec: float(sum(server.cpus * server.instances for server in spec.servers)),
    "instances": lambda spec: float(sum(server.instances for server in spec.servers)),
    "threads": lambda spec: float(sum(pool.threads * pool.instances for pool in spec.network().pools)),
}
"""What a scenario uses, all servers together."""


class UnknownName(ValueError):
    """A name that means nothing here, or more than one thing; the text offers what does."""


def metric_named(name: str) -> str:
    """Return the metric that ``name`` means, an area before it left out (``order.overtaken_fraction``)."""
    rest = next((name.removeprefix(area) for area in _AREAS if name.startswith(area)), name)
    found = next((item for item in (name, rest, _METRICS.get(rest, "")) if item in BY_NAME), None)
    if found is None:
        raise UnknownName(f"unknown metric {short(name)}; {nearest(name, list(BY_NAME))}")
    return found


@lru_cache(maxsize=16)
def settings_in(spec: ScenarioSpec) -> tuple[Setting, ...]:
    """Return every declared value of the servers and the queues, their work included."""
    return tuple(item for part in ("servers", "queues") for item in settings_below(type(spec), spec, towards=part))


def setting_at(spec: ScenarioSpec, path: str) -> Setting | None:
    """Return the declared value that a scenario path leads to; None for anything else."""
    return next((item for item in settings_below(type(spec), spec, towards=path) if item.path == path), None)


def path_named(spec: ScenarioSpec, name: str) -> str:
    """Return the path of the one setting with this path, name of ours or vendor's name; raises UnknownName."""
    swept = [axis.path for axis in spec.sweep]
    if "." in name or "[" in name or name == ARRIVALS:
        return name
    word = _word(name)
    found = [path for path in swept if _word(last_key(path)) == word]
    found = found or [item.path for item in settings_in(spec) if word in _words(item.declaration)]
    if len(found) == 1:
        return found[0]
    if found:
        raise UnknownName(f"{short(name)} may mean {' or '.join(found)}; write one of these paths")
    known = sorted({item.declaration.name for item in settings_in(spec)})
    raise UnknownName(f"no setting is called {short(name)}; {nearest(name, known)}")


def resource_named(name: str, knobs: tuple[str, ...], spec: ScenarioSpec) -> str:
    """Return what ``name`` saves: the path of a knob, a key of ``RESOURCES`` or a metric. Raises UnknownName. Knobs
    whose name ends with the word come first: ``threads`` is ``max_threads`` where that is searched."""
    if name in knobs:
        return name
    ending = [path for path in knobs if re.split("_", last_key(path))[-1] == name or _word(path).endswith(_word(name))]
    if len(ending) == 1:
        return ending[0]
    if name in RESOURCES:
        return name
    settings = [item for item in settings_in(spec) if item.path in knobs]
    known = {word: item.path for item in settings for word in _words(item.declaration)}
    if _word(name) in known:
        return known[_word(name)]
    try:
        return metric_named(name)
    except UnknownName:
        choices = [*RESOURCES, *(last_key(path) for path in knobs), *BY_NAME]
        raise UnknownName(f"{short(name)} cannot be saved; {nearest(name, choices)}") from None


def _words(item: Declaration) -> set[str]:
    return {_word(text) for text in (item.name, item.title, item.quantity.native) if text}


def _word(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())
