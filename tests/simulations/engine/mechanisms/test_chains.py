"""What beans send on: when it arrives, what a full destination does to the sender, and networks of product form."""

import dataclasses
import math
from functools import partial

import numpy as np
import pytest

from simulations.engine.network.model import (
    ArrivalKind,
    ArrivalSpec,
    Copies,
    Horizon,
    LimitBehaviour,
    NetworkSpec,
    Pool,
    Quota,
    Redelivery,
    Send,
    Stream,
    Transaction,
)
from simulations.engine.network.results import Count, Extreme, ReplicationResult, Sum, bin_edges
from simulations.engine.records.codes import Step
from simulations.engine.replicate import replicate
from tests.simulations.engine.courses import SECOND, instants
from tests.simulations.engine.networks import (
    constant,
    exponential,
    interval,
    poisson,
    queueing_probability,
    steady,
    stream,
    surge,
    total,
)

NOTHING = ArrivalSpec(ArrivalKind.NONE)
LAST = stream(name="b", pool=1, arrivals=NOTHING, service=SECOND)


def tandem(first: Stream, last: Stream = LAST, *, horizon: Horizon = Horizon(time=50.0)) -> NetworkSpec:  # noqa: B008
    """Return two streams, each with two threads; the first sends to the last what it says, or one for each."""
    sends = first.sends or (Send(1),)
    return NetworkSpec((Pool(threads_per_servant=2),) * 2, (dataclasses.replace(first, sends=sends), last), horizon)


def run(spec: NetworkSpec) -> ReplicationResult:
    result = replicate(spec, seed=1, replication=0)
    assert all(check.passed for check in result.checks), result.checks
    return result


def test_messages_arrive_with_the_commit_of_those_that_sent_them() -> None:
    batches = Transaction(batch=2, commit_time=0.5)
    spec = tandem(stream(arrivals=surge(4), service=SECOND, transaction=batches))
    assert instants(spec, Step.ARRIVE, 1) == instants(spec, Step.COMPLETE, 0) == [2.5, 2.5, 2.5, 2.5]


def test_the_time_of_a_chain_counts_from_its_first_arrival() -> None:
    result = run(tandem(stream(arrivals=surge(2), service=SECOND)))
    assert result.sums[:, 1, Sum.LATENCY].sum() == 2.0
    assert result.sums[:, 1, Sum.END_TO_END].sum() == 4.0
    assert result.sums[:, 0, Sum.END_TO_END].sum() == 0.0
    counts = result.histograms[:, 2].sum(axis=0)
    assert (counts.sum(), bin_edges()[counts.argmax()]) == (2, 2.0)


def test_a_message_sends_the_whole_number_and_one_more_by_chance() -> None:
    numbers = []
    for threads in (1, 5):
        first = stream(arrivals=surge(10_000), service=constant(0.001), sends=(Send(1, 2.4),))
        spec = tandem(first, dataclasses.replace(LAST, service=constant(1e-5)), horizon=Horizon(drained=True))
        spec = dataclasses.replace(spec, pools=(Pool(threads_per_servant=threads), spec.pools[1]))
        numbers.append(total(run(spec), Count.COMPLETED, 1))
    assert numbers[0] == numbers[1] == pytest.approx(24_000, abs=4 * math.sqrt(10_000 * 0.24))


def test_a_rolled_back_try_sends_nothing() -> None:
    first = stream(arrivals=surge(500), service=constant(0.01), failure_rate=0.5, redelivery=Redelivery(limit=3))
    result = run(tandem(first, dataclasses.replace(LAST, service=constant(0.001)), horizon=Horizon(drained=True)))
    assert total(result, Count.ARRIVED, 1) == total(result, Count.COMPLETED) < 500
    assert total(result, Count.COMPLETED) + total(result, Count.DEAD_LETTERS) == 500


def test_a_full_destination_fails_the_delivery_that_would_send_there() -> None:
    full = dataclasses.replace(LAST, quota=Quota(messages=3))
    result = run(tandem(stream(arrivals=surge(8), service=constant(0.1)), full, horizon=Horizon(drained=True)))
    assert total(result, Count.COMPLETED) == total(result, Count.COMPLETED, 1) == 8
    assert total(result, Count.FAILED) == total(result, Count.REDELIVERIES) > 0
    assert total(result, Count.REJECTED, 1) == 0
    assert result.extremes[1, Extreme.BACKLOG_MAX] <= 3


def test_a_destination_that_drops_others_takes_what_is_sent() -> None:
    bounds = Quota(messages=3, behaviour=LimitBehaviour.REMOVE_OLDEST)
    result = run(tandem(stream(arrivals=surge(8), service=constant(0.1)), dataclasses.replace(LAST, quota=bounds)))
    assert total(result, Count.FAILED) == 0
    assert total(result, Count.DROPPED, 1) == 8 - total(result, Count.COMPLETED, 1) > 0


def test_every_instance_gets_a_copy_of_what_is_sent_to_a_topic() -> None:
    spec = tandem(stream(arrivals=surge(2), service=SECOND), dataclasses.replace(LAST, copies=Copies.PER_INSTANCE))
    result = run(dataclasses.replace(spec, pools=(spec.pools[0], Pool(instances=3))))
    assert result.per_instance[1].tolist() == [2, 2, 2]


def test_a_run_that_drains_ends_with_the_last_of_the_chain() -> None:
    first = stream(arrivals=surge(100), service=constant(0.01), sends=(Send(1, 0.3),))
    result = run(tandem(first, dataclasses.replace(LAST, service=constant(0.02)), horizon=Horizon(drained=True)))
    assert not result.stuck
    assert 0 < total(result, Count.COMPLETED, 1) == total(result, Count.ARRIVED, 1) < 100


def test_a_saturated_sender_never_lacks_slots_for_what_it_sends() -> None:
    first = stream(arrivals=ArrivalSpec(ArrivalKind.SATURATED), service=constant(0.01), sends=(Send(1, 100.0),))
    result = run(tandem(first, LAST, horizon=Horizon(time=10.0)))
    assert total(result, Count.ARRIVED, 1) == 100 * total(result, Count.COMPLETED) > 190_000


def sojourn(rate: float, mean: float, servers: int) -> float:
    """Return the mean time in an M/M/c."""
    load = rate * mean
    return mean + queueing_probability(servers, load) * mean / (servers - load)


def queues(*parts: tuple[int, float, ArrivalSpec, tuple[Send, ...]], messages: int) -> NetworkSpec:
    """Return streams with threads of their own: their number, mean service, arrivals and what they send."""
    pools = tuple(Pool(threads_per_servant=servers, cpus=servers) for servers, *_ in parts)
    streams = tuple(
        Stream(f"q{q}", q, arrivals, exponential(mean), sends=sends)
        for q, (_, mean, arrivals, sends) in enumerate(parts)
    )
    return NetworkSpec(pools, streams, Horizon(messages=messages))


@pytest.mark.parametrize(
    ("spec", "rates"),
    [
        (queues((1, 0.05, poisson(14.0), (Send(1),)), (1, 0.06, NOTHING, ()), messages=80_000), (14.0, 14.0)),
        (queues((3, 0.15, poisson(16.0), (Send(1),)), (4, 0.2, NOTHING, ()), messages=80_000), (16.0, 16.0)),
        (
            queues(
                (2, 0.08, poisson(20.0), (Send(1, 0.3), Send(2, 0.6))),
                (1, 0.1, NOTHING, ()),
                (3, 0.12, poisson(5.0), (Send(3, 0.5),)),
                (1, 0.09, NOTHING, ()),
                messages=120_000,
            ),
            (20.0, 6.0, 17.0, 8.5),
        ),
    ],
)
def test_feedforward_networks_have_product_form(spec: NetworkSpec, rates: tuple[float, ...]) -> None:
    for q, rate in enumerate(rates):
        expected = sojourn(rate, spec.streams[q].service.a, spec.pools[q].threads)
        lower, upper = interval(spec, partial(steady, column=Sum.LATENCY, q=q))
        assert lower <= expected <= upper, q


def test_the_times_in_two_single_servers_in_line_are_independent() -> None:
    """The whole time is the sum of two exponential ones (Reich 1957)."""
    spec = queues((1, 0.05, poisson(14.0), (Send(1),)), (1, 0.06, NOTHING, ()), messages=80_000)
    ends = 1 / 0.05 - 14.0, 1 / 0.06 - 14.0

    def p95(result: ReplicationResult) -> float:
        counts = result.histograms[4:, 2].sum(axis=0).cumsum()
        return float(bin_edges()[int((counts >= 0.95 * counts[-1]).argmax())])

    times = np.linspace(0.0, 5.0, 200_001)
    tail = (ends[1] * np.exp(-ends[0] * times) - ends[0] * np.exp(-ends[1] * times)) / (ends[1] - ends[0])
    lower, upper = interval(spec, p95)
    assert lower <= times[int((tail <= 0.05).argmax())] <= upper
