"""The validation report: oracles with theory, simulation and interval, other simulators, the coverage of intervals."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from simulations.analysis.coverage import Coverage, Simulate, measure_coverage
from simulations.analysis.estimators import Point, summarise
from simulations.analysis.peers import Agreement, compare_peer, peers
from simulations.analysis.reference_models import coverage_models, oracles
from simulations.analysis.rows import compact
from simulations.analysis.summary import Estimate
from simulations.analysis.theory.answers import formula_answer
from simulations.engine.network import NetworkSpec

END_EFFECT = 1e-4
"""Relative slack: a run that ends with a completion counts a few messages more or less per second than an endless one.
Only rates under regular arrivals have intervals narrow enough to see it."""
COVERED = ("latency.mean", "latency.p95", "latency.p99")


@dataclass(frozen=True)
class Effort:
    """How much is simulated.

    Messages and replications of an oracle or experiment, experiments per coverage model, messages per replication of
    another simulator, which is a hundred times slower.
    """

    messages: int = 200_000
    replications: int = 10
    experiments: int = 500
    peer_messages: int = 20_000
    seed: int = 1


@dataclass(frozen=True)
class Comparison:
    """One metric of one oracle."""

    model: str
    formula: str
    metric: str
    theory: float
    simulated: Estimate

    @property
    def inside(self) -> bool:
        """Whether the exact value lies in the simulated interval, give or take the end effect."""
        slack = END_EFFECT * abs(self.theory)
        return self.simulated.low - slack <= self.theory <= self.simulated.high + slack


def compare_oracles(simulate: Simulate, effort: Effort) -> tuple[Comparison, ...]:
    """Return every metric for which an oracle's formula has an exact value."""
    return tuple(
        comparison
        for model, network in oracles(effort.messages).items()
        for comparison in compare(model, network, simulate, effort)
    )


def compare(model: str, network: NetworkSpec, simulate: Simulate, effort: Effort) -> Iterator[Comparison]:
    """Yield the comparisons of one model; raises LookupError when no exact formula applies to it."""
    answer = formula_answer(network, 0)
    if answer is None or not answer.exact:
        msg = f"no exact formula applies to {model!r}"
        raise LookupError(msg)
    rows = [compact(simulate(network, effort.seed, number)) for number in range(effort.replications)]
    metrics = summarise(Point(0, {}, network, ["server"], {}, {}), rows).metrics
    for metric, exact in answer.metrics.items():
        yield Comparison(model, answer.formula, metric, exact.value, metrics[metric])


def compare_peers(simulate: Simulate, effort: Effort) -> tuple[Agreement, ...]:
    """Return what the other simulators say about their models, beside what the engine says."""
    return tuple(
        agreement
        for peer in peers(effort.messages)
        for agreement in compare_peer(
            peer, simulate, messages=effort.peer_messages, replications=effort.replications, seed=effort.seed
        )
    )


def measure_all(simulate: Simulate, effort: Effort) -> dict[str, dict[str, Coverage]]:
    """Return the coverage of mean, p95 and p99 on every coverage model, as far as its formula gives them."""
    return {model: _measure(network, simulate, effort) for model, network in coverage_models(effort.messages).items()}


def _measure(network: NetworkSpec, simulate: Simulate, effort: Effort) -> dict[str, Coverage]:
    answer = formula_answer(network, 0)
    if answer is None or not answer.exact:
        raise LookupError("no exact formula applies to a coverage model")
    truth = {name: answer.metrics[name].value for name in COVERED if name in answer.metrics}
    return measure_coverage(
        network,
        truth,
        simulate,
        experiments=effort.experiments,
        replications=effort.replications,
        first_seed=effort.seed,
    )


def document(
    comparisons: tuple[Comparison, ...],
    agreements: tuple[Agreement, ...],
    coverage: Mapping[str, Mapping[str, Coverage]],
    effort: Effort,
) -> str:
    """Return the report as Markdown."""
    inside = sum(comparison.inside for comparison in comparisons)
    size = f"{effort.replications} replications of {effort.messages:,} messages"
    return "\n".join(
        [
            "# Validation",
            "",
            "Written by `python manage.py generate_validation`; do not edit.",
            "",
            "## Exact answers against the simulation",
            "",
            f"{size}, seed {effort.seed}. {inside} of {len(comparisons)} exact values lie inside their 95 % interval;",
            f"about one in twenty is expected outside. Slack for the end of the run: {END_EFFECT:.2%}.",
            "",
            "| model | formula | metric | theory | simulated | 95 % interval | inside |",
            "|---|---|---|---|---|---|---|",
            *(_comparison_line(comparison) for comparison in comparisons),
            "",
            "## Other simulators",
            "",
            f"The engine: {size}. The others: {effort.replications} replications of {effort.peer_messages:,} messages",
            "each, without the first tenth. They agree when the difference lies within its 95 % interval; about one",
            "in twenty does not by chance.",
            "",
            "| simulator | model | metric | there, s | here, s | agree |",
            "|---|---|---|---|---|---|",
            *(_agreement_line(agreement) for agreement in agreements),
            "",
            "## Coverage of the 95 % intervals",
            "",
            f"{effort.experiments} experiments of {size} each. In brackets the 95 % interval of the measured coverage.",
            "",
            "| model | metric | coverage | mean half-width | bias |",
            "|---|---|---|---|---|",
            *(_coverage_line(model, name, found) for model, by in coverage.items() for name, found in by.items()),
            "",
        ]
    )


def _comparison_line(comparison: Comparison) -> str:
    found = comparison.simulated
    numbers = f"{comparison.theory:.5g} | {found.value:.5g} | {found.low:.5g} to {found.high:.5g} {found.unit}"
    verdict = "yes" if comparison.inside else "no"
    return f"| {comparison.model} | {comparison.formula} | {comparison.metric} | {numbers} | {verdict} |"


def _agreement_line(agreement: Agreement) -> str:
    numbers = " | ".join(f"{value:.5g} ± {half:.2g}" for value, half in (agreement.there, agreement.here))
    verdict = "yes" if agreement.agrees else "no"
    return f"| {agreement.simulator} | {agreement.model} | {agreement.metric} | {numbers} | {verdict} |"


def _coverage_line(model: str, metric: str, found: Coverage) -> str:
    low, high = found.margin
    share = f"{found.share:.1%} ({low:.1%} to {high:.1%})"
    return f"| {model} | {metric} | {share} | {found.half_width:.2%} | {found.bias:+.2%} |"
