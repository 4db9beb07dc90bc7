"""The form's last group: what is swept, the objective, and how long and how precisely the run simulates."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any

from pydantic import BaseModel

from frontend.site.json_text import values_read, values_text
from frontend.workbench.fields import FormField, build_field, with_point
from frontend.workbench.kinds import Values, declared
from simulations.declarations.parameters import Model, own
from simulations.declarations.units import Duration
from simulations.experiment import values_of
from simulations.scenario.runsettings import Axis, Precision, Replications, RunHorizon, RunSettings

_ENDS = (("messages", "after a number of messages"), ("time", "after a time"), ("until", "when the queue is drained"))


class LatencyObjective(Model):
    """The one objective that the form shows: a bound of a latency is a duration."""

    at_most: Annotated[Duration | None, own("s", "Objective: p95 latency at most", typical=(0.01, 60))] = None
    """Drawn as a line in the charts; every point is judged by it. Empty: no objective."""


def run_fields(
    body: Mapping[str, Any], swept: tuple[tuple[str, str], ...], notes: Values
) -> tuple[tuple[FormField, ...], tuple[FormField, ...]]:
    """Return the fields shown at once and those folded away."""
    run = body["run"]
    front = (*_sweep_fields(body, swept, notes), _objective_field(body, notes))
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
    if "objective.at_most" in values:
        body["objectives"] = _objectives_read(body["objectives"], values["objective.at_most"].strip())
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


def _objective_field(body: Mapping[str, Any], notes: Values) -> FormField:
    held = next((item for item in body["objectives"] if _is_latency_bound(item)), None)
    place = next((f"objectives.{i}.at_most" for i, item in enumerate(body["objectives"]) if item is held), "")
    bound = held["at_most"] if held else None
    return _field("objective.at_most", LatencyObjective, bound, {"objective.at_most": notes.get(place, "")})


def _objectives_read(objectives: list[dict[str, Any]], text: str) -> list[dict[str, Any]]:
    held = next((item for item in objectives if _is_latency_bound(item)), None)
    if not text:
        return [item for item in objectives if item is not held]
    if held is None:
        return [*objectives, {"metric": "latency.p95", "at_most": text}]
    return [{**item, "at_most": text} if item is held else item for item in objectives]


def _is_latency_bound(objective: Mapping[str, Any]) -> bool:
    return objective["metric"] == "latency.p95" and objective.get("at_most") is not None
