"""Each replication's part of an estimate: their mean is the metric, their order that of the numbers."""

import numpy as np
import pytest

from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.estimates.point import samples
from simulations.analysis.replications.rows import compact, stacked
from simulations.analysis.replications.sample import Sample, sample_of
from tests.simulations.analysis import synthetic

NETWORK = synthetic.network(18, 60.0, 0.2, messages=500)


def sample(*numbers: int) -> Sample:
    return sample_of(NETWORK, stacked([compact(synthetic.replication(NETWORK, number)) for number in numbers]))


@pytest.mark.parametrize("name", ["latency.mean", "latency.p95", "backlog.end"])
def test_there_is_one_of_each_replication_in_the_order_of_their_numbers(name: str) -> None:
    forward, backward = samples(sample(0, 1, 2, 3), BY_NAME[name]), samples(sample(3, 1, 0, 2), BY_NAME[name])
    assert len(forward) == 4
    assert forward == pytest.approx(backward)


def test_their_mean_is_the_merged_value_without_its_bias() -> None:
    merged = sample(*range(8)).everywhere.columns.measured(BY_NAME["latency.mean"].pooled)[0]  # type: ignore[arg-type]
    assert np.mean(samples(sample(*range(8)), BY_NAME["latency.mean"])) == pytest.approx(merged, rel=1e-3)


def test_segments_of_one_replication_and_missing_numbers_are_none() -> None:
    assert samples(sample(0), BY_NAME["latency.mean"]) == ()
    assert samples(sample(0, 1), BY_NAME["gate.blocked_fraction"]) == ()
