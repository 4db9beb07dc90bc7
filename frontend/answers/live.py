"""The workbench's right side: formula answers at once, then the real engine on a bounded budget."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from frontend.answers.cards import cards_of
from frontend.answers.hero import heroes_of
from frontend.answers.mechanism.picture import picture_of
from frontend.answers.point import Answer, point_answer, tiles_of
from frontend.answers.sentences import formula_sentences, point_sentences
from frontend.answers.throttle_closeup import closeup
from frontend.charts.panels import Courses
from planner.answers.cures import cure_trials
from planner.answers.quick import glance, quick_answer
from simulations.analysis.estimates.summary import Estimate
from simulations.platforms.shared.claims import explained
from simulations.scenario.spec import ScenarioSpec


@dataclass(frozen=True)
class Timed:
    """An answer and the milliseconds of each part of the work, for the Server-Timing header.

    ``differences``: paired ones to the baseline; None without one, or where the two cannot be paired.
    """

    answer: Answer
    milliseconds: dict[str, float]
    differences: Mapping[str, Estimate] | None = None


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
) -> Timed:
    """Return what a short simulation says, with the charts of ``queue`` (the first when there is no such queue).

    ``brief`` asks for the shortest one, while a slider moves: it tries no cures and is not compared with the
    ``baseline``; without ``timeline`` C2 is left out. Raises InvalidInput when the scenario is beyond the live budget.
    """
    quick = glance(spec) if brief else quick_answer(spec, baseline=baseline)
    names = [item.name for item in spec.queues]
    claims = explained(spec.family, spec.system, quick.summary)
    answer = point_answer(
        spec,
        quick.summary,
        sentences=point_sentences(spec, quick.summary, claims),
        derived=quick.derivation.values,
        claims=claims,
        courses=closeup(spec) if timeline else Courses(),
        provenance="simulated",
        queues=[queue if queue in names else names[0]],
        detailed=False,
        trials={} if brief else cure_trials(spec, quick.summary.findings),
    )
    milliseconds = {part: 1e3 * seconds for part, seconds in quick.seconds.items()}
    return Timed(answer, milliseconds, quick.summary.differences or None)


def without_sweep(body: dict[str, Any]) -> dict[str, Any]:
    """Return the body as one point: the live panel answers for the values that the form shows."""
    return {**body, "sweep": []}
