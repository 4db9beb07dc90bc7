"""Streams as records: what stands before their threads, what they will ever have, and their derived numbers."""

import pytest

from simulations.engine.network.model import (
    ArrivalKind,
    ArrivalSpec,
    Copies,
    Downstream,
    FlowControl,
    Gate,
    Horizon,
    LimitBehaviour,
    NetworkSpec,
    Poller,
    PollerKind,
    Pool,
    Quota,
    Redelivery,
    Stream,
    Thresholds,
    Timeouts,
    Transaction,
    Window,
)
from simulations.engine.packing.chains import finite_messages
from simulations.engine.packing.streams import is_foreground, staging_of
from simulations.engine.packing.tables import Tables, pack
from simulations.engine.records.codes import NONE, Staging
from tests.simulations.engine.networks import constant, exponential, network, poisson, stream, surge

POOL, TEN = Pool(instances=3, threads_per_servant=2), Horizon(messages=10)
TRACE = ArrivalSpec(ArrivalKind.TRACE, instants=(0.0, 1.0, 1.0, 1.0, 2.0), sizes=(1.0, 2.0, 3.0, 4.0, 5.0))


def spec_of(*streams: Stream, horizon: Horizon = TEN) -> NetworkSpec:
    return network(*streams, pool=POOL, horizon=horizon, resources=(1,))


def packed(*streams: Stream) -> Tables:
    return pack(spec_of(*streams), 1, 0, 0)


@pytest.mark.parametrize(
    ("spec", "staging"),
    [
        (stream(), Staging.DIRECT),
        (stream(poller=Poller(PollerKind.ON_MESSAGE, 1)), Staging.DIRECT),
        (stream(poller=Poller(PollerKind.TOKEN, 1)), Staging.POLLED),
        (stream(gate=Gate(2, 1)), Staging.GATED),
        (stream(window=Window(2, 1)), Staging.WINDOW),
        (stream(pipeline=1, poller=Poller(PollerKind.ON_MESSAGE, 1)), Staging.PIPELINE),
    ],
)
def test_what_stands_between_destination_and_threads(spec: Stream, staging: Staging) -> None:
    assert staging_of(spec) == staging
    assert packed(spec).streams[0].staging == staging


def test_arrivals_that_end_have_a_number_of_messages_with_all_copies() -> None:
    copied = stream(arrivals=surge(7), copies=Copies.PER_INSTANCE)
    later = stream(arrivals=ArrivalSpec(ArrivalKind.SURGE, rate=1.0, count=7))
    specs = (stream(arrivals=surge(7)), copied, stream(arrivals=TRACE), later, stream())
    assert [finite_messages(spec_of(spec), 0) for spec in specs] == [7, 21, 5, 0, 0]


def test_background_work_is_foreground_only_where_nothing_else_is() -> None:
    front, back, burst = stream(), stream(background=True), stream(background=True, arrivals=surge(3))
    assert [is_foreground(spec_of(front, back), q) for q in (0, 1)] == [True, False]
    assert is_foreground(spec_of(back), 0)
    draining = spec_of(front, burst, horizon=Horizon(drained=True))
    assert [is_foreground(draining, q) for q in (0, 1)] == [False, True]


@pytest.mark.parametrize(
    ("settings", "futile"),
    [
        ({"service": constant(2.0), "transaction": Transaction(lifetime=1.0)}, 1),
        ({"service": constant(2.0), "timeouts": Timeouts(dispatch=1.0)}, 1),
        ({"service": constant(1.0), "transaction": Transaction(lifetime=1.0)}, 0),
        ({"service": exponential(2.0), "transaction": Transaction(lifetime=1.0)}, 0),
        ({"poison_rate": 1.0}, 1),
        ({"failure_rate": 1.0, "redelivery": Redelivery(limit=3)}, 0),
        ({"failure_rate": 0.9}, 0),
    ],
)
def test_work_that_can_never_succeed_is_marked(settings: dict[str, object], futile: int) -> None:
    assert packed(stream(**settings)).streams[0].futile == futile


def test_message_slots_of_one_instant_are_known() -> None:
    many = stream(arrivals=TRACE, copies=Copies.PER_INSTANCE)
    assert packed(stream(arrivals=surge(7)), many, stream()).streams.burst.tolist() == [7, 9, 1]
    assert packed(many).streams[0].slots == 3


def test_arrivals_and_sizes_of_a_log_are_values() -> None:
    tables = packed(stream(), stream(arrivals=TRACE))
    row, values = tables.streams[1], tables.values.value.tolist()
    assert values[row.first_value : row.first_value + row.values] == list(TRACE.instants)
    assert values[row.sizes : row.sizes + row.count] == list(TRACE.sizes)
    assert tables.streams[0].sizes == NONE


def test_the_steps_of_flow_control_are_computed_once() -> None:
    flow = FlowControl(400.0, 100.0, 60.0, 2, Thresholds(9, 3, 8.0, 2.0))
    tables = packed(stream(flow=flow))
    row = tables.streams[0]
    assert (row.flow_maximum, row.flow_minimum, row.flow_step) == (400.0, 100.0, 30.0)
    assert (row.flow_ratio, row.flow_climb) == (0.5, 150.0)
    marks = tables.thresholds[row.own_thresholds]
    assert (marks.messages_high, marks.messages_low, marks.bytes_high, marks.bytes_low) == (9, 3, 8.0, 2.0)
    assert row.shared_thresholds == NONE


def test_every_producer_of_a_bounded_destination_has_a_record() -> None:
    quota = Quota(5, 6.0, LimitBehaviour.FLOW_CONTROL, 7.0, producer_batch=0, producer_bytes=3.0, one_way_window=4)
    tables = packed(stream(producers=9), stream(producers=2, quota=quota), stream(producers=3, quota=Quota(1)))
    assert tables.producers.stream.tolist() == [1, 1, 2, 2, 2]
    assert [row.first_producer for row in tables.streams] == [0, 0, 2]
    assert tables.producers.granted.tolist() == [1] * 5
    assert tables.producers.one_way.tolist() == [4, 4, 1, 1, 1]
    row = tables.streams[1]
    assert (row.quota_messages, row.quota_bytes, row.behaviour, row.send_timeout) == (5, 6.0, quota.behaviour, 7.0)
    assert row.producer_bytes == 3.0


def test_deliveries_are_packed() -> None:
    full = stream(
        arrivals=poisson(3.0),
        transaction=Transaction(4, 0.5, 6.0),
        redelivery=Redelivery(0.25, 5, in_place=True),
        downstream=Downstream(0, 0.75),
        size_law=exponential(100.0),
        search=exponential(0.1),
        urgent_share=0.3,
    )
    plain, row = packed(stream(), full).streams
    assert (row.search, row.urgent_share, row.urgent_lines) == (7, 0.3, 1)
    assert (plain.search, plain.urgent_share, plain.urgent_lines) == (NONE, 0.0, 0)
    assert (row.transactional, row.batch, row.commit_time, row.lifetime) == (1, 4, 0.5, 6.0)
    assert (row.retry_delay, row.retry_limit, row.in_place) == (0.25, 5, 1)
    assert (row.resource, row.share, row.size_law) == (0, 0.75, 6)
    assert (plain.transactional, plain.batch, plain.resource, plain.size_law) == (0, 1, NONE, NONE)
