"""Point summaries as plain data and back, and the hash that two equal answers share."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter
from pydantic_core import to_json

from simulations.analysis.estimates.summary import Estimate, PointSummary

_SUMMARY = TypeAdapter(PointSummary)
_ESTIMATE = TypeAdapter(Estimate)


def summary_plain(summary: PointSummary) -> dict[str, Any]:
    """Return the summary as JSON values; NaN and infinity become the texts ``NaN`` and ``Infinity``."""
    plain: dict[str, Any] = json.loads(to_json(summary, inf_nan_mode="strings"))
    return plain


def summary_read(plain: Mapping[str, Any]) -> PointSummary:
    """Return the summary that ``summary_plain`` wrote."""
    return _SUMMARY.validate_python(plain)


def estimate_plain(estimate: Estimate) -> dict[str, Any]:
    """Return what lists and differences keep of an estimate: value, low, high and unit."""
    return {name: getattr(estimate, name) for name in ("value", "low", "high", "unit")}


def estimate_read(plain: Mapping[str, Any]) -> Estimate:
    """Return the estimate that ``estimate_plain`` wrote; further keys are ignored."""
    return _ESTIMATE.validate_python(plain)


def result_hash(summaries: Iterable[PointSummary]) -> str:
    """Return a SHA-256 over the numbers of an answer: equal for bit-identical results, however they were computed.

    Sentences, timings and pictures are left out. Numbers are written as floats without a negative zero, because
    databases keep neither the difference between 1 and 1.0 nor the sign of 0.
    """
    rows = [
        [
            summary.index,
            summary.status,
            summary.replications,
            summary.events,
            {name: _number(value) for name, value in summary.overrides.items()},
            _estimates(summary.metrics),
            {queue: _estimates(metrics) for queue, metrics in summary.queues.items()},
            {server: _estimates(metrics) for server, metrics in summary.servers.items()},
        ]
        for summary in sorted(summaries, key=lambda item: item.index)
    ]
    return hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest()


def _estimates(metrics: Mapping[str, Any]) -> dict[str, list[Any]]:
    return {name: [_number(part) for part in (item.value, item.low, item.high)] for name, item in metrics.items()}


def _number(value: Any) -> Any:
    return repr(float(value) + 0.0) if isinstance(value, int | float) and not isinstance(value, bool) else value


@dataclass(frozen=True)
class StoredPoint:
    """One point's answer; ``partial`` while more replications are to come."""

    index: int
    overrides: Mapping[str, Any]
    partial: bool
    summary: PointSummary
