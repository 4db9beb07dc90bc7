"""The bytes of a message: one size for all of them, or a distribution that is typed like that of a duration."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, Discriminator, Field, Tag

from simulations.declarations.parameters import Model, own
from simulations.declarations.units import PositiveSize, Size
from simulations.declarations.workload import KIND, Fitted, HighVariation

_SIZES = (10, 10_000_000)
_Mean = Annotated[PositiveSize, own("B", "Mean", typical=_SIZES, start=1000.0)]


class ConstantSize(Model):
    """Always the same size; the scenario keeps it as a plain number."""

    kind: Annotated[Literal["constant"], KIND] = "constant"
    mean: Annotated[Size, own("B", "Mean", typical=_SIZES, start=1000.0)]
    """The size, in bytes."""


class ExponentialSize(Model):
    """Exponential distribution: coefficient of variation 1."""

    kind: Annotated[Literal["exponential"], KIND] = "exponential"
    mean: _Mean
    """Mean, in bytes."""


class _FittedSize(Fitted):
    """The same two parameters as of a duration."""

    mean: _Mean | None = None
    """Mean, in bytes."""
    p50: Annotated[PositiveSize | None, own("B", "Median", typical=_SIZES)] = None
    """Median, in bytes."""
    p95: Annotated[PositiveSize | None, own("B", "p95", typical=_SIZES)] = None
    """95th percentile, in bytes."""
    p99: Annotated[PositiveSize | None, own("B", "p99", typical=_SIZES)] = None
    """99th percentile, in bytes; the fit then uses all three (least squares in log size)."""


class LognormalSize(_FittedSize):
    """Lognormal distribution."""

    kind: Annotated[Literal["lognormal"], KIND] = "lognormal"


class GammaSize(_FittedSize):
    """Gamma distribution."""

    kind: Annotated[Literal["gamma"], KIND] = "gamma"


class WeibullSize(_FittedSize):
    """Weibull distribution."""

    kind: Annotated[Literal["weibull"], KIND] = "weibull"


class HyperexponentialSize(Model):
    """Two-phase hyper-exponential with balanced means; cv must be above 1."""

    kind: Annotated[Literal["hyperexponential"], KIND] = "hyperexponential"
    mean: _Mean
    """Mean, in bytes."""
    cv: HighVariation
    """Coefficient of variation, above 1."""


class EmpiricalSize(Model):
    """Draws with equal probability from measured sizes."""

    kind: Annotated[Literal["empirical"], KIND] = "empirical"
    source: Annotated[
        tuple[Size, ...], Field(min_length=1, max_length=100_000), own("B", "Measured values", start=(1000.0,))
    ]
    """The measured sizes, in bytes."""


SizeDistribution = (
    ConstantSize | ExponentialSize | LognormalSize | GammaSize | WeibullSize | HyperexponentialSize | EmpiricalSize
)


def _kind_of(value: object) -> str:
    """Return which member of ``MessageSize`` a value is meant for: the kind it names, or a plain size."""
    if isinstance(value, dict):
        return str(value.get("kind"))
    return str(getattr(value, "kind", "")) if isinstance(value, BaseModel) else "size"


MessageSize = Annotated[
    Annotated[Size, Tag("size")]
    | Annotated[ConstantSize, Tag("constant")]
    | Annotated[ExponentialSize, Tag("exponential")]
    | Annotated[LognormalSize, Tag("lognormal")]
    | Annotated[GammaSize, Tag("gamma")]
    | Annotated[WeibullSize, Tag("weibull")]
    | Annotated[HyperexponentialSize, Tag("hyperexponential")]
    | Annotated[EmpiricalSize, Tag("empirical")],
    Discriminator(
        _kind_of,
        custom_error_type="size_kind",
        custom_error_message=(
            "a size is a number of bytes, for example 2kB, or a mapping whose kind is one of 'constant', "
            "'exponential', 'lognormal', 'gamma', 'weibull', 'hyperexponential', 'empirical'"
        ),
    ),
    AfterValidator(lambda value: value.mean if isinstance(value, ConstantSize) else value),
]
"""A number of bytes, or a distribution of them; a constant distribution becomes the number."""
