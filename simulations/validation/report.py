"""The validation report as Markdown."""

from collections.abc import Mapping

from simulations import ENGINE_VERSION
from simulations.validation.campaign import END_EFFECT, MOST_REPLICATIONS, Comparison, Effort, Findings
from simulations.validation.coverage import Coverage
from simulations.validation.mechanism_models import FLOW, FlowStep
from simulations.validation.peers import Agreement


def document(found: Findings, effort: Effort) -> str:
    """Return the report."""
    size = f"{effort.replications} replications of {effort.messages:,} messages"
    parts = (
        [
            "# Validation",
            "",
            f"Written by `python manage.py generate_validation` with engine {ENGINE_VERSION}; do not edit.",
        ],
        _exact(found.comparisons, size, effort),
        _steps(found.steps),
        _others(found.agreements, size, effort),
        _fixed(found.coverage, size, effort),
        _stopped(found.stopped, effort),
    )
    return "\n".join(line for part in parts for line in (*part, ""))


def _exact(comparisons: tuple[Comparison, ...], size: str, effort: Effort) -> list[str]:
    inside = sum(comparison.inside for comparison in comparisons)
    return [
        "## Exact answers against the simulation",
        "",
        f"{size} (sessions that poll: a tenth of the messages), each model with a seed of its own from",
        f"{effort.seed} on. {inside} of {len(comparisons)} exact values lie inside their 95 % interval; about one in",
        f"twenty is expected outside. Slack for the end of the run: {END_EFFECT:.2%}.",
        "",
        "| model | formula | metric | theory | simulated | 95 % interval | inside |",
        "|---|---|---|---|---|---|---|",
        *(_comparison_line(comparison) for comparison in comparisons),
    ]


def _steps(steps: tuple[FlowStep, ...]) -> list[str]:
    span = f"{FLOW.minimum:g} to {FLOW.maximum:g}/s in {FLOW.steps} steps over {FLOW.interval:g} s"
    return [
        "## Steps of producer flow control",
        "",
        f"One producer, {span}: armed at once, disarmed after a minute.",
        "",
        "| after, s | documented limit, /s | simulated |",
        "|---|---|---|",
        *(f"| {step.seconds:g} | {step.documented:.6g} | {step.simulated:.6g} |" for step in steps),
    ]


def _others(agreements: tuple[Agreement, ...], size: str, effort: Effort) -> list[str]:
    return [
        "## Other simulators",
        "",
        f"The engine: {size}. The others: {effort.replications} replications of {effort.peer_messages:,} messages",
        "each, without the first tenth. They agree when the difference lies within its 95 % interval; about one",
        "in twenty does not by chance.",
        "",
        "| simulator | model | metric | there, s | here, s | agree |",
        "|---|---|---|---|---|---|",
        *(_agreement_line(agreement) for agreement in agreements),
    ]


def _fixed(coverage: Mapping[str, Mapping[str, Coverage]], size: str, effort: Effort) -> list[str]:
    return [
        "## Coverage of the 95 % intervals",
        "",
        f"{effort.experiments} experiments of {size} each. In brackets the 95 % interval of the measured coverage.",
        "",
        "| model | metric | coverage | mean half-width | bias |",
        "|---|---|---|---|---|",
        *(_coverage_line(model, name, each) for model, by in coverage.items() for name, each in by.items()),
    ]


def _stopped(coverage: Mapping[str, Mapping[str, Coverage]], effort: Effort) -> list[str]:
    return [
        "## Coverage where the precision ends the run",
        "",
        f"As every run does it: {effort.replications} replications of {effort.messages:,} messages at first, more in",
        f"rounds until the half-width of p95 is 2 %, at most {MOST_REPLICATIONS}; {effort.experiments} experiments.",
        "Stopping at an interval that happens to be narrow costs coverage; here is how much.",
        "",
        "| model | metric | coverage | mean half-width | bias | mean replications |",
        "|---|---|---|---|---|---|",
        *(
            f"{_coverage_line(model, name, each)} {each.replications:.1f} |"
            for model, by in coverage.items()
            for name, each in by.items()
        ),
    ]


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
