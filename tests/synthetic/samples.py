"""Metric samples of systems whose truth is known: the hidden system of ``messages`` as each vendor counts it."""

from collections.abc import Iterable, Iterator
from typing import TextIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from simulations.analysis.replications.measures import Floats
from simulations.pipeline.telemetry.reading.layouts import COMMON, COUNTS, IMQCMD, INTERVALS, PMI, WLDF, Column, Layout
from tests.synthetic.messages import EPOCH, Truth

EVENTS = ("arrived", "started", "ended", "completed", "deliveries", "seconds")
HEADING = """\
-----------------------------------------------------------------------------
  Msgs      Msg Bytes         Msg Count         Total Msg Bytes (k)     Largest
In   Out    In     Out    Current  Peak  Avg  Current  Peak     Avg    Msg (k)
-----------------------------------------------------------------------------
"""
HEADING_EVERY = 20
BYTES = 736
"""Of every message, in the tables of ``imqcmd``."""


def totals_of(truth: Truth, log: Iterable[pa.RecordBatch], every: float) -> dict[str, Floats]:
    """Return the counts up to each sample, one every ``every`` seconds: ``EVENTS`` [samples, instances].

    Service counts when it ends. The last sample is the last one before the last arrival.
    """
    bins: dict[str, Floats] = {name: np.zeros((0, truth.instances)) for name in EVENTS}
    last = 0.0
    for batch in log:
        columns = {name: batch[name].to_numpy(zero_copy_only=False) for name in ("arrival", "start", "end")}
        instance = pc.cast(pc.replace_substring(batch["instance"], f"{truth.queue}-", ""), pa.int64()).to_numpy()
        deliveries = batch["deliveries"].to_numpy()
        done = pc.equal(batch["outcome"], "completed").to_numpy(zero_copy_only=False)
        last = max(last, float(columns["arrival"].max()))
        once = np.ones(len(instance))
        events = (
            ("arrived", columns["arrival"], once),
            ("started", columns["start"], once),
            ("ended", columns["end"], once),
            ("completed", columns["end"], done),
            ("deliveries", columns["end"], deliveries),
            ("seconds", columns["end"], columns["end"] - columns["start"]),
        )
        for name, instants, weights in events:
            at = np.ceil((instants - EPOCH) / every).astype(np.int64)
            bins[name] = _grown(bins[name], int(at.max()) + 1)
            np.add.at(bins[name], (at, instance), weights)
    samples = int((last - EPOCH) / every) + 1
    return {name: _grown(found, samples)[:samples].cumsum(axis=0) for name, found in bins.items()}


def _grown(found: Floats, size: int) -> Floats:
    """The array with at least ``size`` rows."""
    more = max(0, size - len(found))
    return np.concatenate([found, np.zeros((more, found.shape[1]))]) if more else found


def samples_of(truth: Truth, log: Iterable[pa.RecordBatch], every: float, flavor: str) -> pa.Table:
    """Return the samples of a flavor (``FLAVORS``), a row for each instant and instance, in that order."""
    totals = totals_of(truth, log, every)
    layout, columns = FLAVORS[flavor]
    if layout is IMQCMD:
        totals = {name: values.sum(axis=1, keepdims=True) for name, values in totals.items()}
    seen = _roles(truth, totals, whole=layout is IMQCMD)
    time, queue, instance = (layout.of_role(role)[0].name for role in ("time", "queue", "instance"))
    size, width = totals["arrived"].shape
    return pa.table(
        {
            time: np.repeat(EPOCH + np.arange(size) * every, width),
            queue: [truth.queue] * (size * width),
            **({instance: [f"{truth.queue}-{number}" for number in range(width)] * size} if width > 1 else {}),
            **{column.name: _counted(column, seen).ravel() for column in layout.columns if column.name in columns},
        }
    )


def _roles(truth: Truth, totals: dict[str, Floats], *, whole: bool) -> dict[str, Floats]:
    """What a column of each role counts [samples, instances].

    ``whole``: one broker holds the queue for all instances. Messages leave it completed or not, and it knows of the
    consumers' sessions but not which are busy.
    """
    busy = totals["started"] - totals["ended"]
    return {
        **{name: totals[name] for name in ("arrived", "deliveries")},
        "completed": totals["ended" if whole else "completed"],
        "rolled_back": totals["deliveries"] - totals["completed"],
        "service_seconds": totals["seconds"],
        "present": totals["arrived"] - totals["ended"],
        "waiting": totals["arrived"] - totals["started"],
        "pending": busy,
        "busy": busy,
        "busy_share": busy / truth.threads,
        "threads": np.full_like(busy, truth.threads * (truth.instances if whole else 1)),
    }


def _counted(column: Column, seen: dict[str, Floats]) -> Floats:
    """The values of a column in its own unit; counters of milliseconds are whole."""
    values = seen[column.role]
    if column.interval:
        values = np.diff(values, axis=0, prepend=0.0)
    if column.shared:
        values = np.repeat(values.sum(axis=1, keepdims=True), values.shape[1], axis=1)
    if column.factor == 1.0:
        return values
    return np.round(values / column.factor) if column.role in COUNTS else values / column.factor


FLAVORS: dict[str, tuple[Layout, frozenset[str]]] = {
    layout.key: (layout, frozenset(columns.split()))
    for layout, columns in (
        (COMMON, "completed arrived deliveries rolled_back service_seconds present busy threads"),
        (INTERVALS, "completed_now arrived_now rolled_back_now waiting busy"),
        (IMQCMD, "msgs_in msgs_out msg_count_current active_consumers_current"),
        (
            WLDF,
            "MessagesReceivedCount MessagesCurrentCount MessagesPendingCount BeansInUseCurrentCount "
            "TransactionsCommittedTotalCount TransactionsRolledBackTotalCount",
        ),
        (
            PMI,
            "MessageCount MessageBackoutCount MethodResponseTimeTotal ServerSessionPoolUsage MaxSessions CurrentDepth",
        ),
    )
}
"""Key of a layout -> the layout and those of its columns that are written."""


def write_table(samples: pa.Table, file: TextIO) -> None:
    """Write samples of ``imqcmd`` as the tool's table, which has no instants."""
    for number, line in enumerate(_lines(samples)):
        if number % HEADING_EVERY == 0:
            file.write(HEADING)
        file.write(line)


def _lines(samples: pa.Table) -> Iterator[str]:
    peak, total = 0, 0
    for number, row in enumerate(samples.to_pylist()):
        came, left, now = (int(row[name]) for name in ("msgs_in", "msgs_out", "msg_count_current"))
        peak, total = max(peak, now), total + now
        sizes = [now, peak, total // (number + 1)]
        held = [count * BYTES // 1024 for count in sizes]
        numbers = (came, left, came * BYTES, left * BYTES, *sizes, *held, 1 if now else 0)
        yield f"{'  '.join(map(str, numbers))}\n"
