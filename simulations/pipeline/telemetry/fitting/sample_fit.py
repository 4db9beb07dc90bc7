"""What samples say about one queue: rates and means with intervals, and what a scenario needs beyond, as assumed.

Means follow from the laws of utilization (busy = throughput x service time) and of Little (present = throughput x time
in the system), which hold for any distribution; no sample tells the shape of one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from simulations.analysis.replications.measures import Floats
from simulations.analysis.theory.queues import erlang_c
from simulations.pipeline.telemetry.fitting.arrivals import Arrivals, arrivals_fit
from simulations.pipeline.telemetry.fitting.families import Choice, Fit
from simulations.pipeline.telemetry.fitting.fit import Concurrency, Value, concurrency_fit, estimates
from simulations.pipeline.telemetry.fitting.intervals import Instance
from simulations.pipeline.telemetry.fitting.questions import BLOCKS, FITTED, Span
from simulations.pipeline.telemetry.reading.layouts import TelemetryRefused

WATCHED = 0.99
"""Share of a window that must have been watched for it to count."""


@dataclass(frozen=True)
class Watched:
    """What was counted of a queue: its instances, and by window of ``width`` seconds the columns of ``intervals``."""

    name: str
    instances: tuple[Instance, ...]
    columns: Mapping[str, Floats]
    width: float

    @property
    def covered(self) -> NDArray[np.bool_]:
        """The windows that were watched."""
        return self.columns["covered"] >= WATCHED * self.width

    @property
    def tells_threads(self) -> bool:
        """Whether the samples show how many messages are processed at a time."""
        return all(instance.threads or instance.busy for instance in self.instances)

    @property
    def gauges(self) -> dict[str, Floats]:
        """Integrals of present, waiting and busy, one out of the others where the samples lack it."""
        busy, waiting, present = (self.columns[name] for name in ("busy", "waiting", "present"))
        held = np.where(np.isfinite(busy), busy, self.columns["pending"])
        present = np.where(np.isfinite(present), present, waiting + held)
        waiting = np.where(np.isfinite(waiting), waiting, np.maximum(present - busy, 0))
        return {"present": present, "waiting": waiting, "busy": busy}


def ratio(
    watched: Watched, span: Span, column: Floats, per: str, unit: str, chosen: slice = slice(None)
) -> Value | None:
    """Column over another with its interval over the blocks; None where the samples lack one of them."""
    sums = blocks(watched, span, [watched.columns[per], column])[:, chosen]
    if sums[0].sum() == 0:
        return None
    found = estimates(sums, lambda total: np.array([total[1] / max(total[0], 1e-12)]), (unit,))
    return found[0] if found else None


def blocks(watched: Watched, span: Span, columns: Sequence[Floats]) -> Floats:
    """Sums by block [columns, BLOCKS] over the windows in which all of the columns are known."""
    known = np.isfinite(np.array(columns)).all(axis=0) & (watched.columns["covered"] > 0)
    middle = (np.flatnonzero(known) + 0.5) * watched.width
    block = np.minimum(middle / span.block, BLOCKS - 1).astype(np.int64)
    return np.array([np.bincount(block, weights=column[known], minlength=BLOCKS) for column in columns])


FEWEST_INTERVALS = 100
SOURCES = {
    "service_seconds": "the samples' own time in process, divided by deliveries",
    "busy": "the law of utilisation: mean number in process, divided by throughput",
    "present": "the mean number present, solved for the service time of M/M/c",
}
"""Where a mean service time comes from."""


@dataclass(frozen=True)
class SampledFit:
    """Everything that samples say about a queue. ``course``: means by block, ``time`` in seconds from the start.
    ``source``: key of ``SOURCES``. ``response`` and ``wait``: mean times in seconds by Little's law."""

    name: str
    messages: int
    samples: int
    every: float
    restarts: int
    gaps: int
    service: Fit
    service_mean: Value
    source: str
    throughput: Value
    busy: Value | None
    present: Value | None
    response: Value | None
    wait: Value | None
    arrivals: Arrivals
    concurrency: Concurrency
    failure_rate: Value
    redelivered: Value
    instances: dict[str, int]
    course: dict[str, list[float | None]]
    assumed: tuple[str, ...]
    most_deliveries: int = 10
    """Deliveries of a message in the scenario; samples do not tell after how many one is given up."""
    provenance: str = "assumed"
    limit: None = None


def sampled_fit(watched: Watched, span: Span, choice: Choice) -> SampledFit:
    """Return what samples say of a queue, ``choice`` for the rest; raises TelemetryRefused when they say too little."""
    _check(watched)
    concurrency = threads_of(watched.instances, choice)
    service, source = service_of(watched, span, concurrency, choice)
    gauges, arrived = watched.gauges, np.nan_to_num(watched.columns["arrived"])
    failure = ratio(watched, span, watched.columns["rolled_back"], "deliveries", "1")
    again = ratio(watched, span, watched.columns["rolled_back"], "completed", "1")
    throughput = ratio(watched, span, watched.columns["completed"], "covered", "/s")
    if throughput is None:
        raise TelemetryRefused(f"queue {watched.name!r}: no message was processed")
    none = Value(0.0, None, None, "1")
    return SampledFit(
        name=watched.name,
        messages=round(sum(instance.completed for instance in watched.instances)),
        samples=sum(instance.samples for instance in watched.instances),
        every=max(instance.usual for instance in watched.instances),
        restarts=sum(instance.restarts for instance in watched.instances),
        gaps=sum(instance.gaps for instance in watched.instances),
        service=choice.shape.scaled(service.value),
        service_mean=service,
        source=source,
        throughput=throughput,
        busy=ratio(watched, span, gauges["busy"], "covered", "messages"),
        present=ratio(watched, span, gauges["present"], "covered", "messages"),
        response=ratio(watched, span, gauges["present"], "completed", "s"),
        wait=ratio(watched, span, gauges["waiting"], "completed", "s"),
        arrivals=arrivals_fit(arrived, watched.width, span.start, {}, watched.covered),
        concurrency=concurrency,
        failure_rate=failure or none,
        redelivered=again or none,
        instances={instance.name: round(instance.completed) for instance in watched.instances},
        course=_course(watched, span),
        assumed=tuple(_assumed(watched, source, choice, known_failures=failure is not None)),
    )


def service_of(watched: Watched, span: Span, concurrency: Concurrency, choice: Choice) -> tuple[Value, str]:
    """Return the mean time of one delivery of the fitted part, and where it comes from (``SOURCES``)."""
    fitted = slice(0, FITTED)
    for source, column in (("service_seconds", watched.columns["service_seconds"]), ("busy", watched.gauges["busy"])):
        mean = ratio(watched, span, column, "deliveries", "s", chosen=fitted)
        if mean is not None and mean.value > 0:
            return mean, source
    if not watched.tells_threads and choice.threads is None:
        raise TelemetryRefused(
            f"queue {watched.name!r}: the samples have neither the number in process nor a time in process nor the "
            "number of threads, so no service time can be known; add one of these columns, or name a scenario that "
            "has the threads"
        )
    asked = [watched.columns["covered"], watched.gauges["present"], watched.columns["deliveries"]]
    columns = blocks(watched, span, asked)[:, fitted]
    if columns[0].sum() == 0 or columns[1].sum() == 0:
        raise TelemetryRefused(f"queue {watched.name!r}: the samples do not tell how many messages are present")

    def solved(sums: Floats) -> Floats:
        return np.array([load_of(sums[1] / sums[0], concurrency.threads) * sums[0] / max(sums[2], 1e-9)])

    return estimates(columns, solved, ("s",))[0], "present"


def load_of(present: float, threads: int) -> float:
    """Return the load (arrival rate x service time) at which M/M/c has that mean number present."""
    full = threads * (1 - 1e-9)

    def excess(load: float) -> float:
        return load + erlang_c(threads, load) * load / (threads - load) - present

    return float(brentq(excess, 1e-12, full)) if excess(full) > 0 and present > 0 else min(present, full)


def threads_of(instances: Sequence[Instance], choice: Choice) -> Concurrency:
    """Return how many messages all instances process at a time: as counted, else as seen in a crowd, else as chosen."""
    if choice.threads is not None and not any(instance.threads or instance.busy for instance in instances):
        return Concurrency(choice.threads, limited=True, share=0.0, starts=0)
    seen = [concurrency_fit({"busy": item.crowded, "started": item.busy or {1: 1}}) for item in instances]
    starts = sum(item.starts for item in seen)
    if all(instance.threads for instance in instances):
        given = round(sum(instance.threads or 0.0 for instance in instances))
        full = sum(n for item in instances for number, n in item.crowded.items() if number >= (item.threads or 0))
        return Concurrency(max(1, given), limited=True, share=full / max(1, starts), starts=starts)
    share = sum(item.share * item.starts for item in seen) / max(1, starts)
    limited = all(item.limited for item in seen)
    return Concurrency(sum(item.threads for item in seen), limited=limited, share=share, starts=starts)


def _check(watched: Watched) -> None:
    samples = sum(instance.samples for instance in watched.instances)
    if samples < FEWEST_INTERVALS or watched.covered.sum() < BLOCKS:
        raise TelemetryRefused(
            f"queue {watched.name!r}: {samples} samples that cover {int(watched.covered.sum())} intervals; at least "
            f"{FEWEST_INTERVALS} and {BLOCKS} are needed"
        )


def _course(watched: Watched, span: Span) -> dict[str, list[float | None]]:
    found: dict[str, list[float | None]] = {"time": [span.block * (block + 0.5) for block in range(BLOCKS)]}
    for name, column in watched.gauges.items():
        seconds, integral = blocks(watched, span, [watched.columns["covered"], column])
        found[name] = [float(i / s) if s > 0 else None for i, s in zip(integral, seconds, strict=True)]
    return found


def _assumed(watched: Watched, source: str, choice: Choice, *, known_failures: bool) -> list[str]:
    tests = [
        (True, f"samples do not show how service times are spread; {choice.words} are assumed"),
        (
            source == "present",
            "the mean service time is that of exponential times before as many threads as were "
            "counted, with the mean number present that was seen",
        ),
        (
            choice.threads is not None and not watched.tells_threads,
            f"the number of threads is not counted; the {choice.threads} of {choice.scenario} are assumed",
        ),
        (
            not any("arrived" in instance.known for instance in watched.instances),
            "arrivals are not counted; messages are taken to arrive as they are processed, which hides bursts",
        ),
        (not known_failures, "rolled back deliveries are not counted; none are assumed"),
        (known_failures, f"a message is given up after {SampledFit.most_deliveries} deliveries"),
    ]
    return [f"{watched.name}: {words}." for holds, words in tests if holds]
