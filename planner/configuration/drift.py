"""Drift: what the files of a system that is in use say, compared with a scenario, one setting after the other."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict
from pydantic.dataclasses import dataclass as documented

from planner.configuration.importing import Names, ScenarioReading, configuration_read, names_in_files
from planner.configuration.reading_apart import Upload, uploads_read
from simulations.declarations.parameters import Declaration, parameters_of
from simulations.declarations.system import Queue, Server
from simulations.declarations.texts import step
from simulations.platforms.files.importing.drafts import without_choice
from simulations.platforms.files.patching.rewriting import same_value
from simulations.platforms.shared.family import Understood
from simulations.scenario.spec import ScenarioSpec

DriftStatus = Literal["changed", "missing", "extra", "same"]
STATUSES: tuple[DriftStatus, ...] = ("changed", "missing", "extra", "same")
"""What may be told of a setting or an object, those first that somebody has to look at."""
OPEN = ("contradictory", "unresolved")
FIELDS = {"servers": "instances", "queues": "kind"}
"""What files say of an object besides its settings."""
NAMING = ("name", "identity")
"""What tells objects apart and is no setting of theirs."""
NOT_THERE = "the files have no object of this name"
NOT_HERE = "the scenario has no object of this name"
Values = dict[str, tuple[Declaration, Any]]


@documented(frozen=True, config=ConfigDict(use_attribute_docstrings=True))
class DriftLine:
    """One setting, or a whole object that only one side has: then setting, values and unit are empty."""

    status: DriftStatus
    kind: str
    """Server, queue, or the title of a list whose items are objects of their own."""
    object: str
    """The object's name in the scenario, or in the files where only these have it."""
    path: str
    """Scenario path of the setting or object."""
    setting: str
    """The vendor's name."""
    native: str
    """The vendor's spelling in configuration; empty where it has none."""
    scenario: Any
    file: Any
    """The value in the files; None where they leave it out."""
    unit: str
    message: str
    place: str
    """File and line; empty where no single line says it."""


@dataclass(frozen=True)
class Drift:
    """Every setting that a vendor's files can say, and what the files left open."""

    lines: tuple[DriftLine, ...]
    unclear: tuple[Understood, ...]
    """Elements of the files that contradict each other or name what no file explains."""

    @property
    def differences(self) -> tuple[DriftLine, ...]:
        """All but what is the same."""
        return tuple(line for line in self.lines if line.status != "same")

    @property
    def counts(self) -> dict[str, int]:
        """How many lines have each status."""
        found = [line.status for line in self.lines]
        return {status: found.count(status) for status in STATUSES}

    @property
    def sentence(self) -> str:
        """The answer in words."""
        number, same = len(self.differences), self.counts["same"]
        settings = "1 setting is" if same == 1 else f"{same} settings are"
        if not number:
            return f"No difference: {settings} as in the scenario."
        return f"{number} {'difference' if number == 1 else 'differences'}; {settings} the same."

    def body(self) -> dict[str, Any]:
        """Return the comparison as JSON values."""
        return {
            "counts": self.counts,
            "lines": [asdict(line) for line in self.lines],
            "unclear": [asdict(line) for line in self.unclear],
        }


@dataclass(frozen=True)
class _Object:
    """A server, a queue or an item of a list in a server's settings."""

    kind: str
    name: str
    path: str
    values: Values
    stated: frozenset[str]
    """Names of values that were given, and not defaulted."""


def drift_of(spec: ScenarioSpec, files: Mapping[str, bytes]) -> Drift:
    """Read files of the scenario's platform and compare; raises InvalidInput for what cannot be read."""
    return drift_found(spec, configuration_read(files, platform=spec.platform))


def drift_sent(spec: ScenarioSpec, uploads: Sequence[Upload], target: str) -> tuple[dict[str, bytes], Drift]:
    """Return files that somebody sends, by name, and their comparison; raises as ``uploads_read`` does. ``target``: the
    cluster or server that is meant."""
    sent = uploads_read(uploads, platform=spec.platform, target=target)
    return without_choice(sent.files), drift_found(spec, sent.reading)


def drift_found(spec: ScenarioSpec, reading: ScenarioReading) -> Drift:
    """Compare the scenario with what files of the same platform say.

    Compared is what the vendor's files can say; load and what only the simulation assumes is not, unless they say it.
    A setting that the files leave out has the vendor's default.
    """
    defaulted = {line.path for line in reading.account if line.status == "defaulted"}
    places = {line.path: f"{line.file}:{line.line}" for line in reading.account if line.line}
    alone = len(spec.servers) == len(reading.spec.servers) == 1
    names = names_in_files(spec.system, reading.spec.body())
    own = {(part, called): name for (part, name), called in names.items()}
    wanted = _objects(spec, spec.body(), set(), {}, alone=alone)
    found = _objects(reading.spec, reading.stated, defaulted, own, alone=alone)
    lines: list[DriftLine] = []
    for key, item in wanted.items():
        lines += _compared(item, found[key], places) if key in found else [_whole("missing", item, NOT_THERE, places)]
    lines += [
        _whole("extra", item, NOT_HERE, places)
        for key, item in found.items()
        if key not in wanted and item.path not in defaulted
    ]
    unclear = tuple(line for line in reading.account if line.status in OPEN)
    return Drift(tuple(sorted(lines, key=lambda line: STATUSES.index(line.status))), unclear)


def _objects(
    spec: ScenarioSpec, body: Mapping[str, Any], defaulted: set[str], own: Names, *, alone: bool
) -> dict[tuple[str, ...], _Object]:
    """Every object by what tells it apart; of two single servers the names do not matter, as files may give none.
    ``own``: what the scenario calls objects of the files."""
    found: dict[tuple[str, ...], _Object] = {}
    entities: tuple[Server | Queue, ...] = (*spec.servers, *spec.queues)
    for entity in entities:
        kind = "servers" if isinstance(entity, Server) else "queues"
        given = next(item for item in body[kind] if item["name"] == entity.name)
        key = (kind, "" if alone and kind == "servers" else own.get((kind, entity.name), entity.name))
        whole, *parts = _described(spec, entity, kind, given, defaulted)
        found[key] = whole
        found |= {(*key, part.kind, part.name): part for part in parts}
    return found


def _described(
    spec: ScenarioSpec, entity: Server | Queue, kind: str, body: Mapping[str, Any], defaulted: set[str]
) -> Iterator[_Object]:
    """The entity, then the items of the lists in its settings."""
    path, form, field = entity.path, spec.family.normal_form, FIELDS[kind]
    settings = form(entity.settings) if form and isinstance(entity, Server) else entity.settings
    declared = parameters_of(type(settings))
    own = next(item for item in parameters_of(type(entity)) if item.name == field)
    plain = [item for item in declared if item.kind != "structure"]
    values: Values = {
        field: (own, getattr(entity, field)),
        **{f"settings.{item.name}": (item, getattr(settings, item.name)) for item in plain},
    }
    stated = {f"settings.{name}" for name in body.get("settings", {})}
    if field in body and f"{path}.{field}" not in defaulted:
        stated.add(field)
    yield _Object(kind.removesuffix("s").capitalize(), entity.name, path, values, frozenset(stated))
    for item in declared:
        held = getattr(settings, item.name)
        for part in held if isinstance(held, tuple) else ():
            yield _part(item, part, f"{path}.settings.{item.name}")


def _part(of: Declaration, part: BaseModel, path: str) -> _Object:
    given = part.model_dump()
    values = {item.name: (item, given[item.name]) for item in parameters_of(type(part)) if item.name not in NAMING}
    stated = frozenset(name for name, value in given.items() if value is not None)
    return _Object(of.title.removesuffix("s"), given["name"], f"{path}{step(given['name'])}", values, stated)


def _compared(wanted: _Object, found: _Object, places: Mapping[str, str]) -> Iterator[DriftLine]:
    """A line for each value that the vendor's configuration has, or that the files give all the same."""
    for name, (item, value) in wanted.values.items():
        given = name in found.stated
        if not (item.quantity.native or given):
            continue
        held = found.values[name][1]
        status: DriftStatus = "same" if same_value(value, held) else "changed" if given else "missing"
        yield DriftLine(
            status=status,
            kind=wanted.kind,
            object=wanted.name,
            path=f"{wanted.path}.{name}",
            setting=item.title,
            native=item.quantity.native,
            scenario=value,
            file=held if given else None,
            unit=item.unit,
            message="" if given else f"no file says it; the default counts: {held}",
            place=places.get(f"{found.path}.{name}", "") if given else "",
        )


def _whole(status: DriftStatus, item: _Object, message: str, places: Mapping[str, str]) -> DriftLine:
    place = places.get(item.path, "") if status == "extra" else ""
    return DriftLine(status, item.kind, item.name, item.path, "", "", None, None, "1", message, place)
