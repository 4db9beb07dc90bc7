"""The checks that every replication makes on itself."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulations.engine.network.results import Check, Count, PoolSum, Sum
from simulations.engine.packing.tables import Tables
from simulations.engine.records.codes import State

TOLERANCE = 1e-9
"""Largest relative violation of an identity between sums of floats."""
_ROUNDING = 4.0 * float(np.finfo(np.float64).eps)
_OUTCOMES = [Count.COMPLETED, Count.DEAD_LETTERS, Count.REJECTED, Count.DROPPED]
_PARTS = slice(Sum.WAIT_DESTINATION, Sum.REDELIVERY + 1)


def _relative(left: Any, right: Any, rounding: Any = 0.0) -> float:
    """Return the largest relative difference between two arrays, beyond what ``rounding`` explains."""
    left, right = np.asarray(left, dtype=np.float64), np.asarray(right, dtype=np.float64)
    scale = np.maximum(np.abs(left), np.abs(right))
    difference = np.maximum(np.abs(left - right) - rounding, 0.0)
    return float(np.max(difference / np.where(scale > 0.0, scale, 1.0), initial=0.0))


def _check(name: str, residual: float) -> Check:
    return Check(name=name, passed=residual <= TOLERANCE, residual=residual)


def balance(
    tables: Tables, counts: NDArray[np.int64], sums: NDArray[np.float64], worked: NDArray[np.float64]
) -> tuple[Check, ...]:
    """Return the identities that must hold at the end of every replication, with how far each is off.

    ``counts`` and ``sums`` are totals by stream, ``worked`` by member.

    - conservation: arrived = completed + dead + rejected + dropped + inside, by stream;
    - little: the integrals of the populations = the sojourns of those that left and, so far, of those inside;
    - busy: the integral of busy threads = the working times of all threads;
    - parts: the parts of every message's latency sum to it.
    """
    now = float(tables.head.now)
    streams, members, threads = tables.streams, tables.members, tables.threads
    inside = streams.backlog + streams.prepared + streams.running
    conserved = counts[:, Count.ARRIVED] - counts[:, _OUTCOMES].sum(axis=1) - inside
    population = sums[:, [Sum.BACKLOG, Sum.PREPARED, Sum.RUNNING]].sum(axis=1)
    sojourn = streams.sojourn + streams.inside * now - streams.arrived_sum
    instants = counts[:, Count.ARRIVED] * now  # sums as large as that are rounded; a population may be 0 all the time
    busy = threads.state == State.BUSY
    working = np.zeros(members.size)
    np.add.at(working, threads.member[busy], now - threads.since[busy])
    parts = _relative(sums[:, _PARTS].sum(axis=1), sums[:, Sum.LATENCY])
    return (
        _check("conservation", float(np.abs(conserved).max())),
        _check("little", _relative(population, sojourn, _ROUNDING * instants)),
        _check("busy", _relative(worked[:, PoolSum.BUSY], members.service_sum + working)),
        _check("parts", max(parts, float(streams.parts_error.max()))),
    )
