"""Collects what the loop measured, segment by segment, and makes the result of it."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulations.engine.balance import balance
from simulations.engine.fields import adjacent, number, seconds
from simulations.engine.layout import FOREVER, SAMPLE, SLOW, Status
from simulations.engine.network import NetworkSpec
from simulations.engine.results import (
    BINS,
    SEGMENTS,
    SERIES_BINS,
    AtInstance,
    Count,
    Extreme,
    PoolSum,
    ReplicationResult,
    Sum,
)
from simulations.engine.tables import Tables


class Collector:
    """Moves the counters of each segment into the arrays of the result."""

    def __init__(self, tables: Tables, network: NetworkSpec) -> None:
        count, pools = len(network.streams), len(network.pools)
        self._tables = tables
        self._length = network.horizon.time / SEGMENTS
        self._counts = np.zeros((SEGMENTS, count, len(Count)), dtype=np.int64)
        self._sums = np.zeros((SEGMENTS, count, len(Sum)))
        self._pool_sums = np.zeros((SEGMENTS, pools, len(PoolSum)))
        self._durations = np.zeros(SEGMENTS)
        self._histograms = np.zeros((SEGMENTS, count, BINS), dtype=np.int32)
        self._bins = tables.bins["count"].reshape(-1, BINS)
        self._stream_counts = adjacent(tables.streams, [number(column) for column in Count])
        self._stream_sums = adjacent(tables.streams, [seconds(column) for column in Sum])
        self._slow = np.zeros((SEGMENTS, count, len(SLOW)))
        self._stream_slow = adjacent(tables.streams, list(SLOW))
        self._member_sums = adjacent(tables.members, [seconds(column) for column in PoolSum])

    def next_segment(self) -> bool:
        """Close the current segment and start the next one; False when it was the last."""
        head = self._tables.head
        self._close()
        if head.segment == SEGMENTS - 1 or head.now >= head.end_time:
            return False
        head.segment += 1
        if head.target > 0:
            head.segment_outcomes = max(1, (head.segment + 1) * head.target // SEGMENTS)
        else:
            head.segment_end = (head.segment + 1) * self._length
        head.mark = -FOREVER
        return True

    def _close(self) -> None:
        head = self._tables.head
        segment = int(head.segment)
        self._durations[segment] += head.now - head.segment_start
        head.segment_start = head.now
        self._counts[segment] += self._stream_counts
        self._sums[segment] += self._stream_sums
        self._slow[segment] += self._stream_slow
        np.add.at(self._pool_sums[segment], self._tables.members.pool, self._member_sums)
        self._histograms[segment] += self._bins
        for emptied in (self._stream_counts, self._stream_sums, self._stream_slow, self._member_sums, self._bins):
            emptied[:] = 0

    def result(self, replication: int, *, overflow: bool) -> ReplicationResult:
        """Return the result of the replication, which has ended: at its horizon, stuck, or in an ``overflow``."""
        tables, head = self._tables, self._tables.head
        self._close()
        count = tables.streams.size
        stuck = _stuck(tables)
        at, timeline = _timeline(tables.samples, int(head.sample_count), count)
        return ReplicationResult(
            replication=replication,
            events=int(head.events),
            counts=self._counts,
            sums=self._sums,
            pool_sums=self._pool_sums,
            durations=self._durations,
            extremes=_extremes(tables.streams, stuck),
            histograms=self._histograms,
            series=np.stack([tables.series.messages, tables.series.seconds], axis=-1).reshape(count, SERIES_BINS, 2),
            per_instance=tables.per_instance["count"].reshape(count, -1).copy(),
            timeline_at=at,
            timeline=timeline,
            by_instance=_by_instance(tables, int(head.sample_count)),
            slow=self._slow,
            checks=balance(tables, self._counts.sum(axis=0), self._sums.sum(axis=0)),
            overflow=overflow,
            stuck=bool(stuck.any() or head.status == Status.STUCK),
        )


def _stuck(tables: Tables) -> NDArray[np.bool_]:
    """Return the streams of the foreground that have messages left although nothing can end any more, [Q]."""
    streams, status = tables.streams, tables.head.status
    left = (streams.inside > 0) | (streams.blocked_sends_now > 0)
    ended = status in (Status.STUCK, Status.DONE)
    found: NDArray[np.bool_] = left & (streams.foreground == 1) & ended
    return found


def _extremes(streams: Any, stuck: NDArray[np.bool_]) -> NDArray[np.float64]:
    columns = {
        Extreme.LATENCY_MAX: streams.latency_max,
        Extreme.BACKLOG_MAX: streams.backlog_max,
        Extreme.BACKLOG_END: streams.backlog,
        Extreme.RELEASE_MIN: streams.release_min,
        Extreme.RELEASE_MAX: np.where(np.isfinite(streams.release_max), streams.release_max, np.inf),
        Extreme.BUFFER_BYTES_MAX: streams.prepared_max * streams.length,
        Extreme.LAST_OUTCOME: np.where(stuck, np.inf, streams.last_outcome),
    }
    return np.column_stack([np.asarray(columns[column], dtype=np.float64) for column in Extreme])


def _by_instance(tables: Tables, rows: int) -> NDArray[np.int64]:
    """Return the samples of the ports by stream and instance; 0 for instances that a stream does not have."""
    streams, most = tables.streams, int(tables.head.most_instances)
    raw = tables.port_samples[: rows * tables.ports.size].reshape(rows, tables.ports.size)
    found = np.zeros((rows, streams.size, most, len(AtInstance)), dtype=np.int64)
    for column in AtInstance:
        for q, stream in enumerate(streams):
            places = stream.first_port + stream.stride * np.arange(stream.instances)
            found[:, q, : stream.instances, column] = raw[column.name.lower()][:, places]
    return found


def _timeline(samples: Any, rows: int, count: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return instants and columns; mean latency since the sample before comes from the cumulative columns."""
    raw = samples[: rows * (count + 1)].reshape(rows, count + 1)
    lines = raw[:, 1:]
    columns = [lines[name] for name in (SAMPLE.names or ())[:-2]]
    total, messages = (np.diff(lines[name], axis=0, prepend=0.0) for name in ("latency_total", "completed"))
    columns.append(total / messages)
    return raw[:, 0]["latency_total"].copy(), np.stack(columns, axis=-1)
