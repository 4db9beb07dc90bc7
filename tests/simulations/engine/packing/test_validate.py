"""Networks that make no sense are refused before anything is allocated, each wrong part by name."""

import dataclasses
import math
from typing import Any

import pytest

from simulations.engine.network.model import (
    ArrivalKind,
    ArrivalSpec,
    Constraint,
    Copies,
    Downstream,
    Exhausted,
    FlowControl,
    Gate,
    Horizon,
    Law,
    LawKind,
    NetworkSpec,
    Outage,
    Poller,
    PollerKind,
    Pool,
    PoolGrowth,
    Quota,
    Redelivery,
    Thresholds,
    TimeoutAction,
    Timeouts,
    Transaction,
    Window,
)
from simulations.engine.packing.validate import NetworkError, check_network
from tests.simulations.engine.networks import SATURATED, constant, exponential, network, poisson, stream, surge

POOL, HORIZON = Pool(threads_per_servant=2), Horizon(messages=100)


def problems(*, pool: Pool = POOL, horizon: Horizon = HORIZON, **settings: Any) -> str:
    """Return what is said about one stream with ``settings``; nothing when it is accepted."""
    return refusal(network(stream(**settings), pool=pool, horizon=horizon))


def refusal(spec: NetworkSpec) -> str:
    try:
        check_network(spec)
    except NetworkError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("settings", "wording"),
    [
        ({"arrivals": poisson(math.nan)}, "the numbers of arrivals must be finite"),
        ({"arrivals": poisson(0.0)}, "arrivals need a rate above 0"),
        ({"arrivals": ArrivalSpec(ArrivalKind.ON_OFF, 1.0, 0.0, 1.0, 0.0)}, "on and off periods"),
        ({"arrivals": surge(0)}, "bursts need at least one message"),
        ({"arrivals": ArrivalSpec(ArrivalKind.PERIODIC, count=1)}, "the period of bursts"),
        ({"arrivals": ArrivalSpec(ArrivalKind.RENEWAL)}, "renewal arrivals need a law"),
        ({"arrivals": ArrivalSpec(ArrivalKind.RENEWAL, law=constant(0.0))}, "intervals must not all be 0"),
        ({"arrivals": ArrivalSpec(ArrivalKind.TRACE)}, "a trace needs instants"),
        ({"arrivals": ArrivalSpec(ArrivalKind.TRACE, instants=(2.0, 1.0))}, "instants never fall"),
        ({"arrivals": ArrivalSpec(ArrivalKind.TRACE, instants=(1.0, 2.0), sizes=(1.0,))}, "as many sizes"),
        ({"arrivals": ArrivalSpec(ArrivalKind.PROFILE, instants=(0.0, 1.0), rates=(0.0, 0.0))}, "a profile needs"),
        ({"service": exponential(-1.0)}, "parameters of a law"),
        ({"service": Law(LawKind.GAMMA, 0.0, 1.0)}, "the shape of a law"),
        ({"service": Law(LawKind.HYPEREXPONENTIAL, 1.5, 1.0, 1.0)}, "the probability of a phase"),
        ({"service": Law(LawKind.EMPIRICAL)}, "an empirical law needs values"),
        ({"cpu_share": 1.1}, "cpu_share, failure_rate, poison_rate, loss_rate and urgent_share"),
        ({"producers": 0}, "producers must be at least 1"),
        ({"weight": 0.0}, "the weight must be above 0"),
        ({"gate": Gate(2, 3)}, "a gate needs"),
        ({"gate": Gate(2, 1), "pipeline": 1}, "exclude each other"),
        ({"window": Window(4, 4)}, "a window needs"),
        ({"poller": Poller(PollerKind.EAGER, 0)}, "at least one session"),
        ({"poller": Poller(PollerKind.LEGACY, 1)}, "a legacy poller needs an interval"),
        ({"transaction": Transaction(0)}, "a batch of at least 1"),
        ({"timeouts": Timeouts(dispatch=-1.0)}, "timeouts must not be negative"),
        ({"timeouts": Timeouts(queue=1.0)}, "a queue timeout needs a gate"),
        ({"redelivery": Redelivery(limit=-1)}, "redelivery delay and limit"),
        ({"service": constant(0.0), "failure_rate": 1.0}, "redelivered for ever"),
        ({"quota": Quota(messages=-1)}, "a quota must not be negative"),
        ({"quota": Quota(bytes=1e12), "message_size": 3e9}, "at most 2147483647 bytes"),
        ({"quota": Quota(1), "arrivals": SATURATED}, "producers of one destination"),
        ({"flow": FlowControl(1.0, 2.0, 1.0, 1)}, "0 < minimum <= maximum"),
        ({"flow": FlowControl(2.0, 1.0, 1.0, 1, Thresholds(1, 2))}, "low thresholds"),
        ({"constraint": (0,)}, "a constraint is named"),
        ({"downstream": Downstream(0, 1.0)}, "an existing resource"),
        ({"arrivals": SATURATED, "copies": Copies.PER_INSTANCE}, "cannot be copied"),
        ({"goal": 1.0}, "dispatch by thread time"),
        ({"arrivals": SATURATED, "service": constant(0.0), "horizon": Horizon(time=1.0)}, "work that takes time"),
        ({"pool": Pool(threads_per_servant=0)}, "instances, CPUs, threads and servants"),
        ({"pool": Pool(instances=2**15)}, "at most 32767 instances"),
        ({"pool": Pool(servants_min=2)}, "servants_min must be in"),
        ({"pool": Pool(growth_interval=0.0)}, "growth_interval must be above 0"),
        ({"pool": Pool(constraints=(Constraint(minimum=-1),))}, "constraints must not be negative"),
        ({"pool": Pool(host=0)}, "its host must be an earlier pool"),
        ({"horizon": Horizon()}, "the horizon needs"),
        ({"horizon": Horizon(time=math.inf)}, "must not be negative or infinite"),
        ({"horizon": Horizon(drained=True)}, "drained queues"),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(settings: dict[str, Any], wording: str) -> None:
    assert wording in problems(**settings)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"gate": Gate(1, 1), "timeouts": Timeouts(queue=1.0)},
        {"service": constant(0.0), "failure_rate": 1.0, "redelivery": Redelivery(limit=1)},
        {"service": constant(0.0), "poison_rate": 0.1, "redelivery": Redelivery(exhausted=Exhausted.STOP_STREAM)},
        {"arrivals": surge(1), "horizon": Horizon(drained=True)},
        {"service": Law(LawKind.LOGNORMAL, -2.0, 0.5)},
        {"pool": Pool(instances=2**15 - 1)},
    ],
)
def test_what_lies_at_the_limits_is_accepted(settings: dict[str, Any]) -> None:
    assert problems(**settings) == ""


def test_a_servant_can_only_be_lost_where_threads_come_with_servants() -> None:
    lost: dict[str, Any] = {
        "gate": Gate(2, 1),
        "timeouts": Timeouts(dispatch=1.0, action=TimeoutAction.RESTART_SERVANT),
    }
    assert problems(**lost, pool=dataclasses.replace(POOL, growth=PoolGrowth.SERVANTS)) == ""
    assert "servants" in problems(**lost, pool=dataclasses.replace(POOL, growth=PoolGrowth.INSTANT))


def test_every_wrong_part_is_named() -> None:
    spec = NetworkSpec((Pool(cpus=0),), (stream(name="a", weight=0.0), stream(name="b", pool=3)), HORIZON, (0,))
    assert refusal(spec) == (
        "pool 0: instances, CPUs, threads and servants must be at least 1; "
        "stream a: the weight must be above 0, the goal not negative; stream b: there is no pool 3"
    )
    assert "at least one pool and one stream" in refusal(NetworkSpec((POOL,), (), HORIZON))
    assert refusal(NetworkSpec((POOL,), (stream(),), HORIZON, (0,))) == "a resource needs at least one unit"


def test_a_store_is_known_and_counts_what_producers_send() -> None:
    flow = FlowControl(20.0, 5.0, 1.0, 2, Thresholds(5, 3))

    def said(store: int, marks: Thresholds, **settings: Any) -> str:
        spec = NetworkSpec((POOL,), (stream(store=store, **settings),), HORIZON, stores=(marks,))
        try:
            check_network(spec)
        except NetworkError as error:
            return str(error)
        return ""

    marks = Thresholds(5, 3)
    assert not said(0, marks, flow=flow)
    assert not said(0, marks, quota=Quota())
    assert "does not have" in said(1, marks, flow=flow)
    assert "a store counts" in said(0, marks)
    assert "of a store" in said(0, Thresholds(3, 5), flow=flow)
    assert "messages_per_producer" in problems(flow=dataclasses.replace(flow, messages_per_producer=-1))


def test_outages_and_capacities_must_not_be_negative() -> None:
    assert "queue_capacity" in problems(pool=Pool(queue_capacity=-1))
    assert "restart_time" in problems(pool=Pool(restart_time=float("inf")))
    for outage in (Outage(-1.0, 1.0), Outage(1.0, float("nan"))):
        assert "an outage needs" in problems(pool=Pool(outage=outage))
        assert "an outage needs" in problems(outage=outage)
    assert "an outage needs" in problems(pool=Pool(outage_instances=-1))
    assert not problems(pool=Pool(outage=Outage(1.0, 1.0), queue_capacity=5, restart_time=3.0))


def test_every_server_may_go_away_and_every_broker() -> None:
    outage = Outage(1.0, 1.0)
    assert not problems(pool=Pool(outage=outage, growth=PoolGrowth.INSTANT), window=Window(4, 2))
    assert not problems(absence=outage, poller=Poller(PollerKind.TOKEN, 2))
    assert "an outage needs" in problems(absence=Outage(1.0, -1.0))
    assert "loss_rate" in problems(loss_rate=1.1)
    assert "urgent_share" in problems(urgent_share=-0.1)
    assert "the parameters of a law" in problems(search=Law(LawKind.CONSTANT, -1.0))
