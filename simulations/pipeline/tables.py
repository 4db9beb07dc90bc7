"""What the replications of one point say, as tables for people and other programs: plain columns, one fact per row."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
import pyarrow as pa

from simulations.analysis import observations
from simulations.analysis.histogram import edges
from simulations.analysis.metrics import BY_NAME
from simulations.analysis.observations import Values
from simulations.analysis.rows import ReplicationRow
from simulations.analysis.sample import Sample
from simulations.engine.network import NetworkSpec
from simulations.pipeline.answers import Asked
from simulations.pipeline.schemas import HISTOGRAM, TIMELINE, VALUE

Place = tuple[str, str]
"""Queue and server; both empty for the whole system."""


def point_tables(
    asked: Asked, rows: Sequence[ReplicationRow], metrics: Mapping[Place, Iterable[str]]
) -> dict[str, pa.Table]:
    """Return the tables ``values``, ``histograms`` and ``timelines`` of a point.

    ``metrics`` names the metrics that mean something at each place: those that the point's answer has.
    """
    sample = asked.sample(rows)
    servers = [server.name for server in asked.point.spec.servers]
    values = [_values(place, found) for place, found in _places(sample, servers, metrics)]
    histograms = [_histogram(sample, index) for index in range(len(sample.queues))]
    timelines = [_timeline(asked.network, row) for row in rows if len(row.timeline_at)]
    index = asked.point.index
    return {
        "values": _joined(VALUE, index, [table for tables in values for table in tables]),
        "histograms": _joined(HISTOGRAM, index, histograms),
        "timelines": _joined(TIMELINE, index, [table for tables in timelines for table in tables]),
    }


def _places(
    sample: Sample, servers: Sequence[str], metrics: Mapping[Place, Iterable[str]]
) -> Iterator[tuple[Place, Iterator[Values]]]:
    queues = [stream.name for stream in sample.network.streams]
    for (queue, server), names in metrics.items():
        if queue:
            yield (queue, server), observations.of_queue(sample, queues.index(queue), names)
        elif server:
            yield (queue, server), observations.of_pool(sample, servers.index(server), names)
        else:
            yield (queue, server), observations.of_system(sample, names)


def _values(place: Place, found: Iterable[Values]) -> Iterator[dict[str, object]]:
    queue, server = place
    for item in found:
        size = len(item.replications)
        yield {
            "replication": item.replications,
            "queue": [queue] * size,
            "server": [server] * size,
            "metric": [item.metric] * size,
            "value": item.values,
            "unit": [BY_NAME[item.metric].unit] * size,
        }


def _histogram(sample: Sample, index: int) -> dict[str, object]:
    histogram = sample.queues[index].histogram.merged()
    used = np.flatnonzero(histogram.counts[0])
    bins = histogram.first + used
    return {
        "queue": [sample.network.streams[index].name] * len(used),
        "from": edges()[bins],
        "to": edges()[bins + 1],
        "messages": histogram.counts[0][used],
    }


def _timeline(network: NetworkSpec, row: ReplicationRow) -> Iterator[dict[str, object]]:
    for index, stream in enumerate(network.streams):
        columns = zip(TIMELINE.names[3:], row.timeline[:, index].T, strict=True)
        yield {"queue": [stream.name] * len(row.timeline_at), "time": row.timeline_at, **dict(columns)}


def _joined(schema: pa.Schema, point: int, parts: Iterable[Mapping[str, object]]) -> pa.Table:
    """Return the parts below one another, each a mapping of all columns but ``point``."""
    tables = [schema.empty_table()]
    for part in parts:
        size = len(next(iter(part.values())))  # type: ignore[arg-type]
        tables.append(pa.Table.from_pydict({"point": np.full(size, point), **part}, schema=schema))
    return pa.concat_tables(tables)
