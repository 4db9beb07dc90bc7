"""The form's last group: what is swept, the objective, and how long and how precisely the run simulates."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import BaseModel

from frontend.site.json_text import values_read, values_text
from frontend.workbench.fields import FormField, build_field, with_point
from frontend.workbench.kinds import Values, declared
from simulations.analysis.estimates.metrics import BY_NAME, METRICS
from simulations.declarations.parameters import Model, own
from simulations.experiment import values_of
from simulations.scenario.runsettings import Axis, Precision, Replications, RunHorizon, RunSettings

VALUE = "objective.at_most"
_BOUNDS = {"at_most": "at most", "at_least": "at least", "equals": "exactly"}
_ENDS = (("messages", "after a number of messages"), ("time", "after a time"), ("until", "when the queue is drained"))


class ShownObjective(Model):
    """The objective that the form shows: the first one."""

    metric: Annotated[str, own(title="Objective: metric")] = "latency.p95"
    """What the scenario demands something of: its question. Answers, charts and comparisons begin with it."""
    bound: Annotated[Literal["at_most", "at_least", "equals"], own(title="Objective: bound")] = "at_most"
    """Whether the value is the largest or the smallest that is accepted, or the only one."""
    value: Annotated[float | None, own("s", "Objective")] = None
    """Drawn as a line in the charts; every point is judged by it. Empty: no objective."""


def run_fields(
    body: Mapping[str, Any], swept: tuple[tuple[str, str], ...], notes: Values
) -> tuple[tuple[FormField, ...], tuple[FormField, ...]]:
    """Return the fields shown at once and those folded away."""
    run = body["run"]
    front = (*_sweep_fields(body, swept, notes), *_objective_fields(body, notes))
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
    """Return ``body`` with the form's sweep, objective and horizon; texts stay texts."""
    values = {name: text if name == "sweep.values" else with_point(text) for name, text in values.items()}
    run = body["run"]
    run["horizon"] = _horizon_read(run["horizon"], values)
    if "sweep.path" in values:
        body["sweep"] = [*_sweep_read(values), *body["sweep"][1:]]
    if VALUE in values:
        body["objectives"] = _objectives_read(body["objectives"], values)
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
    return chooser, _field(f"run.horizon.{kind}", RunHorizon, horizon[kind], notes)


def _horizon_read(horizon: Mapping[str, Any], values: Values) -> dict[str, Any]:
    kind = values.get("run.horizon.kind", next(iter(horizon)))
    held = horizon.get(kind, declared(RunHorizon)[kind].quantity.start if kind in RunHorizon.model_fields else "")
    return {kind: values.get(f"run.horizon.{kind}", held)}


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


def _sweep_read(values: Values) -> list[dict[str, Any]]:
    path, text = values["sweep.path"], values.get("sweep.values", "")
    if not path:
        return []
    return [{"path": path, "values": values_read(text)}]


def _shown(objectives: Sequence[Mapping[str, Any]]) -> tuple[str, str, Any]:
    """Metric, bound and value of the first objective; the usual ones without any."""
    held = objectives[0] if objectives else {"metric": "latency.p95"}
    bound = next((name for name in _BOUNDS if held.get(name) is not None), "at_most")
    return str(held["metric"]), bound, held.get(bound)


def _objective_fields(body: Mapping[str, Any], notes: Values) -> tuple[FormField, ...]:
    name, bound, value = _shown(body["objectives"])
    metric = BY_NAME.get(name, BY_NAME["latency.p95"])
    chosen = _field(
        "objective.metric", ShownObjective, name, {"objective.metric": notes.get("objectives.0.metric", "")}
    )
    options = tuple((item.name, item.title) for item in METRICS if item.better != "neither" or item is metric)
    usual = declared(ShownObjective)["value"]
    title = f"Objective: {metric.title} {_BOUNDS[bound]}"
    declaration = replace(usual, title=title, quantity=replace(usual.quantity, unit=metric.unit), maximum=metric.most)
    problem = notes.get(f"objectives.0.{bound}", notes.get("objectives.0", ""))
    return (
        replace(chosen, widget="choice", options=options, redraws=True),
        replace(_field("objective.bound", ShownObjective, bound, {}), options=tuple(_BOUNDS.items()), redraws=True),
        build_field(name=VALUE, path=VALUE, declaration=declaration, value=value, problem=problem),
    )


def _objectives_read(objectives: list[dict[str, Any]], values: Values) -> list[dict[str, Any]]:
    """The objectives with the first as the form has it; another metric needs a value, without one it is left out."""
    name, bound, _ = _shown(objectives)
    asked, text = values.get("objective.metric", name), values[VALUE].strip()
    if not text and asked == name:
        return objectives[1:]
    queue = objectives[0].get("queue") if objectives else None
    return [{"metric": asked, "queue": queue, values.get("objective.bound", bound): text}, *objectives[1:]]
