"""What a run's answer rests on without a document or a measurement that states it: the register of the reports."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from frontend.wording.numbers import metric_title, setting_text
from frontend.wording.setting_names import value_text
from frontend.wording.workload import UNKNOWN_LOAD, work_text
from planner import selectors
from planner.models import Run, RunKind, RunStatus
from planner.reports.evidence import calibration_evidence
from planner.reports.system import settings_table, workload_table
from planner.selectors import Experiment
from simulations.analysis.estimates.quantities import change_text
from simulations.declarations.path_text import is_below, path_of
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


def run_assumptions(run: Run, spec: ScenarioSpec) -> tuple[Assumption, ...]:
    """Return the register for ``spec``, one point of the run: what moves the answer most first, where that is known."""
    told = {
        "settings": settings_table(spec, {}),
        "workload": workload_table(spec, {}, selectors.placeholder_loads(version=run.version)),
        "calibration": calibration_evidence(run.version),
    }
    examined = selectors.experiments_newest(version=run.version).get(RunKind.SENSITIVITY)
    found = [selectors.experiment_read(run=examined)] if examined and examined.status == RunStatus.SUCCEEDED else []
    return assumption_register(told, effects_by_path(found))


def assumption_register(payload: Mapping[str, Any], effects: Mapping[str, tuple[float, str]]) -> tuple[Assumption, ...]:
    """Return everything that no document or measurement states: what moves the answer most first, then the work."""
    unknown = "not examined: a sensitivity experiment would say"
    calibration = payload["calibration"]
    measured = calibration is not None and not calibration["departed"]
    found = [] if measured else [_work(queue, effects, unknown) for queue in payload["workload"]]
    found += [
        (text, "assumed", "the log does not say it", (0.0, unknown))
        for text in (calibration["assumed"] if calibration else ())
    ]
    found += [
        (
            f"{row['title']} of {row['entity']}: {setting_text(row['value'], row['unit'])}",
            row["trust"],
            row["source"],
            effects.get(row["path"], (0.0, unknown)),
        )
        for row in payload["settings"]
        if row["trust"] != "source"
    ]
    ordered = sorted(found, key=lambda item: -item[3][0])
    return tuple(
        Assumption(f"A{place}", text, origin, source, effect, swing)
        for place, (text, origin, source, (swing, effect)) in enumerate(ordered, start=1)
    )


def effects_by_path(found: Sequence[Experiment]) -> dict[str, tuple[float, str]]:
    """Return by scenario path how much an input moves the metric, and that in words."""
    told: dict[str, tuple[float, str]] = {}
    for item in found:
        if isinstance(item.question, SensitivityQuestion):
            effects = effects_of(item.question, item.answers)
            told.update({effect.path: (effect.swing, _effect(item, item.question, effect)) for effect in effects})
    return told


def _work(
    queue: Mapping[str, Any], effects: Mapping[str, tuple[float, str]], unknown: str
) -> tuple[str, str, str, tuple[float, str]]:
    places = [path_of("queues", queue["name"], part) for part in ("service", "arrivals")]
    mine = [told for path, told in effects.items() if any(is_below(path, place) for place in places)]
    effect = max(mine, key=lambda told: told[0], default=effects.get("arrivals", (0.0, unknown)))
    by = queue.get("given_by")
    source = f"given by {by['author']} in v{by['version']}" if by else "given by the scenario's author"
    text = f"Work of {queue['name']}: arrivals {work_text(queue['arrivals'])}; onMessage {work_text(queue['service'])}"
    if queue.get("placeholder"):
        return f"{text}. {UNKNOWN_LOAD}", "assumed", "a placeholder of the import: no file says it", effect
    return text, "given, not measured", source, effect


def _effect(found: Experiment, question: SensitivityQuestion, effect: Effect) -> str:
    ends = []
    for end in (effect.low, effect.high):
        at = value_text(found.spec, effect.path, end.value)
        if end.status == "unstable":
            ends.append(f"unstable at {at}")
        elif end.difference is not None:
            ends.append(f"{change_text(end.difference)} at {at}")
    return f"{metric_title(question.kpi)}: {'; '.join(ends) or 'no answer'}"
