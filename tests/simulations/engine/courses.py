"""Courses of small networks in which nothing is drawn: what happened when, to which message."""

from typing import Any

import numpy as np

from simulations.engine.draws.numbers import Purpose, stream_key, uniform
from simulations.engine.network.model import Horizon, NetworkSpec, Pool
from simulations.engine.network.results import Count, ReplicationResult
from simulations.engine.records.codes import Step
from simulations.engine.replicate import replicate, replicate_traced
from tests.simulations.engine.networks import constant, network, stream, total

SECOND = constant(1.0)


def course(spec: NetworkSpec, *steps: Step) -> list[tuple[float, int, int]]:
    """Return instant, stream and message of each of the ``steps``, in their order."""
    rows = replicate_traced(spec, seed=1, replication=0, trace=1_000)[1]
    return [(row["time"].item(), int(row["stream"]), int(row["message"])) for row in rows if row["step"] in steps]


def instants(spec: NetworkSpec, step: Step, q: int = 0) -> list[float]:
    return [time for time, at, _ in course(spec, step) if at == q]


def one(*, pool: Pool = Pool(), horizon: Horizon = Horizon(time=50.0), **settings: Any) -> NetworkSpec:  # noqa: B008
    """Return one stream of messages that take a second each."""
    return network(stream(**{"service": SECOND, **settings}), pool=pool, horizon=horizon)


def counted(spec: NetworkSpec, *columns: Count) -> list[int]:
    result: ReplicationResult = replicate(spec, seed=1, replication=0)
    assert all(check.passed for check in result.checks), result.checks
    return [total(result, column) for column in columns]


def is_urgent(message: int, share: float) -> bool:
    """Whether the message of the first stream is one of the ``share`` with a higher priority."""
    return bool(uniform(np.uint64(stream_key(1, 0, Purpose.PRIORITY, 0)), message) < share)
