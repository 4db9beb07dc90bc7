"""Every metric of every replication on its own: what the estimates and their intervals are made of.

A percentile of merged replications is not the mean of theirs, so these values explain an estimate without summing up
to it; differences between points pair up by replication number (common random numbers).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.replications.columns import Columns, Floats
from simulations.analysis.replications.measures import Observed
from simulations.analysis.replications.sample import Sample


@dataclass(frozen=True)
class Values:
    """One metric of one place: a value for each replication, nan where it says nothing."""

    metric: str
    replications: NDArray[np.int64]
    values: Floats


def of_system(sample: Sample, metrics: Iterable[str]) -> Iterator[Values]:
    """Yield the metrics over all queues together."""
    return _values(sample, sample.system, sample.foreground, metrics)


def of_queue(sample: Sample, index: int, metrics: Iterable[str]) -> Iterator[Values]:
    """Yield the metrics of one queue."""
    return _values(sample, sample.queues[index], [index], metrics)


def of_pool(sample: Sample, index: int, metrics: Iterable[str]) -> Iterator[Values]:
    """Yield the metrics of one server."""
    return _values(sample, sample.pools[index], [], metrics)


def _values(sample: Sample, columns: Columns, streams: list[int], metrics: Iterable[str]) -> Iterator[Values]:
    # A single replication was cut into its segments to get an interval; here it is one value again.
    whole = columns if sample.units == "replications" else columns.merged()
    observed = _at(sample.observed, streams)
    for name in metrics:
        metric = BY_NAME[name]
        if metric.pooled is not None:
            yield Values(name, sample.replications, metric.pooled(whole))
        elif metric.observed is not None:
            yield Values(name, sample.replications, metric.observed(observed))


def _at(observed: Observed, streams: list[int]) -> Observed:
    return Observed(observed.extremes[:, streams], observed.per_instance[:, streams], observed.growth[:, streams])
