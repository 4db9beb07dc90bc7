"""ScenarioSpec: the value that is the API body, the stored JSON, the payload for Spark and the file people keep."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Annotated, Any, Literal, Self

from pydantic import ConfigDict, Field, ValidationError, create_model

from simulations import ENGINE_VERSION
from simulations.declarations import problems
from simulations.declarations.identity import without_identities
from simulations.declarations.parameters import Model, PlatformParameters
from simulations.declarations.paths import with_value
from simulations.declarations.system import MAX_ENTRIES, Background, Queue, Server, System, has_outage, told_apart
from simulations.declarations.texts import ONE_LINE
from simulations.declarations.workload import TRANSIENT_ARRIVALS, Saturated
from simulations.engine.network.model import NetworkSpec
from simulations.platforms import PLATFORMS, platform_named
from simulations.platforms.shared.family import Platform
from simulations.scenario.axes import AxisReader, size_problems
from simulations.scenario.crosschecks import cross_problems, items_in, understood
from simulations.scenario.runsettings import Axis, Objective, RunSettings

FORMAT_VERSION = 1
Settings = type[PlatformParameters]


class ScenarioSpec(Model):
    """A whole scenario. Read one with ``parse``: it applies the platform's own settings classes."""

    sluice: Literal[1]
    """Format version."""
    name: Annotated[str, Field(min_length=1, max_length=200, pattern=ONE_LINE)]
    platform: str
    servers: Annotated[tuple[Server, ...], Field(min_length=1, max_length=MAX_ENTRIES)]
    queues: Annotated[tuple[Queue, ...], Field(min_length=1, max_length=MAX_ENTRIES)]
    run: RunSettings = RunSettings()
    objectives: Annotated[tuple[Objective, ...], Field(max_length=100)] = ()
    sweep: Annotated[tuple[Axis, ...], Field(max_length=4)] = ()

    @property
    def family(self) -> Platform:
        """The platform family of the scenario."""
        return platform_named(self.platform)

    @property
    def system(self) -> System:
        """Servers and queues, as platform functions receive them: every queue and every other work has its own name."""
        servers = told_apart(self.servers, self.queues)
        return System.model_construct(platform=self.platform, servers=servers, queues=self.queues)

    @property
    def unswept(self) -> Self:
        """The same without its sweep: what a point starts from."""
        return self.model_copy(update={"sweep": ()})

    @property
    def transient(self) -> bool:
        """True when the answer is a course over time: nothing is cut as warm-up."""
        drained = self.run.horizon.until is not None
        outages = any(has_outage(entity) for entities in (self.servers, self.queues) for entity in entities)
        return drained or outages or any(isinstance(queue.arrivals, TRANSIENT_ARRIVALS) for queue in self.queues)

    @property
    def always_full(self) -> bool:
        """Whether no queue is ever empty: throughput, not latency, is the question."""
        return all(isinstance(queue.arrivals, Saturated) for queue in self.queues)

    @property
    def placeholders(self) -> tuple[str, ...]:
        """Names of the queues whose arrivals or onMessage time no file stated at the import and nobody has entered."""
        known = ((queue.name, queue.identity) for queue in self.queues)
        return tuple(name for name, item in known if item and (item.arrivals_assumed or item.service_assumed))

    def network(self) -> NetworkSpec:
        """Return what the engine simulates."""
        return self.family.build_network(self.system, self.run.horizon.for_engine())

    def body(self) -> dict[str, Any]:
        """Return the JSON body with normalized numbers; ``parse(spec.body()) == spec``."""
        return self.model_dump(mode="json", by_alias=True)

    def content_hash(self) -> str:
        """Return a SHA-256 over everything that decides the numbers, versions included, names of the vendor's not."""
        return self.versioned_hash({**without_identities(self.body()), "name": ""})

    def versioned_hash(self, content: Mapping[str, Any]) -> str:
        """Return a SHA-256 over ``content``, a part of the body, and the versions of the engine and the rules."""
        versions = {"engine": ENGINE_VERSION, "rules": self.family.rules_version}
        return hashlib.sha256(json.dumps({**content, **versions}, sort_keys=True).encode()).hexdigest()


@cache
def scenario_model(platform: str) -> type[ScenarioSpec]:
    """Return ScenarioSpec with the settings classes of ``platform``; its JSON schema is the platform's format."""
    family = platform_named(platform)
    return _model_with(family.background_parameters, family.server_parameters, family.queue_parameters)


class _AnySettings(PlatformParameters):
    """Any settings: they let the other problems of a scenario be found whose platform is unknown."""

    model_config = ConfigDict(extra="allow")


@cache
def _model_with(background: Settings, server: Settings, queue: Settings) -> type[ScenarioSpec]:
    """ScenarioSpec with these classes of settings, all of them optional."""
    plain = {"use_attribute_docstrings": False}  # to look for docstrings where there are none takes seconds
    given = Field(default_factory=background)
    work = create_model("Background", __base__=Background, __cls_kwargs__=plain, settings=(background, given))
    servers = create_model(
        "Server",
        __base__=Server,
        __cls_kwargs__=plain,
        settings=(server, Field(default_factory=server)),
        background=(tuple[work, ...], ()),
    )
    queues = create_model("Queue", __base__=Queue, __cls_kwargs__=plain, settings=(queue, Field(default_factory=queue)))
    return create_model(
        "Scenario",
        __base__=ScenarioSpec,
        __cls_kwargs__=plain,
        servers=(Annotated[tuple[servers, ...], Field(min_length=1, max_length=MAX_ENTRIES)], ...),
        queues=(Annotated[tuple[queues, ...], Field(min_length=1, max_length=MAX_ENTRIES)], ...),
    )


def parse(data: object) -> ScenarioSpec:
    """Read a scenario body, values of its sweep as the settings they vary; raises InvalidInput with every problem."""
    return _read(data, data)


def revised(
    spec: ScenarioSpec, changes: Iterable[tuple[problems.Location, Any]], body: Mapping[str, Any] | None = None
) -> ScenarioSpec:
    """Return ``spec`` with values at locations; only they and what holds them are read again. ``body``: that of
    ``spec``, if the caller has it. Raises InvalidInput as ``parse`` does."""
    whole, held = body or spec.body(), spec
    for location, value in changes:
        whole, held = with_value(whole, location, value), with_value(held, location, value)
    return _read(whole, held if whole["platform"] == spec.platform else whole)


def _read(data: object, held: Any) -> ScenarioSpec:
    """The scenario in the body ``data``; ``held`` is the same with models where something was read before."""
    if not isinstance(data, Mapping):
        message = "a scenario is a mapping with the keys sluice, name, platform, servers, queues"
        raise problems.InvalidInput.at((), message)
    model, found = _model_of(data.get("platform"))
    found += problems.boolean_problems(held, model)
    known = {item.pointer for item in found}
    spec = None
    try:
        spec = model.model_validate(held)
    except ValidationError as error:
        found += [item for item in problems.problems_of(error, model, data) if item.pointer not in known]
    axes, wrong = _read_sweep(data, model)
    found += [*cross_problems(data), *wrong]
    if found or spec is None:
        raise problems.InvalidInput(found)
    return spec.model_copy(update={"sweep": axes}) if axes else spec


def _model_of(platform: object) -> tuple[type[ScenarioSpec], list[problems.Problem]]:
    if isinstance(platform, str) and platform in PLATFORMS:
        return scenario_model(platform), []
    message = f"unknown platform; {problems.nearest(str(platform), list(PLATFORMS))}"
    unknown = problems.problem(("platform",), message, value=platform)
    return _model_with(_AnySettings, _AnySettings, _AnySettings), [unknown]


def _read_sweep(data: Mapping[str, Any], model: type[ScenarioSpec]) -> tuple[tuple[Axis, ...], list[problems.Problem]]:
    """The axes that are understood, with their values as the scenario holds them, and what is wrong with the values."""
    items = items_in(data, "sweep")
    axes = {index: axis for index, item in items if (axis := understood(Axis.model_validate, item)) is not None}
    too_large = size_problems(tuple(axes.values()))
    if too_large:
        return (), too_large
    reader, first = AxisReader(data, model), {axis.path: index for index, axis in reversed(axes.items())}
    read = tuple(reader.read(axis, ("sweep", index)) for index, axis in axes.items())
    twice = [("sweep", index, "path") for index, axis in axes.items() if first[axis.path] != index]
    return read, [*reader.problems, *(problems.problem(at, "is swept already; name each setting once") for at in twice)]
