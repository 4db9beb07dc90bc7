"""The plan of each kind of question."""

from simulations.experiment import questions
from simulations.experiment.grids import GridPlan
from simulations.experiment.headrooms import HeadroomPlan
from simulations.experiment.points import Plan
from simulations.experiment.search import in_order
from simulations.experiment.sensitivities import SensitivityPlan
from simulations.scenario.spec import ScenarioSpec


def plan_of(question: questions.Question, spec: ScenarioSpec) -> Plan:
    """Return a fresh plan of a complete question; it keeps the course of one computation."""
    asked = questions.asked_spec(question, spec)
    match question:
        case questions.Optimize():
            return in_order(question, asked) or GridPlan(question, asked)
        case questions.Sweep():
            return GridPlan(question, asked)
        case questions.HeadroomQuestion():
            return HeadroomPlan(question, asked)
        case questions.SensitivityQuestion():
            return SensitivityPlan(question, asked)
