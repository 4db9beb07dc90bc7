"""The compiled loop and its slow twin must write the same trace, event by event."""

import dataclasses
import math

from hypothesis import given
from hypothesis import strategies as st

from simulations.engine.network import (
    ArrivalKind,
    ArrivalSpec,
    Constraint,
    Copies,
    Dispatch,
    Downstream,
    Exhausted,
    FlowControl,
    Gate,
    Horizon,
    LimitBehaviour,
    NetworkSpec,
    Poller,
    PollerKind,
    Pool,
    PoolGrowth,
    Quota,
    Redelivery,
    Stream,
    TimeoutAction,
    Timeouts,
    Transaction,
    Window,
)
from simulations.engine.replicate import replicate_traced
from tests.examples import examples
from tests.simulations.engine.networks import SATURATED, constant, exponential, poisson, stream
from tests.simulations.engine.twin import simulate

STEPS = 200

arrivals = st.one_of(
    st.builds(poisson, st.floats(2.0, 60.0)),
    st.builds(lambda rate: ArrivalSpec(ArrivalKind.CONSTANT, rate=rate), st.floats(2.0, 60.0)),
    st.builds(
        lambda count, rate: ArrivalSpec(ArrivalKind.SURGE, count=count, rate=rate),
        st.integers(1, 30),
        st.floats(1.0, 40.0),
    ),
    st.just(SATURATED),
)
services = st.one_of(st.builds(exponential, st.floats(0.01, 0.3)), st.builds(constant, st.floats(0.01, 0.3)))
pools = st.builds(
    Pool, instances=st.integers(1, 3), cpus=st.integers(1, 3), threads_per_servant=st.integers(1, 4),
    servants_max=st.integers(1, 2),
)  # fmt: skip
constraints = st.builds(
    Constraint,
    minimum=st.integers(0, 2),
    maximum=st.sampled_from([0, 1, 2, 3]),
    capacity=st.sampled_from([0, 0, 3, 8]),
)
ruled_pools = st.builds(
    Pool, instances=st.integers(1, 3), cpus=st.integers(1, 3), threads_per_servant=st.integers(1, 4),
    dispatch=st.sampled_from(Dispatch), constraints=st.lists(constraints, max_size=2).map(tuple),
)  # fmt: skip
gates = st.builds(
    lambda high, low, agent: Gate(high, min(low, high), agent),
    st.integers(1, 12), st.integers(0, 12), st.sampled_from([0.0, 0.003]),
)  # fmt: skip
windows = st.builds(
    lambda limit, threshold, trip: Window(limit, min(threshold, limit - 1), trip),
    st.integers(1, 12), st.integers(0, 11), st.sampled_from([0.0, 0.004]),
)  # fmt: skip
pollers = st.builds(
    Poller, kind=st.sampled_from(PollerKind), sessions=st.integers(1, 4),
    receive_timeout=st.sampled_from([0.0, 0.4]), interval=st.just(0.21),
)  # fmt: skip
redeliveries = st.builds(
    Redelivery, delay=st.sampled_from([0.0, 0.13]), limit=st.integers(0, 4),
    exhausted=st.sampled_from(Exhausted), in_place=st.booleans(),
)  # fmt: skip
transactions = st.builds(
    Transaction, batch=st.integers(1, 5), commit_time=st.sampled_from([0.0, 0.02]),
    lifetime=st.sampled_from([0.0, 0.35]),
)  # fmt: skip


quotas = st.builds(
    Quota, messages=st.integers(0, 9), bytes=st.sampled_from([0.0, 2500.0, 6000.0]),
    behaviour=st.sampled_from(LimitBehaviour), send_timeout=st.sampled_from([0.0, 0.15]),
    producer_batch=st.integers(0, 3), one_way_window=st.integers(1, 3),
)  # fmt: skip
flows = st.builds(
    lambda maximum, minimum, interval, steps, high, low, by_bytes: FlowControl(
        maximum, min(minimum, maximum), interval, steps, high, min(low, high), 900.0 * high * by_bytes, 500.0 * by_bytes
    ),
    st.floats(5.0, 40.0), st.floats(0.5, 10.0), st.sampled_from([0.0, 0.5]), st.integers(1, 4),
    st.integers(1, 8), st.integers(0, 8), st.integers(0, 1),
)  # fmt: skip


@st.composite
def streams(draw: st.DrawFn, plain: bool) -> Stream:  # noqa: FBT001 - Hypothesis passes it by position
    """Draw a stream; a ``plain`` one uses the mechanisms of the small compiled variant only."""
    share = draw(st.sampled_from([0.0, 0.0, 0.4, 1.0]))
    service = exponential(draw(st.floats(0.01, 0.3))) if share else draw(services)
    chosen = stream(
        arrivals=draw(arrivals), service=service, cpu_share=share, redelivery=draw(redeliveries),
        concurrency=draw(st.integers(0, 4)), failure_rate=draw(st.sampled_from([0.0, 0.0, 0.2])),
        poison_rate=draw(st.sampled_from([0.0, 0.0, 0.05])),
    )  # fmt: skip
    intake = draw(st.sampled_from(["direct", "gate"] if plain else ["direct", "gate", "window", "poller", "pipeline"]))
    if intake == "gate":
        timeouts = draw(st.sampled_from([None, Timeouts(queue=0.3), Timeouts(queue=0.31, dispatch=0.4)]))
        gate = draw(gates)
        if timeouts is not None and timeouts.dispatch > 0:
            # An agent's end and a deadline would fall together, but for rounding: a + b + c is not a + c + b.
            gate = dataclasses.replace(gate, agent_time=0.0)
        chosen = dataclasses.replace(chosen, gate=gate, timeouts=timeouts)
    elif intake == "window":
        chosen = dataclasses.replace(chosen, window=draw(windows))
    elif intake == "poller":
        chosen = dataclasses.replace(chosen, poller=draw(pollers))
    elif intake == "pipeline":
        chosen = dataclasses.replace(chosen, pipeline=draw(st.integers(1, 3)))
    if plain:
        return chosen
    down = draw(st.sampled_from([None, None, Downstream(0, 0.6), Downstream(0, 1.0)]))
    transaction = draw(st.one_of(st.none(), transactions))
    return dataclasses.replace(chosen, downstream=down, transaction=transaction)


@st.composite
def networks(draw: st.DrawFn, plain: bool) -> NetworkSpec:  # noqa: FBT001 - Hypothesis passes it by position
    """Draw one or two streams on one pool."""
    chosen = draw(st.lists(streams(plain), min_size=1, max_size=2))
    named = tuple(dataclasses.replace(one, name=f"q{i}") for i, one in enumerate(chosen))
    return NetworkSpec((draw(pools),), named, Horizon(time=4.0), resources=(draw(st.integers(1, 3)),))


@st.composite
def ruled(draw: st.DrawFn) -> NetworkSpec:
    """Draw two or three streams that compete for the threads of a pool with constraints and a policy."""
    pool = draw(ruled_pools)
    named = st.lists(st.integers(0, len(pool.constraints) - 1), unique=True, max_size=2) if pool.constraints else None
    goals = [0.0, 0.0, 0.2, 1.0] if pool.dispatch == Dispatch.THREAD_TIME else [0.0]
    chosen = tuple(
        dataclasses.replace(
            draw(streams(plain=False)), name=f"q{i}", weight=draw(st.sampled_from([1.0, 20.0, 50.0])),
            goal=draw(st.sampled_from(goals)), constraint=() if named is None else tuple(draw(named)),
        )
        for i in range(draw(st.integers(2, 3)))
    )  # fmt: skip
    return NetworkSpec((pool,), chosen, Horizon(time=4.0), resources=(draw(st.integers(1, 3)),))


@st.composite
def bounded(draw: st.DrawFn) -> NetworkSpec:
    """Draw one or two streams whose producers meet a quota, flow control or both."""
    chosen = []
    for i in range(draw(st.integers(1, 2))):
        one = draw(streams(plain=False))
        if one.arrivals.kind == ArrivalKind.SATURATED:
            one = dataclasses.replace(one, arrivals=poisson(draw(st.floats(2.0, 60.0))))
        quota, flow = draw(st.sampled_from([(quotas, st.none()), (st.none(), flows), (quotas, flows)]))
        producers = draw(st.integers(1, 4))
        chosen.append(dataclasses.replace(one, name=f"q{i}", quota=draw(quota), flow=draw(flow), producers=producers))
    return NetworkSpec((draw(pools),), tuple(chosen), Horizon(time=4.0), resources=(draw(st.integers(1, 3)),))


@st.composite
def living(draw: st.DrawFn) -> NetworkSpec:
    """Draw streams, some of them topics with a copy for each instance, on pools that grow or lose servants."""
    growth = draw(st.sampled_from(PoolGrowth))
    most = draw(st.integers(1, 3))
    pool = Pool(
        instances=draw(st.integers(1, 3)), threads_per_servant=draw(st.integers(1, 3)), servants_max=most,
        servants_min=draw(st.integers(1, most)), servant_start_time=draw(st.sampled_from([0.2, 0.6])),
        growth=growth, growth_interval=draw(st.sampled_from([0.3, 0.7])),
    )  # fmt: skip
    chosen = []
    for i in range(draw(st.integers(1, 2))):
        one = draw(streams(plain=False))
        if growth in (PoolGrowth.FIXED, PoolGrowth.SERVANTS) and draw(st.booleans()):
            queue = 0.3 if one.gate else 0.0
            one = dataclasses.replace(one, timeouts=Timeouts(queue, 0.45, TimeoutAction.RESTART_SERVANT))
        if one.arrivals.kind != ArrivalKind.SATURATED and draw(st.booleans()):
            one = dataclasses.replace(one, copies=Copies.PER_INSTANCE)
        chosen.append(dataclasses.replace(one, name=f"q{i}"))
    return NetworkSpec((pool,), tuple(chosen), Horizon(time=4.0), resources=(draw(st.integers(1, 3)),))


def _assert_same(network: NetworkSpec, seed: int) -> None:
    result, steps = replicate_traced(network, seed=seed, replication=0, trace=STEPS)
    assert all(check.passed for check in result.checks), result.checks
    expected = simulate(network, seed=seed, replication=0, steps=STEPS)
    found = [(row.time, row.step, row.stream, row.message, row.inflight) for row in steps]
    assert [row[1:] for row in found] == [row[1:] for row in expected]
    assert all(math.isclose(one[0], other[0], rel_tol=1e-9) for one, other in zip(found, expected, strict=True))


@given(network=networks(plain=True), seed=st.integers(0, 2**32))
@examples(100, nightly=5_000)
def test_the_plain_loop_writes_the_trace_of_its_twin(network: NetworkSpec, seed: int) -> None:
    _assert_same(network, seed)


@given(network=networks(plain=False), seed=st.integers(0, 2**32))
@examples(200, nightly=10_000)
def test_the_whole_loop_writes_the_trace_of_its_twin(network: NetworkSpec, seed: int) -> None:
    _assert_same(network, seed)


@given(network=ruled(), seed=st.integers(0, 2**32))
@examples(150, nightly=10_000)
def test_policies_and_constraints_write_the_trace_of_their_twin(network: NetworkSpec, seed: int) -> None:
    _assert_same(network, seed)


@given(network=bounded(), seed=st.integers(0, 2**32))
@examples(150, nightly=10_000)
def test_producers_write_the_trace_of_their_twin(network: NetworkSpec, seed: int) -> None:
    _assert_same(network, seed)


@given(network=living(), seed=st.integers(0, 2**32))
@examples(150, nightly=10_000)
def test_threads_and_topics_write_the_trace_of_their_twin(network: NetworkSpec, seed: int) -> None:
    _assert_same(network, seed)
