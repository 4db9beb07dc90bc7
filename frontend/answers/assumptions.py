"""What a run's answer rests on without a document or a measurement that states it: the register of the reports."""

from frontend.reports.experiments import effects_by_path
from frontend.reports.parts import Assumption, assumption_register
from planner import selectors
from planner.models import Run, RunKind, RunStatus
from planner.reports.evidence import calibration_evidence
from planner.reports.system import settings_table, workload_table
from simulations.scenario import ScenarioSpec


def run_assumptions(run: Run, spec: ScenarioSpec) -> tuple[Assumption, ...]:
    """Return the register for ``spec``, one point of the run: what moves the answer most first, where that is known."""
    told = {
        "settings": settings_table(spec, {}),
        "workload": workload_table(spec, {}),
        "calibration": calibration_evidence(run.version),
    }
    examined = selectors.experiments_newest(version=run.version).get(RunKind.SENSITIVITY)
    found = [selectors.experiment_read(run=examined)] if examined and examined.status == RunStatus.SUCCEEDED else []
    return assumption_register(told, effects_by_path(found))
