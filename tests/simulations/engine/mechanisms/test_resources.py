"""Downstream resources: what a connection pool leaves of the threads."""

import pytest

from simulations.engine.network.model import Downstream, Horizon, Pool
from simulations.engine.network.results import Extreme, Sum
from simulations.engine.replicate import replicate
from tests.simulations.engine.networks import constant, network, stream, surge


def test_job_6_forty_threads_behind_25_connections_drain_in_3_2_seconds() -> None:
    spec = network(
        stream(arrivals=surge(400), service=constant(0.2), downstream=Downstream(0, 1.0)),
        pool=Pool(threads_per_servant=40),
        horizon=Horizon(drained=True),
        resources=(25,),
    )
    result = replicate(spec, seed=1, replication=0)
    assert result.extremes[0, Extreme.LAST_OUTCOME] == pytest.approx(3.2)
    assert result.sums[:, 0, Sum.WAIT_DOWNSTREAM].sum() > 0.0


def test_only_the_last_share_of_the_service_holds_the_resource() -> None:
    spec = network(
        stream(arrivals=surge(2), service=constant(1.0), downstream=Downstream(0, 0.25)),
        pool=Pool(threads_per_servant=2),
        horizon=Horizon(drained=True),
        resources=(1,),
    )
    assert replicate(spec, seed=1, replication=0).extremes[0, Extreme.LAST_OUTCOME] == pytest.approx(1.25)
