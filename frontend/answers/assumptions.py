"""The register of assumptions: what an answer rests on that no document or measurement states."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from frontend.wording.numbers import UNKNOWN_LOAD, metric_title, setting_text, value_text, work_text
from planner import selectors
from planner.models import Run, RunKind, RunStatus
from planner.reports.evidence import calibration_evidence
from planner.reports.system import settings_table, workload_table
from planner.selectors import Experiment
from simulations.analysis.estimates.summary import change_text
from simulations.declarations.texts import is_below, path_of
from simulations.experiment.questions import SensitivityQuestion
from simulations.experiment.sensitivities import Effect, effects_of
from simulations.scenario.spec import ScenarioSpec


@dataclass(frozen=True)
class Assumption:
    """One row of the register; ``effect`` is what the decision depends on it, ``swing`` its size for the order."""

    id: str
    statement: str
    origin: str
    source: str
    effect: str
    swing: float = 0.0


class Moved(NamedTuple):
    """By how much an input moves the metric, and that in words."""

    swing: float
    words: str


UNKNOWN = Moved(0.0, "not examined")


def run_assumptions(run: Run, spec: ScenarioSpec) -> tuple[Assumption, ...]:
    """Return the register for ``spec``, one point of the run: what moves the answer most first, where that is known."""
    payload = {
        "settings": settings_table(spec, {}),
        "workload": workload_table(spec, {}),
        "calibration": calibration_evidence(run.version),
    }
    newest = selectors.experiments_newest(version=run.version).get(RunKind.SENSITIVITY)
    experiments = [selectors.experiment_read(run=newest)] if newest and newest.status == RunStatus.SUCCEEDED else []
    return assumption_register(payload, effects_by_path(experiments))


def assumption_register(payload: Mapping[str, Any], effects: Mapping[str, Moved]) -> tuple[Assumption, ...]:
    """Return everything that no document or measurement states: what moves the answer most first, then the work."""
    calibration = payload["calibration"]
    measured = calibration is not None and not calibration["departed"]
    register = [] if measured else [_work(queue, effects) for queue in payload["workload"]]
    silent = calibration["assumed"] if calibration else ()
    register += [Assumption("", text, "assumed", "the log does not say it", UNKNOWN.words) for text in silent]
    for row in payload["settings"]:
        if row["trust"] != "source":
            text = f"{row['title']} of {row['entity']}: {setting_text(row['value'], row['unit'], row.get('unlimited'))}"
            moved = effects.get(row["path"], UNKNOWN)
            register.append(Assumption("", text, row["trust"], row["source"], moved.words, moved.swing))
    ordered = sorted(register, key=lambda item: -item.swing)
    return tuple(replace(item, id=f"A{place}") for place, item in enumerate(ordered, start=1))


def effects_by_path(experiments: Sequence[Experiment]) -> dict[str, Moved]:
    """Return by scenario path how much an input moves the metric of a sensitivity experiment."""
    return {
        effect.path: Moved(effect.swing, f"{metric_title(item.question.kpi)}: {ends_text(item.spec, effect)}")
        for item in experiments
        if isinstance(item.question, SensitivityQuestion)
        for effect in effects_of(item.question, item.answers)
    }


def _work(queue: Mapping[str, Any], effects: Mapping[str, Moved]) -> Assumption:
    places = [path_of("queues", queue["name"], part) for part in ("service", "arrivals")]
    own = [moved for path, moved in effects.items() if any(is_below(path, place) for place in places)]
    swing, words = max(own, key=lambda moved: moved.swing, default=effects.get("arrivals", UNKNOWN))
    text = f"Work of {queue['name']}: arrivals {work_text(queue['arrivals'])}; onMessage {work_text(queue['service'])}"
    if queue.get("placeholder"):
        source = "a placeholder of the import: no file says it"
        return Assumption("", f"{text}. {UNKNOWN_LOAD}", "assumed", source, words, swing)
    by = queue.get("given_by")
    source = f"given by {by['author']} in v{by['version']}" if by else "given by the scenario's author"
    return Assumption("", text, "given, not measured", source, words, swing)


def ends_text(spec: ScenarioSpec, effect: Effect) -> str:
    """Return what an input does at both ends of its range."""
    ends = []
    beside = effect.swing if effect.swing < float("inf") else 0.0
    for end in (effect.low, effect.high):
        at = value_text(spec, effect.path, end.value)
        if end.status == "unstable":
            ends.append(f"unstable at {at}")
        elif end.difference is not None:
            ends.append(f"{change_text(end.difference, beside)} at {at}")
    return "; ".join(ends) or "no answer"
