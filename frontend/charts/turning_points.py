"""Along a sweep: from which value on a rule holds, and which values nothing beats. Lines and shading of a chart."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from simulations.analysis.estimates.summary import Estimate, PointSummary

EQUAL = 0.005
"""Two best values that differ by less, relative, are one."""


@dataclass(frozen=True)
class Turn:
    """A rule that holds from the value at the place ``at`` of the sweep on, or not ``onwards`` but up to it."""

    rule: str
    title: str
    at: int
    onwards: bool


def rule_turns(summaries: Sequence[PointSummary], titles: Mapping[str, str]) -> tuple[Turn, ...]:
    """Return the rules that hold at one end of the sweep only, in the order of ``titles`` (rule -> what must hold)."""
    turns = []
    for rule, title in titles.items():
        kept = [_keeps(summary, rule) for summary in summaries]
        changes = [place for place in range(1, len(kept)) if kept[place] != kept[place - 1]]
        if len(changes) == 1:
            onwards = kept[-1]
            turns.append(Turn(rule, title, changes[0] if onwards else changes[0] - 1, onwards))
    return tuple(turns)


def best_zone(
    estimates: Sequence[Estimate | None], summaries: Sequence[PointSummary], turns: Sequence[Turn]
) -> tuple[int, ...]:
    """Return the places that nothing lower beats by more than their interval, without those that break a turning rule.

    When all of them break one, they stay.
    """
    known = [estimate for estimate in estimates if estimate is not None]
    if not known:
        return ()
    best = min(estimate.value for estimate in known)
    good = [
        place
        for place, estimate in enumerate(estimates)
        if estimate is not None and estimate.value - estimate.half_width <= best * (1 + EQUAL)
    ]
    clean = [place for place in good if all(_keeps(summaries[place], turn.rule) for turn in turns)]
    return tuple(clean or good)


def stretches(places: Sequence[int]) -> list[tuple[int, int]]:
    """Return the first and last place of each unbroken stretch of ``places``, which rise."""
    found: list[tuple[int, int]] = []
    for place in places:
        if found and place == found[-1][1] + 1:
            found[-1] = (found[-1][0], place)
        else:
            found.append((place, place))
    return found


def _keeps(summary: PointSummary, rule: str) -> bool:
    return not any(item.rule == rule and item.status == "violated" for item in summary.findings)
