"""Values of single replications agree with the estimates that are made of them."""

from dataclasses import replace

import numpy as np
import pytest

from simulations.analysis.estimates import intervals, metric_estimates
from simulations.analysis.estimates.intervals import jackknife
from simulations.analysis.estimates.metric_estimates import replication_values
from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.replications.rows import compact, stacked
from simulations.analysis.replications.sample import Sample, sample_of
from simulations.engine.network.model import (
    ArrivalKind,
    ArrivalSpec,
    Horizon,
    Law,
    LawKind,
    NetworkSpec,
    Pool,
    Send,
    Stream,
)
from simulations.engine.network.results import Count
from simulations.engine.replicate import replicate
from tests.simulations.analysis import synthetic

NETWORK = synthetic.network(4, 15.0, 0.2, messages=500)


def sample(replications: int) -> Sample:
    rows = [compact(synthetic.replication(NETWORK, number)) for number in range(replications)]
    return sample_of(NETWORK, stacked(rows), 0.0)


@pytest.mark.parametrize("metric", ["throughput", "backlog.end", "latency.mean", "latency.max"])
def test_there_is_a_value_for_each_replication_around_the_estimate(metric: str) -> None:
    data = sample(6)
    ((_, values),) = replication_values(data.at_queue(0), [metric])
    estimate = metric_estimates.of_queue(data, 0, unstable=False)[metric]
    assert len(values) == 6
    assert values.min() <= estimate.value <= values.max()


def test_a_mean_of_replications_is_the_estimate_of_what_each_observed() -> None:
    data = sample(6)
    ((_, values),) = replication_values(data.everywhere, ["backlog.end"])
    assert values.mean() == metric_estimates.of_system(data, unstable=False)["backlog.end"].value


def test_a_single_replication_is_one_value_although_its_segments_gave_the_interval() -> None:
    data = sample(1)
    ((_, values),) = replication_values(data.at_queue(0), ["latency.p95"])
    assert values.tolist() == [metric_estimates.of_queue(data, 0, unstable=False)["latency.p95"].value]


def test_one_queue_alone_is_the_system() -> None:
    data = sample(3)
    names = ["latency.p99", "arrival_rate", "backlog.max"]
    here, everywhere = replication_values(data.at_queue(0), names), replication_values(data.everywhere, names)
    for (_, queue), (_, system) in zip(here, everywhere, strict=True):
        np.testing.assert_equal(queue, system)


def test_servers_have_threads_and_no_latency() -> None:
    ((_, values),) = replication_values(sample(3).at_server(0), ["threads.busy"])
    assert (values > 0).all()


def test_of_a_short_run_the_interval_of_a_high_percentile_is_longer_upwards() -> None:
    found = sample(40)
    estimates, columns = metric_estimates.of_system(found, unstable=False), found.everywhere.columns
    assert 100 < columns.beyond(0.99) < 2_000
    for name, factor in (("latency.p95", 1.0), ("latency.p99", 1.5)):
        measured = columns.measured(BY_NAME[name].pooled)  # type: ignore[arg-type]
        below, above = jackknife(measured[0], measured[1:])
        assert estimates[name].value - estimates[name].low == pytest.approx(float(below))
        assert estimates[name].high - estimates[name].value == pytest.approx(factor * float(above))


def test_a_percentile_with_few_messages_beyond_it_is_known_no_better_than_their_count() -> None:
    """With 8 messages beyond, Garwood: 3.4538 to 15.7632 of them may be."""
    network = synthetic.network(4, 15.0, 0.2, messages=16)
    data = sample_of(network, stacked([compact(synthetic.replication(network, number)) for number in range(10)]), 0.0)
    histogram = data.everywhere.columns.histogram.merged
    found = metric_estimates.of_system(data, unstable=False)["latency.p95"]
    assert histogram.sizes[0] == 160
    assert found.low <= 1.001 * histogram.percentile(1 - 0.05 * 15.7632 / 8)[0]
    assert found.high >= 0.999 * histogram.percentile(1 - 0.05 * 3.4538 / 8)[0]


@pytest.mark.parametrize(("each", "reach"), [(20, 0.05), (2_000, 0.0)])
def test_a_rate_of_few_messages_may_have_one_more_in_each_replication(each: int, reach: float) -> None:
    data = changed(sample(4), Count.ARRIVED, each)
    alike = replace(data, queues=(replace(data.queues[0], seconds=np.full(4, 10.0)),))
    rate = metric_estimates.of_queue(alike, 0, unstable=False)["arrival_rate"]
    assert (rate.value, rate.half_width) == pytest.approx((each / 10, reach * each / 10))


@pytest.mark.parametrize(
    ("each", "left", "reach"), [(200, 0.8, 1 / 0.8), (200, 1.0, 0.0), ([190, 200, 205, 215], 0.8, None)]
)
def test_a_count_of_whole_runs_misses_an_event_where_all_have_the_same_after_the_warm_up(
    each: int | list[int], left: float, reach: float | None
) -> None:
    data = changed(sample(4), Count.REJECTED, each)
    cut = replace(data, queues=(replace(data.queues[0], runs=np.full(4, left)),))
    found = metric_estimates.of_queue(cut, 0, unstable=False)["rejected"]
    below, above = map(float, intervals.reach(np.array(each) / left)) if reach is None else (reach, reach)
    assert (found.value - found.low, found.high - found.value) == pytest.approx((below, above), abs=1e-9)


@pytest.mark.parametrize(("replications", "highest"), [(1, "latency.p99"), (2, "latency.p999")])
def test_a_percentile_needs_a_message_beyond_it(replications: int, highest: str) -> None:
    """Of 500 messages half a one lies beyond p99.9: the longest of them is no such percentile."""
    known = metric_estimates.of_system(sample(replications), unstable=False)
    assert [name for name in known if name.startswith("latency.p")][-1] == highest


def test_the_time_of_a_chain_is_that_of_the_queues_that_are_sent_to_and_of_the_system_where_it_ends() -> None:
    pools = (Pool(threads_per_servant=2),) * 3
    law, nothing = Law(LawKind.EXPONENTIAL, 0.1), ArrivalSpec(ArrivalKind.NONE)
    first = Stream("a", 0, ArrivalSpec(ArrivalKind.POISSON, rate=8.0), law, sends=(Send(1, 1.0),))
    streams = (first, Stream("b", 1, nothing, law, sends=(Send(2, 0.5),)), Stream("c", 2, nothing, law))
    network = NetworkSpec(pools, streams, Horizon(messages=2_000))
    data = sample_of(
        network, stacked([compact(replicate(network, seed=1, replication=number)) for number in range(4)]), 0.0
    )
    system = metric_estimates.of_system(data, unstable=False)
    queues = [metric_estimates.of_queue(data, index, unstable=False) for index in range(3)]
    assert "end_to_end.p95" not in queues[0]
    assert queues[0]["latency.mean"].value < queues[1]["end_to_end.mean"].value < queues[2]["end_to_end.mean"].value
    for metric in ("end_to_end.mean", "end_to_end.p95"):
        assert system[metric] == queues[2][metric]
        ((_, values),) = replication_values(data.at_queue(2), [metric])
        assert values.min() <= system[metric].value <= values.max()


def changed(data: Sample, column: Count, each: int | list[int]) -> Sample:
    """The sample with so many events in each replication."""
    counts = data.queues[0].counts.copy()
    counts[:, column] = each
    return replace(data, queues=(replace(data.queues[0], counts=counts),))


def test_replications_that_agree_on_few_events_are_no_proof() -> None:
    """A count of 4 may be 1.0899 to 10.2416; 4 events of unknown size 0.2256 to 5.369 times what they were."""
    data = sample(4)
    rejected = metric_estimates.of_queue(changed(data, Count.REJECTED, 1), 0, unstable=False)["rejected"]
    assert (rejected.value, rejected.note) == (
        1.0,
        "4 replications only: the interval is wide; rests on 4 events: a rough value",
    )
    assert (rejected.low, rejected.high) == pytest.approx((1.0899 / 4, 10.2416 / 4), abs=1e-4)
    overtaken = metric_estimates.of_queue(changed(data, Count.OVERTAKEN, 1), 0, unstable=False)["overtaken_fraction"]
    spread = (overtaken.low / overtaken.value, overtaken.high / overtaken.value)
    assert spread == pytest.approx((0.2256, 5.3694), abs=1e-3)


def test_of_many_events_and_of_all_messages_the_replications_tell_the_spread() -> None:
    many = metric_estimates.of_queue(changed(sample(4), Count.REJECTED, 50), 0, unstable=False)["rejected"]
    assert (many.value, many.low, many.high) == (50.0, 50.0, 50.0)
    short = synthetic.network(4, 15.0, 0.2, messages=20)
    rows = [compact(synthetic.replication(short, number)) for number in range(4)]
    done = metric_estimates.of_queue(sample_of(short, stacked(rows), 0.0), 0, unstable=False)["throughput"]
    assert "events" not in done.note
