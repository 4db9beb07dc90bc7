"""Draws from the laws of ``network.Law``: a number of an address, by inversion wherever the inverse is cheap.

A law is packed into a record with ``kind``, ``a``, ``b``, ``c`` and a range ``first``, ``count`` of the model's values.
Exponential numbers are drawn ahead, a block at a time: those of the same addresses, in a third of the time. A loop over
a block has no branch and no call, so the compiler does several numbers with one vector instruction. Every stream keeps
one block for the gaps between its arrivals and one for the demands of its messages.
"""

import math

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

    Their mean is ``mean / rate``. One of the two is 1, so a gap is rounded by one division, a demand by one product.
    """
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
# Wichura's rational approximations of the normal quantile: numerator and denominator, highest power first (AS 241,
# PPND16).
_CENTER_TERMS = (
    (2.5090809287301226727e3, 5.2264952788528545610e3),
    (3.3430575583588128105e4, 2.8729085735721942674e4),
    (6.7265770927008700853e4, 3.9307895800092710610e4),
    (4.5921953931549871457e4, 2.1213794301586595867e4),
    (1.3731693765509461125e4, 5.3941960214247511077e3),
    (1.9715909503065514427e3, 6.8718700749205790830e2),
    (1.3314166789178437745e2, 4.2313330701600911252e1),
    (3.3871328727963666080e0, 1.0),
)
_MIDDLE_TERMS = (
    (7.74545014278341407640e-4, 1.05075007164441684324e-9),
    (2.27238449892691845833e-2, 5.47593808499534494600e-4),
    (2.41780725177450611770e-1, 1.51986665636164571966e-2),
    (1.27045825245236838258e0, 1.48103976427480074590e-1),
    (3.64784832476320460504e0, 6.89767334985100004550e-1),
    (5.76949722146069140550e0, 1.67638483018380384940e0),
    (4.63033784615654529590e0, 2.05319162663775882187e0),
    (1.42343711074968357734e0, 1.0),
)
_FAR_TERMS = (
    (2.01033439929228813265e-7, 2.04426310338993978564e-15),
    (2.71155556874348757815e-5, 1.42151175831644588870e-7),
    (1.24266094738807843860e-3, 1.84631831751005468180e-5),
    (2.65321895265761230930e-2, 7.86869131145613259100e-4),
    (2.96560571828504891230e-1, 1.48753612908506148525e-2),
    (1.78482653991729133580e0, 1.36929880922735805310e-1),
    (5.46378491116411436990e0, 5.99832206555887937690e-1),
    (6.65790464350110377720e0, 1.0),
)


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
