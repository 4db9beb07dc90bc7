"""What each replication says of a metric, so that any two points with the same random numbers can be compared."""

import numpy as np

from simulations.analysis.estimates.metrics import Metric
from simulations.analysis.replications.sample import Sample


def samples(sample: Sample, metric: Metric) -> tuple[float, ...]:
    """Return what each replication says of the metric, in the order of their numbers; empty where it has no number.

    Their mean is the metric without the bias of its percentile, and points with the same random numbers have them in
    pairs. Of a pooled metric these are the jackknife's pseudo-values.
    """
    place, count = sample.everywhere, len(sample.replications)
    if metric.observed is not None:
        values = metric.observed(place.observed)
    elif metric.pooled is not None:
        whole, *left_out = place.columns.measured(metric.pooled)
        values = count * whole - (count - 1) * np.array(left_out)
    if len(values) != count or not np.isfinite(values).all():
        return ()
    return tuple(values[np.argsort(sample.replications)].tolist())
