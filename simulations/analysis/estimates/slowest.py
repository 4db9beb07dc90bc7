"""Where the time of the slowest messages goes: the replications once more, with sums of their own for these."""

from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from os import cpu_count

import numpy as np

from simulations.analysis.estimates.intervals import around, jackknife
from simulations.analysis.estimates.metrics import METRICS
from simulations.analysis.estimates.summary import Estimate
from simulations.analysis.replications.measures import Floats
from simulations.analysis.replications.rows import ratio
from simulations.engine.network.model import NetworkSpec
from simulations.engine.network.results import PARTS
from simulations.engine.replicate import replicate

NAMES = {metric.part: metric.name for metric in reversed(METRICS) if metric.part is not None}
"""The metric that each part is for a message on average."""


@lru_cache(maxsize=64)
def slowest_parts(
    network: NetworkSpec, seed: int, replications: int, slow_from: tuple[float, ...], skipped: int
) -> tuple[dict[str, Estimate], ...]:
    """Return for each stream the mean latency and its parts over the messages that took at least ``slow_from`` (s).

    The first ``replications`` (two or more) of ``network`` are simulated again without the first ``skipped`` segments.
    A stream has no estimates when without one of them no such message is left.
    """

    def one(number: int) -> Floats:
        result = replicate(network, seed=seed, replication=number, slow_from=slow_from)
        return np.asarray(result.slow[skipped:].sum(axis=0))

    with ThreadPoolExecutor(cpu_count()) as pool:
        slow = np.stack(list(pool.map(one, range(replications))))
    return tuple(_means(slow[:, stream]) for stream in range(len(network.streams)))


def _means(slow: Floats) -> dict[str, Estimate]:
    """Means per message from [replication, messages and seconds by part]."""
    whole, left_out = slow.sum(axis=0), slow.sum(axis=0) - slow
    if not (left_out[:, 0] > 0).all():
        return {}
    means = ratio(whole[1:], np.broadcast_to(whole[0], len(PARTS)))
    below, above = jackknife(means, left_out[:, 1:] / left_out[:, :1])
    spread = zip(PARTS, means.tolist(), below.tolist(), above.tolist(), strict=True)
    return {NAMES[part]: around(mean, low, high, "s") for part, mean, low, high in spread}
