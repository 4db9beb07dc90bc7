"""Answers as text tables for the terminal."""

from collections.abc import Iterable, Sequence

from simulations.analysis.estimates.metrics import LOST
from simulations.analysis.estimates.summary import Derivation, PointSummary, estimate_text, quantity
from simulations.declarations.texts import last_key
from simulations.experiment.verdicts import objective_verdicts
from simulations.scenario.spec import ScenarioSpec

COLUMNS = ("latency.mean", "latency.p95", "end_to_end.p95", "throughput", "backlog.mean", "threads.idle_blocked")
"""Metrics of the result table, in addition to those of the objectives; one that no point has is left out."""
TROUBLES = ("timeouts.queue", "timeouts.dispatch", "timeouts.transaction", *LOST)
"""Shown in the result table as soon as one point has any."""


def text_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table with aligned columns: the first to the left, the others to the right."""
    lines = [list(header), *(list(row) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    lines.insert(1, ["-" * width for width in widths])
    return "\n".join(
        "  ".join(cell.ljust(width) if column == 0 else cell.rjust(width) for column, (cell, width) in enumerate(pairs))
        for pairs in (list(zip(line, widths, strict=True)) for line in lines)
    )


def results_table(spec: ScenarioSpec, summaries: Sequence[PointSummary]) -> str:
    """Return one line per point: swept values, status, the main metrics with their intervals, objectives."""
    paths = [axis.path for axis in spec.sweep]
    metrics = metrics_shown(COLUMNS, spec, summaries)
    header = [last_key(path) for path in paths] + ["status", *metrics, "replications"]
    rows = [
        [
            *(str(summary.overrides[path]) for path in paths),
            summary.status,
            *(estimate_text(summary.metrics.get(name)) for name in metrics),
            str(summary.replications),
        ]
        for summary in summaries
    ]
    if spec.objectives:
        header.append("objectives")
        for row, summary in zip(rows, summaries, strict=True):
            judged = objective_verdicts(spec.objectives, summary)
            words = ["not known" if item.few else "met" if item.met else "missed" for item in judged]
            row.append("-" if summary.status == "invalid" else min(words, key=("missed", "not known", "met").index))
    return text_table(header, rows)


def metrics_shown(first: Sequence[str], spec: ScenarioSpec, summaries: Sequence[PointSummary]) -> list[str]:
    """Return the columns of a table over points: ``first`` and the objectives' metrics where known, then troubles."""
    wanted = dict.fromkeys((*first, *(objective.metric for objective in spec.objectives)))
    metrics = [name for name in wanted if any(name in summary.metrics for summary in summaries)]
    values = {name: [item.metrics[name].value for item in summaries if name in item.metrics] for name in TROUBLES}
    return list(dict.fromkeys((*metrics, *(name for name in TROUBLES if max(values[name], default=0.0) > 0))))


def derivation_table(derivation: Derivation) -> str:
    """Return the formula answers, then the rule verdicts."""
    values = text_table(
        ["formula answer", "of", "value", "computation"],
        [[item.title, item.entity, str(quantity(item.value, item.unit)), item.formula] for item in derivation.values],
    )
    verdicts = [f"{item.status:<15} {item.rule}: {item.message}" for item in derivation.findings]
    return "\n".join([values, "", *verdicts])


def objectives_met(spec: ScenarioSpec, summary: PointSummary) -> bool:
    """Whether the point meets every objective."""
    return all(verdict.met for verdict in objective_verdicts(spec.objectives, summary))
