"""What pages and reports show of one point and of a whole run, ready for the templates. Reads no database.

The live answer is such a point, too: formulas at once, then the real engine on a bounded budget.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from frontend.answers.cards import Card, cards_of, missed_objectives
from frontend.answers.hero import Hero, heroes_of, objective_title
from frontend.answers.marks import queue_marks
from frontend.answers.mechanism.picture import Picture, picture_of
from frontend.answers.sentences import formula_sentences, point_sentences
from frontend.answers.throttle_closeup import MOST_STEPS, closeup
from frontend.charts.chart import Chart
from frontend.charts.panels import Courses, point_charts
from frontend.wording.numbers import counted, metric_title
from planner.answers.choice import SHOWN, asked_metric
from planner.answers.cures import Trial, cure_trials
from planner.answers.quick import QuickAnswer, glance, quick_answer
from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.estimates.summary import Derived, PointSummary, estimate_text, precision_text
from simulations.analysis.replications.sample import LEAST_PERIODS
from simulations.declarations.problems import InvalidInput
from simulations.experiment.verdicts import objective_verdicts
from simulations.platforms.shared.claims import explained
from simulations.platforms.shared.family import Claim
from simulations.scenario.spec import ScenarioSpec

WHOLE = 0.95
"""Cycles of the arrivals below which a simulated course is called a part of one."""


@dataclass(frozen=True)
class Answer:
    """One point: sentences, formula answers, verdicts, charts."""

    status: str
    sentences: tuple[str, ...]
    tiles: tuple[Derived, ...]
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
    heroes: tuple[Hero, ...] = ()
    """The numbers that the point is about, the first one leading."""
    picture: Picture | None = None
    """The path of the messages with its numbers."""

    @property
    def judgment(self) -> str:
        """The worst of what is judged: one objective that is missed is told before those that are met."""
        words = {hero.judgment for hero in self.heroes}
        return next((word for word in ("missed", "unresolved", "met") if word in words), "")

    @property
    def cure(self) -> Card | None:
        """The first cure that is offered, where messages pile up."""
        offered = (card for card in self.broken if card.trial and card.trial.offered)
        return next(offered, None) if self.status == "unstable" else None

    @property
    def rules(self) -> int:
        """How many rules were judged."""
        return len(self.broken) + len(self.kept)

    @property
    def checks_hold(self) -> bool:
        """Whether every self-check passed; not so where there is none."""
        return bool(self.checks) and all(check["passed"] for check in self.checks)


def tiles_of(values: Sequence[Derived]) -> tuple[Derived, ...]:
    """Return the formula answers; up to two entities need not be named."""
    several = len({item.entity for item in values if item.entity}) > 2
    return tuple(values) if several else tuple(replace(item, entity="") for item in values)


def point_answer(
    spec: ScenarioSpec,
    summary: PointSummary,
    *,
    derived: Sequence[Derived],
    claims: Sequence[Claim],
    courses: Courses,
    provenance: str,
    queues: Sequence[str],
    sentences: Sequence[str] = (),
    detailed: bool = True,
    trials: Mapping[str, Trial] | None = None,
) -> Answer:
    """Return everything shown of one point: charts of the ``queues``, without ``detailed`` only the live panel's."""
    broken, kept = cards_of(summary.findings, spec, trials)
    known = [(BY_NAME[name], value) for name, value in summary.metrics.items() if detailed and name in BY_NAME]
    drawn = queues[0] if len(queues) == 1 else ""
    return Answer(
        status=summary.status,
        sentences=tuple(sentences),
        tiles=tiles_of(derived),
        broken=broken,
        kept=kept,
        charts=tuple(_charts(spec, summary, courses, queues, detailed=detailed)),
        claims=tuple(claims),
        checks=summary.checks,
        metrics=tuple((item.title, estimate_text(value), item.meaning) for item, value in known),
        provenance=provenance,
        effort=_effort(spec, summary),
        missed=tuple(missed_objectives(spec, summary)),
        heroes=heroes_of(spec, summary),
        picture=None if summary.status == "invalid" else picture_of(spec, summary, knobs=not detailed, queue=drawn),
    )


def _charts(
    spec: ScenarioSpec, summary: PointSummary, courses: Courses, queues: Sequence[str], *, detailed: bool
) -> Iterator[Chart]:
    """Charts of each queue, with its name in their titles when there are several; those of a server once."""
    seen: set[str] = set()
    for queue in queues:
        marks = queue_marks(spec, queue)
        for chart in point_charts(summary, queue, marks, courses, detailed=detailed):
            shared = chart.key == "threads"
            if chart.title not in seen:
                yield chart if shared or len(queues) == 1 else replace(chart, title=f"{chart.title} · {queue}")
            if shared:
                seen.add(chart.title)


def _effort(spec: ScenarioSpec, summary: PointSummary) -> str:
    events = counted(int(float(f"{summary.events:.3g}")), "event")
    name = next((name for name in (asked_metric(spec), *SHOWN) if name in summary.metrics), "")
    known, title = summary.metrics.get(name), metric_title(name)
    for verdict in objective_verdicts(spec.objectives[:1], summary):
        known, title = verdict.estimate, objective_title(verdict.objective, spec)
    relative = known.half_width / known.value if known and known.value and summary.status != "unstable" else 0.0
    width = f", {title} {precision_text(relative)}" if relative else ""
    return f"{counted(summary.replications, 'replication')}, {events}{width}"


def formula_answer(spec: ScenarioSpec) -> Answer:
    """Return what the formulas say."""
    derivation = spec.family.derive(spec.system)
    broken, kept = cards_of(derivation.findings, spec)
    return Answer(
        status="formula",
        sentences=formula_sentences(derivation),
        tiles=tiles_of(derivation.values),
        broken=broken,
        kept=kept,
        provenance="formula",
        heroes=heroes_of(spec, None),
        picture=picture_of(spec, None, knobs=True),
    )


def simulated_answer(
    spec: ScenarioSpec,
    queue: str = "",
    *,
    brief: bool = False,
    timeline: bool = True,
    baseline: ScenarioSpec | None = None,
) -> tuple[Answer, QuickAnswer | None]:
    """Return what a short simulation says, with the charts of ``queue`` (the first when there is no such queue).

    ``brief`` asks for the shortest one, while a slider moves: it tries no cures and is not compared with the
    ``baseline``; without ``timeline`` C2 is left out. Beyond the live budget the formulas answer, and say so.
    """
    try:
        quick = glance(spec) if brief else quick_answer(spec, baseline=baseline)
    except InvalidInput as error:
        answer, why = formula_answer(spec), error.problems[0].message.capitalize()
        return replace(answer, status="too_long", sentences=(f"{why}.", *answer.sentences)), None
    names = [item.name for item in spec.queues]
    claims = explained(spec.family, spec.system, quick.summary)
    answer = point_answer(
        spec,
        quick.summary,
        sentences=point_sentences(spec, quick.summary, claims),
        derived=quick.derivation.values,
        claims=claims,
        courses=closeup(spec, trace=0 if brief else MOST_STEPS) if timeline else Courses(),
        provenance="simulated",
        queues=[queue if queue in names else names[0]],
        detailed=False,
        trials={} if brief else cure_trials(spec, quick.summary),
    )
    less = "; each shorter than in a full run, which counts more messages" if quick.cut and not brief else ""
    if quick.cut and quick.cycles < LEAST_PERIODS:
        less += "; so few cycles of the arrivals do not show whether messages pile up"
    answer = replace(answer, effort=f"{answer.effort}{less}")
    return _of_a_part(answer, quick.cycles) if quick.cut and quick.cycles < WHOLE else answer, quick


def _of_a_part(answer: Answer, cycles: float) -> Answer:
    """What holds in the first part of a cycle of the arrivals judges nothing."""
    part = f"This is the first {100 * cycles:.1g} % of a cycle, or of the log, of the arrivals; a run shows more of it."
    heroes = tuple(replace(hero, judgment=hero.judgment and "unresolved") for hero in answer.heroes)
    first, *more = answer.sentences or ("",)
    return replace(answer, sentences=(first, part, *more), heroes=heroes, missed=())
