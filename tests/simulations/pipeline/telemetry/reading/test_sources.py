"""Only what a root allows is read."""

from pathlib import Path

import pytest

from simulations.pipeline.telemetry.reading.layouts import TelemetryRefused
from simulations.pipeline.telemetry.reading.sources import allowed_source


def test_a_log_below_a_root_is_allowed(tmp_path: Path) -> None:
    found = allowed_source(str(tmp_path / "may" / "orders.CSV"), [tmp_path])
    assert (found.location, found.format) == (f"file://{tmp_path}/may/orders.CSV", "csv")
    there = allowed_source("s3a://bucket/logs/orders.parquet", ["s3a://bucket/logs"])
    assert allowed_source(f"{tmp_path}/spans.json", [tmp_path]).format == "jsonl"
    assert (there.location, there.format) == ("s3a://bucket/logs/orders.parquet", "parquet")


@pytest.mark.parametrize(
    "location",
    [
        "s3a://bucket/other/orders.csv",
        "s3a://bucket/logs2/orders.csv",
        "s3a://bucket/logs/../other/orders.csv",
        "s3a://bucket/logs/%2e%2e/other/orders.csv",
        "s3a://other/logs/orders.csv",
        "hdfs://bucket/logs/orders.csv",
        "s3a://user@bucket/logs/orders.csv",
        "s3a://bucket/logs/{a,b}.csv",
        "s3a://bucket/logs/*.csv",
        "file:///etc/orders.csv",
        "orders.csv",
        "s3a://bucket/logs/orders.csv.gz",
        "s3a://bucket/logs/orders",
        "s3a://bucket/logs/a\nb.csv",
    ],
)
def test_everything_else_is_refused(location: str) -> None:
    with pytest.raises(TelemetryRefused):
        allowed_source(location, ["s3a://bucket/logs", "/var/log/messages"])


def test_a_link_out_of_a_root_is_refused(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "secret.csv"
    root.mkdir()
    outside.touch()
    (root / "orders.csv").symlink_to(outside)
    with pytest.raises(TelemetryRefused):
        allowed_source(str(root / "orders.csv"), [root])
    with pytest.raises(TelemetryRefused):
        allowed_source(str(root / ".." / "secret.csv"), [root])
