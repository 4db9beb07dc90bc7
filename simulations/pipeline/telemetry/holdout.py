"""The check that a fit has to pass: what the engine predicts against what the log shows.

Two predictions of each queue, each against the messages it is about:
``replayed``: the arrivals of the held-out part as they came, service times and threads as fitted on the part before;
``generated``: the scenario as it will be run, against the whole log. Both must be near for *validated*.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulations.analysis.histogram import Histogram
from simulations.analysis.intervals import t_quantile
from simulations.analysis.rows import compact
from simulations.engine.replicate import replicate
from simulations.pipeline.telemetry.spec import with_arrivals
from simulations.scenario import ScenarioSpec

Floats = NDArray[np.float64]
NEAR = 0.10
"""Largest relative difference of the predicted and the observed p95 that is near."""
SHARE = 0.95
FEWEST = 500
"""Messages that it takes to compare a p95."""
EVENTS = 16_000_000
MOST_REPLICATIONS, FEWEST_REPLICATIONS = 20, 5
SEED = 20_260_105


@dataclass(frozen=True)
class Check:
    """A prediction of a queue's p95 of latency in seconds; ``low`` to ``high`` holds 95 % of such parts of a log."""

    queue: str
    kind: str
    messages: int
    predicted: float | None
    low: float | None
    high: float | None
    observed: float
    validated: bool
    sentence: str

    @property
    def deviation(self) -> float | None:
        """Predicted minus observed, relative to the observed."""
        return None if self.predicted is None else self.predicted / self.observed - 1


def replayed(
    spec: ScenarioSpec, parts: Mapping[str, tuple[Floats, Floats]], *, should_stop: Callable[[], bool]
) -> tuple[Check, ...]:
    """Return the check of each queue; ``parts``: by queue the arrivals (s) and latencies of held-out messages."""
    traces: dict[str, Mapping[str, Any]] = {}
    for name, (arrivals, _) in parts.items():
        start = arrivals[0] if len(arrivals) else 0.0
        traces[name] = {"kind": "trace", "source": [float(f"{at:.6f}") for at in (arrivals - start)] or [0.0]}
    size = sum(len(arrivals) for arrivals, _ in parts.values())
    found = _percentiles(with_arrivals(spec, traces, {"until": "drained"}), size, should_stop)
    observed = {name: latencies for name, (_, latencies) in parts.items()}
    return tuple(
        _judged(name, "replayed", found[name], len(times), float(np.quantile(times, SHARE)) if len(times) else math.nan)
        for name, times in observed.items()
    )


def generated(
    spec: ScenarioSpec, observed: Mapping[str, tuple[int, float]], *, should_stop: Callable[[], bool]
) -> tuple[Check, ...]:
    """Return the check of each queue; ``observed``: by queue the messages and the p95 of the whole log."""
    size = sum(messages for messages, _ in observed.values())
    horizon = spec.body()["run"]["horizon"]
    if "messages" in horizon:
        horizon = {"messages": max(1_000, min(size, 2_000_000))}
    asked = with_arrivals(spec, {queue["name"]: queue["arrivals"] for queue in spec.body()["queues"]}, horizon)
    found = _percentiles(asked, size, should_stop)
    return tuple(_judged(name, "generated", found[name], *about) for name, about in observed.items())


def verdict(checks: Sequence[Check]) -> bool:
    """Whether the fit is validated: every check of every queue."""
    return bool(checks) and all(check.validated for check in checks)


def _percentiles(spec: ScenarioSpec, messages: int, should_stop: Callable[[], bool]) -> dict[str, list[float]]:
    """The p95 of each queue in each of several replications."""
    network = spec.network()
    count = min(MOST_REPLICATIONS, max(FEWEST_REPLICATIONS, EVENTS // max(1, 2 * messages)))
    found: dict[str, list[float]] = {queue.name: [] for queue in spec.queues}
    for number in range(count):
        if should_stop():
            break
        row = compact(replicate(network, seed=SEED, replication=number))
        for name, (first, counts) in zip(found, row.histograms, strict=False):
            if counts.size and not row.overflow:
                merged = Histogram(first, counts.sum(axis=0, keepdims=True).astype(np.int64))
                found[name].append(float(merged.percentile(SHARE)[0]))
    return found


def _judged(queue: str, kind: str, values: Sequence[float], messages: int, observed: float) -> Check:
    about = "the held-out part" if kind == "replayed" else "the whole log"
    if messages < FEWEST:
        sentence = f"Not validated: {about} has {messages} messages, too few to compare a p95."
        return Check(queue, kind, messages, None, None, None, observed, validated=False, sentence=sentence)
    if len(values) < FEWEST_REPLICATIONS:
        sentence = "Not validated: the simulated queue grew beyond what can be held."
        return Check(queue, kind, messages, None, None, None, observed, validated=False, sentence=sentence)
    predicted = float(np.mean(values))
    half = t_quantile(len(values)) * float(np.std(values, ddof=1)) * math.sqrt(1 + 1 / len(values))
    near, sharp = abs(predicted / observed - 1) <= NEAR, half <= NEAR * predicted
    low, high = predicted - half, predicted + half
    text = f"predicted p95 {_time(predicted)} ({_time(low)} to {_time(high)}), observed {_time(observed)} in {about}"
    reason = "" if near and sharp else "; the difference is above 10 %" if not near else "; too uncertain to tell"
    word = "Validated" if near and sharp else "Not validated"
    sentence = f"{word}: {text}{reason}."
    return Check(queue, kind, messages, predicted, low, high, observed, validated=near and sharp, sentence=sentence)


def _time(seconds: float) -> str:
    return f"{seconds * 1000:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"
