"""The answer of a range query of Prometheus becomes samples: names of metrics and labels say what the columns are."""

from collections.abc import Iterable

from pyspark.sql import DataFrame
from pyspark.sql.connect import functions as f

from simulations.pipeline.telemetry.reading.layouts import COMMON, INTERVALS, WLDF, Layout, TelemetryRefused

LAYOUTS = (COMMON, INTERVALS, WLDF)
"""Layouts whose columns the names of metrics may end with."""
QUEUE_LABELS = ("queue", "destination")
INSTANCE_LABEL = "instance"
ANSWER = (
    "status string, error string, "
    "data struct<resultType string, result array<struct<metric map<string, string>, values array<array<string>>>>>"
)
"""What is read of a document, in words of Spark."""
SHOWN = 12


def samples_of(documents: DataFrame) -> tuple[DataFrame, Layout]:
    """Return a row for each instant, queue and instance, and the layout that the metrics make up.

    ``documents``: parsed as ``ANSWER``. Raises TelemetryRefused for other answers, and where metrics say too little.
    """
    kinds = documents.select("status", "error", "data.resultType").where("status is not null").distinct().collect()
    for status, error, kind in kinds:
        if (status, kind) != ("success", "matrix"):
            raise TelemetryRefused(f"Prometheus answered {error or kind}: ask /api/v1/query_range, whose answer is a matrix")
    series = documents.select(f.explode("data.result").alias("of")).select("of.metric", "of.values")
    layout, columns = _columns(row[0] for row in series.select("metric.__name__").distinct().collect())
    labels = {row[0] for row in series.select(f.explode(f.map_keys("metric"))).distinct().collect()}
    queues = [label for label in QUEUE_LABELS if label in labels]
    if not queues:
        raise TelemetryRefused(f"no series has a label {' or '.join(QUEUE_LABELS)}; labels found: {_listed(labels)}")
    time, queue, instance = (layout.of_role(role)[0].name for role in ("time", "queue", "instance"))
    points = series.select(f.to_json("metric").alias("series"), "metric", f.explode("values").alias("point")).select(
        "series",
        f.get("point", f.lit(0)).cast("double").alias(time),
        f.coalesce(*(f.try_element_at("metric", f.lit(label)) for label in queues)).alias(queue),
        f.try_element_at("metric", f.lit(INSTANCE_LABEL)).alias(instance),
        f.col("metric.__name__").alias("name"),
        f.get("point", f.lit(1)).try_cast("double").alias("value"),
    )
    sums = (f.sum(f.when(f.col("name") == name, f.col("value"))).alias(column) for column, name in columns.items())
    return points.dropDuplicates(["series", time]).groupBy(time, queue, instance).agg(*sums), layout


def _columns(metrics: Iterable[str | None]) -> tuple[Layout, dict[str, str]]:
    """The first layout whose required columns have a metric, and the metric of each column."""
    named = sorted(name for name in metrics if name)
    for layout in LAYOUTS:
        found = [(column, name) for name in named if (column := _column(layout, name))]
        columns = dict(found)
        counted = {column.name for column in layout.columns if column.required and column.role not in ("time", "queue")}
        if counted <= columns.keys():
            twice = [name for column, name in found if columns[column] != name]
            if twice:
                raise TelemetryRefused(f"several metrics mean the same: {_listed(twice)}; query only one of them")
            return layout, columns
    raise TelemetryRefused(
        f"no metric counts processed messages: its name must end with a column of metric samples such as {COMMON.required[-1]} "
        f"(a recording rule or label_replace on __name__ renames one); metrics found: {_listed(named)}"
    )


def _column(layout: Layout, metric: str) -> str:
    """The longest name of a column that the name of the metric ends with; empty where there is none."""
    plain = _plain(metric).removesuffix("total")
    fitting = [column.name for column in layout.columns if column.role not in ("time", "queue", "instance")]
    return max((name for name in fitting if plain.endswith(_plain(name))), key=len, default="")


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)[:SHOWN]) or "none"
