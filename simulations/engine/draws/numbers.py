"""Addressed random numbers: a number is a pure function of (seed, replication, purpose, entity, index).

There is no generator state, so message k of stream q has the same arrival instant and demand whatever else happens:
common random numbers across settings, and the same results however the work is split. The hash is the finaliser of
splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014) over a Weyl sequence.
"""

from enum import IntEnum

import numpy as np

from simulations.engine.compiled import callable_from_python

WEYL = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_S11 = np.uint64(11)
_S27 = np.uint64(27)
_S30 = np.uint64(30)
_S31 = np.uint64(31)
_UNIT = 2.0**-53
_FRACTION = np.int64(52)
_FRACTION_BITS = np.int64(2**52 - 1)
_BIAS = np.int64(1023)
_HALF_ROOT = np.int64(0x3FE6A09E00000000)
_TO_HALF_ROOT = np.int64(0x3FF0000000000000 - 0x3FE6A09E00000000)
_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
_LOG_1, _LOG_2, _LOG_3 = 6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01
_LOG_4, _LOG_5, _LOG_6 = 2.222219843214978396e-01, 1.818357216161805012e-01, 1.531383769920937332e-01
_LOG_7 = 1.479819860511658591e-01
_MOST = 1.0 - _UNIT
ATTEMPTS = 1 << 40
"""Addresses of what is drawn per delivery: message index + earlier deliveries x 2^40, all distinct."""


class Purpose(IntEnum):
    """What a number is used for; numbers of different purposes are independent."""

    ARRIVAL = 1
    SERVICE = 2
    POISON = 3
    FAILURE = 4
    LOTTERY = 5
    SIZE = 6
    SEND = 7
    LOSS = 8
    PRIORITY = 9
    SEARCH = 10


@callable_from_python
def mix(state: np.uint64) -> np.uint64:
    """Return the splitmix64 finaliser of ``state``: a bijection of 64-bit words."""
    state = (state ^ (state >> _S30)) * _FIRST
    state = (state ^ (state >> _S27)) * _SECOND
    return state ^ (state >> _S31)


@callable_from_python
def word(key: np.uint64, index: int) -> np.uint64:
    """Return 64 random bits of address ``index`` under ``key``."""
    return mix(key + np.uint64(index) * WEYL)


@callable_from_python
def unit(bits: np.uint64) -> float:
    """Return a number strictly between 0 and 1 from the upper 53 bits of ``bits``."""
    return min((np.float64(bits >> _S11) + 0.5) * _UNIT, _MOST)


@callable_from_python
def uniform(key: np.uint64, index: int) -> float:
    """Return the uniform number strictly between 0 and 1 of address ``index`` under ``key``."""
    return unit(word(key, index))


@callable_from_python
def logarithm(x: float) -> float:
    """Return the natural logarithm of a number above 0, off by less than one unit in the last place.

    Additions, multiplications and one division, no call and no branch: vector instructions do several at a time, and
    every machine gets the same bits, which libraries do not promise. Method and coefficients are those of fdlibm: with
    x = 2^k m and m between sqrt(1/2) and sqrt(2), log m = 2 artanh(s) for s = (m - 1) / (m + 1), as a series in s^2.
    """
    shifted = np.float64(x).view(np.int64) + _TO_HALF_ROOT
    exponent = np.float64((shifted >> _FRACTION) - _BIAS)
    f = np.int64((shifted & _FRACTION_BITS) + _HALF_ROOT).view(np.float64) - 1.0
    s = f / (2.0 + f)
    z = s * s
    w = z * z
    even = w * (_LOG_2 + w * (_LOG_4 + w * _LOG_6))
    odd = z * (_LOG_1 + w * (_LOG_3 + w * (_LOG_5 + w * _LOG_7)))
    square = 0.5 * f * f
    return s * (square + (even + odd)) + exponent * _LN2_LOW - square + f + exponent * _LN2_HIGH


@callable_from_python
def exponential(key: np.uint64, index: int) -> float:
    """Return the exponential number with mean 1 of address ``index`` under ``key``."""
    return -logarithm(uniform(key, index))


@callable_from_python
def stream_key(seed: int, replication: int, purpose: int, entity: int) -> np.uint64:
    """Return the key of one stream of numbers; each part of the address is hashed in, so neighbors are unrelated."""
    key = mix(np.uint64(seed) + WEYL)
    key = mix(key + np.uint64(replication) * WEYL + _S11)
    key = mix(key + np.uint64(purpose) * WEYL + _S27)
    return mix(key + np.uint64(entity) * WEYL + _S31)
