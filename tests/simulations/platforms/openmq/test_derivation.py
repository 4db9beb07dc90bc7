"""Formula answers of Open MQ."""

from typing import Any

import pytest

from simulations.platforms.openmq import OPENMQ
from tests.simulations.platforms.samples import formula_value, mdb


@pytest.mark.parametrize(
    ("settings", "limit"),
    [
        ({"consumer_flow_limit": 1000, "destination_consumer_flow_limit": 100}, 100),
        ({"consumer_flow_limit": -1, "destination_consumer_flow_limit": 100}, 100),
        ({"consumer_flow_limit": 0, "destination_consumer_flow_limit": 0}, 2**31 - 1),
        ({"prefetch": False}, 1),
    ],
)
def test_the_lower_limit_counts(settings: dict[str, Any], limit: int) -> None:
    """Fact list, examples 44 and 45, with the manual's reading of unlimited."""
    spec = mdb(**settings)
    assert formula_value(OPENMQ.derive(spec.system), "effective_limit") == limit
    window = spec.network().streams[0].window
    assert window is not None
    assert window.limit == limit


def test_a_topic_in_a_cluster_has_the_shared_limit() -> None:
    """Fact list, example 43."""
    derivation = OPENMQ.derive(mdb("topic", instances=2).system)
    assert (formula_value(derivation, "effective_limit"), formula_value(derivation, "top_up_threshold")) == (5, 2)
    assert {item.rule: item.status for item in derivation.findings}["openmq.shared-topic-limit"] == "violated"
