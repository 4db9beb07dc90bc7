"""The plan of each kind of question."""

from simulations.experiment.grids import GridPlan
from simulations.experiment.headrooms import HeadroomPlan
from simulations.experiment.points import Plan
from simulations.experiment.questions import (
    HeadroomQuestion,
    Optimize,
    Question,
    SensitivityQuestion,
    Sweep,
    asked_spec,
)
from simulations.experiment.search import in_order
from simulations.experiment.sensitivities import SensitivityPlan
from simulations.scenario.spec import ScenarioSpec


def plan_of(question: Question, spec: ScenarioSpec) -> Plan:
    """Return a fresh plan of a complete question; it keeps the course of one computation."""
    asked = asked_spec(question, spec)
    match question:
        case Optimize():
            return in_order(question, asked) or GridPlan(question, asked)
        case Sweep():
            return GridPlan(question, asked)
        case HeadroomQuestion():
            return HeadroomPlan(question, asked)
        case SensitivityQuestion():
            return SensitivityPlan(question, asked)
