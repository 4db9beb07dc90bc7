"""The result of a replication, and its checks: they hold, and each notices what it is there for."""

import numpy as np
import pytest

from simulations.engine.loop.kernel import run
from simulations.engine.network.model import Gate, Horizon, Pool
from simulations.engine.network.results import Extreme
from simulations.engine.packing.collect import collect
from simulations.engine.packing.tables import Tables, pack, variant_of
from tests.simulations.engine.networks import constant, network, poisson, stream, surge

pytestmark = pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")  # of samples without a message
SPEC = network(
    stream(arrivals=poisson(15.0), gate=Gate(6, 3), cpu_share=0.3),
    pool=Pool(threads_per_servant=4),
    horizon=Horizon(messages=2_000),
)


def simulated() -> Tables:
    tables = pack(SPEC, 1, 0, 0)
    run(tables.address, *variant_of(SPEC))
    return tables


def failed(tables: Tables) -> set[str]:
    return {check.name for check in collect(tables, 0, overflow=False).checks if not check.passed}


def test_every_check_holds() -> None:
    assert failed(simulated()) == set()


@pytest.mark.parametrize(
    ("field", "checks"),
    [("backlog", {"conservation"}), ("sojourn", {"little"}), ("parts_error", {"parts"})],
)
def test_a_wrong_number_of_a_stream_fails_its_check(field: str, checks: set[str]) -> None:
    tables = simulated()
    setattr(tables.streams[0], field, getattr(tables.streams[0], field) + 1.0)
    assert failed(tables) == checks


def test_a_wrong_working_time_fails_its_check() -> None:
    tables = simulated()
    tables.members[0].service_sum += 1.0
    assert failed(tables) == {"busy"}


def test_the_extremes_of_a_burst_are_exact() -> None:
    spec = network(
        stream(arrivals=surge(10), service=constant(0.5), message_size=100.0, gate=Gate(4, 2)),
        pool=Pool(threads_per_servant=2),
        horizon=Horizon(drained=True),
    )
    tables = pack(spec, 1, 0, 0)
    run(tables.address, *variant_of(spec))
    result = collect(tables, 3, overflow=True)
    assert (result.replication, result.overflow, result.stuck) == (3, True, False)
    extremes = dict(zip(Extreme, result.extremes[0].tolist(), strict=True))
    assert extremes[Extreme.LATENCY_MAX] == extremes[Extreme.LAST_OUTCOME] == 2.5
    assert (extremes[Extreme.BACKLOG_MAX], extremes[Extreme.BACKLOG_END]) == (10.0, 0.0)
    assert (extremes[Extreme.RELEASE_MIN], extremes[Extreme.RELEASE_MAX]) == (0.0, 0.0)
    assert extremes[Extreme.BUFFER_BYTES_MAX] == 400.0
    assert np.isfinite(result.timeline_at).all()
