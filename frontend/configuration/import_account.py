"""The account of an import in words: groups of lines, those first that somebody has to look at."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from frontend.wording.workload import UNKNOWN_LOAD
from planner.configuration.importing import STATUSES, account_counts

_MEANINGS = {
    "contradictory": (
        "Contradictory",
        "Two values, or one that the platform forbids. The message says what counts.",
    ),
    "unresolved": ("Unresolved", "Names that no file explains. Add the file that does, or enter the values."),
    "understood": ("Understood", "Taken into the scenario as written."),
    "defaulted": ("Defaulted", "No file says it: the vendor's default counts, or an assumption of ours."),
    "ignored": ("Ignored", "Means nothing to a simulation of message-driven beans."),
}
_OPEN = ("contradictory", "unresolved", "understood")


def account_groups(account: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the statuses that have lines, with these; ``opened`` when they are shown without asking."""
    for status in STATUSES:
        title, meaning = _MEANINGS[status]
        lines = [line for line in account if line["status"] == status]
        if lines:
            yield {"status": status, "title": title, "meaning": meaning, "lines": lines, "opened": status in _OPEN}


def account_sentences(account: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Return at most three sentences: what was understood, what needs a look, what is assumed."""
    return tuple(_sentences(account_counts(account)))


def _sentences(counts: Mapping[str, int]) -> Iterator[str]:
    yield f"{_elements(counts['understood'])} understood, {counts['ignored']} ignored; nothing was dropped silently."
    look = counts["contradictory"] + counts["unresolved"]
    if look:
        yield f"{look} {'needs' if look == 1 else 'need'} a look: {_named(counts)}."
    left = counts["defaulted"]
    settings = "1 setting is" if left == 1 else f"{left} settings are"
    yield f"{settings} in no file. {UNKNOWN_LOAD} Until then arrivals and onMessage times are placeholders."


def _elements(count: int) -> str:
    return "1 element was" if count == 1 else f"{count} elements were"


def _named(counts: Mapping[str, int]) -> str:
    return " and ".join(f"{counts[status]} {status}" for status in ("contradictory", "unresolved") if counts[status])
