"""Draws from the laws of ``network.Law``: a number of an address, by inversion wherever the inverse is cheap.

A law is packed into a record with ``kind``, ``a``, ``b``, ``c`` and a range ``first``, ``count`` of the model's values.
Exponential numbers are drawn ahead, a block at a time: those of the same addresses, in a third of the time. A loop over
a block has no branch and no call, so the compiler does several numbers with one vector instruction. Every stream keeps
one block for the gaps between its arrivals and one for the demands of its messages.
"""

import math
from pathlib import Path

import numpy as np

from simulations.engine.compiled import apart, callable_from_python, inline
from simulations.engine.draws.numbers import ATTEMPTS, WEYL, exponential, logarithm, mix, uniform, unit, word
from simulations.engine.network.model import LawKind
from simulations.engine.records.layout import Law, Model
from simulations.engine.records.stream import Stream

BLOCK = 64
"""Numbers of a block."""


@apart
def _draw(model: Model, place: int, key: np.uint64, index: int, mean: float, rate: float) -> None:
    """Draw the numbers of the addresses ``index`` to ``index + BLOCK - 1`` into the block that begins at ``place``.
    Their mean is ``mean / rate``. One of the two is 1, so a gap is rounded by one division, a demand by one product."""
    for i in range(BLOCK):
        model.ahead[place + i].value = uniform(key, index + i)
    for i in range(BLOCK):  # a loop of its own: a processor overlaps more steps of two short chains than of a long one
        model.ahead[place + i].value = -logarithm(model.ahead[place + i].value) * mean / rate


@apart
def _elsewhere(model: Model, stream: Stream, address: int, mean: float) -> float:
    """Draw a demand whose address is outside the stream's block; the block moves there when the address lies ahead."""
    if stream.demands_from <= address < ATTEMPTS:
        stream.demands_from = address
        _draw(model, stream.demands, stream.service_key, address, mean, 1.0)
    return exponential(stream.service_key, address) * mean


@inline
def next_gap(model: Model, stream: Stream) -> float:
    """Return the seconds to the next arrival of ``stream``; its gaps are used in their order."""
    offset = stream.arrival_index & (BLOCK - 1)
    if offset == 0:
        _draw(model, stream.gaps, stream.arrival_key, stream.arrival_index, 1.0, stream.rate)
    return model.ahead[stream.gaps + offset].value


@inline
def demand(model: Model, stream: Stream, address: int, mean: float) -> float:
    """Return the seconds of a service whose exponential distribution has the mean ``mean``.

    Messages are served roughly in order. An address before the block belongs to a message that was overtaken and is
    drawn by itself, as is the address of a redelivery, which lies far beyond.
    """
    offset = address - stream.demands_from
    if 0 <= offset < BLOCK:
        return model.ahead[stream.demands + offset].value
    return _elsewhere(model, stream, address, mean)


_CENTER, _TAIL = 0.425, 5.0
_TABLE = np.loadtxt(Path(__file__).with_name("normal_quantile.txt")).reshape(8, 3, 2)
_CENTER_TERMS, _MIDDLE_TERMS, _FAR_TERMS = (tuple(map(tuple, _TABLE[:, place].tolist())) for place in range(3))


@inline
def _ratio(terms: tuple[tuple[float, float], ...], x: float) -> float:
    above = 0.0
    below = 0.0
    for i in range(8):
        above = above * x + terms[i][0]
        below = below * x + terms[i][1]
    return above / below


@callable_from_python
def normal_quantile(u: float) -> float:
    """Return the standard normal quantile of ``u`` in (0, 1), to about 1e-16 (Wichura 1988, algorithm AS 241)."""
    q = u - 0.5
    if abs(q) <= _CENTER:
        return q * _ratio(_CENTER_TERMS, 0.180625 - q * q)
    r = math.sqrt(-math.log(min(u, 1.0 - u)))
    x = _ratio(_MIDDLE_TERMS, r - 1.6) if r <= _TAIL else _ratio(_FAR_TERMS, r - _TAIL)
    return x if q > 0.0 else -x


@callable_from_python
def gamma(shape: float, scale: float, bits: np.uint64) -> float:
    """Return a gamma number from the sub-sequence of ``bits`` (Marsaglia and Tsang 2000; boosted below shape 1)."""
    boost = 1.0
    state = bits
    if shape < 1.0:
        state = mix(state + WEYL)
        boost = math.exp(math.log(unit(state)) / shape)
        shape += 1.0
    d = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        state = mix(state + WEYL)
        x = normal_quantile(unit(state))
        state = mix(state + WEYL)
        v = (1.0 + c * x) ** 3
        if v > 0.0 and math.log(unit(state)) < 0.5 * x * x + d - d * v + d * math.log(v):
            return boost * d * v * scale


@apart
def draw_rare(model: Model, law: Law, bits: np.uint64) -> float:
    """Return a number of a law other than constant and exponential from 64 random ``bits``."""
    u = unit(bits)
    if law.kind == LawKind.LOGNORMAL:
        return math.exp(law.a + law.b * normal_quantile(u))
    if law.kind == LawKind.GAMMA:
        return gamma(law.a, law.b, bits)
    if law.kind == LawKind.WEIBULL:
        return float(law.b * (-math.log(u)) ** (1.0 / law.a))
    if law.kind == LawKind.HYPEREXPONENTIAL:
        mean = law.b if unit(mix(bits + WEYL)) < law.a else law.c
        return -math.log(u) * mean
    return model.values[law.first + int(u * law.count)].value


@inline
def draw(model: Model, law: Law, key: np.uint64, index: int) -> float:
    """Return the number of address ``index`` under ``key`` with distribution ``law``, in seconds."""
    if law.kind == LawKind.CONSTANT:
        return law.a
    if law.kind == LawKind.EXPONENTIAL:
        return exponential(key, index) * law.a
    return draw_rare(model, law, word(key, index))


@inline
def draw_service(model: Model, stream: Stream, address: int) -> float:
    """Return the service demand of a message of ``stream`` at ``address``, in seconds."""
    law = model.laws[stream.law]
    if law.kind == LawKind.EXPONENTIAL:
        return demand(model, stream, address, law.a)
    return draw(model, law, stream.service_key, address)
