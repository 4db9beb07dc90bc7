"""The validation report as Markdown."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from benchmarks.validation.campaign import END_EFFECT, MOST_REPLICATIONS, Comparison, Effort, Findings
from benchmarks.validation.coverage import Coverage
from benchmarks.validation.mechanism_models import FLOW
from benchmarks.validation.peers import Agreement
from simulations import ENGINE_VERSION

JUDGED = "Sentences and cures in runs with other random numbers"
TELEMETRY = "Calibrated scenarios of systems whose truth is hidden, at more load"
CHANGES = "Changes between two logs of an hour"
RULES = "What it costs to obey and to break each rule"
APART = (JUDGED, TELEMETRY, CHANGES, RULES)
"""Sections that other programs write."""


def document(findings: Findings, effort: Effort) -> str:
    """Return the report."""
    size = f"{effort.replications} replications of {effort.messages:,} messages"
    head = f"Written by `python -m benchmarks.validation` with engine {ENGINE_VERSION}; do not edit."
    parts = (
        ["# Validation", "", head],
        _exact(findings, size, effort),
        _steps(findings),
        _others(findings, size, effort),
        _fixed(findings, size, effort),
        _stopped(findings, effort),
    )
    return "\n".join(line for part in parts for line in (*part, ""))


def with_judged(text: str, judged: Mapping[str, Any]) -> str:
    """Return the report with its last section written anew from what the judge of the tests counted.

    ``judged``: ``scenarios``, ``rows`` of what was said, of how much, and how much of it held, stayed open and was
    contradicted, and ``notes`` where there is more to say of the counts.
    """
    about = [
        f"{judged['scenarios']} random scenarios of all families, by `python -m tests.judge`. Claims, numbers of the",
        "tables and changes by a cure hold when a run with other random numbers and four times as many replications",
        "lies within twice the interval, a cure when it breaks no objective, a budget when the causes add up to the",
        "mean latency within 0.1 %, a bound when no run completes more, words of a picture when the other run says the",
        "same. All of it is contradicted when the new run's interval does not reach there; open is the rest, and all",
        "that fails where the answer itself says that its run is too short. Chance alone contradicts 2.2 of 10,000",
        "correct intervals of ten normal values.",
        *judged.get("notes", ()),
    ]
    columns = ("said", "of", "number", "hold", "open", "contradicted")
    return with_section(text, JUDGED, section(JUDGED, about, columns, judged["rows"]))


def with_section(text: str, title: str, lines: Sequence[str]) -> str:
    """Return the report with the section of that title written anew, at its end where there was none."""
    head, *parts = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    fresh = "\n".join([*lines, "", ""])
    at = next((place for place, part in enumerate(parts) if part.startswith(f"## {title}\n")), len(parts))
    parts[at : at + 1] = [fresh]
    return "\n\n".join(part.rstrip() for part in (head, *parts)) + "\n"


def parts_apart(text: str) -> str:
    """Return the sections of an earlier report that other programs write; empty where there are none."""
    parts = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    kept = [part.rstrip() for part in parts if any(part.startswith(f"## {title}\n") for title in APART)]
    return "".join(f"\n{part}\n" for part in kept)


def section(title: str, text: Sequence[str], columns: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a heading, its text and a table."""
    table = (f"| {' | '.join(cells)} |" for cells in rows)
    return [f"## {title}", "", *text, "", f"| {' | '.join(columns)} |", "|" + "---|" * len(columns), *table]


def _exact(findings: Findings, size: str, effort: Effort) -> list[str]:
    inside = f"{sum(comparison.inside for comparison in findings.comparisons)} of {len(findings.comparisons)}"
    text = [
        f"{size} (sessions that poll: a tenth of the messages), each model with a seed of its own from",
        f"{effort.seed} on. {inside} exact values lie inside their 95 % interval; about one in",
        f"twenty is expected outside. Slack for the end of the run: {END_EFFECT:.2%}.",
    ]
    columns = ("model", "formula", "metric", "theory", "simulated", "95 % interval", "inside")
    return section("Exact answers against the simulation", text, columns, map(_comparison, findings.comparisons))


def _comparison(comparison: Comparison) -> list[str]:
    simulated, verdict = comparison.simulated, "yes" if comparison.inside else "no"
    interval = f"{simulated.low:.5g} to {simulated.high:.5g} {simulated.unit}"
    numbers = [f"{comparison.theory:.5g}", f"{simulated.value:.5g}", interval]
    return [comparison.model, comparison.formula, comparison.metric, *numbers, verdict]


def _steps(findings: Findings) -> list[str]:
    span = f"{FLOW.minimum:g} to {FLOW.maximum:g}/s in {FLOW.steps} steps over {FLOW.interval:g} s"
    text = [f"One producer, {span}: armed at once, disarmed after a minute."]
    rows = ([f"{step.seconds:g}", f"{step.documented:.6g}", f"{step.simulated:.6g}"] for step in findings.steps)
    return section("Steps of producer flow control", text, ("after, s", "documented limit, /s", "simulated"), rows)


def _others(findings: Findings, size: str, effort: Effort) -> list[str]:
    text = [
        f"The engine: {size}. The others: {effort.replications} replications of {effort.peer_messages:,} messages",
        "each, without the first tenth. They agree when the difference lies within its 95 % interval; about one",
        "in twenty does not by chance.",
    ]
    columns = ("simulator", "model", "metric", "there, s", "here, s", "agree")
    return section("Other simulators", text, columns, map(_agreement, findings.agreements))


def _agreement(agreement: Agreement) -> list[str]:
    numbers = [f"{value:.5g} ± {half:.2g}" for value, half in (agreement.there, agreement.here)]
    return [agreement.simulator, agreement.model, agreement.metric, *numbers, "yes" if agreement.agrees else "no"]


def _fixed(findings: Findings, size: str, effort: Effort) -> list[str]:
    text = [f"{effort.experiments} experiments of {size} each. In brackets the 95 % interval of the measured coverage."]
    columns = ("model", "metric", "coverage", "mean half-width", "bias")
    rows = (cells for cells, _ in _coverages(findings.coverage))
    return section("Coverage of the 95 % intervals", text, columns, rows)


def _stopped(findings: Findings, effort: Effort) -> list[str]:
    text = [
        f"As every run does it: {effort.replications} replications of {effort.messages:,} messages at first, more in",
        f"rounds until the half-width of p95 is 2 %, at most {MOST_REPLICATIONS}; {effort.experiments} experiments.",
        "Stopping at an interval that happens to be narrow costs coverage; here is how much.",
    ]
    columns = ("model", "metric", "coverage", "mean half-width", "bias", "mean replications")
    rows = ([*cells, f"{coverage.replications:.1f}"] for cells, coverage in _coverages(findings.stopped))
    return section("Coverage where the precision ends the run", text, columns, rows)


def _coverages(models: Mapping[str, Mapping[str, Coverage]]) -> Iterator[tuple[list[str], Coverage]]:
    """Yield the cells that both tables have of each metric of each model, and its coverage."""
    for model, metrics in models.items():
        for metric, coverage in metrics.items():
            low, high = coverage.margin
            share = f"{coverage.share:.1%} ({low:.1%} to {high:.1%})"
            yield [model, metric, share, f"{coverage.half_width:.2%}", f"{coverage.bias:+.2%}"], coverage
