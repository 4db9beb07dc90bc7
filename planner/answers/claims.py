"""What is said of points: the verdict, what held messages up, what cures do, and where a sweep moves a queue.

Pages, the API, the command line and reports write the sentences of these claims and no others.
"""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from planner.answers.cures import UNSETTLED, Trial
from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.estimates.summary import (
    ENDLESS,
    STOPPED,
    Estimate,
    PointSummary,
    Scale,
    estimate_quantity,
    percent,
    quantity,
)
from simulations.analysis.theory.laws import law_cv2
from simulations.experiment import changes_nothing
from simulations.experiment.verdicts import ObjectiveVerdict, objective_verdicts, worst_verdict
from simulations.experiment.words import beside_bound, bound_text, settings_text
from simulations.platforms.shared.claims import AS_TOLD, LARGE, end_to_end, exact, explained, stated
from simulations.platforms.shared.family import Claim, Counterfactual
from simulations.platforms.shared.laws import law_of, quantile_of
from simulations.scenario.runsettings import Objective
from simulations.scenario.spec import ScenarioSpec

TOO_SHORT = Claim("point.short", f"{UNSETTLED.capitalize()}.")
"""What is said of a point whose numbers had not come to rest: they are those of so long a run."""

LEAST_GRANTS = 20
"""Of a flow window to each consumer: a run with fewer depends on how it began."""
EVENTS_OF_MESSAGE = 2
"""At least: it arrives and it is done."""
_UNKNOWN = Estimate(float("nan"), float("nan"), float("nan"), "s")


def point_claims(
    spec: ScenarioSpec, summary: PointSummary, trials: Mapping[str, Trial] | None = None
) -> tuple[Claim, ...]:
    """Return every claim about a point of ``spec`` without its sweep; ``trials``: what its cures do, by ``fix_key``."""
    if summary.status == "invalid":
        return ()
    causes = explained(spec.family, spec.system, summary)
    return (*verdict_claims(spec, summary), *load_claims(spec), *causes, *cure_claims(spec, trials or {}))


def load_claims(spec: ScenarioSpec) -> Iterator[Claim]:
    """Yield which queues have a load that an import made up."""
    if spec.placeholders:
        names = ", ".join(spec.placeholders)
        text = f"Load unknown: arrivals or onMessage times of {names} are placeholders of the import."
        yield Claim("load.placeholder", f"{text} Enter them or import a log.")


def verdict_claims(spec: ScenarioSpec, summary: PointSummary) -> tuple[Claim, ...]:
    """Return what the point comes to: objective, latency and the time to drain, or how fast its backlog grows."""
    restless = summary.warmup.get("at_limit")
    if summary.status == "unstable":
        return (*_growing(summary), *((TOO_SHORT,) if restless and "producer.limit" in summary.metrics else ()))
    slow = not spec.transient and (_few_grants(summary) or _forgets_slowly(spec, summary))
    short = (TOO_SHORT,) if restless or slow else ()
    worst = worst_verdict(spec.objectives, summary)
    if spec.always_full:
        judged = _objective(worst, summary) if worst else ()
        return (*judged, *_of_system(summary, "throughput", "The full queue is worked off at {}."), *short)
    # A run that ends after a time or a number of messages does not show when everything is done.
    tells = spec.run.horizon.until and not (worst and worst.objective.metric == "drain_time")
    drained = tuple(_of_system(summary, "drain_time", "After {} everything is done.")) if tells else ()
    latencies = tuple(_latencies(spec, summary, worst))
    told = (*latencies, *drained, *_beyond_reach(spec, summary, worst)) if worst else (*drained, *latencies)
    return (*told, *short, *ceiling_claims(spec, summary))


def _beyond_reach(spec: ScenarioSpec, summary: PointSummary, verdict: ObjectiveVerdict) -> Iterator[Claim]:
    """Say that onMessage alone takes longer than a queue's percentile may be, unless a time limit ends it."""
    asked, metric = verdict.objective, BY_NAME[verdict.objective.metric]
    queues = [queue for queue in spec.queues if asked.queue in (None, queue.name)]
    ended = summary.of(queues[0].name).get("timeouts.share", _UNKNOWN).value > 0
    if verdict.word == "missed" and metric.name.startswith("latency.") and metric.share and len(queues) == 1:
        least = quantile_of(law_of(queues[0].service), metric.share)
        if asked.at_most is not None and least > asked.at_most and not ended:
            work = f"{quantity(least, 's')} or more for at least {percent(1 - metric.share)} of its messages"
            text = f"By formula, onMessage of {queues[0].name} alone takes {work}: no setting of threads meets that."
            yield Claim("point.beyond", text)


def _few_grants(summary: PointSummary) -> bool:
    """Whether the consumers of a flow window were given credit too seldom for its level to have come round."""
    grants = {name: metrics.get("window.topups") for name, metrics in summary.queues.items()}
    members = {name: max(len(summary.instances.get(name, ())), 1) for name in grants}
    return any(given and 0 < given.value < LEAST_GRANTS * members[name] for name, given in grants.items())


def _forgets_slowly(spec: ScenarioSpec, summary: PointSummary) -> bool:
    """Whether a queue near its limit takes longer than a replication to forget that it began empty. In heavy traffic it
    takes (1 + cv²) / 2 / (1 - √load)² mean times between two completions."""
    messages = summary.events / EVENTS_OF_MESSAGE / summary.replications
    for queue in spec.queues:
        most, arrived = _formulas(summary, queue.name)[0], summary.queues[queue.name].get("arrival_rate")
        if most and arrived and 0 < arrived.value < most and queue.arrivals.kind != "saturated":
            slow = (1 + law_cv2(law_of(queue.service))) / 2 / (1 - math.sqrt(arrived.value / most)) ** 2 / most
            if slow > messages / summary.metrics["arrival_rate"].value:
                return True
    return False


def growth_sentence(summary: PointSummary) -> str:
    """Return what an unstable point does instead of having percentiles."""
    return " ".join(claim.sentence for claim in _growing(summary))


def cure_claims(spec: ScenarioSpec, trials: Mapping[str, Trial]) -> Iterator[Claim]:
    """Yield what each cure that is offered changes, with the run that shows it."""
    for place, (fix, trial) in enumerate((fix, trial) for fix, trial in trials.items() if trial.offered):
        overrides = json.loads(fix)
        for change in trial.changes:
            yield Claim(
                f"cure.{place}.{change.metric}",
                f"With {settings_text(spec, overrides)}: {change.text}.",
                proof=overrides,
                metric=change.metric,
                estimate=change.after,
                counterfactual=Counterfactual(overrides, change.metric, change.difference),
            )


def _of_system(summary: PointSummary, metric: str, sentence: str, beside: float | Scale = 0.0) -> Iterator[Claim]:
    if metric in summary.metrics:
        yield stated(f"point.{metric}", sentence, metric, summary.metrics[metric], about={}, beside=beside)


def _latencies(spec: ScenarioSpec, summary: PointSummary, worst: ObjectiveVerdict | None) -> Iterator[Claim]:
    """The objective and the p95 latency, in one sentence where that is what it asks, then the slowest queue. Of chains
    it is the latency from end to end, as nobody sees that of all their hops mixed."""
    p95, asked = "95 % of the messages are done within {}", worst.objective if worst else None
    times = {name: item["latency.p95"] for name, item in summary.queues.items() if "latency.p95" in item}
    known = summary.queues.get(asked.queue or "", {}).get(asked.metric) if asked else None
    chains = [claim for queue in spec.queues for claim in end_to_end(spec.system, queue, summary)]
    if asked is not None and asked.metric == "latency.p95" and not asked.queue and not chains:
        yield from _of_system(
            summary, "latency.p95", f"{p95}; this {judged_text(asked, summary)}.", beside_bound(asked)
        )
    else:
        if worst is not None:
            yield from _objective(worst, summary)
        whole = chains or _of_system(summary, "latency.p95", f"{p95}.")
        yield from (claim for claim in whole if claim.estimate != known)
    name = max(times, key=lambda queue: times[queue].value, default="")
    if len(times) > 1 and times[name] != known:
        sentence = f"Those of {name} take longest: 95 % within {{}}."
        yield stated(f"{name}.slowest", sentence, "latency.p95", times[name], about={"queue": name})


def _objective(verdict: ObjectiveVerdict, summary: PointSummary) -> Iterator[Claim]:
    asked, estimate = verdict.objective, verdict.estimate
    about = {"queue": asked.queue} if asked.queue else {}
    title = BY_NAME[asked.metric].title + (f" of {asked.queue}" if asked.queue else "")
    value = estimate or Estimate(float("nan"), float("nan"), float("nan"), BY_NAME[asked.metric].unit)
    seen = f" in all {summary.replications} replications" if asked.equals is not None and value.half_width == 0 else ""
    none = " has no value in so short a run and" if verdict.few else " has no value and"
    text = f"{title}{f': {{}}{seen}, which' if estimate else none} {judged_text(asked, summary)}."
    yield stated("point.objective", text, asked.metric, value, about=about, beside=beside_bound(asked))


def judged_text(asked: Objective, summary: PointSummary) -> str:
    """Return whether the point meets an objective, as a verb with its object."""
    verdict = objective_verdicts((asked,), summary)[0]
    word = "meets" if verdict.met else "misses"
    if verdict.unresolved:
        word = "cannot be judged against" if verdict.few else "is too close to call against"
    return f"{word} the objective of {bound_text(asked)}"


def ceiling_claims(spec: ScenarioSpec, summary: PointSummary) -> Iterator[Claim]:
    """Yield what each queue's settings carry at most where a formula says it, and today's share of that."""
    several = len(spec.queues) > 1
    for queue in spec.queues:
        most, load = _formulas(summary, queue.name)
        timeouts = summary.queues[queue.name].get("timeouts.share")
        if most is not None and load is not None and not (timeouts and timeouts.value):  # those are not carried
            whose = f"The settings of {queue.name}" if several else "These settings"
            sentence = f"{whose} carry at most {{}}, by formula; what arrives is {percent(load)} of that."
            full = {f"queues.{queue.name}.arrivals": {"kind": "saturated"}}
            name = f"{queue.name}.ceiling"
            yield stated(name, sentence, "throughput", exact(most, "/s"), about={"queue": queue.name}, proof=full)


def _formulas(summary: PointSummary, queue: str) -> tuple[float | None, float | None]:
    """What the settings of a queue carry per second and today's share of that, where formulas say it."""
    known = summary.derived
    most, load = (known.get(f"{queue}.{name}", known.get(name)) for name in ("carried_rate", "load"))
    return most, load


def _growing(summary: PointSummary) -> Iterator[Claim]:
    """How fast each queue grows; a listener that stopped says so, else what the settings carry, or were seen to."""
    carried = [value for name, value in summary.derived.items() if name.endswith("carried_rate")]
    rates = {name: rate for name, rate in summary.growth.items() if name != "carried"}
    for name, rate in rates.items():
        own = summary.queues.get(name, {})
        growth = own.get("backlog.growth") or Estimate(rate, rate, rate, "/s")
        stopped = f" ({growth.note})" if STOPPED in growth.note else ""
        waiting = ", those included that senders cannot get in" if own.get("producer.blocked_time") else ""
        grows = f"{name} grows by {{n}} messages per second{waiting}" if growth.value > 0 or not stopped else name
        text = f"Unstable: {grows}{stopped}"
        done, most = own.get("throughput"), carried[0] if len(carried) == len(summary.queues) == 1 else None
        if ENDLESS in growth.note:
            text += f"; {ENDLESS}"
        elif most is not None and not stopped and (done is None or done.high >= AS_TOLD * most):
            text += f"; these settings, by formula, carry at most {quantity(most, '/s')}"
        elif done and not stopped:
            rest = own.get("arrival_rate", _UNKNOWN) - done - growth
            course = "over the whole run, " if rest.leaves_zero_out else ""
            text += f"; {course}it completes {estimate_quantity(done)}"
        yield stated(f"{name}.grows", f"{text}.", "backlog.growth", growth, about={"queue": name})


def moved_text(spec: ScenarioSpec, summaries: Sequence[PointSummary]) -> str:
    """Return which point moves most waiting from a queue to one that it sends to, as a sentence; empty for none.

    Points are compared with the scenario's own settings, or with the first where those were not simulated. Latencies
    whose intervals overlap are equal, and what is a tenth of the gain or less has not moved.
    """
    present = [item for item in summaries if changes_nothing(spec.body(), item.overrides)]
    base = [*present, *summaries][0]
    then = "now" if present else f"with {settings_text(spec, base.overrides)}:"
    moves = [(0.0, "")]
    for there, pair in product(summaries, ((queue.name, row.name) for queue in spec.queues for row in queue.sends)):
        own = (item.queues.get(name, {}) for name in pair for item in (base, there))
        first, less, second, more = (metrics.get("latency.mean", _UNKNOWN) for metrics in own)
        lost = more.value - second.value
        if less.high < first.low and second.high < more.low and lost > LARGE * (first.value - less.value):
            most = max(item.value for item in (first, less, second, more))
            before, here, after, there_now = (estimate_quantity(item, most) for item in (first, less, second, more))
            before, after = before._replace(half=""), after._replace(half="")
            spent = f"{here} at {pair[0]} ({then} {before}) and {there_now} at {pair[1]}"
            text = f"moves the queue from {pair[0]} to {pair[1]}: a message spends {spent} ({then} {after})"
            moves.append((lost, f"{settings_text(spec, there.overrides)} {text}, on average."))
    return max(moves)[1]
