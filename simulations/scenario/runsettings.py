"""How a scenario is run and asked: horizon, warm-up, replications, precision, objectives and the axes of a sweep."""

from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, ValidationInfo, field_validator, model_validator

from simulations.analysis.estimates.metrics import BY_NAME
from simulations.declarations.parameters import Model, own
from simulations.declarations.units import Duration, PositiveDuration, Share, parse_in
from simulations.engine.network.model import Horizon

GIVEN = Field(exclude_if=lambda value: value is None)
"""What is not given is not written, and so does not change the hash of a scenario."""


class RunHorizon(Model):
    """When a replication ends; exactly one key is given."""

    messages: Annotated[
        int | None,
        Field(ge=100, le=1_000_000_000),
        GIVEN,
        own("messages", "Messages per replication", typical=(1000, 10_000_000), start=200_000),
    ] = None
    """After this many messages have left the system."""
    time: Annotated[PositiveDuration | None, GIVEN, own("s", "Simulated time", typical=(1, 86_400), start=300.0)] = None
    """At this instant of simulated time."""
    until: Annotated[Literal["drained"] | None, GIVEN, own(title="A replication ends", start="drained")] = None
    """When all messages of a finite arrival (surge, trace) have left the system."""

    @model_validator(mode="after")
    def _one_end(self) -> Self:
        if [self.messages, self.time, self.until].count(None) != 2:
            raise ValueError("give exactly one of messages, time and until")
        return self

    def for_engine(self) -> Horizon:
        """Return the engine's own form."""
        return Horizon(messages=self.messages or 0, time=self.time or 0.0, drained=self.until is not None)


class Replications(Model):
    """Independent repetitions: at least ``min``, more in rounds until the precision is reached or ``max``."""

    min: Annotated[int, Field(ge=2, le=10_000), own(title="Fewest replications", typical=(2, 1000))] = 10
    """Replications that are made in any case."""
    max: Annotated[int, Field(ge=2, le=10_000), own(title="Most replications", typical=(2, 1000))] = 200
    """Replications after which no more are made."""

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.max < self.min:
            raise ValueError(f"max {self.max} is below min {self.min}; raise max or lower min")
        return self


class Precision(Model):
    """The widest accepted half of the 95 % interval, relative to the value."""

    metric: Annotated[str, own()] = "latency.p95"
    """Metric whose interval decides."""
    relative: Annotated[Share, Field(gt=0), own(title="Precision (half-width)")] = 0.02
    """Widest half of its interval, as a share of its value."""


class RunSettings(Model):
    """How long, how often and with which random numbers the simulation runs."""

    horizon: RunHorizon = RunHorizon(messages=200_000)
    warmup: Annotated[Literal["auto"] | Duration, own("s", "Warm-up", typical=(0, 3600))] = "auto"
    """Time at the start that is left out; found from the results unless given."""
    replications: Replications = Replications()
    precision: Precision = Precision()
    seed: Annotated[int, Field(ge=0, le=2**63 - 1), own(typical=(0, 1000))] = 42
    """First number of the random streams: one seed, one answer."""
    max_time: Annotated[PositiveDuration | None, GIVEN, own("s", "Longest computing time", typical=(1, 86_400))] = None
    """Computing time after which a run begins no further round and keeps the precision that it has; its first round
    always ends. None: as long as it takes."""


Bound = Annotated[float, Field(ge=0, le=1e15, allow_inf_nan=False), own()]
"""Of a metric, in its unit; texts are read as the metric's unit is written."""


class Objective(Model):
    """A bound on a metric; exactly one of at_most, at_least and equals."""

    metric: Annotated[str, own(start="latency.p95")]
    """Metric that is bounded."""
    queue: Annotated[str | None, own()] = None
    """Queue the metric is taken of; None = the whole system."""
    at_most: Bound | None = None
    """Largest value that is accepted, in the unit of the metric."""
    at_least: Bound | None = None
    """Smallest value that is accepted."""
    equals: Bound | None = None
    """The one value that is accepted."""

    @field_validator("at_most", "at_least", "equals", mode="before")
    @classmethod
    def _in_the_unit_of_the_metric(cls, value: object, info: ValidationInfo) -> object:
        metric = BY_NAME.get(info.data.get("metric", ""))
        return parse_in(value, metric.unit if metric else "s")

    @model_validator(mode="after")
    def _one_bound(self) -> Self:
        if [self.at_most, self.at_least, self.equals].count(None) != 2:
            raise ValueError("give exactly one of at_most, at_least and equals")
        return self

    @property
    def bound(self) -> float:
        """The number that is asked for, in the unit of the metric."""
        return next(item for item in (self.at_most, self.at_least, self.equals) if item is not None)


def _plain(value: object) -> object:
    """A text that is a number without a unit is that number."""
    try:
        return float(value) if isinstance(value, str) else value
    except ValueError:
        return value


End = Annotated[int | float | str, BeforeValidator(_plain)]
"""In the unit of the setting; texts are read as the setting is written. A scenario that was read holds numbers."""


class Axis(Model):
    """One swept setting: a list of values, or ``steps`` values between ``from`` and ``to``."""

    path: Annotated[str, own(title="Swept setting")]
    """Path of the setting, for example ``queues.orders.settings.maximum_sessions``."""
    values: Annotated[
        Annotated[tuple[Any, ...], Field(min_length=1, max_length=100_000)] | None, own(title="Swept values")
    ] = None
    """The values in their order."""
    start: Annotated[End | None, own()] = Field(default=None, alias="from")
    """First value of a range."""
    to: Annotated[End | None, own()] = None
    """Last value of a range."""
    steps: Annotated[int | None, Field(ge=2, le=100_000), own("steps", typical=(2, 50))] = None
    """Number of values in a range."""
    scale: Annotated[Literal["linear", "log"], own()] = "linear"
    """Whether neighbors differ by the same amount or by the same factor."""

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        ranged = self.start is not None and self.to is not None and self.steps is not None
        if ranged == (self.values is not None):
            raise ValueError("give either values, or from, to and steps")
        if self.scale == "log" and any(isinstance(end, int | float) and end <= 0 for end in (self.start, self.to)):
            raise ValueError("a log scale needs from and to above 0")
        return self

    @property
    def length(self) -> int:
        """Number of values, known without making them."""
        return len(self.values) if self.values is not None else self.steps or 0
