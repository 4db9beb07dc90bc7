"""When a number holds in a run with other random numbers."""

from typing import Literal

from simulations.analysis.estimates.summary import Estimate

Ruling = Literal["holds", "open", "contradicted"]
Said = tuple[str, str, str, Ruling, str]
"""Kind, name, text, ruling, and what the other run says."""
_LEAST = 1e-9


def ruled(said: Estimate, seen: Estimate) -> Ruling:
    """Say whether the new value lies within twice the interval, or at least its own interval reaches there."""
    slack = _slack(said)
    low = said.value - 2 * (said.value - said.low) - slack
    high = said.value + 2 * (said.high - said.value) + slack
    if low <= seen.value <= high:
        return "holds"
    return "open" if seen.low <= high and seen.high >= low else "contradicted"


def seen_text(seen: Estimate | None) -> str:
    """Write a value of the other run with its interval."""
    return "no such value" if seen is None else f"{seen.value:.5g} ({seen.low:.5g} to {seen.high:.5g})"


def _slack(said: Estimate) -> float:
    """What a number without an interval may be off by: half a percent of a formula's, rounding of any other."""
    return (0.005 if said.origin == "formula" else 0.0005) * max(abs(said.value), _LEAST)
