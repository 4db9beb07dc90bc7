"""Exponential numbers drawn ahead, a block at a time: those of the same addresses, in a third of the time.

A loop over a block has no branch and no call, so the compiler does several numbers with one vector instruction. Every
stream keeps one block for the gaps between its arrivals and one for the demands of its messages.
"""

import numpy as np

from simulations.engine.compiled import apart, inline
from simulations.engine.draws.streams import ATTEMPTS, exponential, logarithm, uniform
from simulations.engine.records.layout import Model
from simulations.engine.records.stream import Stream

BLOCK = 64
"""Numbers of a block."""


@apart
def _draw(model: Model, place: int, key: np.uint64, index: int, mean: float, rate: float) -> None:
    """Draw the numbers of the addresses ``index`` to ``index + BLOCK - 1`` into the block that begins at ``place``.

    Their mean is ``mean / rate``; one of the two is 1, so a gap is the quotient and a demand the product it always was.
    """
    for i in range(BLOCK):
        model.ahead[place + i].value = uniform(key, index + i)
    for i in range(BLOCK):  # a loop of its own: a processor overlaps more steps of two short chains than of a long one
        model.ahead[place + i].value = -logarithm(model.ahead[place + i].value) * mean / rate


@apart
def _elsewhere(model: Model, stream: Stream, address: int, mean: float) -> float:
    """Return the number of a service whose address is not in the stream's block, which moves on to it if it may."""
    if stream.demands_from <= address < ATTEMPTS:
        stream.demands_from = address
        _draw(model, stream.demands, stream.service_key, address, mean, 1.0)
    return exponential(stream.service_key, address) * mean


@inline
def next_gap(model: Model, stream: Stream) -> float:
    """Return the seconds to the next arrival of ``stream``, which asks for one after the other."""
    offset = stream.arrival_index & (BLOCK - 1)
    if offset == 0:
        _draw(model, stream.gaps, stream.arrival_key, stream.arrival_index, 1.0, stream.rate)
    return model.ahead[stream.gaps + offset].value


@inline
def demand(model: Model, stream: Stream, address: int, mean: float) -> float:
    """Return the seconds of a service whose exponential distribution has the mean ``mean``.

    Messages are served about in their order. An address before the block, that of a message which has been overtaken,
    is drawn by itself, as is a redelivery's, which lies far beyond.
    """
    offset = address - stream.demands_from
    if 0 <= offset < BLOCK:
        return model.ahead[stream.demands + offset].value
    return _elsewhere(model, stream, address, mean)
