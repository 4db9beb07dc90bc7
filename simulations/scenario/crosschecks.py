"""What the parts of a scenario require of each other, judged on the body as it was sent.

A part that is not understood is passed over: reading it names what is wrong, so that all problems come at once.
"""

from collections.abc import Callable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from itertools import chain, islice, pairwise
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from simulations.analysis.estimates.metrics import BY_NAME
from simulations.declarations.problems import MOST_TOLD, Location, Problem, nearest, problem, short
from simulations.declarations.workload import Arrivals, ends
from simulations.scenario.runsettings import Precision, RunHorizon

T = TypeVar("T")
_ARRIVALS: TypeAdapter[Any] = TypeAdapter(Arrivals)
NEVER_COMES = "no queue sends to this one, so nothing would ever come; give it arrivals, or let a queue send to it"
NEVER_ENDS = "these arrivals never end, so nothing drains; give run.horizon messages or time, or use a surge or a trace"


def cross_problems(data: Mapping[str, Any]) -> list[Problem]:
    """Return up to MOST_TOLD + 1 problems between the parts: names, metrics, and a horizon that is never reached."""
    found = chain(
        _names_used_twice(data),
        _unknown_names(data, "queues", "server"),
        _chain_problems(data),
        objective_metric_problems(data),
        _unknown_names(data, "objectives", "queue"),
        _precision_problems(data),
        _horizon_problems(data),
    )
    return list(islice(found, MOST_TOLD + 1))


def objective_metric_problems(data: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield the objectives whose metric does not exist, or not at a queue: that has no threads of its own."""
    for index, objective in items_in(data, "objectives"):
        location, metric = ("objectives", index, "metric"), objective.get("metric")
        yield from _metric_problems(location, metric, data)
        of_threads = isinstance(metric, str) and metric in BY_NAME and BY_NAME[metric].scope == "pool"
        if objective.get("queue") is not None and of_threads:
            message = f"{metric} belongs to a server's threads, no queue has it; leave queue out"
            yield problem(location, message, value=metric, data=data)


def _names_used_twice(data: Mapping[str, Any]) -> Iterator[Problem]:
    yield from _twice(data, ("servers",), data)
    yield from _twice(data, ("queues",), data)
    for index, server in items_in(data, "servers"):
        yield from _twice(server, ("servers", index, "background"), data)


def _twice(holder: Mapping[str, Any], location: Location, data: Mapping[str, Any]) -> Iterator[Problem]:
    seen: set[str] = set()
    for index, item in items_in(holder, str(location[-1])):
        name = item.get("name")
        if isinstance(name, str) and name in seen:
            message = f"the name {short(name)} is used twice; rename one"
            yield problem((*location, index, "name"), message, value=name, data=data)
        seen.add(str(name))


def _unknown_names(data: Mapping[str, Any], part: str, kind: str) -> Iterator[Problem]:
    """Yield the items of ``part`` that name a ``kind`` (server, queue) that the scenario lacks."""
    known = [item["name"] for _, item in items_in(data, f"{kind}s") if isinstance(item.get("name"), str)]
    for index, item in items_in(data, part):
        name = item.get(kind)
        if isinstance(name, str) and name not in known:
            message = f"no {kind} is named {short(name)}; {nearest(name, known)}"
            yield problem((part, index, kind), message, value=name, data=data)


def _chain_problems(data: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield what is wrong with what queues send on: names, circles, and queues to which nothing comes at all."""
    queues = [(index, queue, str(queue.get("name"))) for index, queue in items_in(data, "queues")]
    sends = [
        (index, name, place, row["name"])
        for index, queue, name in queues
        for place, row in items_in(queue, "sends")
        if isinstance(row.get("name"), str)
    ]
    ahead = {name: [to for _, sender, _, to in sends if sender == name] for _, _, name in queues}
    circle = _circle(ahead)
    for index, name, place, to in sends:
        if to not in ahead:
            message = f"no queue is named {short(to)}; {nearest(to, list(ahead))}"
        elif (name, to) in pairwise(circle):
            message = f"messages would go in a circle without end: {' → '.join(map(repr, circle))}; remove one of these"
        else:
            continue
        yield problem(("queues", index, "sends", place, "name"), message, value=to, data=data)
    for index, queue, name in queues:
        yield from _twice(queue, ("queues", index, "sends"), data)
        if _below(queue, "arrivals").get("kind") == "none" and name not in (to for *_, to in sends):
            yield problem(("queues", index, "arrivals"), NEVER_COMES, data=data)


def _circle(ahead: Mapping[str, list[str]]) -> list[str]:
    """The names of a circle in which each sends to the next, the first and the last being one; empty without any."""
    try:
        TopologicalSorter(ahead).prepare()
    except CycleError as error:
        return [*reversed(error.args[1])]
    return []


def _metric_problems(location: Location, metric: object, data: Any) -> Iterator[Problem]:
    if isinstance(metric, str) and metric not in BY_NAME:
        message = f"unknown metric {metric!r}; {nearest(metric, list(BY_NAME))}"
        yield problem(location, message, value=metric, data=data)


def _precision_problems(data: Mapping[str, Any]) -> Iterator[Problem]:
    metric = _below(_below(data, "run"), "precision").get("metric", Precision().metric)
    location = ("run", "precision", "metric")
    yield from _metric_problems(location, metric, data)
    if isinstance(metric, str) and metric in BY_NAME and BY_NAME[metric].is_extreme:
        message = "an extreme has no confidence interval; choose another metric"
        yield problem(location, message, value=metric, data=data)


def _horizon_problems(data: Mapping[str, Any]) -> Iterator[Problem]:
    if understood(RunHorizon.model_validate, _below(data, "run").get("horizon")) != RunHorizon(until="drained"):
        return
    for index, queue in items_in(data, "queues"):
        arrivals = understood(_ARRIVALS.validate_python, queue.get("arrivals"))
        if arrivals is not None and not ends(arrivals):
            yield problem(("queues", index, "arrivals"), NEVER_ENDS, data=data)


def understood(read: Callable[[object], T], value: object) -> T | None:
    """Return the value as it is read; None where it is not understood."""
    try:
        return read(value)
    except ValidationError:
        return None


def _below(node: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = node.get(key)
    return found if isinstance(found, Mapping) else {}


def items_in(holder: Mapping[str, Any], part: str) -> list[tuple[int, Mapping[str, Any]]]:
    """Return the items of a list that are mappings, with their places."""
    given = holder.get(part)
    items = given if isinstance(given, list | tuple) else ()
    return [(index, item) for index, item in enumerate(items) if isinstance(item, Mapping)]
