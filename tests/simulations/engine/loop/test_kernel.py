"""The compiled loop and its slow twin must write the same trace, event by event.

For even seeds the twin rounds draws and shared CPUs as the loop does, and instants must be equal to the last bit; for
odd ones it has both from their definitions, and instants must be equal but for rounding.
"""

import dataclasses
import math
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulations.engine.network.model import (
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
    Law,
    LawKind,
    LimitBehaviour,
    NetworkSpec,
    Outage,
    Poller,
    PollerKind,
    Pool,
    PoolGrowth,
    Quota,
    Redelivery,
    Send,
    Stream,
    Thresholds,
    TimeoutAction,
    Timeouts,
    Transaction,
    Window,
)
from simulations.engine.network.results import Count, Extreme, PoolSum, ReplicationResult, Sum
from simulations.engine.replicate import replicate_traced
from tests.examples import examples
from tests.simulations.engine.networks import SATURATED, constant, exponential, poisson, stream
from tests.simulations.engine.twin import simulate
from tests.simulations.engine.twin_counts import Counts

STEPS = 200
PLAIN = ["direct", "gate", "window"]
"""What may stand before the threads in the small compiled variant."""

laws = st.one_of(
    st.builds(exponential, st.floats(0.01, 0.3)),
    st.builds(lambda a, b: Law(LawKind.LOGNORMAL, a, b), st.floats(-4.0, -1.0), st.floats(0.1, 1.5)),
    st.builds(lambda a, b: Law(LawKind.WEIBULL, a, b), st.floats(0.5, 3.0), st.floats(0.02, 0.3)),
    st.builds(lambda a, b: Law(LawKind.HYPEREXPONENTIAL, a, b, 0.3), st.floats(0.0, 1.0), st.floats(0.01, 0.1)),
    st.builds(lambda values: Law(LawKind.EMPIRICAL, values=tuple(values)), st.lists(st.floats(0.01, 0.3), min_size=1)),
)
arrivals = st.one_of(
    st.builds(poisson, st.floats(2.0, 60.0)),
    st.builds(lambda rate: ArrivalSpec(ArrivalKind.CONSTANT, rate=rate), st.floats(2.0, 60.0)),
    st.builds(
        lambda count, rate: ArrivalSpec(ArrivalKind.SURGE, count=count, rate=rate),
        st.integers(1, 30),
        st.floats(1.0, 40.0),
    ),
    st.just(SATURATED),
    st.builds(lambda law: ArrivalSpec(ArrivalKind.RENEWAL, law=law), laws),
    st.builds(
        lambda rate, off, on: ArrivalSpec(ArrivalKind.ON_OFF, rate=rate, rate_off=off, mean_on=on, mean_off=0.4),
        st.floats(5.0, 80.0),
        st.sampled_from([0.0, 3.0]),
        st.floats(0.1, 1.0),
    ),
    st.builds(
        lambda count, period: ArrivalSpec(ArrivalKind.PERIODIC, count=count, period=period, start=0.05),
        st.integers(1, 12),
        st.floats(0.1, 1.0),
    ),
    st.builds(
        lambda first, most: ArrivalSpec(ArrivalKind.PROFILE, instants=(0.0, 0.7, 1.9), rates=(first, most, 0.0)),
        st.floats(0.0, 30.0),
        st.floats(5.0, 60.0),
    ),
    st.builds(
        lambda instants: ArrivalSpec(ArrivalKind.TRACE, instants=tuple(sorted(instants))),
        st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0, 1.3, 2.0]), min_size=1, max_size=30),
    ),
)
services = st.one_of(st.builds(constant, st.floats(0.01, 0.3)), laws)
smooth = st.one_of(
    st.builds(exponential, st.floats(0.01, 0.3)), st.builds(Law, st.just(LawKind.WEIBULL), st.just(1.5), st.just(0.1))
)
horizons = st.builds(Horizon, time=st.sampled_from([0.5, 4.0]))
pools = st.builds(
    Pool,
    instances=st.integers(1, 3),
    cpus=st.integers(1, 3),
    threads_per_servant=st.integers(1, 4),
    servants_max=st.integers(1, 2),
)
constraints = st.builds(
    Constraint,
    minimum=st.integers(0, 2),
    maximum=st.sampled_from([0, 1, 2, 3]),
    capacity=st.sampled_from([0, 0, 3, 8]),
)
ruled_pools = st.builds(
    Pool,
    instances=st.integers(1, 3),
    cpus=st.integers(1, 3),
    threads_per_servant=st.integers(1, 4),
    dispatch=st.sampled_from(Dispatch),
    constraints=st.lists(constraints, max_size=2).map(tuple),
)
breakdowns = st.sampled_from([None, Outage(0.2, 0.33), Outage(0.37, 1.1)])
gates = st.builds(
    lambda high, low, agent, early: Gate(high, min(low, high), agent, early),
    st.integers(1, 12),
    st.integers(0, 12),
    st.sampled_from([0.0, 0.003]),
    st.booleans(),
)
windows = st.builds(
    lambda limit, threshold, trip, most, count: Window(limit, min(threshold, limit - 1), trip, most, count),
    st.integers(1, 12),
    st.integers(0, 11),
    st.sampled_from([0.0, 0.004]),
    st.sampled_from([0, 0, 1, 5]),
    st.sampled_from([0, 0, 1, 4]),
)
pollers = st.builds(
    Poller,
    kind=st.sampled_from(PollerKind),
    sessions=st.integers(1, 4),
    receive_timeout=st.sampled_from([0.0, 0.4]),
    interval=st.just(0.21),
)
redeliveries = st.builds(
    Redelivery,
    delay=st.sampled_from([0.0, 0.13]),
    limit=st.integers(0, 4),
    exhausted=st.sampled_from(Exhausted),
    in_place=st.booleans(),
)
transactions = st.builds(
    Transaction,
    batch=st.integers(1, 5),
    commit_time=st.sampled_from([0.0, 0.02]),
    lifetime=st.sampled_from([0.0, 0.35]),
)


quotas = st.builds(
    Quota,
    messages=st.integers(0, 9),
    bytes=st.sampled_from([0.0, 2500.0, 6000.0]),
    behaviour=st.sampled_from(LimitBehaviour),
    send_timeout=st.sampled_from([0.0, 0.15]),
    producer_batch=st.integers(0, 3),
    producer_bytes=st.sampled_from([0.0, 300.0, 1000.0]),
    one_way_window=st.integers(1, 3),
)
flows = st.builds(
    lambda maximum, minimum, interval, steps, high, low, by_bytes, sends: FlowControl(
        maximum,
        min(minimum, maximum),
        interval,
        steps,
        Thresholds(high, min(low, high), 900.0 * high * by_bytes, 500.0 * by_bytes),
        sends,
    ),
    st.floats(5.0, 40.0),
    st.floats(0.5, 10.0),
    st.sampled_from([0.0, 0.5]),
    st.integers(1, 4),
    st.integers(1, 8),
    st.integers(0, 8),
    st.integers(0, 1),
    st.sampled_from([0, 0, 1, 3]),
)
stores = st.builds(
    lambda high, low, by_bytes: Thresholds(high, min(low, high), 900.0 * high * by_bytes, 500.0 * by_bytes),
    st.integers(1, 8),
    st.integers(0, 8),
    st.integers(0, 1),
)


sizes = st.one_of(
    st.none(),
    st.just(exponential(900.0)),
    st.just(Law(LawKind.LOGNORMAL, 6.5, 1.2)),
    st.just(Law(LawKind.EMPIRICAL, values=(300.0, 2000.5, 2500.0, 4e9))),
)


@st.composite
def streams(draw: st.DrawFn, plain: bool) -> Stream:  # noqa: FBT001 - Hypothesis passes it by position
    """Draw a stream; a ``plain`` one uses the mechanisms of the small compiled variant only."""
    share = draw(st.sampled_from([0.0, 0.0, 0.4, 1.0]))
    service = draw(smooth) if share else draw(services)
    chosen = stream(
        arrivals=draw(arrivals),
        service=service,
        cpu_share=share,
        redelivery=draw(redeliveries),
        concurrency=draw(st.integers(0, 4)),
        failure_rate=draw(st.sampled_from([0.0, 0.0, 0.2])),
        poison_rate=draw(st.sampled_from([0.0, 0.0, 0.05])),
        urgent_share=0.0 if plain else draw(st.sampled_from([0.0, 0.0, 0.0, 0.3, 0.8])),
    )
    intake = draw(st.sampled_from(PLAIN if plain else [*PLAIN, "poller", "pipeline"]))
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
    loss = draw(st.sampled_from([0.0, 0.0, 0.3])) if transaction is None else 0.0
    search = draw(st.sampled_from([None, None, None, constant(0.02), Law(LawKind.HYPEREXPONENTIAL, 0.8, 0.05, 0.0)]))
    return dataclasses.replace(chosen, downstream=down, transaction=transaction, loss_rate=loss, search=search)


@st.composite
def networks(draw: st.DrawFn, plain: bool) -> NetworkSpec:  # noqa: FBT001 - Hypothesis passes it by position
    """Draw one to three streams on one or two pools."""
    servers = tuple(draw(st.lists(pools, min_size=1, max_size=2)))
    chosen = draw(st.lists(streams(plain), min_size=1, max_size=3))
    place = st.integers(0, len(servers) - 1)
    named = tuple(dataclasses.replace(one, name=f"q{i}", pool=draw(place)) for i, one in enumerate(chosen))
    return NetworkSpec(servers, named, draw(horizons), resources=(draw(st.integers(1, 3)),))


@st.composite
def ruled(draw: st.DrawFn) -> NetworkSpec:
    """Draw two or three streams that compete for the threads of a pool with constraints and a policy."""
    pool = draw(ruled_pools)
    named = st.lists(st.integers(0, len(pool.constraints) - 1), unique=True, max_size=2) if pool.constraints else None
    goals = [0.0, 0.0, 0.2, 1.0] if pool.dispatch == Dispatch.THREAD_TIME else [0.0]
    chosen = tuple(
        dataclasses.replace(
            draw(streams(plain=False)),
            name=f"q{i}",
            weight=draw(st.sampled_from([1.0, 20.0, 50.0])),
            goal=draw(st.sampled_from(goals)),
            constraint=() if named is None else tuple(draw(named)),
        )
        for i in range(draw(st.integers(2, 3)))
    )
    return NetworkSpec((pool,), chosen, draw(horizons), resources=(draw(st.integers(1, 3)),))


@st.composite
def bounded(draw: st.DrawFn) -> NetworkSpec:
    """Draw one or two streams whose producers meet a quota, flow control or both; they may share a store."""
    chosen = []
    shared = draw(st.one_of(st.none(), stores))
    for i in range(draw(st.integers(1, 2))):
        one = draw(streams(plain=False))
        if one.arrivals.kind == ArrivalKind.SATURATED:
            one = dataclasses.replace(one, arrivals=poisson(draw(st.floats(2.0, 60.0))))
        quota, flow = draw(st.sampled_from([(quotas, st.none()), (st.none(), flows), (quotas, flows)]))
        instants = one.arrivals.instants if one.arrivals.kind == ArrivalKind.TRACE else ()
        written = tuple(draw(st.sampled_from([0.0, 700.0, 2000.0])) for _ in instants)
        one = dataclasses.replace(
            one,
            name=f"q{i}",
            quota=draw(quota),
            flow=draw(flow),
            producers=draw(st.integers(1, 4)),
            store=None if shared is None else draw(st.sampled_from([None, 0, 0])),
            arrivals=dataclasses.replace(one.arrivals, sizes=draw(st.sampled_from([(), written]))),
            size_law=draw(sizes),
        )
        chosen.append(one)
    resources, kept = (draw(st.integers(1, 3)),), () if shared is None else (shared,)
    return NetworkSpec((draw(pools),), tuple(chosen), draw(horizons), resources, kept)


@st.composite
def living(draw: st.DrawFn) -> NetworkSpec:
    """Draw streams, some of them topics with a copy for each instance, on pools that grow or lose servants."""
    growth = draw(st.sampled_from(PoolGrowth))
    most = draw(st.integers(1, 3))
    pool = Pool(
        instances=draw(st.integers(1, 3)),
        threads_per_servant=draw(st.integers(1, 3)),
        servants_max=most,
        servants_min=draw(st.integers(1, most)),
        servant_start_time=draw(st.sampled_from([0.2, 0.6])),
        growth=growth,
        growth_interval=draw(st.sampled_from([0.3, 0.7])),
    )
    chosen = []
    for i in range(draw(st.integers(1, 2))):
        one = draw(streams(plain=False))
        if growth in (PoolGrowth.FIXED, PoolGrowth.SERVANTS) and draw(st.booleans()):
            queue = 0.3 if one.gate else 0.0
            one = dataclasses.replace(one, timeouts=Timeouts(queue, 0.45, TimeoutAction.RESTART_SERVANT))
        if one.arrivals.kind != ArrivalKind.SATURATED and draw(st.booleans()):
            one = dataclasses.replace(one, copies=Copies.PER_INSTANCE)
        chosen.append(dataclasses.replace(one, name=f"q{i}"))
    return NetworkSpec((pool,), tuple(chosen), draw(horizons), resources=(draw(st.integers(1, 3)),))


@st.composite
def leaving(draw: st.DrawFn) -> NetworkSpec:
    """Draw servers that fail under too many prepared messages, or go away for a while."""
    most = draw(st.integers(1, 3))
    late = draw(st.booleans())
    pool = Pool(
        instances=draw(st.integers(1, 2)),
        threads_per_servant=draw(st.integers(1, 3)),
        servants_max=most,
        servants_min=draw(st.integers(1, most)) if late else 1,
        servant_start_time=draw(st.sampled_from([0.2, 0.6])),
        growth=PoolGrowth.SERVANTS if late else PoolGrowth.FIXED,
        queue_capacity=draw(st.sampled_from([0, 1, 4])),
        restart_time=draw(st.sampled_from([0.11, 0.7])),
        outage=draw(st.sampled_from([None, Outage(0.31, 0.4), Outage(0.45, 1.03)])),
        outage_instances=draw(st.integers(0, 1)),
    )
    intakes = st.sampled_from(["gate", "gate", "direct"])
    chosen = []
    for i in range(draw(st.integers(1, 2))):
        one = dataclasses.replace(draw(streams(plain=False)), window=None, poller=None, pipeline=0)
        if one.gate is None and draw(intakes) == "gate":
            one = dataclasses.replace(one, gate=draw(gates))
        if draw(st.booleans()):
            one = dataclasses.replace(
                one, timeouts=Timeouts(0.3 if one.gate else 0.0, 0.45, TimeoutAction.RESTART_SERVANT)
            )
        if one.gate is not None and one.timeouts is not None and one.timeouts.dispatch > 0:
            one = dataclasses.replace(one, gate=dataclasses.replace(one.gate, agent_time=0.0))
        if pool.instances > 1 and pool.queue_capacity > 0:  # a delay after a restart ends with another's after a delay
            one = dataclasses.replace(one, redelivery=dataclasses.replace(one.redelivery, delay=0.0, in_place=False))
        chosen.append(dataclasses.replace(one, name=f"q{i}", outage=draw(breakdowns)))
    return NetworkSpec((pool,), tuple(chosen), draw(horizons), resources=(draw(st.integers(1, 3)),))


@st.composite
def lacking(draw: st.DrawFn) -> NetworkSpec:
    """Draw a network of any kind in which something is away for a while without which deliveries fail."""
    drawn = draw(networks(plain=False))
    chosen = tuple(dataclasses.replace(one, outage=draw(breakdowns)) for one in drawn.streams)
    return dataclasses.replace(drawn, streams=chosen)


@st.composite
def sending(draw: st.DrawFn) -> NetworkSpec:
    """Draw a network of any kind whose streams send messages on to later ones, which may have nothing else."""
    kinds = [networks(plain=True), networks(plain=False), ruled(), bounded(), living(), lacking()]
    drawn = draw(st.one_of(kinds).filter(lambda network: len(network.streams) > 1))
    chosen, numbers = list(drawn.streams), st.sampled_from([0.3, 1.0, 1.0, 2.4])
    order = draw(st.permutations(range(len(chosen))))
    for place, q in enumerate(order[:-1]):
        later = draw(st.lists(st.sampled_from(order[place + 1 :]), min_size=place == 0, max_size=2))
        chosen[q] = dataclasses.replace(chosen[q], sends=tuple(Send(target, draw(numbers)) for target in later))
    reached = {send.stream for one in chosen for send in one.sends}
    for q in reached:
        if draw(st.booleans()):
            chosen[q] = dataclasses.replace(chosen[q], arrivals=ArrivalSpec(ArrivalKind.NONE))
    return dataclasses.replace(drawn, streams=tuple(chosen))


@st.composite
def parted(draw: st.DrawFn) -> NetworkSpec:
    """Draw a network of any kind whose servers go away for a while, or whose consumers lose their broker."""
    drawn: NetworkSpec = draw(
        st.one_of(networks(plain=True), networks(plain=False), ruled(), bounded(), living(), sending())
    )
    absences = st.sampled_from([None, Outage(0.27, 0.3), Outage(0.41, 1.07)])
    outages = st.sampled_from([None, None, Outage(0.31, 0.4), Outage(0.45, 1.03)])
    servers = [
        dataclasses.replace(pool, outage=draw(outages), outage_instances=draw(st.integers(0, 1)))
        for pool in drawn.pools
    ]
    chosen = [dataclasses.replace(one, absence=draw(absences)) for one in drawn.streams]
    return dataclasses.replace(drawn, pools=tuple(servers), streams=tuple(chosen))


@st.composite
def hosted(draw: st.DrawFn) -> NetworkSpec:
    """Draw a network of any kind some of whose streams have threads of their own on the machines of their pool."""
    kinds = [networks(plain=True), networks(plain=False), ruled(), bounded(), living(), sending(), parted()]
    drawn: NetworkSpec = draw(st.one_of(kinds).filter(lambda network: len(network.streams) > 1))
    servers, chosen = list(drawn.pools), list(drawn.streams)
    for q in draw(st.lists(st.integers(0, len(chosen) - 1), min_size=1, unique=True)):
        one, host = chosen[q], servers[chosen[q].pool]
        guest = Pool(
            host.instances,
            host.cpus,
            draw(st.integers(1, 3)),
            servant_start_time=host.servant_start_time,
            outage=host.outage,
            outage_instances=host.outage_instances,
            host=one.pool,
        )
        chosen[q] = dataclasses.replace(one, pool=len(servers), constraint=(), goal=0.0)
        servers.append(guest)
    return dataclasses.replace(drawn, pools=tuple(servers), streams=tuple(chosen))


def _assert_same(network: NetworkSpec, seed: int) -> None:
    result, steps = replicate_traced(network, seed=seed, replication=0, trace=STEPS)
    assert all(check.passed for check in result.checks), result.checks
    exact = seed % 2 == 0
    expected, counted = simulate(network, seed=seed, replication=0, steps=STEPS, exact=exact)
    found = [(row.time, row.step, row.stream, row.message, row.inflight) for row in steps]
    assert [row[1:] for row in found] == [row[1:] for row in expected]
    if exact:
        assert found == expected
    assert all(math.isclose(one[0], other[0], rel_tol=1e-9) for one, other in zip(found, expected, strict=True))
    if len(found) < STEPS:
        _assert_same_numbers(network, result, counted, 1e-12 if exact else 1e-9)


def _assert_same_numbers(network: NetworkSpec, result: ReplicationResult, twin: Counts, rounding: float) -> None:
    """The trace is whole, so everything that was counted and integrated over time must agree, too.

    The loop adds up what lies between two events of one place, the twin what lies between any two: sums differ by
    ``rounding``, in seconds or as a share.
    """
    counts, sums, states = result.counts.sum(axis=0), result.sums.sum(axis=0), result.pool_sums.sum(axis=0)
    near = partial(pytest.approx, rel=rounding, abs=rounding)
    for q in range(len(network.streams)):
        found = {column: int(counts[q, column]) for column in Count if column != Count.OVERTAKEN}
        assert found == {column: twin.events[q, column] for column in found}, q
        assert sums[q, Sum.LATENCY] == near(twin.latency[q])
        assert result.extremes[q, Extreme.RECOVERY] == near(twin.twin.outages.recovery[q])
        compared = (Sum.BACKLOG, Sum.PREPARED, Sum.RUNNING, Sum.WAIT_CPU, Sum.WAIT_BATCH, Sum.END_TO_END, Sum.URGENT)
        for column in compared:
            assert sums[q, column] == near(twin.places[q, column]), (q, column)
    for p in range(len(network.pools)):
        idle = states[p, PoolSum.IDLE_NO_WORK] + states[p, PoolSum.IDLE_BLOCKED]
        assert idle == near(twin.states[p, PoolSum.IDLE_NO_WORK])
        assert states[p, PoolSum.BUSY] == near(twin.states[p, PoolSum.BUSY])
        assert states[p, PoolSum.HELD] == near(twin.states[p, PoolSum.HELD])
        assert states[p, PoolSum.AWAY] == near(twin.states[p, PoolSum.AWAY])
        if not any(stream.window and stream.pool == p for stream in network.streams):
            assert states[p, PoolSum.HELD_BACK] == near(twin.states[p, PoolSum.HELD_BACK])
    working = sums[:, Sum.RUNNING] - sums[:, Sum.RESTING]
    assert working.sum() == near(states[:, PoolSum.BUSY].sum())


@given(network=networks(plain=True), seed=st.integers(0, 2**32))
@examples(100, nightly=5_000)
def test_the_plain_loop_writes_the_trace_of_its_twin(network: NetworkSpec, seed: int) -> None:
    _assert_same(network, seed)


@given(network=networks(plain=False), seed=st.integers(0, 2**32))
@examples(100, nightly=10_000)
def test_the_whole_loop_writes_the_trace_of_its_twin(network: NetworkSpec, seed: int) -> None:
    _assert_same(network, seed)


@given(network=ruled(), seed=st.integers(0, 2**32))
@examples(80, nightly=10_000)
def test_policies_and_constraints_write_the_trace_of_their_twin(network: NetworkSpec, seed: int) -> None:
    _assert_same(network, seed)


@given(network=bounded(), seed=st.integers(0, 2**32))
@examples(80, nightly=10_000)
def test_producers_write_the_trace_of_their_twin(network: NetworkSpec, seed: int) -> None:
    _assert_same(network, seed)


@given(network=living(), seed=st.integers(0, 2**32))
@examples(80, nightly=10_000)
def test_threads_and_topics_write_the_trace_of_their_twin(network: NetworkSpec, seed: int) -> None:
    _assert_same(network, seed)


@given(network=leaving(), seed=st.integers(0, 2**32))
@examples(80, nightly=10_000)
def test_servers_that_go_away_write_the_trace_of_their_twin(network: NetworkSpec, seed: int) -> None:
    _assert_same(network, seed)


@given(network=parted(), seed=st.integers(0, 2**32))
@examples(80, nightly=10_000)
def test_consumers_that_lose_server_or_broker_write_the_trace_of_their_twin(network: NetworkSpec, seed: int) -> None:
    _assert_same(network, seed)


@given(network=lacking(), seed=st.integers(0, 2**32))
@examples(80, nightly=10_000)
def test_deliveries_that_lack_something_write_the_trace_of_their_twin(network: NetworkSpec, seed: int) -> None:
    _assert_same(network, seed)


@given(network=sending(), seed=st.integers(0, 2**32))
@examples(80, nightly=10_000)
def test_chains_write_the_trace_of_their_twin(network: NetworkSpec, seed: int) -> None:
    _assert_same(network, seed)


@given(network=hosted(), seed=st.integers(0, 2**32))
@examples(100, nightly=10_000)
def test_threads_on_the_machines_of_others_write_the_trace_of_their_twin(network: NetworkSpec, seed: int) -> None:
    _assert_same(network, seed)


def test_an_idle_thread_that_is_lost_takes_no_poller_with_it() -> None:
    """The servant that is lost has a thread that polled before and is idle now; another poller must not be called."""
    arrivals = ArrivalSpec(
        ArrivalKind.RENEWAL, law=Law(LawKind.HYPEREXPONENTIAL, 0.5978180647081254, 0.07901480709163541, 0.3)
    )
    one = stream(
        arrivals=arrivals,
        service=exponential(0.1960545170876433),
        poller=Poller(PollerKind.TOKEN, 3, interval=0.21),
        timeouts=Timeouts(0.0, 0.45, TimeoutAction.RESTART_SERVANT),
        redelivery=Redelivery(0.13, 2, Exhausted.DROP),
        downstream=Downstream(0, 0.6),
        copies=Copies.PER_INSTANCE,
    )
    pool = Pool(threads_per_servant=2, servants_max=3, servant_start_time=0.2)
    _assert_same(NetworkSpec((pool,), (one,), Horizon(time=4.0), resources=(3,)), 90040)
