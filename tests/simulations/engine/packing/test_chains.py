"""What is said of streams that send to each other before a run."""

import pytest

from simulations.engine.network.model import (
    ArrivalKind,
    ArrivalSpec,
    Copies,
    Horizon,
    NetworkSpec,
    Pool,
    Send,
    Stream,
    Transaction,
)
from simulations.engine.packing.chains import chained, finite_messages, most_sent, streams_sent_to
from simulations.engine.packing.tables import EVERYTHING, PLAIN, pack, variant_of
from simulations.engine.packing.validate import NetworkError, check_network
from tests.simulations.engine.networks import poisson, stream, surge

NOTHING = ArrivalSpec(ArrivalKind.NONE)


def spec_of(*streams: Stream, horizon: Horizon = Horizon(messages=10)) -> NetworkSpec:  # noqa: B008
    return NetworkSpec((Pool(instances=2),), streams, horizon)


FIRST = stream(arrivals=surge(7), sends=(Send(1, 2.4), Send(2)), transaction=Transaction(batch=3))
SECOND = stream(arrivals=NOTHING, copies=Copies.PER_INSTANCE, sends=(Send(2, 0.0),))
THIRD = stream(arrivals=NOTHING)
ALONE = stream()


def test_a_stream_has_at_most_what_is_sent_to_it() -> None:
    spec = spec_of(FIRST, SECOND, THIRD, ALONE)
    assert [finite_messages(spec, q) for q in range(4)] == [7, 42, 7, 0]
    assert finite_messages(spec_of(stream(sends=(Send(1),)), stream(arrivals=surge(3))), 1) == 0


def test_slots_are_kept_for_what_one_commit_sends() -> None:
    spec = spec_of(FIRST, SECOND, THIRD, ALONE)
    assert most_sent(spec) == 3 * (3 * 2 + 1)
    tables = pack(spec, 1, 0, 0)
    assert tables.head.reserve == most_sent(spec) < tables.origins.size == tables.messages.size


def test_each_stream_that_is_sent_to_has_a_histogram_more() -> None:
    spec = spec_of(FIRST, SECOND, THIRD, ALONE)
    assert (streams_sent_to(spec), chained(spec)) == ([1, 2], [0, 1, 2])
    assert pack(spec, 1, 0, 0).head.histograms == 6


def test_only_pools_with_chains_need_the_whole_loop() -> None:
    assert variant_of(spec_of(ALONE, ALONE)) == PLAIN
    assert variant_of(spec_of(stream(sends=(Send(1),)), THIRD)) == EVERYTHING


@pytest.mark.parametrize(
    ("streams", "wording"),
    [
        ((stream(sends=(Send(1),)),), "streams that exist"),
        ((stream(sends=(Send(1, -1.0),)), THIRD), "not fewer than 0"),
        ((stream(sends=(Send(1),)), stream(sends=(Send(0),))), "must not go in a circle"),
        ((stream(sends=(Send(0),)),), "must not go in a circle"),
    ],
)
def test_chains_that_make_no_sense_are_refused(streams: tuple[Stream, ...], wording: str) -> None:
    with pytest.raises(NetworkError, match=wording):
        check_network(spec_of(*streams))


def test_a_chain_behind_a_surge_can_drain() -> None:
    check_network(spec_of(FIRST, SECOND, THIRD, horizon=Horizon(drained=True)))
    with pytest.raises(NetworkError, match="drained"):
        check_network(spec_of(stream(arrivals=poisson(1.0), sends=(Send(1),)), THIRD, horizon=Horizon(drained=True)))
