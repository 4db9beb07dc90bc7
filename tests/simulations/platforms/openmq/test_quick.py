"""The consumer flow rule without a scenario."""

import pytest

from simulations.declarations.problems import InvalidInput
from simulations.platforms.openmq import OPENMQ


@pytest.mark.parametrize(
    ("limit", "most", "mean", "share"),
    [(16, 16, 12.07, 37.7), (32, 32, 23.61, 73.8), (63, 32, 32.0, 100), (64, 32, 32.0, 100)],
)
def test_a_pool_of_32_behind_a_limit(limit: int, most: int, mean: float, share: float) -> None:
    """Job J11 and fact list, example 42."""
    assert OPENMQ.quick
    answer = OPENMQ.quick({"platform": "openmq", "consumer_flow_limit": limit})
    assert answer["max_concurrency"] == most
    assert answer["mean_concurrency_saturated"] == mean
    assert 100 * answer["mean_share"] == pytest.approx(share, abs=0.05)
    assert answer["min_limit_for_full_pool"] == 64


def test_a_wrong_question_names_its_fields() -> None:
    assert OPENMQ.quick
    with pytest.raises(InvalidInput) as error:
        OPENMQ.quick({"platform": "openmq", "max_pool_size": 0, "consumer_flow_threshold": 130})
    assert {item.pointer for item in error.value.problems} == {"/max_pool_size", "/consumer_flow_threshold"}
