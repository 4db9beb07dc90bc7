"""The door of the engine: check, allocate, run the compiled loop, wrap."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulations.engine.loop.kernel import BUILD, run
from simulations.engine.network.model import NetworkSpec
from simulations.engine.network.results import ReplicationResult
from simulations.engine.packing.collect import collect
from simulations.engine.packing.numbering import UNLIMITED
from simulations.engine.packing.tables import Tables, Variant, pack, variant_of
from simulations.engine.packing.validate import NetworkError, check_network
from simulations.engine.records.codes import Status

MOST_MESSAGES = 4_000_000
"""Most messages inside the network at once; a replication that reaches it ends early as ``overflow``."""
_WORDS = 2**63

__all__ = ["NetworkError", "replicate", "replicate_traced"]


def replicate(
    network: NetworkSpec,
    *,
    seed: int,
    replication: int,
    slow_from: Sequence[float] = (),
    most_messages: int = MOST_MESSAGES,
    most_events: int = UNLIMITED,
) -> ReplicationResult:
    """Simulate one replication of ``network``.

    The result is a pure function of the arguments. ``slow_from``, a latency in seconds for each stream, adds separate
    sums over the messages that took at least as long. ``most_messages`` inside at once end it early,
    and so do ``most_events``, as ``stuck``. Raises NetworkError when the network, seed or replication number makes no
    sense.
    """
    limits = {"most_messages": most_messages, "most_events": most_events}
    return replicate_traced(network, seed=seed, replication=replication, trace=0, slow_from=slow_from, **limits)[0]


def replicate_traced(
    network: NetworkSpec,
    *,
    seed: int,
    replication: int,
    trace: int,
    slow_from: Sequence[float] = (),
    most_messages: int = MOST_MESSAGES,
    most_events: int = UNLIMITED,
) -> tuple[ReplicationResult, NDArray[Any]]:
    """Simulate one replication and keep its first ``trace`` steps, as records of ``layout.TraceStep``. Message k of a
    stream is its k-th arrival; ``inflight`` is the number at the message's port after the step."""
    check_network(network)
    if not 0 <= seed < _WORDS or not 0 <= replication < _WORDS:
        msg = f"seed and replication must be in 0..2^63-1, not {seed} and {replication}"
        raise NetworkError(msg)
    with np.errstate(all="ignore"):
        tables = pack(network, seed, replication, trace)
        tables.streams.slow_from[:] = slow_from or np.inf
        tables.head.most_events = most_events
        overflow = _simulate(tables, variant_of(network), most_messages)
        result = collect(tables, replication, overflow=overflow)
    if tables.head.build != BUILD:
        msg = "the compiled engine does not belong to these sources"
        raise RuntimeError(msg)
    steps: NDArray[Any] = tables.steps
    return result, steps[::-1][: trace - int(tables.head.steps_left)]


def _simulate(tables: Tables, variant: Variant, most_messages: int) -> bool:
    """Run the loop to its end; True when it was cut short because messages piled up."""
    head = tables.head
    run(tables.address, *variant)
    while head.status == Status.GROW:
        if tables.messages.size >= most_messages:
            return True
        tables.grow()
        run(tables.address, *variant)
    return False
