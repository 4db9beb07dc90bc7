"""What the replications of one point say, as tables for people and other programs: plain columns, one fact per row."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from simulations.analysis.estimates.metric_estimates import replication_values
from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.replications.measures import Floats
from simulations.analysis.replications.rows import ReplicationRow, edges
from simulations.analysis.replications.sample import Sample
from simulations.engine.network.model import NetworkSpec
from simulations.pipeline.answers import Asked
from simulations.pipeline.archive.schemas import HISTOGRAM, TIMELINE, VALUE

Owner = tuple[str, str]
"""Queue and server; both empty for the whole system."""
Columns = Mapping[str, Any]
"""Column name -> its values, all of one length."""


def point_tables(
    asked: Asked, rows: Sequence[ReplicationRow], metrics: Mapping[Owner, Iterable[str]]
) -> dict[str, pa.Table]:
    """Return the tables ``values``, ``histograms`` and ``timelines`` of a point; ``metrics``: those of each owner."""
    sample = asked.sample(rows)
    servers = [server.name for server in asked.point.spec.servers]
    found = [(*owner, *item) for owner, items in _by_owner(sample, servers, metrics) for item in items]
    index = asked.point.index
    return {
        "values": _table(VALUE, index, _values(sample, found)),
        "histograms": _below(HISTOGRAM, index, (_histogram(sample, queue) for queue in range(len(sample.queues)))),
        "timelines": _below(TIMELINE, index, (part for row in rows for part in _timeline(asked.network, row))),
    }


def _by_owner(
    sample: Sample, servers: Sequence[str], metrics: Mapping[Owner, Iterable[str]]
) -> Iterator[tuple[Owner, Iterator[tuple[str, Floats]]]]:
    queues = [stream.name for stream in sample.network.streams]
    for (queue, server), names in metrics.items():
        if queue:
            place = sample.at_queue(queues.index(queue))
        else:
            place = sample.at_server(servers.index(server)) if server else sample.everywhere
        yield (queue, server), replication_values(place, names)


def _values(sample: Sample, found: Sequence[tuple[str, str, str, Floats]]) -> Columns:
    """Queue, server, metric and its value in each replication, below one another."""
    queues, servers, metrics, values = zip(*found, strict=True)

    def repeated(names: Sequence[str]) -> pa.Array:
        return pa.array(np.repeat(np.array(names, object), len(sample.replications)), pa.string())

    return {
        "replication": np.tile(sample.replications, len(found)),
        "queue": repeated(queues),
        "server": repeated(servers),
        "metric": repeated(metrics),
        "value": np.concatenate(values),
        "unit": repeated([BY_NAME[metric].unit for metric in metrics]),
    }


def _histogram(sample: Sample, index: int) -> Columns:
    histogram = sample.queues[index].histogram.merged
    counts = histogram.counts[0]
    used = np.flatnonzero(counts)
    bins = histogram.first + used
    return {
        "queue": [sample.network.streams[index].name] * len(used),
        "from": edges()[bins],
        "to": edges()[bins + 1],
        "messages": counts[used],
    }


def _timeline(network: NetworkSpec, row: ReplicationRow) -> Iterator[Columns]:
    """The sampled path of each queue; rows other than replication 0 have none."""
    for index, stream in enumerate(network.streams if len(row.timeline_at) else ()):
        columns = zip(TIMELINE.names[3:], row.timeline[:, index].T, strict=True)
        yield {"queue": [stream.name] * len(row.timeline_at), "time": row.timeline_at, **dict(columns)}


def _below(schema: pa.Schema, point: int, parts: Iterable[Columns]) -> pa.Table:
    """The parts below one another."""
    return pa.concat_tables([schema.empty_table(), *(_table(schema, point, part) for part in parts)])


def _table(schema: pa.Schema, point: int, columns: Columns) -> pa.Table:
    """A table from all columns but ``point``."""
    size = len(next(iter(columns.values())))
    return pa.Table.from_pydict({"point": np.full(size, point, np.int32), **columns}, schema=schema)
