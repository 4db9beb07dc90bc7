"""What pages and reports show of one point and of a whole run, ready for the templates. Reads no database."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from frontend.answers.marks import queue_marks
from frontend.answers.scale_bar import ScaleBar, scale_bar
from frontend.answers.throttle_closeup import Courses
from frontend.charts.chart import Chart
from frontend.charts.panels import detail_charts, point_charts
from frontend.wording.numbers import bound_text, counted, lowered, metric_title, plain, setting_name
from frontend.wording.setting_names import setting_titles, value_text
from planner.answers.cures import Trial, fix_key
from planner.answers.objectives import objective_verdicts
from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.estimates.quantities import Quantity, estimate_text, precision_text, quantity, significant
from simulations.analysis.estimates.summary import Derived, Estimate, Finding, PointSummary
from simulations.platforms.shared.family import Claim
from simulations.scenario.spec import ScenarioSpec

_RANK = {"error": 0, "warning": 1, "info": 2}


@dataclass(frozen=True)
class Tile:
    """A formula answer."""

    name: str
    title: str
    entity: str
    value: Quantity
    formula: str
    source: str
    trust: str


@dataclass(frozen=True)
class Card:
    """A rule's verdict; ``fix`` maps scenario paths to values, ``look`` is its colour."""

    message: str
    look: str
    mark: str
    source: str
    trust: str
    cost: str
    rule: str
    fix: Mapping[str, Any]
    fix_text: str
    trial: Trial | None = None
    """What the cure did when it was simulated; None: it was not, and is not offered."""
    bar: ScaleBar | None = None
    struck: str = ""
    """A limit that has no effect."""
    queue: str = ""
    """Whom the rule is about, where the scenario has several queues."""
    badge: str = ""
    """``concurrency 1`` where one message at a time is worked on, so that the order is kept."""


@dataclass(frozen=True)
class Answer:
    """One point: sentences, formula answers, verdicts, charts."""

    status: str
    sentences: tuple[str, ...]
    tiles: tuple[Tile, ...]
    broken: tuple[Card, ...]
    kept: tuple[Card, ...]
    charts: tuple[Chart, ...] = ()
    claims: tuple[Claim, ...] = ()
    checks: tuple[Mapping[str, Any], ...] = ()
    metrics: tuple[tuple[str, str, str], ...] = ()
    provenance: str = ""
    effort: str = ""
    missed: tuple[Card, ...] = ()
    """Objectives that the point misses; they come before every rule."""

    @property
    def rules(self) -> int:
        """How many rules were judged."""
        return len(self.broken) + len(self.kept)

    @property
    def checks_hold(self) -> bool:
        """Whether every self-check passed; not so where there is none."""
        return bool(self.checks) and all(check["passed"] for check in self.checks)


def tiles_of(values: Sequence[Derived]) -> tuple[Tile, ...]:
    """Return the formula answers with their computation."""
    several = len({item.entity for item in values if item.entity}) > 2
    return tuple(
        Tile(
            name=item.name,
            title=item.title,
            entity=item.entity if several else "",
            value=quantity(item.value, item.unit),
            formula=item.formula,
            source=f"{item.source.document}: {item.source.place}",
            trust=item.source.trust,
        )
        for item in values
    )


def cards_of(
    findings: Sequence[Finding], spec: ScenarioSpec, trials: Mapping[str, Trial] | None = None
) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Return the broken rules, worst first, and those that hold; ``trials``: what their cures did."""
    applied = [item for item in findings if item.status != "not_applicable"]
    broken = sorted((item for item in applied if item.status != "ok"), key=lambda item: _RANK[item.severity])
    kept = [item for item in applied if item.status == "ok"]
    titles = setting_titles(spec)
    tried = trials or {}
    return tuple(_card(item, spec, titles, tried) for item in broken), tuple(
        _card(item, spec, titles, {}) for item in kept
    )


def point_answer(
    spec: ScenarioSpec,
    summary: PointSummary,
    *,
    sentences: Sequence[str],
    derived: Sequence[Derived],
    claims: Sequence[Claim],
    courses: Courses,
    provenance: str,
    queues: Sequence[str],
    detailed: bool = True,
    trials: Mapping[str, Trial] | None = None,
) -> Answer:
    """Return everything shown of one point: charts of the ``queues``, without ``detailed`` only the live panel's."""
    broken, kept = cards_of(summary.findings, spec, trials)
    return Answer(
        status=summary.status,
        sentences=tuple(sentences),
        tiles=tiles_of(derived),
        broken=broken,
        kept=kept,
        charts=tuple(_charts(spec, summary, courses, queues, detailed=detailed)),
        claims=tuple(claims),
        checks=summary.checks,
        metrics=metric_rows(summary),
        provenance=provenance,
        effort=_effort(summary),
        missed=tuple(_missed_objectives(spec, summary)),
    )


def _missed_objectives(spec: ScenarioSpec, summary: PointSummary) -> Iterator[Card]:
    """A card for each objective whose bound lies outside the interval, on the wrong side."""
    for verdict in objective_verdicts(spec.objectives, summary):
        if verdict.met or verdict.unresolved:
            continue
        metric = metric_title(verdict.objective.metric)
        value = estimate_text(verdict.estimate) if verdict.estimate else "no value, because the backlog grows"
        yield Card(
            message=f"Objective missed: {lowered(metric)} must be {bound_text(verdict.objective)}; it is {value}.",
            look="error",
            mark="!",
            source="an objective of this scenario",
            trust="source",
            cost="",
            rule="objective",
            fix={},
            fix_text="",
            queue=verdict.objective.queue or "",
        )


def metric_rows(summary: PointSummary) -> tuple[tuple[str, str, str], ...]:
    """Return title, value with half-width and unit, and meaning of every metric."""
    known = [(BY_NAME[name], estimate) for name, estimate in summary.metrics.items() if name in BY_NAME]
    return tuple((metric.title, estimate_text(estimate), metric.meaning) for metric, estimate in known)


def _charts(
    spec: ScenarioSpec, summary: PointSummary, courses: Courses, queues: Sequence[str], *, detailed: bool
) -> Iterator[Chart]:
    """Charts of each queue, with its name in their titles when there are several; those of a server once."""
    seen: set[str] = set()
    for queue in queues:
        marks = queue_marks(spec, queue)
        charts = [*point_charts(summary, queue=queue, path=courses.throttle.get(queue, {}), marks=marks)]
        if detailed:
            charts += detail_charts(
                summary,
                queue=queue,
                flow=courses.flow.get(queue, {}),
                course=courses.instances.get(queue, {}),
                slowest=courses.slowest.get(queue, {}),
                marks=marks,
            )
        for chart in charts:
            shared = chart.key == "threads"
            if chart.title not in seen:
                yield chart if shared or len(queues) == 1 else replace(chart, title=f"{chart.title} · {queue}")
            if shared:
                seen.add(chart.title)


def _card(finding: Finding, spec: ScenarioSpec, titles: Mapping[str, str], trials: Mapping[str, Trial]) -> Card:
    broken = finding.status != "ok"
    look = finding.severity if broken else "ok"
    cost = ", ".join(_cost(name, item) for name, item in finding.cost.items())
    fix = ", ".join(
        f"{titles.get(path, setting_name(path))} = {value_text(spec, path, value)}"
        for path, value in finding.fix.items()
    )
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
        struck=_struck(finding.details.get("ineffective_limit")),
        queue=finding.queue if len(spec.queues) > 1 else "",
        badge="concurrency 1" if finding.details.get("ordered_concurrency") == 1 else "",
    )


def _struck(limit: float | None) -> str:
    if limit is None:
        return ""
    return f"limit {plain(limit)}" if limit >= 0 else "no limit"


def _cost(name: str, estimate: Estimate) -> str:
    if name in BY_NAME:
        return f"{BY_NAME[name].title}: {estimate_text(estimate)} ({estimate.origin})"
    words = {
        "throughput_loss_pct": "of the largest throughput is lost",
        "rolled_back_pct": "of the messages are rolled back",
    }
    return f"{estimate_text(estimate)} {words.get(name, name.replace('_', ' '))} ({estimate.origin})"


def _effort(summary: PointSummary) -> str:
    events = significant(summary.events / 1e6)
    p95 = summary.metrics.get("latency.p95") or summary.metrics.get("throughput")
    width = f" · {precision_text(p95.half_width / p95.value)}" if p95 and p95.value else ""
    return f"{counted(summary.replications, 'replication')} · {events} M events{width}"
