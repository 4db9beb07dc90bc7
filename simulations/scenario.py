"""ScenarioSpec: the value that is the API body, the stored JSON, the payload for Spark and the file people keep."""

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Literal, Self

from pydantic import Field, ValidationError, create_model, model_validator

from simulations import ENGINE_VERSION
from simulations.analysis.metrics import BY_NAME
from simulations.engine.network import Horizon, NetworkSpec
from simulations.parameters import Model
from simulations.platforms import PLATFORMS, platform_named
from simulations.platforms.base import Platform
from simulations.problems import InvalidInput, Problem, nearest, problem, problems_of
from simulations.system import Background, Queue, Server, System
from simulations.units import Duration, PositiveDuration, Share
from simulations.workload import TRANSIENT_ARRIVALS

FORMAT_VERSION = 1
MAX_AXES = 4


class MessagesHorizon(Model):
    """Ends after this many messages have left the system."""

    messages: Annotated[int, Field(ge=100, le=1_000_000_000)]


class TimeHorizon(Model):
    """Ends at this instant of simulated time."""

    time: PositiveDuration


class DrainedHorizon(Model):
    """Ends when all messages of a finite arrival (surge, trace) have left the system."""

    until: Literal["drained"]


class Replications(Model):
    """Independent repetitions: at least ``min``, more in rounds until the precision is reached or ``max``."""

    min: Annotated[int, Field(ge=2, le=10_000)] = 10
    max: Annotated[int, Field(ge=2, le=10_000)] = 200

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.max < self.min:
            msg = f"max {self.max} is below min {self.min}; raise max or lower min"
            raise ValueError(msg)
        return self


class Precision(Model):
    """The widest accepted half of the 95 % interval, relative to the value."""

    metric: str = "latency.p95"
    relative: Annotated[Share, Field(gt=0)] = 0.02


class RunSettings(Model):
    """How long, how often and with which random numbers the simulation runs."""

    horizon: MessagesHorizon | TimeHorizon | DrainedHorizon = MessagesHorizon(messages=200_000)
    warmup: Literal["auto"] | Duration = "auto"
    replications: Replications = Replications()
    precision: Precision = Precision()
    seed: Annotated[int, Field(ge=0, le=2**63 - 1)] = 42


class Objective(Model):
    """A bound on a metric; exactly one of at_most, at_least and equals."""

    metric: str
    queue: str | None = None
    """Queue the metric is taken of; None = the whole system."""
    at_most: Duration | None = None
    at_least: Duration | None = None
    equals: float | None = None

    @model_validator(mode="after")
    def _one_bound(self) -> Self:
        if [self.at_most, self.at_least, self.equals].count(None) != 2:
            msg = "give exactly one of at_most, at_least and equals"
            raise ValueError(msg)
        return self


class Axis(Model):
    """One swept setting: a list of values, or ``steps`` values between ``from`` and ``to``."""

    path: str
    values: Annotated[tuple[Any, ...], Field(min_length=1, max_length=100_000)] | None = None
    start: float | None = Field(default=None, alias="from")
    to: float | None = None
    steps: Annotated[int, Field(ge=2, le=100_000)] | None = None
    scale: Literal["linear", "log"] = "linear"

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        ranged = self.start is not None and self.to is not None and self.steps is not None
        if ranged == (self.values is not None):
            msg = "give either values, or from, to and steps"
            raise ValueError(msg)
        if ranged and self.scale == "log" and min(self.start or 0, self.to or 0) <= 0:
            msg = "a log scale needs from and to above 0"
            raise ValueError(msg)
        return self

    @property
    def length(self) -> int:
        """Number of values, known without making them."""
        return len(self.values) if self.values is not None else self.steps or 0


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
    sweep: Annotated[tuple[Axis, ...], Field(max_length=MAX_AXES)] = ()

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
        drained = isinstance(self.run.horizon, DrainedHorizon)
        return drained or any(isinstance(queue.arrivals, TRANSIENT_ARRIVALS) for queue in self.queues)

    def network(self) -> NetworkSpec:
        """Return what the engine simulates."""
        return self.family.build_network(self.system, self._horizon())

    def _horizon(self) -> Horizon:
        match self.run.horizon:
            case MessagesHorizon(messages=messages):
                return Horizon(messages=messages)
            case TimeHorizon(time=time):
                return Horizon(time=time)
            case _:
                return Horizon(drained=True)

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
    defaults = {"default_factory": family.background_parameters}
    background = create_model(
        "Background", __base__=Background, settings=(family.background_parameters, Field(**defaults))
    )
    server = create_model(
        "Server",
        __base__=Server,
        settings=(family.server_parameters, Field(default_factory=family.server_parameters)),
        background=(tuple[background, ...], ()),  # type: ignore[valid-type]
    )
    queue = create_model(
        "Queue",
        __base__=Queue,
        settings=(family.queue_parameters, Field(default_factory=family.queue_parameters)),
    )
    return create_model(
        "Scenario",
        __base__=ScenarioSpec,
        servers=(Annotated[tuple[server, ...], Field(min_length=1, max_length=100)], ...),  # type: ignore[valid-type]
        queues=(Annotated[tuple[queue, ...], Field(min_length=1, max_length=100)], ...),  # type: ignore[valid-type]
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
    found = [*_name_problems(spec, data), *_objective_problems(spec, data)]
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
    named = [(("objectives", i), item.metric) for i, item in enumerate(spec.objectives)]
    for location, metric in [*named, (("run", "precision"), spec.run.precision.metric)]:
        if metric not in BY_NAME:
            message = f"unknown metric {metric!r}; {nearest(metric, list(BY_NAME))}"
            found.append(problem((*location, "metric"), message, value=metric, data=data))
    for index, objective in enumerate(spec.objectives):
        if objective.queue is not None and objective.queue not in queues:
            message = f"no queue is named {objective.queue!r}; {nearest(objective.queue, queues)}"
            found.append(problem(("objectives", index, "queue"), message, value=objective.queue, data=data))
    return found
