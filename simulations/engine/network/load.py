"""The load of a stream: when its messages arrive and how long they take."""

from dataclasses import dataclass
from enum import IntEnum


class LawKind(IntEnum):
    """Distributions of durations. ``a``, ``b``, ``c`` are the kind's own parameters, given at each member."""

    CONSTANT = 0  # a = value
    EXPONENTIAL = 1  # a = mean
    LOGNORMAL = 2  # a = mean of log, b = standard deviation of log
    GAMMA = 3  # a = shape, b = scale
    WEIBULL = 4  # a = shape, b = scale
    HYPEREXPONENTIAL = 5  # a = probability of phase 1, b = mean of phase 1, c = mean of phase 2
    EMPIRICAL = 6  # values = equally likely values


@dataclass(frozen=True)
class Law:
    """A distribution of durations in seconds, or of sizes in bytes."""

    kind: LawKind
    a: float = 0.0
    b: float = 0.0
    c: float = 0.0
    values: tuple[float, ...] = ()


class ArrivalKind(IntEnum):
    """How messages arrive; rates are per second, all producers together."""

    POISSON = 0  # rate
    CONSTANT = 1  # rate
    RENEWAL = 2  # law
    ON_OFF = 3  # rate while on, rate_off, mean_on, mean_off
    SURGE = 4  # count at start, then Poisson with rate
    PERIODIC = 5  # count every period seconds, first at 0
    PROFILE = 6  # instants, rates: piecewise linear, repeated with the period instants[-1]
    TRACE = 7  # instants, sizes
    SATURATED = 8  # the destination is never empty; message k arrives when it is taken


@dataclass(frozen=True)
class ArrivalSpec:
    """The arrivals of one stream."""

    kind: ArrivalKind
    rate: float = 0.0
    rate_off: float = 0.0
    mean_on: float = 0.0
    mean_off: float = 0.0
    count: int = 0
    start: float = 0.0
    period: float = 0.0
    law: Law | None = None
    instants: tuple[float, ...] = ()
    rates: tuple[float, ...] = ()
    sizes: tuple[float, ...] = ()
