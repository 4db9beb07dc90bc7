"""The first sentence of each preset answers what its scenario asks, and no doubt withholds it."""

import pytest

from planner.answers.claims import point_claims
from planner.answers.quick import quick_answer
from planner.presets.files import presets
from simulations.platforms.shared.queues import is_saturated
from simulations.scenario.spec import ScenarioSpec

ALL = {item.key: item.spec.unswept for item in presets()}


def asked(spec: ScenarioSpec) -> str:
    if spec.objectives:
        return spec.objectives[0].metric
    return "throughput" if all(map(is_saturated, spec.queues)) else "drain_time"


@pytest.mark.parametrize("key", list(ALL))
def test_a_preset_answers_its_question_in_its_first_sentence(key: str) -> None:
    spec = ALL[key]
    first, *_ = point_claims(spec, quick_answer(spec).summary)
    assert first.metric == asked(spec)
    assert first.estimate is not None
    assert first.estimate.value == 0 or first.estimate.value > first.estimate.half_width
