"""Points: scenarios made from one scenario by setting values by path; and plans, which say which points come next."""

import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from simulations.analysis.estimates.summary import PointSummary
from simulations.declarations.paths import chosen, location_of, value_in, with_value
from simulations.declarations.problems import InvalidInput, Location, Problem, short
from simulations.experiment.arrivals import with_arrivals
from simulations.scenario.runsettings import Axis
from simulations.scenario.spec import ScenarioSpec, revised

ARRIVALS = "arrivals"
"""The path of a factor on all arrivals; every other path names one value of the scenario."""


@dataclass(frozen=True)
class Point:
    """One cell of a plan: ``spec`` is the scenario with ``overrides`` (path -> value) applied and no sweep."""

    index: int
    overrides: Mapping[str, Any]
    spec: ScenarioSpec


Answers = Mapping[int, PointSummary]
"""The newest answer of each point that has one, by index; each from all replications planned for it so far."""


@dataclass(frozen=True)
class Steering:
    """What a plan wants after a round."""

    settled: frozenset[int] = frozenset()
    """Points that need no more replications, precise or not."""
    more: tuple[Point, ...] = ()
    """New points."""
    upcoming: int = 0
    """Points that may still come after those: only the progress depends on it."""
    waiting: frozenset[int] = frozenset()
    """Points that get no replications in the next round, but may later."""


class Plan(Protocol):
    """The course of a question. It depends on the answers only, never on time or on how they were computed."""

    spec: ScenarioSpec
    """The scenario as the question simulates it."""

    def first(self) -> tuple[Point, ...]:
        """Return the points of the first round; point 0 is the one that all others are compared with."""

    def steer(self, answers: Answers) -> Steering:
        """Return what comes after a round."""


@dataclass(frozen=True)
class Expansion:
    """All cells of a sweep: ``points`` can be simulated, ``invalid`` are the answers of those that no scenario is."""

    points: tuple[Point, ...]
    invalid: tuple[PointSummary, ...]

    def __len__(self) -> int:
        return len(self.points) + len(self.invalid)


def expansion(spec: ScenarioSpec, look: Callable[[], None] = lambda: None) -> Expansion:
    """Return the cells of ``spec.sweep`` in its order; without a sweep, one without overrides.

    A cell whose values do not fit together has the status ``invalid``. Raises InvalidInput when all are such cells, and
    what ``look`` raises, which is called before each.
    """
    base = spec.unswept
    body = base.body()
    axes = [[(axis.path, value) for value in values_of(axis)] for axis in spec.sweep]
    points: list[Point] = []
    invalid: list[PointSummary] = []
    problems: dict[tuple[str, str], Problem] = {}
    for index, pairs in enumerate(itertools.product(*axes)):
        look()
        try:
            points.append(Point(index, dict(pairs), _overridden(base, body, dict(pairs))))
        except InvalidInput as error:
            problems.update({(item.path, item.message): item for item in error.problems})
            invalid.append(PointSummary(index, dict(pairs), "invalid", problems=tuple(str(error).splitlines())))
    if not points:
        raise InvalidInput(problems.values())
    return Expansion(tuple(points), tuple(invalid))


def values_of(axis: Axis) -> tuple[Any, ...]:
    """Return the values of an axis that was read; a range between whole numbers gives whole numbers, each once."""
    if axis.values is not None:
        return axis.values
    start, stop, steps = float(axis.start or 0), float(axis.to or 0), axis.steps or 2
    whole = isinstance(axis.start, int) and isinstance(axis.to, int)
    fractions = [step / (steps - 1) for step in range(steps)]
    if axis.scale == "log":
        values = [start * (stop / start) ** fraction for fraction in fractions]
    else:
        values = [start + (stop - start) * fraction for fraction in fractions]
    return tuple(dict.fromkeys(round(value) for value in values)) if whole else tuple(values)


def with_overrides(spec: ScenarioSpec, overrides: Mapping[str, Any]) -> ScenarioSpec:
    """Return ``spec`` with values set by path; the path ``arrivals`` is a factor on the arrivals of all queues. Raises
    InvalidInput for an unknown path or a forbidden value."""
    settings = {path: value for path, value in overrides.items() if path != ARRIVALS}
    changed = _overridden(spec, spec.body(), settings)
    return with_arrivals(changed, _factor(overrides[ARRIVALS])) if ARRIVALS in overrides else changed


def _factor(value: Any) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < math.inf:
        return float(value)
    message = f"a factor on all arrivals is a number above 0, for example 1.5 (got {short(value)})"
    raise InvalidInput([Problem("", ARRIVALS, "invalid", message, short(value))])


def value_at(spec: ScenarioSpec, path: str) -> Any:
    """Return the value that ``with_overrides`` would replace; raises KeyError for an unknown path."""
    return _held(spec.body(), path)


def changes_nothing(body: Mapping[str, Any], overrides: Mapping[str, Any]) -> bool:
    """Return whether the scenario in ``body`` holds all these values already, written as it writes them."""
    try:
        return all(_held(body, path) == value for path, value in overrides.items())
    except KeyError:
        return False


def _held(body: Mapping[str, Any], path: str) -> Any:
    if path == ARRIVALS:
        return 1.0
    location = location_of(body, path)
    try:
        return value_in(body, location)
    except KeyError:
        raise KeyError(f"the scenario does not give {path}, so there is nothing to compare with") from None


def replication_key(spec: ScenarioSpec) -> str:
    """Return a SHA-256 over all that decides a single replication of ``spec``: equal keys, equal replications."""
    body = spec.body()
    content = {key: body[key] for key in ("platform", "servers", "queues")}
    return spec.versioned_hash(content | {key: body["run"][key] for key in ("horizon", "seed")})


def _overridden(spec: ScenarioSpec, body: Mapping[str, Any], overrides: Mapping[str, Any]) -> ScenarioSpec:
    """The scenario with the overrides, each at the place that it has after those before it; ``body`` is its own."""
    changes: list[tuple[Location, Any]] = []
    problems, changed = [], body
    for path, value in overrides.items():
        try:
            changes.append(chosen(location_of(changed, path), value))
            changed = with_value(changed, *changes[-1])
        except KeyError as error:
            problems.append(Problem("", path, "unknown_path", f"the path is unknown: {error.args[0]}", repr(value)))
    try:
        made = revised(spec, changes, body)
    except InvalidInput as error:
        raise InvalidInput([*problems, *error.problems]) from error
    if problems:
        raise InvalidInput(problems)
    return made
