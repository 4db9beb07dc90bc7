"""The result of what the loop measured, and the checks that every replication makes on itself."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulations.engine.network import results
from simulations.engine.packing.tables import Tables
from simulations.engine.records.codes import State, Status
from simulations.engine.records.layout import Sample
from simulations.engine.records.record import Table, adjacent
from simulations.engine.records.stream import Stream

_ROUNDING = 4.0 * float(np.finfo(np.float64).eps)
_PARTS = slice(results.Sum.WAIT_DESTINATION, results.Sum.REDELIVERY + 1)


def collect(tables: Tables, replication: int, *, overflow: bool) -> results.ReplicationResult:
    """Return the result of the replication, which has ended: at its horizon, stuck, or in an ``overflow``."""
    head, streams, members = tables.head, tables.streams, tables.members
    count = streams.size
    counts = _by_segment(tables, tables.measured, streams, "arrived", len(results.Count))
    sums = _by_segment(tables, tables.measured, streams, "seconds_latency", len(results.Sum))
    worked = _by_segment(tables, tables.worked, members, "seconds_busy", len(results.PoolSum))
    pool_sums = np.zeros((results.SEGMENTS, int(members.pool.max()) + 1, len(results.PoolSum)))
    np.add.at(pool_sums.transpose(1, 0, 2), members.pool, worked.transpose(1, 0, 2))
    durations = tables.durations.value.copy()
    if head.status != Status.ENDED:
        durations[head.segment] = head.now - head.segment_start
    stuck, over = _stuck(tables), _over(streams)
    series = np.stack([tables.series.messages, tables.series.seconds], axis=-1)
    at, timeline = _timeline(tables.samples, int(head.sample_count), count)
    return results.ReplicationResult(
        replication=replication,
        events=int(head.events),
        counts=counts,
        sums=sums,
        pool_sums=pool_sums,
        durations=durations,
        extremes=_extremes(streams, stuck),
        histograms=tables.bins.count.reshape(results.SEGMENTS, -1, results.BINS),
        series=series.reshape(count, results.SERIES_BINS, 2),
        per_instance=tables.per_instance.count.reshape(count, -1).copy(),
        timeline_at=at,
        timeline=timeline,
        by_instance=_by_instance(tables, int(head.sample_count)),
        slow=_by_segment(tables, tables.measured, streams, "slow_messages", 1 + len(results.PARTS)),
        checks=_checks(tables, counts.sum(axis=0), sums.sum(axis=0), worked.sum(axis=0)),
        overflow=overflow,
        stuck=bool(stuck.any() or (head.status == Status.STUCK and not over)),
    )


def _by_segment(tables: Tables, ended: Table[Any], running: Table[Any], first: str, count: int) -> NDArray[Any]:
    """Return [segment, record, field]: what the ``ended`` segments kept, and what ``running`` has of the last one."""
    kept = adjacent(ended, first, count)[:-1].reshape(results.SEGMENTS, running.size, count).copy()
    if tables.head.status != Status.ENDED:
        kept[tables.head.segment] = adjacent(running, first, count)
    return kept


def _stuck(tables: Tables) -> NDArray[np.bool_]:
    """Return the streams of the foreground that have messages left although nothing can end any more, [Q]."""
    streams, ended = tables.streams, tables.head.status in (Status.STUCK, Status.DONE)
    left = (streams.inside > 0) | (streams.blocked_sends_now > 0)
    stuck: NDArray[np.bool_] = left & (streams.foreground == 1) & ended
    return stuck


def _over(streams: Table[Stream]) -> bool:
    """Say whether the streams of the foreground have had all their messages: a chain ends without a known number."""
    empty = (streams.inside == 0) & np.isinf(streams.next_arrival) & (streams.saturated == 0)
    return bool((empty | (streams.foreground == 0)).all())


def _extremes(streams: Table[Stream], stuck: NDArray[np.bool_]) -> NDArray[np.float64]:
    columns = {
        results.Extreme.LATENCY_MAX: streams.latency_max,
        results.Extreme.BACKLOG_MAX: streams.backlog_max,
        results.Extreme.BACKLOG_END: streams.backlog,
        results.Extreme.RELEASE_MIN: streams.release_min,
        results.Extreme.RELEASE_MAX: np.where(np.isfinite(streams.release_max), streams.release_max, np.inf),
        results.Extreme.BUFFER_BYTES_MAX: streams.prepared_max * streams.length,
        results.Extreme.LAST_OUTCOME: np.where(stuck, np.inf, streams.last_outcome),
        results.Extreme.RECOVERY: streams.recovery,
    }
    return np.column_stack([np.asarray(columns[column], dtype=np.float64) for column in results.Extreme])


def _by_instance(tables: Tables, rows: int) -> NDArray[np.int64]:
    """Return the samples of the ports by stream and instance; 0 for instances that a stream does not have."""
    streams, ports, most = tables.streams, tables.ports.size, int(tables.head.most_instances)
    raw: NDArray[Any] = tables.port_samples.view(np.ndarray)[: rows * ports].reshape(rows, ports)
    samples = np.zeros((rows, streams.size, most, len(results.AtInstance)), dtype=np.int64)
    for column in results.AtInstance:
        for q, stream in enumerate(streams):
            places = stream.first_port + stream.stride * np.arange(stream.instances)
            samples[:, q, : stream.instances, column] = raw[column.name.lower()][:, places]
    return samples


def _timeline(samples: Table[Sample], rows: int, count: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return instants and columns; mean latency since the sample before comes from the cumulative columns."""
    raw: NDArray[Any] = samples.view(np.ndarray)[: rows * (count + 1)].reshape(rows, count + 1)
    lines = raw[:, 1:]
    columns = [lines[name] for name in (Sample.layout.names or ())[:-2]]
    total, messages = (np.diff(lines[name], axis=0, prepend=0.0) for name in ("latency_total", "completed"))
    columns.append(total / messages)
    return raw[:, 0]["latency_total"].copy(), np.stack(columns, axis=-1)


def _relative(left: Any, right: Any, rounding: Any = 0.0) -> float:
    """Return the largest relative difference between two arrays, beyond what ``rounding`` explains."""
    scale = np.maximum(np.abs(left), np.abs(right))
    difference = np.maximum(np.abs(left - right) - rounding, 0.0)
    return float(np.max(difference / np.where(scale > 0.0, scale, 1.0), initial=0.0))


def _checks(
    tables: Tables, counts: NDArray[np.int64], sums: NDArray[np.float64], worked: NDArray[np.float64]
) -> tuple[results.Check, ...]:
    """Return the identities that must hold at the end of every replication, with how far each is off.

    ``counts`` and ``sums`` are totals by stream, ``worked`` by member.

    - conservation: arrived = completed + dead + rejected + dropped + inside, by stream;
    - little: the integrals of the populations = the sojourns of those that left and, so far, of those inside;
    - busy: the integral of busy threads = the working times of all threads;
    - parts: the parts of every message's latency sum to it.
    """
    now = float(tables.head.now)
    streams, members, threads = tables.streams, tables.members, tables.threads
    inside = streams.backlog + streams.prepared + streams.running
    conserved = counts[:, results.Count.ARRIVED] - counts[:, results.OUTCOMES].sum(axis=1) - inside
    population = sums[:, results.INSIDE].sum(axis=1)
    sojourn = streams.sojourn + streams.inside * now - streams.arrived_sum
    instants = counts[:, results.Count.ARRIVED] * now  # sums of that size are rounded, even where nobody waits
    busy = threads.state == State.BUSY
    working = np.zeros(members.size)
    np.add.at(working, threads.member[busy], now - threads.since[busy])
    parts = _relative(sums[:, _PARTS].sum(axis=1), sums[:, results.Sum.LATENCY])
    return (
        results.checked("conservation", float(np.abs(conserved).max())),
        results.checked("little", _relative(population, sojourn, _ROUNDING * instants)),
        results.checked("busy", _relative(worked[:, results.PoolSum.BUSY], members.service_sum + working)),
        results.checked("parts", max(parts, float(streams.parts_error.max()))),
    )
