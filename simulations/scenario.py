"""ScenarioSpec: the value that is the API body, the stored JSON, the payload for Spark and the file people keep."""

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, create_model

from simulations import ENGINE_VERSION
from simulations.analysis.metrics import BY_NAME
from simulations.engine.network import NetworkSpec
from simulations.parameters import Model
from simulations.platforms import PLATFORMS, platform_named
from simulations.platforms.base import Platform
from simulations.problems import InvalidInput, Location, Problem, nearest, problem, problems_of
from simulations.runsettings import Axis, Objective, RunSettings
from simulations.system import Background, Queue, Server, System
from simulations.workload import TRANSIENT_ARRIVALS, ends

FORMAT_VERSION = 1


class ScenarioSpec(Model):
    """A whole scenario. Read one with ``parse``: it applies the platform's own settings classes."""

    sluice: Literal[1]
    """Format version."""
    name: Annotated[str, Field(min_length=1, max_length=200)]
    platform: str
    servers: Annotated[tuple[Server, ...], Field(min_length=1, max_length=100)]
    queues: Annotated[tuple[Queue, ...], Field(min_length=1, max_length=100)]
    run: RunSettings = RunSettings()
    objectives: Annotated[tuple[Objective, ...], Field(max_length=100)] = ()
    sweep: Annotated[tuple[Axis, ...], Field(max_length=4)] = ()

    @property
    def family(self) -> Platform:
        """The platform family of the scenario."""
        return platform_named(self.platform)

    @property
    def system(self) -> System:
        """Servers and queues, as platform functions receive them."""
        return System.model_construct(platform=self.platform, servers=self.servers, queues=self.queues)

    @property
    def transient(self) -> bool:
        """True when the answer is a course over time: nothing is cut as warm-up."""
        drained = self.run.horizon.until is not None
        return drained or any(isinstance(queue.arrivals, TRANSIENT_ARRIVALS) for queue in self.queues)

    def network(self) -> NetworkSpec:
        """Return what the engine simulates."""
        return self.family.build_network(self.system, self.run.horizon.for_engine())

    def body(self) -> dict[str, Any]:
        """Return the JSON body with normalised numbers; ``parse(spec.body()) == spec``."""
        return self.model_dump(mode="json", by_alias=True)

    def content_hash(self) -> str:
        """Return a SHA-256 over everything that decides the numbers, versions included, the scenario's name not."""
        content = {
            **self.body(),
            "name": "",
            "engine": ENGINE_VERSION,
            "rules": self.family.rules_version,
        }
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


@cache
def scenario_model(platform: str) -> type[ScenarioSpec]:
    """Return ScenarioSpec with the settings classes of ``platform``; its JSON schema is the platform's format."""
    family = platform_named(platform)
    background = create_model(
        "Background",
        __base__=Background,
        settings=(family.background_parameters, Field(default_factory=family.background_parameters)),
    )
    server = create_model(
        "Server",
        __base__=Server,
        settings=(family.server_parameters, Field(default_factory=family.server_parameters)),
        background=(tuple[background, ...], ()),
    )
    queue = create_model(
        "Queue",
        __base__=Queue,
        settings=(family.queue_parameters, Field(default_factory=family.queue_parameters)),
    )
    return create_model(
        "Scenario",
        __base__=ScenarioSpec,
        servers=(Annotated[tuple[server, ...], Field(min_length=1, max_length=100)], ...),
        queues=(Annotated[tuple[queue, ...], Field(min_length=1, max_length=100)], ...),
    )


def parse(data: object) -> ScenarioSpec:
    """Validate a scenario body; raises InvalidInput with every problem at once."""
    if not isinstance(data, Mapping):
        raise InvalidInput(
            [problem((), "a scenario is a mapping with the keys sluice, name, platform, servers, queues")]
        )
    name = data.get("platform")
    if name not in PLATFORMS:
        raise InvalidInput(
            [problem(("platform",), f"unknown platform; {nearest(str(name), list(PLATFORMS))}", value=name)]
        )
    model = scenario_model(str(name))
    try:
        spec = model.model_validate(data)
    except ValidationError as error:
        raise InvalidInput(problems_of(error, model, data)) from error
    found = [*_name_problems(spec, data), *_objective_problems(spec, data), *_horizon_problems(spec, data)]
    if found:
        raise InvalidInput(found)
    return spec


def _name_problems(spec: ScenarioSpec, data: Any) -> list[Problem]:
    found = []
    for part, names in (("servers", [s.name for s in spec.servers]), ("queues", [q.name for q in spec.queues])):
        for index, name in enumerate(names):
            if name in names[:index]:
                message = f"the name {name!r} is used twice; rename one"
                found.append(problem((part, index, "name"), message, value=name, data=data))
    servers = [server.name for server in spec.servers]
    for index, queue in enumerate(spec.queues):
        if queue.server not in servers:
            message = f"no server is named {queue.server!r}; {nearest(queue.server, servers)}"
            found.append(problem(("queues", index, "server"), message, value=queue.server, data=data))
    return found


def _objective_problems(spec: ScenarioSpec, data: Any) -> list[Problem]:
    found = []
    queues = [queue.name for queue in spec.queues]
    named: list[tuple[Location, str]] = [(("objectives", i), item.metric) for i, item in enumerate(spec.objectives)]
    for location, metric in [*named, (("run", "precision"), spec.run.precision.metric)]:
        if metric not in BY_NAME:
            message = f"unknown metric {metric!r}; {nearest(metric, list(BY_NAME))}"
            found.append(problem((*location, "metric"), message, value=metric, data=data))
    for index, objective in enumerate(spec.objectives):
        if objective.queue is not None and objective.queue not in queues:
            message = f"no queue is named {objective.queue!r}; {nearest(objective.queue, queues)}"
            found.append(problem(("objectives", index, "queue"), message, value=objective.queue, data=data))
    return found


def _horizon_problems(spec: ScenarioSpec, data: Any) -> list[Problem]:
    if spec.run.horizon.until is None:
        return []
    message = (
        "these arrivals never end, so nothing drains; give run.horizon messages or time, or use a surge or a trace"
    )
    return [
        problem(("queues", index, "arrivals"), message, data=data)
        for index, queue in enumerate(spec.queues)
        if not ends(queue.arrivals)
    ]
