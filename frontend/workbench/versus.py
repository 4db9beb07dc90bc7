"""The strip below the live answer: what the values on the left change against the baseline, and how sure that is."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.urls import reverse

from frontend.wording.numbers import DIFFERENCES, lowered, metric_title
from planner.answers.text_tables import TROUBLES
from planner.models import Baseline, Scenario
from planner.selectors.comparison import verdict_of
from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.estimates.summary import Estimate, change_text

ALWAYS = ("end_to_end.p95", "latency.p95", "drain_time", "throughput")


@dataclass(frozen=True)
class Difference:
    """A metric's change; ``look`` is the color of its verdict."""

    title: str
    text: str
    verdict: str
    look: str


@dataclass(frozen=True)
class Versus:
    """The whole strip; without ``differences`` it says that none can be measured at once."""

    label: str
    address: str
    differences: tuple[Difference, ...]


def versus(scenario: Scenario, baseline: Baseline | None, changes: Mapping[str, Estimate] | None) -> Versus | None:
    """Return the strip of ``changes`` (None: the two cannot be paired); None where nothing is pinned."""
    if baseline is None:
        return None
    version = baseline.version
    name = "" if version.scenario_id == scenario.pk else f"{version.scenario.name} "
    address = f"{reverse('workbench', args=[version.scenario_id])}?version={version.number}"
    return Versus(f"{name}v{version.number}", address, tuple(_shown(changes or {})))


def _shown(changes: Mapping[str, Estimate]) -> Iterator[Difference]:
    """The usual ones, then what is lost where that differs; where nothing does, the first stands for all."""
    yield from (_difference(name, changes[name]) for name in ALWAYS if name in changes)
    losses = [name for name in TROUBLES if name in changes]
    changed = [name for name in losses if verdict_of(BY_NAME[name], changes[name]) != "same"]
    yield from (_difference(name, changes[name]) for name in (changed or losses[:1]))


def _difference(name: str, change: Estimate) -> Difference:
    verdict = verdict_of(BY_NAME[name], change)
    look = {"better": "ok", "worse": "bad"}.get(verdict, "")
    text = "0" if verdict == "same" else change_text(change)
    return Difference(lowered(metric_title(name)), text, DIFFERENCES[verdict], look)
