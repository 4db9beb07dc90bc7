"""Tables of one point: every fact of its replications once, in plain columns."""

import numpy as np
import pytest

from simulations.analysis.replications.rows import ReplicationRow, compact
from simulations.engine.network.results import Timeline
from simulations.pipeline.answers import Asked
from simulations.pipeline.archive.schemas import HISTOGRAM, TIMELINE, VALUE
from simulations.pipeline.archive.tables import point_tables
from tests.simulations.analysis import synthetic
from tests.simulations.pipeline.doubles import points_of, scenario

METRICS = {
    ("", ""): ("latency.mean", "throughput"),
    ("orders", ""): ("latency.p95",),
    ("", "payments"): ("threads.busy",),
}
ASKED = Asked(points_of(scenario())[2])


@pytest.fixture(scope="module")
def rows() -> list[ReplicationRow]:
    network = synthetic.network(18, 60.0, 0.2, messages=500)
    return [compact(synthetic.replication(network, number)) for number in range(3)]


def test_every_replication_has_one_value_of_every_metric(rows: list[ReplicationRow]) -> None:
    table = point_tables(ASKED, rows, METRICS)["values"]
    assert table.schema.equals(VALUE)
    assert table["point"].to_pylist() == [2] * 12
    found = {(row["queue"], row["server"], row["metric"], row["replication"]) for row in table.to_pylist()}
    assert found == {
        (*place, name, number) for place, names in METRICS.items() for name in names for number in range(3)
    }
    assert dict(zip(table["metric"].to_pylist(), table["unit"].to_pylist(), strict=True))["throughput"] == "/s"


def test_the_histogram_holds_messages_in_bins_that_follow_one_another(rows: list[ReplicationRow]) -> None:
    table = point_tables(ASKED, rows, METRICS)["histograms"]
    assert table.schema.equals(HISTOGRAM)
    start, end, messages = (table[name].to_numpy() for name in ("from", "to", "messages"))
    assert (start < end).all()
    assert (end[:-1] <= start[1:]).all()
    assert messages.min() > 0
    assert set(table["queue"].to_pylist()) == {"orders"}


def test_only_replication_0_has_a_timeline(rows: list[ReplicationRow]) -> None:
    table = point_tables(ASKED, rows, METRICS)["timelines"]
    assert table.schema.equals(TIMELINE)
    first = rows[0]
    assert table["time"].to_pylist() == first.timeline_at.tolist()
    assert np.array_equal(table["running"].to_numpy(), first.timeline[:, 0, Timeline.RUNNING])
    assert point_tables(ASKED, rows[1:], METRICS)["timelines"].num_rows == 0
