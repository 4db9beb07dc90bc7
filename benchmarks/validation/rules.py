"""`python -m benchmarks.validation.rules`: what it costs to obey and to break each rule, written to docs/validation.md.

Scenarios of all families are drawn. Where one breaks a rule that has a cure, it is simulated as it is and with the cure
of that rule alone, with common random numbers. Regret is the share that is lost against the better of the two: of the
throughput, or of the mean latency (1 - better / worse), whichever is larger; all of it where only the other keeps up.
A difference whose interval holds zero is none.
"""

import argparse
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection
from pathlib import Path

import django
import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from benchmarks.validation.__main__ import REPORT
from benchmarks.validation.report import RULES, section, with_section
from simulations import ENGINE_VERSION
from simulations.analysis.estimates.intervals import around, reach
from simulations.analysis.estimates.summary import Estimate, Finding, PointSummary, estimate_text
from simulations.declarations.problems import InvalidInput
from simulations.experiment import Point, with_overrides
from simulations.platforms import PLATFORMS
from simulations.scenario.spec import ScenarioSpec

COLUMNS = ("rule", "scenarios", "regret of breaking", "regret of obeying", "the rule")
METRICS = ("throughput", "latency.mean")
SHED = ("rejected", "dropped")
"""Messages that a full destination or broker turns away: it does not keep up, though its backlog does not grow."""
LEAST = 3
"""Scenarios that a rule must be broken in before it is judged."""


@dataclass
class Regrets:
    """Of one rule: the share that was lost in each scenario, by breaking it and by obeying it."""

    breaking: list[float] = field(default_factory=list)
    obeying: list[float] = field(default_factory=list)

    def cells(self, rule: str) -> list[str]:
        """The rule's line of the table."""
        if len(self.breaking) < LEAST:
            return [rule, str(len(self.breaking)), "–", "–", "too few to judge"]
        broken, obeyed = (_mean(np.array(item), 1.0) for item in (self.breaking, self.obeying))
        change = _mean(np.array(self.breaking) - np.array(self.obeying))
        word = "cannot be told"
        if broken.value == obeyed.value == 0:
            word = "makes no difference here"
        elif change.low > 0 or change.high < 0:
            word = "pays" if change.low > 0 else "costs"
        return [rule, str(len(self.breaking)), estimate_text(broken), estimate_text(obeyed), word]


def _mean(values: NDArray[np.float64], most: float = math.inf) -> Estimate:
    """The mean regret; these are shares, so that there is no size of a rare event to be unsure of."""
    below, above = reach(values)
    return around(float(values.mean()), float(below), float(above), "1", most=most)


@dataclass
class Atlas:
    """What was measured: scenarios ``drawn`` and among them those that took too long, and the regrets by rule."""

    drawn: int = 0
    slow: list[int] = field(default_factory=list)
    regrets: dict[str, Regrets] = field(default_factory=dict)

    def add(self, number: int, measured: Mapping[str, tuple[float, float]] | None) -> None:
        """Add a scenario: what breaking and obeying costs by rule, None where it took too long."""
        self.drawn += 1
        if measured is None:
            self.slow.append(number)
        for rule, (breaking, obeying) in (measured or {}).items():
            item = self.regrets.setdefault(rule, Regrets())
            item.breaking.append(breaking)
            item.obeying.append(obeying)

    def full(self, each: int) -> list[str]:
        """Return the rules that were measured often enough."""
        return [rule for rule, item in self.regrets.items() if len(item.breaking) >= each]


_ATLAS = TypeAdapter(Atlas)


def main() -> None:
    """Draw, measure, and write the table after each scenario."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.validation.rules", description=__doc__)
    parser.add_argument("--scenarios", type=int, default=1_000, help="how many are drawn")
    parser.add_argument("--first", type=int, default=0, help="number of the first one")
    parser.add_argument("--each", type=int, default=40, help="most scenarios simulated for one rule")
    parser.add_argument("--events", type=int, default=200_000, help="events for each pair of runs, about")
    parser.add_argument("--output", type=Path, default=REPORT, help="file to write")
    parser.add_argument("--seconds", type=float, default=120, help="a scenario that takes longer is left out")
    parser.add_argument("--kept", type=Path, required=True, help="what is measured so far; a stopped run goes on there")
    asked = parser.parse_args()
    atlas = _ATLAS.validate_json(asked.kept.read_bytes()) if asked.kept.exists() else Atlas()
    measurer = Measurer(asked.events)
    how = f"--first {asked.first} --events {asked.events}"
    for number in range(asked.first + atlas.drawn, asked.first + asked.scenarios):
        atlas.add(number, measurer.measured(number, atlas.full(asked.each), asked.seconds))
        asked.kept.write_bytes(_ATLAS.dump_json(atlas))
        text = asked.output.read_text(encoding="utf-8") if asked.output.exists() else ""
        asked.output.write_text(with_section(text, RULES, table(atlas, asked.each, how)), encoding="utf-8")
    measurer.process.kill()


class Measurer:
    """Measures scenarios in a process of its own, which ends where one takes too long."""

    def __init__(self, events: int) -> None:
        self.events = events
        self.start()

    def start(self) -> None:
        """Begin with a fresh process."""
        self.here, there = Pipe()
        self.process = Process(target=measure_all, args=(there, self.events), daemon=True)
        self.process.start()

    def measured(self, number: int, full: Sequence[str], seconds: float) -> dict[str, tuple[float, float]] | None:
        """Return what breaking and obeying cost, by rule; None where that takes longer than ``seconds``."""
        self.here.send((number, full))
        if self.here.poll(seconds):
            regrets: dict[str, tuple[float, float]] = self.here.recv()
            return regrets
        self.process.kill()
        self.start()
        return None


def measure_all(asked: Connection, events: int) -> None:
    """Answer each number of a scenario with what obeying and breaking costs for the rules that it breaks."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "planner.settings.django")
    django.setup()
    from tests.judge.drawing import scenario

    while True:
        number, full = asked.recv()
        asked.send(measured(scenario(number), full, events))


def measured(spec: ScenarioSpec, full: Sequence[str], events: int) -> dict[str, tuple[float, float]]:
    """Return what breaking and obeying cost for every rule that the scenario breaks, but those that are ``full``."""
    pairs = ((item.rule, regrets_of(spec, item, events)) for item in broken(spec) if item.rule not in full)
    return {rule: regrets for rule, regrets in pairs if regrets}


def broken(spec: ScenarioSpec) -> Iterator[Finding]:
    """Yield a finding for every rule that the scenario breaks and that has a cure: one queue of several is enough."""
    seen = set()
    for finding in spec.family.derive(spec.system).findings:
        if finding.status == "violated" and finding.fix and finding.rule not in seen:
            seen.add(finding.rule)
            yield finding


def regrets_of(spec: ScenarioSpec, finding: Finding, events: int) -> tuple[float, float] | None:
    """Return the regret of breaking and of obeying; None where the two cannot be simulated side by side."""
    from planner.answers.cures import headlines
    from planner.answers.quick import paired_answers

    try:
        points = [Point(0, {}, spec), Point(1, finding.fix, with_overrides(spec, finding.fix))]
        before, after = paired_answers(points, events=events, only=frozenset((*METRICS, *SHED)))
    except InvalidInput:
        return None
    wanted = [name for name in METRICS if name in headlines(spec)]
    return None if "invalid" in (before.status, after.status) else compared(before, after, wanted)


def compared(before: PointSummary, after: PointSummary, wanted: Sequence[str] = METRICS) -> tuple[float, float]:
    """Return the share of the ``wanted`` metrics lost by breaking, ``before``, and by obeying, ``after``."""
    unstable = [one.status == "unstable" for one in (before, after)]
    if any(unstable):
        unstable = [growing or _sheds(one) for growing, one in zip(unstable, (before, after), strict=True)]
    if unstable[0] != unstable[1]:
        return float(unstable[0]), float(unstable[1])
    lost = [0.0, 0.0]
    for name in wanted[: 1 if unstable[0] else 2]:
        change, old, new = after.differences.get(name), before.metrics.get(name), after.metrics.get(name)
        if change is None or old is None or new is None or change.low <= 0 <= change.high:
            continue
        worse_after = (change.value < 0) == (name == "throughput")
        small, large = sorted((old.value, new.value))
        lost[worse_after] = max(lost[worse_after], 1 - small / large)
    return lost[0], lost[1]


def _sheds(summary: PointSummary) -> bool:
    return any(summary.metrics[name].value > 0 for name in SHED if name in summary.metrics)


def table(atlas: Atlas, each: int, how: str) -> list[str]:
    """Return the lines of the section: the rules that cost most to break first."""
    found = atlas.regrets
    rules = sum(len(family.rules) for family in PLATFORMS.values())
    pairs = sum(len(item.breaking) for item in found.values())
    judged = {rule: item for rule, item in found.items() if len(item.breaking) >= LEAST}
    rare = sorted(f"`{rule}`" for rule in set(found) - set(judged))
    few = f"Broken in fewer: {', '.join(rare) or 'none'}."
    about = [
        f"{atlas.drawn} random scenarios of all families, at most {each} pairs of runs for each rule, {pairs} in all:",
        f"`python -m benchmarks.validation.rules {how}` with engine {ENGINE_VERSION}.",
        f"Left out, because they took too long: {', '.join(map(str, atlas.slow)) or 'none'}.",
        "A scenario that breaks a rule is",
        "simulated as it is and with the cure of that rule alone, with common random numbers. Regret: the share lost",
        "against the better of the two, of the throughput or of the mean latency, whichever is larger; all of it where",
        "only the other keeps up, which is not to turn messages away; ± is the 95 % interval over the scenarios.",
        "What a rule protects beside the two, such",
        "as the order of messages, their loss or a restart after a failure, is not in it.",
        f"{len(judged)} of {rules} rules were broken in {LEAST} scenarios or more. {few}",
        "The other rules have no cure, or no scenario that was drawn breaks them.",
    ]
    ordered = sorted(judged, key=lambda rule: -float(np.mean(judged[rule].breaking)))
    return section(RULES, about, COLUMNS, [judged[rule].cells(f"`{rule}`") for rule in ordered])


if __name__ == "__main__":
    main()
