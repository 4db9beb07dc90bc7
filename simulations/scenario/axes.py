"""The axes of a plan read against the scenario they vary: paths that exist, values as the scenario holds them.

A value that its own setting forbids is refused. A value that only does not fit to others is not: another axis may
change those, so the point judges it.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any

from pydantic import BaseModel, TypeAdapter, ValidationError

from simulations.declarations import problems
from simulations.declarations.paths import chosen, location_of, value_in, with_value
from simulations.declarations.problems import Location, Problem
from simulations.scenario.runsettings import Axis

MAX_POINTS = 100_000
"""Points of one plan; checked before any value is read."""


def size_problems(axes: Sequence[Axis], *, most: int = MAX_POINTS, place: str = "sweep") -> list[Problem]:
    """Return the problem of a plan with more than ``most`` points, if it has; ``place`` is the key that holds it."""
    size = math.prod(axis.length for axis in axes)
    if size <= most:
        return []
    what = "sweep" if place == "sweep" else "grid"
    message = f"the {what} has {size} points, at most {most} are allowed; use fewer values or steps"
    return [problems.problem((place,), message, code="too_many_points", value=size)]


@dataclass
class AxisReader:
    """Reads axes of the scenario ``body``, which ``model`` validates; collects what is wrong in ``problems``."""

    body: Mapping[str, Any]
    model: type[BaseModel]
    problems: list[Problem] = field(default_factory=list)

    def read(self, axis: Axis, place: Location) -> Axis:
        """Return the axis with values as the scenario holds them; wrong ones stay. ``place``: where it was sent."""
        try:
            location = location_of(self.body, axis.path, known_only=False)
            _check_known(self.model, location)
        except KeyError as error:
            self._add((*place, "path"), f"the path is unknown: {error.args[0]}", axis.path, code="unknown_path")
            return axis
        given: dict[Location, Any] = {("from",): axis.start, ("to",): axis.to}
        if axis.values is not None:
            given = {("values", index): value for index, value in enumerate(axis.values)}
        known = len(self.problems)
        read = {key: self._value(value, axis.path, location, (*place, *key)) for key, value in given.items()}
        if axis.values is not None:
            return axis.model_copy(update={"values": tuple(read.values())})
        ranged = axis.model_copy(update={"start": read[("from",)], "to": read[("to",)]})
        if len(self.problems) == known:
            self._judge_range(ranged, place)
        return ranged

    def _judge_range(self, axis: Axis, place: Location) -> None:
        ends = [end for end in (axis.start, axis.to) if isinstance(end, int | float) and not isinstance(end, bool)]
        if len(ends) < 2:
            self._add((*place, "from"), f"{axis.path} is no number, so it has no range; give values", axis.start)
        elif axis.scale == "log" and min(ends) <= 0:
            self._add((*place, "from"), "a log scale needs from and to above 0", axis.start)

    def _value(self, value: Any, path: str, location: Location, place: Location) -> Any:
        """The value as the scenario holds it, or as its setting alone reads it where only others do not fit to it."""
        if len(self.problems) > problems.MOST_TOLD:
            return value
        if isinstance(value, bool) and problems.asks_number(problems.types_at(self.model, location)):
            self._add(place, f"{path}: {problems.NO_BOOLEAN}", value, code="boolean")
            return value
        target, whole = chosen(location, value)
        small, target, inner = _around(self.body, target, location)
        small = with_value(small, target, whole)
        try:
            spec = self.model.model_validate(small)
        except ValidationError as error:
            own, found = problems.pointer_of(inner), problems.problems_of(error, self.model, small)
            wrong = [item for item in found if item.pointer == own or item.pointer.startswith(f"{own}/")]
            for item in wrong:
                self._add(place, f"{path}: {item.message}", value, code=item.code)
            return value if wrong else _alone(self.model, inner, value)
        return value_in(spec.model_dump(mode="json", by_alias=True), inner)

    def _add(self, place: Location, message: str, value: Any, *, code: str = "invalid") -> None:
        found = problems.problem(place, message, code=code, value=value)
        if all((item.pointer, item.message) != (found.pointer, found.message) for item in self.problems):
            self.problems.append(found)


def _check_known(model: type[BaseModel], location: Location) -> None:
    """Raise KeyError where no scenario has such a place, however it is filled."""
    if location[0] == "sweep":
        raise KeyError("a sweep varies the rest of the scenario")
    for depth, key in enumerate(location):
        if not problems.types_at(model, location[: depth + 1]):
            known = problems.keys_of(problems.types_at(model, location[:depth]))
            nothing = f"nothing lies below {problems.short(location[depth - 1])}"
            raise KeyError(f"no key {problems.short(key)}; {problems.nearest(str(key), known)}" if known else nothing)


def _around(body: Mapping[str, Any], target: Location, location: Location) -> tuple[Any, Location, Location]:
    """The smallest body that holds the target, and both locations in it: validating that is quick."""
    small = {**body, "sweep": []}
    if target[0] != "objectives":
        small["objectives"] = []
    for part in ("servers", "queues"):
        items = body.get(part)
        if not isinstance(items, list | tuple) or target == (part,):
            continue
        at = int(target[1]) if target[0] == part else 0
        small[part] = list(items[at : at + 1])
    if target[0] in ("servers", "queues") and len(target) > 1:
        return small, (target[0], 0, *target[2:]), (location[0], 0, *location[2:])
    return small, target, location


def _alone(model: type[BaseModel], location: Location, value: Any) -> Any:
    """The value as the first field that understands it reads it, without its neighbors."""
    for owner in problems.types_at(model, location[:-1]):
        try:
            adapter = _adapter(owner, str(location[-1]))
            return adapter.dump_python(adapter.validate_python(value), mode="json") if adapter else value
        except ValidationError:
            continue
    return value


@cache
def _adapter(owner: Any, name: str) -> TypeAdapter[Any] | None:
    is_model = isinstance(owner, type) and issubclass(owner, BaseModel)
    declared = owner.model_fields.get(name) if is_model else None
    if declared is None:
        return None
    annotation: Any = declared.annotation
    return TypeAdapter(Annotated[annotation, *declared.metadata] if declared.metadata else annotation)
