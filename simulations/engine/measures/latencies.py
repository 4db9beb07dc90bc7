"""What is measured of each message that completes: sums of its latency and the parts, histogram, series, order."""

import numpy as np

from simulations.engine.compiled import callable_from_python, compiled, inline
from simulations.engine.network.results import BINS, LOWEST_EXPONENT, SERIES_BINS, SUBBINS
from simulations.engine.records.layout import Message, Model
from simulations.engine.records.stream import Stream

_BIN_SHIFT = 52 - (SUBBINS.bit_length() - 1)
_BIN_OFFSET = (1023 + LOWEST_EXPONENT) * SUBBINS


@callable_from_python
def latency_bin(latency: float) -> int:
    """Return the histogram bin of ``latency``: the exponent and the first eight bits of the fraction of its float."""
    bits = int(np.float64(latency).view(np.int64))
    return min(max((bits >> _BIN_SHIFT) - _BIN_OFFSET, 0), BINS - 1)


@compiled
def _halve_series(model: Model, q: int) -> None:
    stream = model.streams[q]
    stream.series_shift += 1
    first = q * SERIES_BINS
    for i in range(SERIES_BINS // 2):
        even = model.series[first + 2 * i]
        odd = model.series[first + 2 * i + 1]
        messages = even.messages + odd.messages
        seconds = even.seconds + odd.seconds
        odd.messages = odd.seconds = even.messages = even.seconds = 0.0
        half = model.series[first + i]
        half.messages = messages
        half.seconds = seconds


@inline
def _record_order(model: Model, q: int, index: int, latency: float) -> None:
    """Enter a completion into the warm-up series and see whether a later message has overtaken it."""
    stream = model.streams[q]
    stream.overtaken += int(index < stream.max_index)  # as likely as not, so without a branch
    stream.max_index = max(stream.max_index, index)
    group = stream.total_completed >> stream.series_shift
    if group == SERIES_BINS:
        _halve_series(model, q)
        group = SERIES_BINS // 2
    entry = model.series[q * SERIES_BINS + group]
    entry.messages += 1.0
    entry.seconds += latency
    stream.total_completed += 1


@inline
def _record_slow(stream: Stream, message: Message, latency: float, waiting: float, commit: float) -> None:
    """Add a message that took at least ``slow_from`` to the separate sums of slow messages."""
    stream.slow_messages += 1.0
    stream.slow_latency += latency
    stream.slow_wait_destination += message.destination
    stream.slow_wait_prepared += message.prepared
    stream.slow_wait_thread += message.thread
    stream.slow_wait_downstream += message.downstream
    stream.slow_cpu += message.cpu
    stream.slow_waiting += waiting
    stream.slow_commit += commit
    stream.slow_redelivery += message.redelivery


@inline
def record_latency(model: Model, q: int, message: Message, latency: float, waiting: float, commit: float) -> None:
    """Enter a completed message of stream ``q`` into sums, histogram, series and extremes."""
    stream = model.streams[q]
    destination, prepared, thread = message.destination, message.prepared, message.thread
    downstream, cpu, redelivery = message.downstream, message.cpu, message.redelivery
    stream.seconds_latency += latency
    stream.seconds_wait_destination += destination
    stream.seconds_wait_prepared += prepared
    stream.seconds_wait_thread += thread
    stream.seconds_wait_downstream += downstream
    stream.seconds_cpu += cpu
    stream.seconds_waiting += waiting
    stream.seconds_commit += commit
    stream.seconds_redelivery += redelivery
    stream.seconds_wait_cpu += max(message.crowding, 0.0)
    parts = (destination + prepared) + (thread + downstream) + (cpu + waiting) + (commit + redelivery)
    stream.parts_error = max(stream.parts_error, abs(parts - latency) - 1e-9 * latency)
    stream.completed += 1
    stream.latency_total += latency
    stream.latency_max = max(stream.latency_max, latency)
    if latency >= stream.slow_from:
        _record_slow(stream, message, latency, waiting, commit)
    model.bins[stream.first_bin + latency_bin(latency)].count += 1
    _record_order(model, q, message.index, latency)
