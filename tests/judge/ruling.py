"""When a number holds in a run with other random numbers."""

from typing import Literal

from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.estimates.summary import Estimate
from simulations.engine.network.results import SUBBINS

Ruling = Literal["holds", "open", "contradicted"]
Said = tuple[str, str, str, Ruling, str]
"""Kind, name, text, ruling, and what the other run says."""
_LEAST = 1e-9
_AGREED = 1 - 0.05 ** (1 / 10)
"""Largest share of replications, with 95 % confidence, that say something else where ten have said the same."""
FEW_OTHERS = 0.5
"""Where ten replications all say 0, so few may say something else that the interval of forty is at least so long."""


def ruled(said: Estimate, seen: Estimate, metric: str = "") -> Ruling:
    """Say whether the new value lies within twice the interval, or at least its own interval reaches there.

    Percentiles are told apart by no less than a bin of their histogram.
    """
    finest = abs(said.value) / SUBBINS if metric and BY_NAME[metric].share else 0.0
    slack = max(_slack(said), finest)
    low = said.value - 2 * (said.value - said.low) - slack
    high = said.value + 2 * (said.high - said.value) + slack
    if low <= seen.value <= high:
        return "holds"
    few = said.low == said.high == 0 and seen.value - seen.low > FEW_OTHERS * seen.value
    return "open" if few or (seen.low <= high and seen.high >= low) else "contradicted"


def seen_text(seen: Estimate | None) -> str:
    """Write a value of the other run with its interval."""
    return "no such value" if seen is None else f"{seen.value:.5g} ({seen.low:.5g} to {seen.high:.5g})"


def _slack(said: Estimate) -> float:
    """What a number without an interval may be off by: half a percent of a formula's, rounding of any other.

    Of a count the tables say that all replications agree; one event more or less in few others is no contradiction.
    """
    if said.low == said.high and said.unit in ("events", "messages") and said.origin != "formula":
        return _AGREED
    return (0.005 if said.origin == "formula" else 0.0005) * max(abs(said.value), _LEAST)
