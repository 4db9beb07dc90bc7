"""The work: how messages arrive and what each of them demands. Typed in the same style as the parameters."""

import itertools
import math
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from simulations.declarations.parameters import Model, own
from simulations.declarations.units import Duration, PositiveDuration, PositiveRate, Rate, Share, Size

FEWEST = 0.01
"""Messages of a period that repeats itself: with fewer it takes too long to draw when the next one arrives."""
COEFFICIENT = "Coefficient of variation"
Variation = Annotated[
    float, Field(ge=0.001, le=100, allow_inf_nan=False), own(title=COEFFICIENT, typical=(0.1, 5), start=1.0)
]
"""Coefficient of variation: standard deviation divided by the mean. What varies less is a constant."""
HighVariation = Annotated[
    float, Field(gt=1, le=100, allow_inf_nan=False), own(title=COEFFICIENT, typical=(1, 10), start=2.0)
]
"""Coefficient of variation above 1."""
_TIMES, _RATES = (0.001, 60), (0.1, 1000)
_Mean = Annotated[PositiveDuration, own("s", "Mean", typical=_TIMES, start=0.2)]
KIND = own(title="Kind")


class _Demand(Model):
    cpu: Annotated[Share, own(title="CPU share")] = 0.0
    """Share of the demand that needs a CPU; the rest is waiting (I/O, other systems). Unused for intervals."""


class Constant(_Demand):
    """Always the same value."""

    kind: Annotated[Literal["constant"], KIND] = "constant"
    mean: _Mean
    """The value, in seconds."""


class Exponential(_Demand):
    """Exponential distribution: coefficient of variation 1."""

    kind: Annotated[Literal["exponential"], KIND] = "exponential"
    mean: _Mean
    """Mean, in seconds."""


class Fitted(Model):
    """Two parameters: mean and cv, or the two percentiles p50 and p95 (p99 may be given as a check of the fit)."""

    mean: _Mean | None = None
    """Mean, in seconds."""
    cv: Variation | None = None
    """Coefficient of variation."""
    p50: Annotated[PositiveDuration | None, own("s", "Median", typical=_TIMES)] = None
    """Median, in seconds."""
    p95: Annotated[PositiveDuration | None, own("s", "p95", typical=_TIMES)] = None
    """95th percentile, in seconds."""
    p99: Annotated[PositiveDuration | None, own("s", "p99", typical=_TIMES)] = None
    """99th percentile, in seconds; the fit then uses all three (least squares in log time)."""

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        moments = self.mean is not None and self.cv is not None
        two = self.p50 is not None and self.p95 is not None
        if moments == two or (moments and self.p99 is not None):
            raise ValueError("give either mean and cv, or p50 and p95 (p99 optional)")
        given = [value for value in (self.p50, self.p95, self.p99) if value is not None]
        if any(high <= low for low, high in itertools.pairwise(given)):
            raise ValueError("percentiles must grow: p50 < p95 < p99")
        return self


class Lognormal(Fitted, _Demand):
    """Lognormal distribution."""

    kind: Annotated[Literal["lognormal"], KIND] = "lognormal"


class Gamma(Fitted, _Demand):
    """Gamma distribution."""

    kind: Annotated[Literal["gamma"], KIND] = "gamma"


class Weibull(Fitted, _Demand):
    """Weibull distribution."""

    kind: Annotated[Literal["weibull"], KIND] = "weibull"


class Hyperexponential(_Demand):
    """Two-phase hyper-exponential with balanced means; cv must be above 1."""

    kind: Annotated[Literal["hyperexponential"], KIND] = "hyperexponential"
    mean: _Mean
    """Mean, in seconds."""
    cv: HighVariation
    """Coefficient of variation, above 1."""


class Empirical(_Demand):
    """Draws with equal probability from measured values."""

    kind: Annotated[Literal["empirical"], KIND] = "empirical"
    source: Annotated[
        tuple[Duration, ...], Field(min_length=1, max_length=100_000), own("s", "Measured values", start=(0.2,))
    ]
    """The measured values, in seconds."""

    @model_validator(mode="after")
    def _takes_time(self) -> Self:
        if not any(self.source):
            raise ValueError("at least one measured value must be above 0")
        return self


Distribution = Annotated[
    Constant | Exponential | Lognormal | Gamma | Weibull | Hyperexponential | Empirical, Field(discriminator="kind")
]


MOST_LOGGED = 1_000_000
"""Most messages of a log that is replayed."""
_Factor = Annotated[float, Field(gt=0, le=1000, allow_inf_nan=False)]
_Rate = Annotated[PositiveRate, own("/s", "Arrival rate", typical=_RATES, start=10.0)]


class Poisson(Model):
    """Independent arrivals at a constant mean rate."""

    kind: Annotated[Literal["poisson"], KIND] = "poisson"
    rate: _Rate
    """Messages per second, all producers together."""


class ConstantRate(Model):
    """Arrivals at equal intervals."""

    kind: Annotated[Literal["constant"], KIND] = "constant"
    rate: _Rate
    """Messages per second, all producers together."""


class Renewal(Model):
    """Independent intervals with a given distribution."""

    kind: Annotated[Literal["renewal"], KIND] = "renewal"
    interval: Annotated[Distribution, own("s", "Interval", start=Exponential(mean=0.1))]
    """Distribution of the time between two arrivals."""


class OnOff(Model):
    """Poisson arrivals whose rate switches between two values after exponential times (a two-state MMPP)."""

    kind: Annotated[Literal["on_off"], KIND] = "on_off"
    on_rate: Annotated[PositiveRate, own("/s", "Arrival rate while on", typical=_RATES, start=20.0)]
    """Messages per second while on."""
    off_rate: Annotated[Rate, own("/s", "Arrival rate while off", typical=(0, 1000))] = 0.0
    """Messages per second while off."""
    mean_on: Annotated[PositiveDuration, own("s", "Mean time on", typical=(1, 3600), start=60.0)]
    """Mean length of an on period, in seconds."""
    mean_off: Annotated[PositiveDuration, own("s", "Mean time off", typical=(1, 3600), start=60.0)]
    """Mean length of an off period, in seconds."""

    @model_validator(mode="after")
    def _often_enough(self) -> Self:
        messages = self.on_rate * self.mean_on + self.off_rate * self.mean_off
        if messages < FEWEST:
            raise ValueError(
                f"on and off once bring {messages:.2g} messages, fewer than {FEWEST}; raise rates or times"
            )
        return self


class Surge(Model):
    """A number of messages at one instant, then Poisson arrivals (or none)."""

    kind: Annotated[Literal["surge"], KIND] = "surge"
    count: Annotated[
        int, Field(ge=1, le=10_000_000), own("messages", "Messages at once", typical=(1, 100_000), start=1000)
    ]
    """Messages that arrive at once."""
    at: Annotated[Duration, own("s", "Instant", typical=(0, 3600))] = 0.0
    """The instant, in seconds from the start."""
    then: Annotated[Rate, own("/s", "Arrival rate afterwards", typical=(0, 1000))] = 0.0
    """Messages per second afterwards."""


class PeriodicBurst(Model):
    """A number of messages at once, repeated at a fixed interval."""

    kind: Annotated[Literal["periodic_burst"], KIND] = "periodic_burst"
    count: Annotated[
        int, Field(ge=1, le=10_000_000), own("messages", "Messages per burst", typical=(1, 100_000), start=400)
    ]
    """Messages per burst."""
    every: Annotated[PositiveDuration, own("s", "Time between bursts", typical=(1, 3600), start=60.0)]
    """Seconds between two bursts."""


class Profile(Model):
    """Poisson arrivals whose rate follows a piecewise linear line, repeated after its last point."""

    kind: Annotated[Literal["profile"], KIND] = "profile"
    points: Annotated[
        tuple[tuple[Duration, Rate], ...],
        Field(min_length=2, max_length=10_000),
        own(title="Points", start=((0.0, 10.0), (3600.0, 20.0))),
    ]
    """Pairs of instant (seconds, strictly increasing, the first 0) and rate (messages per second)."""

    @model_validator(mode="after")
    def _grows(self) -> Self:
        instants = [instant for instant, _ in self.points]
        if instants[0] != 0 or any(b <= a for a, b in itertools.pairwise(instants)):
            raise ValueError("instants of a profile start at 0s and grow strictly")
        if all(rate == 0 for _, rate in self.points):
            raise ValueError("at least one rate of a profile must be above 0")
        if sum((b - a) * (first + last) / 2 for (a, first), (b, last) in itertools.pairwise(self.points)) < FEWEST:
            raise ValueError(f"a profile brings at least {FEWEST} messages; raise rates or times")
        return self


class Trace(Model):
    """The arrival times of a log, replayed as they are; each message may have its own size."""

    kind: Annotated[Literal["trace"], KIND] = "trace"
    source: Annotated[
        tuple[Duration, ...], Field(min_length=1, max_length=1_000_000), own("s", "Arrival instants", start=(0.0, 1.0))
    ]
    """Arrival instants in seconds from the start, in ascending order (equal times are allowed)."""
    sizes: Annotated[tuple[Size, ...], Field(max_length=1_000_000), own("B", "Sizes")] = ()
    """Bytes of each message; empty = the queue's message size."""
    pace: Annotated[_Factor, own(title="Pace", typical=(0.5, 4))] = 1.0
    """How many times as fast as logged the messages arrive; 1 = as they are."""

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if any(b < a for a, b in zip(self.source, self.source[1:], strict=False)):
            raise ValueError("instants of a trace never fall")
        if self.sizes and len(self.sizes) != len(self.source):
            raise ValueError("a trace has as many sizes as instants, or none")
        return self

    @property
    def instants(self) -> tuple[float, ...]:
        """The instants at its pace, in seconds."""
        return self.source if self.pace == 1 else tuple(at / self.pace for at in self.source)


class Counts(Model):
    """A log of how many messages arrived in each of equal intervals, replayed; those of an interval come evenly."""

    kind: Annotated[Literal["counts"], KIND] = "counts"
    every: Annotated[PositiveDuration, own("s", "Length of an interval", typical=(1, 3600), start=60.0)]
    """Length of each interval, in seconds."""
    counts: Annotated[
        tuple[Annotated[int, Field(ge=0, le=1_000_000)], ...],
        Field(min_length=1, max_length=100_000),
        own("messages", "Messages by interval", start=(600, 900)),
    ]
    """Messages of each interval, in order."""
    scale: Annotated[_Factor, own(title="Scale", typical=(0.5, 4))] = 1.0
    """What the counts are multiplied by; fractions are carried over to the next interval."""

    @model_validator(mode="after")
    def _bounded(self) -> Self:
        total = sum(self.counts) * self.scale
        if not 0.5 <= total <= MOST_LOGGED:
            msg = f"the counts with their scale make {total:g} messages; between 1 and {MOST_LOGGED} are replayed"
            raise ValueError(msg)
        return self

    @property
    def sizes(self) -> tuple[float, ...]:
        """None: all have the queue's message size."""
        return ()

    @property
    def instants(self) -> tuple[float, ...]:
        """The instants in seconds: n messages of an interval are in the middles of its n equal parts."""
        totals = [math.floor(total * self.scale + 0.5) for total in itertools.accumulate(self.counts, initial=0)]
        numbers = enumerate(later - earlier for earlier, later in itertools.pairwise(totals))
        return tuple((i + (k + 0.5) / count) * self.every for i, count in numbers for k in range(count))


class Saturated(Model):
    """The queue is never empty; the run measures the largest throughput."""

    kind: Annotated[Literal["saturated"], KIND] = "saturated"


class Nothing(Model):
    """No arrivals of its own: only what the beans of other queues send comes."""

    kind: Annotated[Literal["none"], KIND] = "none"


Arrivals = Annotated[
    Poisson | ConstantRate | Renewal | OnOff | Surge | PeriodicBurst | Profile | Trace | Counts | Saturated | Nothing,
    Field(discriminator="kind"),
]

TRANSIENT_ARRIVALS = (Surge, Profile, Trace, Counts, PeriodicBurst)
"""Arrivals without a steady state: nothing is cut as warm-up, bands over time are the answer."""


def ends(arrivals: Arrivals) -> bool:
    """True when the arrivals are finite, so that the system can drain."""
    return isinstance(arrivals, Trace | Counts | Nothing) or (isinstance(arrivals, Surge) and arrivals.then == 0)
