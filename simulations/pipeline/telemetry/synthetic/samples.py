"""Metric samples of systems whose truth is known, as each vendor counts: the log of ``synthetic``, seen from outside.

The system is the hidden one of the message log; a sampler counts what happened up to each of its instants.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TextIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from simulations.analysis.replications.measures import Floats
from simulations.pipeline.telemetry.synthetic.messages import EPOCH, Truth

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
    """Return what has happened up to each sample, one every ``every`` seconds: ``EVENTS`` [samples, instances].

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


def samples_of(truth: Truth, log: Iterable[pa.RecordBatch], every: float, flavour: str) -> pa.Table:
    """Return the samples of a flavour (``FLAVOURS``), a row for each instant and instance, in that order."""
    totals = totals_of(truth, log, every)
    time, queue, counted = FLAVOURS[flavour]
    rows = counted(truth, totals)
    size, width = rows[0][1].shape
    columns = {
        time: np.repeat(EPOCH + np.arange(size) * every, width),
        queue: [truth.queue] * (size * width),
        **({rows[0][0]: [f"{truth.queue}-{number}" for number in range(width)] * size} if width > 1 else {}),
        **{name: values.ravel() for name, values in rows[1:]},
    }
    return pa.table(columns)


def _common(truth: Truth, seen: dict[str, Floats]) -> "Rows":
    return [
        ("instance", seen["arrived"]),
        ("arrived", seen["arrived"]),
        ("completed", seen["completed"]),
        ("deliveries", seen["deliveries"]),
        ("rolled_back", seen["deliveries"] - seen["completed"]),
        ("service_seconds", seen["seconds"]),
        ("present", seen["arrived"] - seen["ended"]),
        ("busy", seen["started"] - seen["ended"]),
        ("threads", np.full_like(seen["arrived"], truth.threads)),
    ]


def _intervals(_: Truth, seen: dict[str, Floats]) -> "Rows":
    def now(name: str) -> Floats:
        return np.diff(seen[name], axis=0, prepend=0.0)

    return [
        ("instance", seen["arrived"]),
        ("arrived_now", now("arrived")),
        ("completed_now", now("completed")),
        ("rolled_back_now", now("deliveries") - now("completed")),
        ("waiting", seen["arrived"] - seen["started"]),
        ("busy", seen["started"] - seen["ended"]),
    ]


def _imqcmd(truth: Truth, seen: dict[str, Floats]) -> "Rows":
    """One broker holds the queue for all instances, and knows of their sessions but not which are busy."""
    whole = {name: values.sum(axis=1, keepdims=True) for name, values in seen.items()}
    return [
        ("broker", whole["arrived"]),
        ("msgs_in", whole["arrived"]),
        ("msgs_out", whole["ended"]),
        ("msg_count_current", whole["arrived"] - whole["ended"]),
        ("active_consumers_current", np.full_like(whole["arrived"], truth.threads * truth.instances)),
    ]


def _wldf(_: Truth, seen: dict[str, Floats]) -> "Rows":
    busy = seen["started"] - seen["ended"]
    return [
        ("server", seen["arrived"]),
        ("MessagesReceivedCount", seen["arrived"]),
        ("MessagesCurrentCount", seen["arrived"] - seen["started"]),
        ("MessagesPendingCount", busy),
        ("BeansInUseCurrentCount", busy),
        ("TransactionsCommittedTotalCount", seen["completed"]),
        ("TransactionsRolledBackTotalCount", seen["deliveries"] - seen["completed"]),
    ]


def _pmi(truth: Truth, seen: dict[str, Floats]) -> "Rows":
    """The queue is one for all servers, so each of them reports its whole depth."""
    waiting = (seen["arrived"] - seen["started"]).sum(axis=1, keepdims=True)
    busy = seen["started"] - seen["ended"]
    return [
        ("server", seen["arrived"]),
        ("MessageCount", seen["deliveries"]),
        ("MessageBackoutCount", seen["deliveries"] - seen["completed"]),
        ("MethodResponseTimeTotal", np.round(1e3 * seen["seconds"])),
        ("ServerSessionPoolUsage", 100 * busy / truth.threads),
        ("MaxSessions", np.full_like(busy, truth.threads)),
        ("CurrentDepth", np.repeat(waiting, truth.instances, axis=1)),
    ]


Rows = list[tuple[str, Floats]]
"""Columns [samples, instances]; the first names the instances."""
FLAVOURS: dict[str, tuple[str, str, Callable[[Truth, dict[str, Floats]], Rows]]] = {
    "samples": ("time", "queue", _common),
    "intervals": ("time", "queue", _intervals),
    "imqcmd": ("time", "destination", _imqcmd),
    "wldf": ("timestamp", "destination", _wldf),
    "pmi": ("time", "destination", _pmi),
}
"""Keys of ``layouts`` -> names of the columns of the instant and of the queue, and what is written for them."""


def write_table(samples: pa.Table, file: TextIO, *, instants: bool = True) -> None:
    """Write samples of ``imqcmd`` as the tool's table, each row behind its instant unless ``instants`` is False."""
    for number, line in enumerate(_lines(samples, instants=instants)):
        if number % HEADING_EVERY == 0:
            file.write(HEADING)
        file.write(line)


def _lines(samples: pa.Table, *, instants: bool) -> Iterator[str]:
    peak, total = 0, 0
    for number, row in enumerate(samples.to_pylist()):
        came, left, now = (int(row[name]) for name in ("msgs_in", "msgs_out", "msg_count_current"))
        peak, total = max(peak, now), total + now
        sizes = [now, peak, total // (number + 1)]
        held = [count * BYTES // 1024 for count in sizes]
        numbers = (came, left, came * BYTES, left * BYTES, *sizes, *held, 1 if now else 0)
        stamp = f"{row['time']:.3f}  " if instants else ""
        yield f"{stamp}{'  '.join(map(str, numbers))}\n"
