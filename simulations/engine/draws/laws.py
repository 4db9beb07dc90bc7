"""Draws from the laws of ``network.Law``: a number of an address, by inversion wherever the inverse is cheap.

A law is packed into a record with ``kind``, ``a``, ``b``, ``c`` and a range ``first``, ``count`` of the model's values.
"""

import math

import numpy as np

from simulations.engine.compiled import apart, callable_too, inline
from simulations.engine.draws.blocks import demand
from simulations.engine.draws.streams import WEYL, exponential, mix, unit, word
from simulations.engine.network.model import LawKind
from simulations.engine.records.layout import Law, Model
from simulations.engine.records.stream import Stream

_CENTRE = 0.425
_TAIL = 5.0
# Wichura's rational approximations of the normal quantile, highest power first (AS 241, PPND16).
_CENTRE_UP = (
    2.5090809287301226727e3,
    3.3430575583588128105e4,
    6.7265770927008700853e4,
    4.5921953931549871457e4,
    1.3731693765509461125e4,
    1.9715909503065514427e3,
    1.3314166789178437745e2,
    3.3871328727963666080e0,
)
_CENTRE_DOWN = (
    5.2264952788528545610e3,
    2.8729085735721942674e4,
    3.9307895800092710610e4,
    2.1213794301586595867e4,
    5.3941960214247511077e3,
    6.8718700749205790830e2,
    4.2313330701600911252e1,
    1.0,
)
_MIDDLE_UP = (
    7.74545014278341407640e-4,
    2.27238449892691845833e-2,
    2.41780725177450611770e-1,
    1.27045825245236838258e0,
    3.64784832476320460504e0,
    5.76949722146069140550e0,
    4.63033784615654529590e0,
    1.42343711074968357734e0,
)
_MIDDLE_DOWN = (
    1.05075007164441684324e-9,
    5.47593808499534494600e-4,
    1.51986665636164571966e-2,
    1.48103976427480074590e-1,
    6.89767334985100004550e-1,
    1.67638483018380384940e0,
    2.05319162663775882187e0,
    1.0,
)
_FAR_UP = (
    2.01033439929228813265e-7,
    2.71155556874348757815e-5,
    1.24266094738807843860e-3,
    2.65321895265761230930e-2,
    2.96560571828504891230e-1,
    1.78482653991729133580e0,
    5.46378491116411436990e0,
    6.65790464350110377720e0,
)
_FAR_DOWN = (
    2.04426310338993978564e-15,
    1.42151175831644588870e-7,
    1.84631831751005468180e-5,
    7.86869131145613259100e-4,
    1.48753612908506148525e-2,
    1.36929880922735805310e-1,
    5.99832206555887937690e-1,
    1.0,
)


@inline
def _ratio(up: tuple[float, ...], down: tuple[float, ...], x: float) -> float:
    above = 0.0
    below = 0.0
    for i in range(8):
        above = above * x + up[i]
        below = below * x + down[i]
    return above / below


@callable_too
def normal_quantile(u: float) -> float:
    """Return the standard normal quantile of ``u`` in (0, 1), to about 1e-16 (Wichura 1988, algorithm AS 241)."""
    q = u - 0.5
    if abs(q) <= _CENTRE:
        return q * _ratio(_CENTRE_UP, _CENTRE_DOWN, 0.180625 - q * q)
    r = math.sqrt(-math.log(min(u, 1.0 - u)))
    x = _ratio(_MIDDLE_UP, _MIDDLE_DOWN, r - 1.6) if r <= _TAIL else _ratio(_FAR_UP, _FAR_DOWN, r - _TAIL)
    return x if q > 0.0 else -x


@callable_too
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
def rare(model: Model, law: Law, bits: np.uint64) -> float:
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
    return rare(model, law, word(key, index))


@inline
def draw_service(model: Model, stream: Stream, address: int) -> float:
    """Return the service demand of a message of ``stream`` at ``address``, in seconds."""
    law = model.laws[stream.law]
    if law.kind == LawKind.EXPONENTIAL:
        return demand(model, stream, address, law.a)
    return draw(model, law, stream.service_key, address)
