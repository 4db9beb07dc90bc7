"""The account of an import in words: groups of lines, those first that somebody has to look at."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from frontend.wording.workload import UNKNOWN_LOAD
from planner.configuration.importing import STATUSES, account_counts

_MEANINGS = {
    "contradictory": ("Contradictory", "Two values, or one that the platform forbids. The message says what counts."),
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
    counts = account_counts(account)
    taken, left, look = counts["understood"], counts["defaulted"], counts["contradictory"] + counts["unresolved"]
    elements = "1 element was" if taken == 1 else f"{taken} elements were"
    sentences = [f"{elements} understood, {counts['ignored']} ignored; nothing was dropped silently."]
    if look:
        named = [f"{counts[status]} {status}" for status in ("contradictory", "unresolved") if counts[status]]
        sentences.append(f"{look} {'needs' if look == 1 else 'need'} a look: {' and '.join(named)}.")
    settings = "1 setting is" if left == 1 else f"{left} settings are"
    placeholders = "Until then arrivals and onMessage times are placeholders."
    return (*sentences, f"{settings} in no file. {UNKNOWN_LOAD} {placeholders}")
