"""The verdicts of rules as cards, and a rule about the age of a transaction as a bar to scale."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from frontend.wording.numbers import lowered, metric_title, setting_text, value_text
from planner.answers.cures import Trial, fix_key
from simulations.analysis.estimates.summary import Finding, PointSummary, estimate_text
from simulations.experiment.verdicts import objective_verdicts
from simulations.experiment.words import plain, setting_title, value_and_bound
from simulations.scenario.spec import ScenarioSpec

WIDTH = 1000.0
"""Units of the view box from the start to the later of worst case and limit."""
NEEDED = ("worst_case_s", "max_receive_timeout_s", "transaction_timeout_s")
_RANK = {"error": 0, "warning": 1, "info": 2}


@dataclass(frozen=True)
class ScaleBar:
    """One transaction: widths of wait and work and the place of the limit in units of ``WIDTH``, and their words."""

    wait: float
    work: float
    limit: float
    wait_text: str
    work_text: str
    limit_text: str

    @property
    def text(self) -> str:
        """The bar in words."""
        return f"One transaction to scale: {self.wait_text}, {self.work_text}, {self.limit_text}."


@dataclass(frozen=True)
class Card:
    """A rule's verdict; ``fix`` maps scenario paths to values, ``look`` is its color."""

    message: str
    look: str
    mark: str
    source: str
    rule: str
    trust: str = "source"
    cost: str = ""
    fix: Mapping[str, Any] = field(default_factory=dict, hash=False)
    fix_text: str = ""
    trial: Trial | None = None
    """What the cure did when it was simulated; None: it was not, and is not offered."""
    bar: ScaleBar | None = None
    struck: str = ""
    """A limit that has no effect."""
    queue: str = ""
    """The queue that the rule is about, where the scenario has several."""
    badge: str = ""
    """``concurrency 1`` where one message at a time is worked on, so that the order is kept."""


def cards_of(
    findings: Sequence[Finding], spec: ScenarioSpec, trials: Mapping[str, Trial] | None = None
) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Return the broken rules, worst first, and those that hold; ``trials``: what their cures did."""
    applied = [item for item in findings if item.status != "not_applicable"]
    broken = sorted((item for item in applied if item.status != "ok"), key=lambda item: _RANK[item.severity])
    kept = [item for item in applied if item.status == "ok"]
    return tuple(_card(item, spec, trials or {}) for item in broken), tuple(_card(item, spec, {}) for item in kept)


def missed_objectives(spec: ScenarioSpec, summary: PointSummary) -> Iterator[Card]:
    """Yield a card for each objective whose bound lies outside the interval, on the wrong side."""
    for verdict in objective_verdicts(spec.objectives, summary):
        if verdict.met or verdict.unresolved:
            continue
        metric = lowered(metric_title(verdict.objective.metric))
        none = "it has no value" + (", because the backlog grows" if summary.status == "unstable" else "")
        value, bound = value_and_bound(verdict)
        is_now = f"it is {value}" if verdict.estimate else none
        yield Card(
            message=f"Objective missed: {metric} must be {bound}; {is_now}.",
            look="error",
            mark="!",
            source="an objective of this scenario",
            rule="objective",
            queue=verdict.objective.queue or "",
        )


def scale_bar(details: Mapping[str, float]) -> ScaleBar | None:
    """Draw the numbers of a rule about the age of a transaction; None for other rules."""
    if any(name not in details for name in NEEDED):
        return None
    worst, bound, lifetime = (details[name] for name in NEEDED)
    work = lifetime - bound
    wait = worst - work
    scale = WIDTH / max(worst, lifetime)
    return ScaleBar(
        wait=round(wait * scale, 1),
        work=round(work * scale, 1),
        limit=round(lifetime * scale, 1),
        wait_text=f"waits up to {setting_text(wait, 's')}",
        work_text=f"onMessage {setting_text(work, 's')}",
        limit_text=f"ends at {setting_text(lifetime, 's')}",
    )


def _card(finding: Finding, spec: ScenarioSpec, trials: Mapping[str, Trial]) -> Card:
    broken = finding.status != "ok"
    look = finding.severity if broken else "ok"
    costs = finding.cost.items()
    cost = ", ".join(f"{metric_title(name)}: {estimate_text(item)} ({item.origin})" for name, item in costs)
    fix = ", ".join(
        f"{setting_title(spec, path)} = {value_text(spec, path, value)}" for path, value in finding.fix.items()
    )
    limit = finding.details.get("ineffective_limit")
    return Card(
        message=finding.message,
        look=look,
        mark={"ok": "✓", "info": "i"}.get(look, "!"),
        source=f"{finding.source.document}: {finding.source.place}",
        trust=finding.source.trust,
        cost=cost if broken else "",
        rule=finding.rule,
        fix=finding.fix if broken else {},
        fix_text=fix,
        trial=trials.get(fix_key(finding.fix)) if finding.fix else None,
        bar=scale_bar(finding.details),
        struck="" if limit is None else f"limit {plain(limit)}" if limit >= 0 else "no limit",
        queue=finding.queue if len(spec.queues) > 1 else "",
        badge="concurrency 1" if finding.details.get("ordered_concurrency") == 1 else "",
    )
