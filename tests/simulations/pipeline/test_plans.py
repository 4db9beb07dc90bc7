"""Every kind of question has its plan, which simulates the scenario as the question asks."""

from typing import Any

import pytest

from simulations.experiment.grids import GridPlan
from simulations.experiment.headrooms import HeadroomPlan
from simulations.experiment.reading import read_question
from simulations.experiment.sensitivities import SensitivityPlan
from simulations.pipeline.experiments import plan_of
from tests.simulations.experiment.answers import LIMIT, SESSIONS, SPEC

KNOBS = {"knobs": {SESSIONS: [18, 36]}}


@pytest.mark.parametrize(
    ("kind", "more", "plan"),
    [
        ("sweep", KNOBS, GridPlan),
        ("optimize", KNOBS, GridPlan),
        ("headroom", {}, HeadroomPlan),
        ("sensitivity", {}, SensitivityPlan),
    ],
)
def test_a_question_has_the_plan_of_its_kind(kind: str, more: dict[str, Any], plan: type) -> None:
    question = read_question({"type": kind, "subject_to": LIMIT, "effort": {"messages": 900}, **more}, SPEC)
    made = plan_of(question, SPEC)
    assert isinstance(made, plan)
    assert (made.spec.run.horizon.messages, made.spec.sweep) == (900, ())
    assert [item.at_most for item in made.spec.objectives] == [0.8]
    assert made.first()[0].index == 0
