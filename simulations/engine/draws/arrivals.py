"""When the next message of a stream arrives: one small function per kind of ``network.ArrivalKind``."""

import math

from simulations.engine.compiled import apart, compiled, inline
from simulations.engine.draws.laws import draw, next_gap
from simulations.engine.draws.numbers import exponential, uniform
from simulations.engine.network.model import ArrivalKind
from simulations.engine.records.codes import FOREVER
from simulations.engine.records.layout import Model
from simulations.engine.records.stream import Stream


@inline
def _begin_phase(stream: Stream, time: float) -> None:
    """Draw the end of the phase that begins at ``time``."""
    mean = stream.mean_on if stream.phase == 1 else stream.mean_off
    stream.phase_end = time + mean * exponential(stream.arrival_key, stream.draws)
    stream.draws += 1


@apart
def _on_off(stream: Stream) -> float:
    """Poisson arrivals whose rate switches after exponential times; memoryless, so each switch draws anew."""
    time = stream.next_arrival
    while True:
        rate = stream.rate if stream.phase == 1 else stream.rate_off
        gap = exponential(stream.arrival_key, stream.draws)
        stream.draws += 1
        if rate > 0.0 and time + gap / rate < stream.phase_end:
            return time + gap / rate
        time = stream.phase_end
        stream.phase = 1 - stream.phase
        _begin_phase(stream, time)


@apart
def _profile(model: Model, stream: Stream) -> float:
    """Poisson arrivals with piecewise linear rate: the integral of the rate between two arrivals is exponential."""
    instants = stream.first_value
    rates = stream.first_value + stream.values
    need = exponential(stream.arrival_key, stream.arrival_index)
    while True:
        i = stream.phase
        offset = stream.level
        left = model.values[instants + i + 1].value - model.values[instants + i].value - offset
        slope = (model.values[rates + i + 1].value - model.values[rates + i].value) / (
            model.values[instants + i + 1].value - model.values[instants + i].value
        )
        rate = model.values[rates + i].value + slope * offset
        mass = (rate + 0.5 * slope * left) * left
        if mass > need:
            # Stable root of rate x + slope x^2 / 2 = need.
            step = 2.0 * need / (rate + math.sqrt(max(rate * rate + 2.0 * slope * need, 0.0)))
            stream.level = offset + min(step, left)
            cycle = stream.period_index * model.values[instants + stream.values - 1].value
            return stream.start + cycle + model.values[instants + i].value + stream.level
        need -= mass
        stream.level = 0.0
        stream.phase = i + 1
        if stream.phase == stream.values - 1:
            stream.phase = 0
            stream.period_index += 1


@apart
def _bursty(model: Model, stream: Stream) -> float:
    """Arrivals in bursts or from a log."""
    k = stream.arrival_index
    if stream.arrival_kind == ArrivalKind.SURGE:
        if k < stream.count:
            return stream.start
        return stream.next_arrival + exponential(stream.arrival_key, k) / stream.rate
    if stream.arrival_kind == ArrivalKind.PERIODIC:
        return stream.start + (k // stream.count) * stream.period
    if k < stream.count:
        return stream.start + model.values[stream.first_value + k].value
    return FOREVER


@apart
def _other(model: Model, stream: Stream) -> float:
    """Return the next instant of a stream whose arrivals are not Poisson at a constant rate."""
    kind = stream.arrival_kind
    if kind == ArrivalKind.CONSTANT:
        return stream.start + (stream.arrival_index + 1) / stream.rate
    if kind == ArrivalKind.RENEWAL:
        interval = draw(model, model.laws[stream.interval], stream.arrival_key, stream.arrival_index)
        return stream.next_arrival + interval
    if kind == ArrivalKind.ON_OFF:
        return _on_off(stream)
    if kind == ArrivalKind.PROFILE:
        return _profile(model, stream)
    if kind in (ArrivalKind.SURGE, ArrivalKind.PERIODIC, ArrivalKind.TRACE):
        return _bursty(model, stream)
    return FOREVER


@inline
def next_arrival(model: Model, stream: Stream) -> float:
    """Return the instant of the arrival ``stream.arrival_index``, given the last one in ``stream.next_arrival``."""
    if stream.arrival_kind == ArrivalKind.POISSON:
        return stream.next_arrival + next_gap(model, stream)
    return _other(model, stream)


@compiled
def start_streams(model: Model) -> None:
    """Draw the first arrival of every stream."""
    for q in range(model.stream_count):
        stream = model.streams[q]
        stream.next_arrival = stream.start
        if stream.arrival_kind == ArrivalKind.ON_OFF:
            share = stream.mean_on / (stream.mean_on + stream.mean_off)
            stream.phase = 1 if uniform(stream.arrival_key, 0) < share else 0
            stream.draws = 1
            _begin_phase(stream, stream.start)
        stream.next_arrival = next_arrival(model, stream)
