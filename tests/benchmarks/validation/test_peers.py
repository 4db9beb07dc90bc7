"""SimPy and Ciw say what the engine says, and would not agree with an engine that is wrong."""

import numpy as np
import pytest

from benchmarks.limits.simpy_resources import ThreadResource
from benchmarks.validation.peers import Peer, compare_peer, peers
from tests.simulations.analysis.simulators import engine, slow_threads

MODELS = peers(20_000)


@pytest.mark.parametrize("peer", MODELS, ids=lambda peer: f"{peer.simulator}: {peer.model}")
def test_the_engine_agrees(peer: Peer) -> None:
    found = compare_peer(peer, engine, messages=2000, replications=5, seed=1)
    assert [agreement.metric for agreement in found] == ["latency.mean", "latency.p95"]
    assert all(agreement.agrees for agreement in found)


def test_simpys_own_parts_say_what_the_model_by_hand_says() -> None:
    for peer in (peer for peer in MODELS if peer.simulator == "SimPy"):
        np.testing.assert_array_equal(ThreadResource(peer.network, 1).run(3000), peer.latencies(peer.network, 3000, 1))


def test_a_wrong_engine_does_not() -> None:
    found = compare_peer(MODELS[1], slow_threads, messages=2000, replications=5, seed=1)
    assert not any(agreement.agrees for agreement in found)
