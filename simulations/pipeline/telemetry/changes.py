"""What has changed from one calibration of a system to another, and on what evidence."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from simulations.analysis.estimates.summary import quantity
from simulations.declarations.tables import table_beside

SURE = 1.8
"""Half intervals of 95 % that a difference must exceed: a chance of about one in two thousand."""
LEAST = 0.03
"""Smallest relative change that is worth a sentence."""
CROWDED = 0.9
"""Share of starts before a crowd that a limit explains, from which more in process at other times is another limit."""
BURSTIER = 2.0
"""Ratio of two indices of dispersion from which arrivals come otherwise."""
NUMBERS: Mapping[str, str] = table_beside(__file__, "numbers.yaml")


@dataclass(frozen=True)
class Change:
    """A number of a queue that is another one now, and the evidence in a sentence."""

    queue: str
    what: str
    before: float
    after: float
    sentence: str


def changes_of(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[Change, ...]:
    """Return what differs for sure in the results of two calibrations, of the queues that both have."""
    known = {queue["name"]: queue for queue in before["queues"]}
    pairs = [(known[queue["name"]], queue) for queue in after["queues"] if queue["name"] in known]
    return tuple(Change(new["name"], *found) for old, new in pairs for found in _changes(old, new))


def _changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[tuple[str, float, float, str]]:
    for key, what in NUMBERS.items():
        if old.get(key) and new.get(key):
            yield from _number(what, old[key], new[key])
    before, after = old["concurrency"], new["concurrency"]
    fewer, more = sorted((before, after), key=itemgetter("threads"))
    sure = fewer["limited"] and (more["limited"] or fewer["share"] >= CROWDED)
    if fewer["threads"] != more["threads"] and sure:
        was, is_now = (f"{'' if seen['limited'] else 'at least '}{seen['threads']}" for seen in (before, after))
        yield "threads", before["threads"], after["threads"], f"the limit was {was} threads and is {is_now}."
    before, after = old["arrivals"]["dispersion"], new["arrivals"]["dispersion"]
    for width in sorted(before.keys() & after, key=float)[-4:-3]:  # some hundreds of windows are that long
        if max(before[width], after[width]) > BURSTIER * min(before[width], after[width]):
            about = f"index of dispersion of the arrivals in {quantity(float(width), 's')}"
            yield "bursts", before[width], after[width], f"{about}: {before[width]:.3g}, now {after[width]:.3g}."


def _number(what: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[tuple[str, float, float, str]]:
    """The change of a number that both have with an interval; a rate stands under its own name."""
    if None in (old.get("low"), old.get("high"), new.get("low"), new.get("high")):
        return
    before, after = (item.get("value", item.get("rate")) for item in (old, new))
    half = sum(((item["high"] - item["low"]) / 2) ** 2 for item in (old, new)) ** 0.5
    if abs(after - before) > max(SURE * half, LEAST * before):
        unit = new.get("unit", "/s")
        share = f", {100 * (after / before - 1):+.0f} % ± {100 * half / before:.2g} %" if before else ""
        was, is_now = (quantity(value, unit, beside=max(before, after)) for value in (before, after))
        yield what, before, after, f"{what}: {was}, now {is_now}{share}."
