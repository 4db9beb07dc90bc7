"""Refuses networks that make no sense before anything is allocated."""

import math
from collections.abc import Iterator
from itertools import pairwise

from simulations.engine.network import model
from simulations.engine.packing.chains import finite_messages, problems_of_chains
from simulations.engine.records.codes import MOST_BYTES

_RATED = (model.ArrivalKind.POISSON, model.ArrivalKind.CONSTANT, model.ArrivalKind.ON_OFF)
_COUNTED = (model.ArrivalKind.SURGE, model.ArrivalKind.PERIODIC)
_MOST_INSTANCES = 2**15 - 1


class NetworkError(ValueError):
    """The network cannot be simulated; the message names every part that is wrong and why."""


def check_network(network: model.NetworkSpec) -> None:
    """Raise NetworkError when parts of ``network`` are out of range or contradict each other."""
    problems = list(_problems(network))
    if problems:
        raise NetworkError("; ".join(problems))


def _problems(network: model.NetworkSpec) -> Iterator[str]:
    if not network.pools or not network.streams:
        yield "a network needs at least one pool and one stream"
        return
    for index, pool in enumerate(network.pools):
        yield from (f"pool {index}: {problem}" for problem in _of_pool(pool))
        hosts = {place: one.instances for place, one in enumerate(network.pools[:index]) if one.host is None}
        if pool.host is not None and hosts.get(pool.host) != pool.instances:
            yield f"pool {index}: its host must be an earlier pool of as many instances that has none itself"
    for stream in network.streams:
        if not 0 <= stream.pool < len(network.pools):
            yield f"stream {stream.name}: there is no pool {stream.pool}"
            return
        yield from (f"stream {stream.name}: {problem}" for problem in _of_stream(network, stream))
    if any(map(_is_crossed, network.stores)):
        yield "the low thresholds of a store must not exceed the high ones"
    if any(size < 1 for size in network.resources):
        yield "a resource needs at least one unit"
    in_chains = list(problems_of_chains(network))
    yield from in_chains or _of_horizon(network)


def _of_horizon(network: model.NetworkSpec) -> Iterator[str]:
    horizon = network.horizon
    if horizon.messages < 0 or not _finite(horizon.time):
        yield "the horizon must not be negative or infinite"
    if not (horizon.messages or horizon.time or horizon.drained):
        yield "the horizon needs messages, a time or drained"
    if horizon.drained and not any(finite_messages(network, q) for q in range(len(network.streams))):
        yield "a horizon that waits for drained queues needs a surge without later arrivals, or a trace"


def _finite(*values: float) -> bool:
    """Say whether all ``values`` are numbers that are neither negative nor infinite."""
    return all(math.isfinite(value) and value >= 0.0 for value in values)


def _of_pool(pool: model.Pool) -> Iterator[str]:
    if min(pool.instances, pool.cpus, pool.threads_per_servant, pool.servants_max) < 1:
        yield "instances, CPUs, threads and servants must be at least 1"
    if pool.instances > _MOST_INSTANCES:
        yield f"there can be at most {_MOST_INSTANCES} instances"
    if not 1 <= pool.servants_min <= pool.servants_max:
        yield "servants_min must be in 1..servants_max"
    if not _finite(pool.servant_start_time, pool.growth_interval) or pool.growth_interval == 0.0:
        yield "servant_start_time must not be negative, growth_interval must be above 0"
    if pool.queue_capacity < 0 or not _finite(pool.restart_time):
        yield "queue_capacity and restart_time must not be negative"
    for constraint in pool.constraints:
        if min(constraint.minimum, constraint.maximum, constraint.capacity) < 0:
            yield "constraints must not be negative"


def _of_law(law: model.Law) -> Iterator[str]:
    if not _finite(law.b, law.c) or not math.isfinite(law.a) or (law.a < 0.0 and law.kind != model.LawKind.LOGNORMAL):
        yield "the parameters of a law must be finite and not negative"
    if law.kind in (model.LawKind.GAMMA, model.LawKind.WEIBULL) and law.a <= 0.0:
        yield "the shape of a law must be above 0"
    if law.kind == model.LawKind.HYPEREXPONENTIAL and law.a > 1.0:
        yield "the probability of a phase must be at most 1"
    if law.kind == model.LawKind.EMPIRICAL and (not law.values or not _finite(*law.values)):
        yield "an empirical law needs values, none negative"


def _is_zero(law: model.Law) -> bool:
    """Say whether the law has the mean 0: all its numbers are 0."""
    match law.kind:
        case model.LawKind.CONSTANT | model.LawKind.EXPONENTIAL:
            return law.a == 0.0
        case model.LawKind.GAMMA | model.LawKind.WEIBULL:
            return law.b == 0.0
        case model.LawKind.HYPEREXPONENTIAL:
            return law.a * law.b + (1.0 - law.a) * law.c == 0.0
        case model.LawKind.EMPIRICAL:
            return not any(law.values)
        case model.LawKind.LOGNORMAL:
            return False


def _of_arrivals(arrivals: model.ArrivalSpec) -> Iterator[str]:
    numbers = (arrivals.rate, arrivals.rate_off, arrivals.mean_on, arrivals.mean_off, arrivals.start, arrivals.period)
    if not _finite(*numbers) or arrivals.count < 0:
        yield "the numbers of arrivals must be finite and not negative"
    if arrivals.kind in _RATED and arrivals.rate + arrivals.rate_off == 0.0:
        yield "arrivals need a rate above 0"
    if arrivals.kind == model.ArrivalKind.ON_OFF and min(arrivals.mean_on, arrivals.mean_off) <= 0.0:
        yield "on and off periods must be above 0"
    if arrivals.kind in _COUNTED and arrivals.count < 1:
        yield "bursts need at least one message"
    if arrivals.kind == model.ArrivalKind.PERIODIC and arrivals.period <= 0.0:
        yield "the period of bursts must be above 0"
    if arrivals.kind == model.ArrivalKind.RENEWAL:
        yield from _of_law(arrivals.law) if arrivals.law is not None else ("renewal arrivals need a law",)
        if arrivals.law is not None and _is_zero(arrivals.law):
            yield "intervals must not all be 0"
    yield from _of_lists(arrivals)


def _of_lists(arrivals: model.ArrivalSpec) -> Iterator[str]:
    instants, rates = arrivals.instants, arrivals.rates
    falling = any(later < earlier for earlier, later in pairwise(instants))
    if falling or not _finite(*instants, *rates, *arrivals.sizes):
        yield "instants never fall; rates and sizes are not negative"
    if arrivals.kind == model.ArrivalKind.TRACE and not instants:
        yield "a trace needs instants"
    if arrivals.kind == model.ArrivalKind.TRACE and arrivals.sizes and len(arrivals.sizes) != len(instants):
        yield "a trace has as many sizes as instants, or none"
    if arrivals.kind == model.ArrivalKind.PROFILE:
        strict = all(later > earlier for earlier, later in pairwise(instants))
        if len(instants) < 2 or instants[0] != 0.0 or not strict or len(rates) != len(instants) or sum(rates) == 0.0:
            yield "a profile needs growing instants from 0, as many rates, one of them above 0"


def _of_stream(network: model.NetworkSpec, stream: model.Stream) -> Iterator[str]:
    yield from _of_arrivals(stream.arrivals)
    for law in filter(None, (stream.service, stream.size_law, stream.search)):
        yield from _of_law(law)
    shares = (stream.cpu_share, stream.failure_rate, stream.poison_rate, stream.loss_rate, stream.urgent_share)
    if not all(0.0 <= share <= 1.0 for share in shares):
        yield "cpu_share, failure_rate, poison_rate, loss_rate and urgent_share must be in 0..1"
    if stream.producers < 1 or stream.concurrency < 0 or stream.pipeline < 0 or not _finite(stream.message_size):
        yield "producers must be at least 1; concurrency, pipeline and message_size not negative"
    if not stream.weight > 0.0 or not _finite(stream.weight, stream.goal):
        yield "the weight must be above 0, the goal not negative"
    endless = stream.arrivals.kind == model.ArrivalKind.SATURATED and not network.horizon.messages
    if endless and _is_zero(stream.service):
        yield "a queue that is never empty needs work that takes time, or a horizon in messages"
    yield from _of_intake(stream)
    yield from _of_deliveries(stream)
    yield from _of_producers(stream)
    yield from _of_places(network, stream)


def _of_intake(stream: model.Stream) -> Iterator[str]:
    gate, window, poller = stream.gate, stream.window, stream.poller
    polled = poller is not None and poller.kind != model.PollerKind.ON_MESSAGE
    if (gate is not None) + (window is not None) + polled + (stream.pipeline > 0) > 1:
        yield "gate, window, poller and pipeline exclude each other"
    if gate is not None and not (0 <= gate.low <= gate.high and gate.high >= 1 and _finite(gate.agent_time)):
        yield "a gate needs 0 <= low <= high, high >= 1 and an agent time that is not negative"
    if window is not None:
        counts = (window.connection_limit, window.connection_count)
        if not (0 <= window.threshold < window.limit and _finite(window.round_trip)) or min(counts) < 0:
            yield "a window needs 0 <= threshold < limit, a round trip and connection limits that are not negative"
    if poller is not None:
        if poller.sessions < 1 or not _finite(poller.receive_timeout, poller.interval):
            yield "a poller needs at least one session and times that are not negative"
        if poller.kind == model.PollerKind.LEGACY and poller.interval == 0.0:
            yield "a legacy poller needs an interval above 0"


def _of_deliveries(stream: model.Stream) -> Iterator[str]:
    transaction, timeouts, again = stream.transaction, stream.timeouts, stream.redelivery
    if transaction is not None and (
        transaction.batch < 1 or not _finite(transaction.commit_time, transaction.lifetime)
    ):
        yield "a transaction needs a batch of at least 1 and times that are not negative"
    if timeouts is not None and not _finite(timeouts.queue, timeouts.dispatch):
        yield "timeouts must not be negative"
    if timeouts is not None and timeouts.queue > 0.0 and stream.gate is None:
        yield "a queue timeout needs a gate"
    if not _finite(again.delay) or again.limit < 0:
        yield "redelivery delay and limit must not be negative"
    fails = stream.failure_rate == 1.0 or stream.poison_rate > 0.0 or stream.outage is not None or bool(stream.sends)
    idle = _is_zero(stream.service) and again.delay == 0.0 and again.limit == 0
    if fails and idle and again.exhausted != model.Exhausted.STOP_STREAM:
        yield "failing messages of no duration would be redelivered for ever at one instant"


def _is_crossed(thresholds: model.Thresholds) -> bool:
    """Say whether a low threshold is above its high one."""
    return thresholds.messages_low > thresholds.messages_high or thresholds.bytes_low > thresholds.bytes_high


def _of_producers(stream: model.Stream) -> Iterator[str]:
    quota, flow = stream.quota, stream.flow
    controlled = quota is not None or flow is not None
    if quota is not None:
        counts = (quota.messages, quota.producer_batch, quota.one_way_window - 1)
        if min(counts) < 0 or not _finite(quota.bytes, quota.send_timeout, quota.producer_bytes):
            yield "a quota must not be negative, its one-way window at least 1"
    if flow is not None and not (
        0.0 < flow.minimum <= flow.maximum < math.inf and flow.steps >= 1 and _finite(flow.interval)
    ):
        yield "flow control needs 0 < minimum <= maximum, at least one step and an interval that is not negative"
    if flow is not None and (_is_crossed(flow.marks) or flow.messages_per_producer < 0):
        yield "the low thresholds of flow control must not exceed the high ones, nor messages_per_producer be negative"
    if stream.store is not None and not controlled:
        yield "a store counts what producers send: its streams need flow control, or a quota if only one without bounds"
    if controlled and (
        stream.copies == model.Copies.PER_INSTANCE or stream.arrivals.kind == model.ArrivalKind.SATURATED
    ):
        yield "quotas and flow control need producers of one destination"
    if controlled and max(stream.message_size, *stream.arrivals.sizes, 0.0) > MOST_BYTES:
        yield f"a message that counts against a quota has at most {MOST_BYTES} bytes"


def _of_places(network: model.NetworkSpec, stream: model.Stream) -> Iterator[str]:
    pool = network.pools[stream.pool]
    if any(not 0 <= index < len(pool.constraints) for index in stream.constraint):
        yield "a constraint is named that the pool does not have"
    down = stream.downstream
    if down is not None and not (0 <= down.resource < len(network.resources) and 0.0 < down.share <= 1.0):
        yield "a downstream part needs an existing resource and a share in 0..1, above 0"
    if stream.copies == model.Copies.PER_INSTANCE and stream.arrivals.kind == model.ArrivalKind.SATURATED:
        yield "a saturated stream cannot be copied"
    settled = pool.growth in (model.PoolGrowth.FIXED, model.PoolGrowth.SERVANTS)
    lost = stream.timeouts is not None and stream.timeouts.action == model.TimeoutAction.RESTART_SERVANT
    if lost and not settled:
        yield "servants that are lost need threads that come and go with servants"
    if stream.store is not None and not 0 <= stream.store < len(network.stores):
        yield "a store is named that the network does not have"
    outages = [outage for outage in (pool.outage, stream.outage, stream.absence) if outage is not None]
    if pool.outage_instances < 0 or not all(_finite(item.start) and item.duration >= 0.0 for item in outages):
        yield "an outage needs a start, a duration and instances that are not negative"
    if stream.goal > 0.0 and pool.dispatch != model.Dispatch.THREAD_TIME:
        yield "response-time goals need dispatch by thread time"
