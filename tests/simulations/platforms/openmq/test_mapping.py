"""Windows, redeliveries and quotas as the engine gets them."""

import pytest

from simulations.platforms.openmq import OPENMQ
from tests.simulations.platforms.samples import mdb


@pytest.mark.parametrize(("attempts", "count"), [(6, 7), (1, 2), (0, 1)])
def test_invocations_before_the_dead_message_queue(attempts: int, count: int) -> None:
    """Fact list, example 46."""
    spec = mdb(redelivery_attempts=attempts)
    assert OPENMQ.derive(spec.system).value("invocations") == count
    redelivery = spec.network().streams[0].redelivery
    assert (redelivery.limit, redelivery.delay, redelivery.in_place) == (count, 0.5, True)
