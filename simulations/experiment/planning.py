"""The plan of each kind of question."""

from simulations.experiment.grids import GridPlan
from simulations.experiment.headrooms import HeadroomPlan
from simulations.experiment.plans import Plan
from simulations.experiment.questions import HeadroomQuestion, Optimize, Question, SensitivityQuestion, Sweep
from simulations.experiment.sensitivities import SensitivityPlan
from simulations.scenario import ScenarioSpec


def plan_of(question: Question, spec: ScenarioSpec) -> Plan:
    """Return a fresh plan of a complete question; it keeps the course of one computation."""
    match question:
        case Sweep() | Optimize():
            return GridPlan(question, spec)
        case HeadroomQuestion():
            return HeadroomPlan(question, spec)
        case SensitivityQuestion():
            return SensitivityPlan(question, spec)
