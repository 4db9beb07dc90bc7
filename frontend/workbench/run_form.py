"""The form's last group: what is swept, the objective, and how long and how precisely the run simulates."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import BaseModel

from frontend.site.json_text import values_read, values_text
from frontend.workbench.fields import FormField, build_field, with_point
from frontend.workbench.items import ROWS, Sheet, origins_text
from frontend.workbench.kinds import Values, declared
from simulations.analysis.estimates.metrics import BY_NAME, METRICS, Metric
from simulations.declarations.parameters import Model, own
from simulations.experiment import values_of
from simulations.scenario.runsettings import Axis, Precision, Replications, RunHorizon, RunSettings

_USUAL = {"metric": "latency.p95"}
_BOUNDS = {"at_most": "at most", "at_least": "at least", "equals": "exactly"}
_ENDS = (("messages", "after a number of messages"), ("time", "after a time"), ("until", "when the queue is drained"))


class ShownObjective(Model):
    """An objective as the form shows it."""

    objectives: Annotated[tuple[()], own(title="Objectives")] = ()
    """What the scenario demands. Answers begin with the first; each is told as met or missed."""

    metric: Annotated[str, own(title="Objective: metric")] = "latency.p95"
    """What the scenario demands something of: its question. Answers, charts and comparisons begin with it."""
    queue: Annotated[str | None, own(title="Objective: queue", names="queues")] = None
    """The queue whose messages count, or all messages."""
    bound: Annotated[Literal["at_most", "at_least", "equals"], own(title="Objective: bound")] = "at_most"
    """Whether the value is the largest or the smallest that is accepted, or the only one."""
    value: Annotated[float | None, own("s", "Objective")] = None
    """Drawn as a line in the charts; every point is judged by it. Empty: no objective."""


def run_fields(sheet: Sheet, swept: tuple[tuple[str, str], ...]) -> tuple[tuple[FormField, ...], tuple[FormField, ...]]:
    """Return the fields shown at once and those folded away."""
    body, notes, run = sheet.body, sheet.notes, sheet.body["run"]
    front = (*_sweep_fields(body, swept, notes), *_objectives_fields(sheet))
    more = (
        _field("run.precision.relative", Precision, run["precision"]["relative"], notes),
        *_horizon_fields(run["horizon"], notes),
        _field("run.replications.min", Replications, run["replications"]["min"], notes),
        _field("run.replications.max", Replications, run["replications"]["max"], notes),
        replace(_field("run.seed", RunSettings, run["seed"], notes), slider=None),
        _field("run.max_time", RunSettings, run.get("max_time"), notes),
    )
    return front, more


def run_read(body: dict[str, Any], values: Values) -> dict[str, Any]:
    """Return ``body`` with the form's sweep, objectives and horizon; texts stay texts."""
    values = {name: text if name == "sweep.values" else with_point(text) for name, text in values.items()}
    run = body["run"]
    kind = values.get("run.horizon.kind", next(iter(run["horizon"])))
    start = declared(RunHorizon)[kind].quantity.start if kind in RunHorizon.model_fields else ""
    run["horizon"] = {kind: values.get(f"run.horizon.{kind}", run["horizon"].get(kind, start))}
    if path := values.get("sweep.path"):
        body["sweep"][:1] = [{"path": path, "values": values_read(values.get("sweep.values", ""))}]
    elif "sweep.path" in values:
        body["sweep"] = body["sweep"][1:]
    body["objectives"] = _objectives_read(body, values)
    return body


def _field(name: str, model: type[BaseModel], value: Any, notes: Values, path: str = "") -> FormField:
    key = name.rsplit(".", 1)[-1]
    problem = notes.get(name) or notes.get(name.rsplit(".", 1)[0], "")
    field = build_field(name=name, path=path or name, declaration=declared(model)[key], value=value, problem=problem)
    return replace(field, slider=None)


def _horizon_fields(horizon: Mapping[str, Any], notes: Values) -> tuple[FormField, ...]:
    kind = next(iter(horizon))
    chooser = _field("run.horizon.until", RunHorizon, kind, notes, path="run.horizon")
    chooser = replace(
        chooser,
        name="run.horizon.kind",
        widget="choice",
        options=_ENDS,
        declaration=replace(chooser.declaration, meaning=RunHorizon.__doc__ or ""),
        redraws=True,
    )
    if kind == "until" or kind not in RunHorizon.model_fields:
        return (chooser,)
    name = f"run.horizon.{kind}"
    return chooser, _field(name, RunHorizon, horizon[kind], {name: notes.get(name, "")})


def _sweep_fields(body: Mapping[str, Any], swept: tuple[tuple[str, str], ...], notes: Values) -> tuple[FormField, ...]:
    axis = body["sweep"][0] if body["sweep"] else {"path": "", "values": []}
    own = {
        key.split(".")[-1] if key.endswith("path") else "values": text
        for key, text in notes.items()
        if key.startswith("sweep")
    }
    path = str(axis["path"])
    known = {**dict(swept), **({path: path} if path and path not in dict(swept) else {})}
    chooser = _field("sweep.path", Axis, axis["path"], {"sweep.path": own.get("path", "")})
    values = _field("sweep.values", Axis, _values_text(axis), {"sweep.values": own.get("values", "")})
    return (
        replace(chooser, widget="choice", options=(("", "nothing: one point"), *known.items())),
        replace(values, widget="text"),
    )


def _values_text(axis: Mapping[str, Any]) -> str:
    given = axis.get("values")
    if isinstance(given, str):
        return given
    return values_text(values_of(Axis.model_validate(axis)) if given is None else given)


def _shown(held: Mapping[str, Any]) -> tuple[str, str, Any]:
    """Metric, bound and value of an objective."""
    bound = next((name for name in _BOUNDS if held.get(name) is not None), "at_most")
    return str(held["metric"]), bound, held.get(bound)


def _objectives_fields(sheet: Sheet) -> Iterator[FormField]:
    """Yield the fields of the objectives: rows where there are several, else the plain fields of one."""
    held = sheet.body["objectives"] or [_USUAL]
    name, listed = f"objectives{ROWS}", _field("objectives", ShownObjective, (), {})
    rows = origins_text(name, len(held), sheet.rows)
    yield replace(listed, name=name, widget="rows", text=rows, place="objectives", adds="objective")
    for index, objective in enumerate(held):
        title = _metric(str(objective["metric"])).title + (
            f" of {objective['queue']}" if objective.get("queue") else ""
        )
        row = (f"objectives.{index}", title, True, "objective")
        for field in _objective_fields(sheet, row[0], objective):
            yield replace(field, row=row) if len(held) > 1 else field


def _objective_fields(sheet: Sheet, place: str, objective: Mapping[str, Any]) -> Iterator[FormField]:
    metric, (name, bound, value) = _metric(str(objective["metric"])), _shown(objective)
    notes = {key: text for key, text in sheet.notes.items() if key != place}
    options = tuple((item.name, item.title) for item in METRICS if item.better != "neither" or item is metric)
    chosen = _field(f"{place}.metric", ShownObjective, name, notes)
    yield replace(chosen, widget="choice", options=options, redraws=True)
    if len(sheet.body["queues"]) > 1:
        queues = (("", "all queues"), *((item["name"], item["name"]) for item in sheet.body["queues"]))
        queue = _field(f"{place}.queue", ShownObjective, objective.get("queue"), notes)
        yield replace(queue, widget="choice", options=queues)
    bounds = _field(f"{place}.bound", ShownObjective, bound, {})
    yield replace(bounds, options=tuple(_BOUNDS.items()), redraws=True)
    usual = declared(ShownObjective)["value"]
    title = f"Objective: {metric.title} {_BOUNDS[bound]}"
    declaration = replace(usual, title=title, quantity=replace(usual.quantity, unit=metric.unit), maximum=metric.most)
    problem = notes.get(f"{place}.{bound}", sheet.notes.get(place, ""))
    yield build_field(
        name=f"{place}.value", path=f"{place}.value", declaration=declaration, value=value, problem=problem
    )


def _metric(name: str) -> Metric:
    return BY_NAME.get(name, BY_NAME[_USUAL["metric"]])


def _objectives_read(body: Mapping[str, Any], values: Values) -> list[dict[str, Any]]:
    """The objectives as the form has them; one alone is left out without a value, unless another metric asks for it."""
    rows = []
    for index, held in enumerate(body["objectives"] or [_USUAL]):
        place, (name, bound, value) = f"objectives.{index}", _shown(held)
        asked, value = values.get(f"{place}.metric", name), values.get(f"{place}.value", value)
        if len(body["objectives"]) < 2 and value in (None, "") and asked == name:
            break
        queue = values.get(f"{place}.queue", held.get("queue")) or None
        if queue and len(body["queues"]) == 1 and f"{place}.queue" not in values:
            queue = None if _metric(asked).scope == "pool" else body["queues"][0]["name"]
        rows.append({"metric": asked, "queue": queue, values.get(f"{place}.bound", bound): value})
    return rows
