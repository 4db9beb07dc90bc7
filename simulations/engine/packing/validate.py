"""Refuses networks that make no sense before anything is allocated."""

import math
from collections.abc import Iterator
from itertools import pairwise

from simulations.engine.network.model import (
    ArrivalKind,
    ArrivalSpec,
    Copies,
    Dispatch,
    Exhausted,
    Law,
    LawKind,
    NetworkSpec,
    PollerKind,
    PoolGrowth,
    Stream,
    TimeoutAction,
)
from simulations.engine.packing.streams import finite_messages
from simulations.engine.packing.validate_servers import finite, is_crossed, problems_of_pool, problems_of_sharing
from simulations.engine.records.codes import MOST_BYTES

_RATED = (ArrivalKind.POISSON, ArrivalKind.CONSTANT, ArrivalKind.ON_OFF)
_COUNTED = (ArrivalKind.SURGE, ArrivalKind.PERIODIC)


class NetworkError(ValueError):
    """The network cannot be simulated; the message names every part that is wrong and why."""


def check_network(network: NetworkSpec) -> None:
    """Raise NetworkError when parts of ``network`` are out of range or contradict each other."""
    problems = list(_problems(network))
    if problems:
        raise NetworkError("; ".join(problems))


def _problems(network: NetworkSpec) -> Iterator[str]:
    if not network.pools or not network.streams:
        yield "a network needs at least one pool and one stream"
        return
    for index, pool in enumerate(network.pools):
        yield from (f"pool {index}: {problem}" for problem in problems_of_pool(pool))
    for stream in network.streams:
        if not 0 <= stream.pool < len(network.pools):
            yield f"stream {stream.name}: there is no pool {stream.pool}"
            return
        yield from (f"stream {stream.name}: {problem}" for problem in _of_stream(network, stream))
    if any(map(is_crossed, network.stores)):
        yield "the low thresholds of a store must not exceed the high ones"
    if any(size < 1 for size in network.resources):
        yield "a resource needs at least one unit"
    yield from _of_horizon(network)


def _of_horizon(network: NetworkSpec) -> Iterator[str]:
    horizon = network.horizon
    if horizon.messages < 0 or not finite(horizon.time):
        yield "the horizon must not be negative or infinite"
    if not (horizon.messages or horizon.time or horizon.drained):
        yield "the horizon needs messages, a time or drained"
    if horizon.drained and not any(finite_messages(network, stream) for stream in network.streams):
        yield "a horizon that waits for drained queues needs a surge without later arrivals, or a trace"


def _of_law(law: Law) -> Iterator[str]:
    if not finite(law.b, law.c) or not math.isfinite(law.a) or (law.a < 0.0 and law.kind != LawKind.LOGNORMAL):
        yield "the parameters of a law must be finite and not negative"
    if law.kind in (LawKind.GAMMA, LawKind.WEIBULL) and law.a <= 0.0:
        yield "the shape of a law must be above 0"
    if law.kind == LawKind.HYPEREXPONENTIAL and law.a > 1.0:
        yield "the probability of a phase must be at most 1"
    if law.kind == LawKind.EMPIRICAL and (not law.values or not finite(*law.values)):
        yield "an empirical law needs values, none negative"


def _is_zero(law: Law) -> bool:
    """Say whether the law has the mean 0: all its numbers are 0."""
    match law.kind:
        case LawKind.CONSTANT | LawKind.EXPONENTIAL:
            return law.a == 0.0
        case LawKind.GAMMA | LawKind.WEIBULL:
            return law.b == 0.0
        case LawKind.HYPEREXPONENTIAL:
            return law.a * law.b + (1.0 - law.a) * law.c == 0.0
        case LawKind.EMPIRICAL:
            return not any(law.values)
        case LawKind.LOGNORMAL:
            return False


def _of_arrivals(arrivals: ArrivalSpec) -> Iterator[str]:
    numbers = (arrivals.rate, arrivals.rate_off, arrivals.mean_on, arrivals.mean_off, arrivals.start, arrivals.period)
    if not finite(*numbers) or arrivals.count < 0:
        yield "the numbers of arrivals must be finite and not negative"
    if arrivals.kind in _RATED and arrivals.rate + arrivals.rate_off == 0.0:
        yield "arrivals need a rate above 0"
    if arrivals.kind == ArrivalKind.ON_OFF and min(arrivals.mean_on, arrivals.mean_off) <= 0.0:
        yield "on and off periods must be above 0"
    if arrivals.kind in _COUNTED and arrivals.count < 1:
        yield "bursts need at least one message"
    if arrivals.kind == ArrivalKind.PERIODIC and arrivals.period <= 0.0:
        yield "the period of bursts must be above 0"
    if arrivals.kind == ArrivalKind.RENEWAL:
        yield from _of_law(arrivals.law) if arrivals.law is not None else ("renewal arrivals need a law",)
        if arrivals.law is not None and _is_zero(arrivals.law):
            yield "intervals must not all be 0"
    yield from _of_lists(arrivals)


def _of_lists(arrivals: ArrivalSpec) -> Iterator[str]:
    instants, rates = arrivals.instants, arrivals.rates
    falling = any(later < earlier for earlier, later in pairwise(instants))
    if falling or not finite(*instants, *rates, *arrivals.sizes):
        yield "instants never fall; rates and sizes are not negative"
    if arrivals.kind == ArrivalKind.TRACE and not instants:
        yield "a trace needs instants"
    if arrivals.kind == ArrivalKind.TRACE and arrivals.sizes and len(arrivals.sizes) != len(instants):
        yield "a trace has as many sizes as instants, or none"
    if arrivals.kind == ArrivalKind.PROFILE:
        strict = all(later > earlier for earlier, later in pairwise(instants))
        if len(instants) < 2 or instants[0] != 0.0 or not strict or len(rates) != len(instants) or sum(rates) == 0.0:
            yield "a profile needs growing instants from 0, as many rates, one of them above 0"


def _of_stream(network: NetworkSpec, stream: Stream) -> Iterator[str]:
    yield from _of_arrivals(stream.arrivals)
    yield from _of_law(stream.service)
    if stream.size_law is not None:
        yield from _of_law(stream.size_law)
    shares = (stream.cpu_share, stream.failure_rate, stream.poison_rate)
    if not all(0.0 <= share <= 1.0 for share in shares):
        yield "cpu_share, failure_rate and poison_rate must be in 0..1"
    if stream.producers < 1 or stream.concurrency < 0 or stream.pipeline < 0 or not finite(stream.message_size):
        yield "producers must be at least 1; concurrency, pipeline and message_size not negative"
    if not stream.weight > 0.0 or not finite(stream.weight, stream.goal):
        yield "the weight must be above 0, the goal not negative"
    endless = stream.arrivals.kind == ArrivalKind.SATURATED and not network.horizon.messages
    if endless and _is_zero(stream.service):
        yield "a queue that is never empty needs work that takes time, or a horizon in messages"
    yield from _of_intake(stream)
    yield from _of_deliveries(stream)
    yield from _of_producers(stream)
    yield from _of_places(network, stream)
    yield from problems_of_sharing(network, stream)


def _of_intake(stream: Stream) -> Iterator[str]:
    gate, window, poller = stream.gate, stream.window, stream.poller
    polled = poller is not None and poller.kind != PollerKind.ON_MESSAGE
    if (gate is not None) + (window is not None) + polled + (stream.pipeline > 0) > 1:
        yield "gate, window, poller and pipeline exclude each other"
    if gate is not None and not (0 <= gate.low <= gate.high and gate.high >= 1 and finite(gate.agent_time)):
        yield "a gate needs 0 <= low <= high, high >= 1 and an agent time that is not negative"
    if window is not None:
        counts = (window.connection_limit, window.connection_count)
        if not (0 <= window.threshold < window.limit and finite(window.round_trip)) or min(counts) < 0:
            yield "a window needs 0 <= threshold < limit, a round trip and connection limits that are not negative"
    if poller is not None:
        if poller.sessions < 1 or not finite(poller.receive_timeout, poller.interval):
            yield "a poller needs at least one session and times that are not negative"
        if poller.kind == PollerKind.LEGACY and poller.interval == 0.0:
            yield "a legacy poller needs an interval above 0"


def _of_deliveries(stream: Stream) -> Iterator[str]:
    transaction, timeouts, again = stream.transaction, stream.timeouts, stream.redelivery
    if transaction is not None and (transaction.batch < 1 or not finite(transaction.commit_time, transaction.lifetime)):
        yield "a transaction needs a batch of at least 1 and times that are not negative"
    if timeouts is not None and not finite(timeouts.queue, timeouts.dispatch):
        yield "timeouts must not be negative"
    if timeouts is not None and timeouts.queue > 0.0 and stream.gate is None:
        yield "a queue timeout needs a gate"
    if not finite(again.delay) or again.limit < 0:
        yield "redelivery delay and limit must not be negative"
    fails = stream.failure_rate == 1.0 or stream.poison_rate > 0.0 or stream.outage is not None
    idle = _is_zero(stream.service) and again.delay == 0.0 and again.limit == 0
    if fails and idle and again.exhausted != Exhausted.STOP_STREAM:
        yield "failing messages of no duration would be redelivered for ever at one instant"


def _of_producers(stream: Stream) -> Iterator[str]:
    quota, flow = stream.quota, stream.flow
    if quota is not None:
        counts = (quota.messages, quota.producer_batch, quota.one_way_window - 1)
        if min(counts) < 0 or not finite(quota.bytes, quota.send_timeout):
            yield "a quota must not be negative, its one-way window at least 1"
    if flow is not None and not (
        0.0 < flow.minimum <= flow.maximum < math.inf and flow.steps >= 1 and finite(flow.interval)
    ):
        yield "flow control needs 0 < minimum <= maximum, at least one step and an interval that is not negative"
    if flow is not None and is_crossed(flow):
        yield "the low thresholds of flow control must not exceed the high ones"
    if flow is not None and flow.messages_per_producer < 0:
        yield "messages_per_producer must not be negative"
    controlled = quota is not None or flow is not None
    if controlled and (stream.copies == Copies.PER_INSTANCE or stream.arrivals.kind == ArrivalKind.SATURATED):
        yield "quotas and flow control need producers of one destination"
    if controlled and max(stream.message_size, *stream.arrivals.sizes, 0.0) > MOST_BYTES:
        yield f"a message that counts against a quota has at most {MOST_BYTES} bytes"


def _of_places(network: NetworkSpec, stream: Stream) -> Iterator[str]:
    pool = network.pools[stream.pool]
    if any(not 0 <= index < len(pool.constraints) for index in stream.constraint):
        yield "a constraint is named that the pool does not have"
    down = stream.downstream
    if down is not None and not (0 <= down.resource < len(network.resources) and 0.0 < down.share <= 1.0):
        yield "a downstream part needs an existing resource and a share in 0..1, above 0"
    if stream.copies == Copies.PER_INSTANCE and stream.arrivals.kind == ArrivalKind.SATURATED:
        yield "a saturated stream cannot be copied"
    lost = stream.timeouts is not None and stream.timeouts.action == TimeoutAction.RESTART_SERVANT
    if lost and pool.growth not in (PoolGrowth.FIXED, PoolGrowth.SERVANTS):
        yield "servants that are lost need threads that come and go with servants"
    if stream.goal > 0.0 and pool.dispatch != Dispatch.THREAD_TIME:
        yield "response-time goals need dispatch by thread time"
