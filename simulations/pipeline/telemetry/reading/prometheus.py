"""The answer of a range query of Prometheus becomes samples: names of metrics and labels say what the columns are."""

from pyspark.sql import DataFrame
from pyspark.sql.connect import functions as f

from simulations.pipeline.telemetry.reading import layouts
from simulations.pipeline.telemetry.reading.layouts import Layout, TelemetryRefused, layout_of

KNOWN = [column for layout in layouts.LAYOUTS if layout is not layouts.PMI for column in layout.columns]
"""Columns whose names metrics may end with; those of PMI are words that mean other things elsewhere."""
QUEUE, INSTANCE = ("queue", "destination"), "instance"
"""Labels."""
ANSWER = "data struct<resultType string, result array<struct<metric map<string,string>, values array<array<string>>>>>"
"""What is read of a document, in words of Spark."""


def samples_of(documents: DataFrame) -> tuple[DataFrame, Layout]:
    """Return a row for each instant, queue and instance, and the layout that the metrics make up.

    ``documents``: parsed as ``ANSWER``. Raises TelemetryRefused for other answers, and where metrics say too little.
    """
    kinds = {row[0] for row in documents.select("data.resultType").distinct().collect()}
    if kinds - {"matrix", None}:
        raise TelemetryRefused(f"Prometheus answered a {max(kinds - {None})}; ask /api/v1/query_range for a matrix")
    series = documents.selectExpr("inline(data.result)")
    labels = {str(row[0]) for row in series.selectExpr("explode(map_keys(metric))").distinct().collect()}
    names = {str(row[0]) for row in series.selectExpr("metric['__name__']").distinct().collect()}
    layout, metrics = mapping(names, labels)
    points = series.select(
        f.coalesce(*(f.try_element_at("metric", f.lit(label)) for label in QUEUE)).alias("queue"),
        f.try_element_at("metric", f.lit(INSTANCE)).alias("instance"),
        f.to_json("metric").alias("series"),
        f.col("metric.__name__").alias("name"),
        f.explode("values").alias("at"),
    )
    values = points.selectExpr("*", "try_cast(at[0] AS double) AS time", "try_cast(at[1] AS double) AS value")
    sums = (f.sum(f.when(f.col("name") == metric, f.col("value"))).alias(name) for name, metric in metrics.items())
    keys = [f.col(role).alias(layout.of_role(role)[0].name) for role in ("time", "queue", "instance")]
    return values.dropDuplicates(["series", "time"]).groupBy(*keys).agg(*sums), layout


def mapping(names: set[str], labels: set[str]) -> tuple[Layout, dict[str, str]]:
    """Return the layout whose columns the names of metrics end with, and the metric of each column.

    Raises TelemetryRefused where a column that the layout must have, or the label of the queue, is missing.
    """
    keys = {column.name for column in KNOWN if column.role == "time" or (column.role == "queue" and labels & {*QUEUE})}
    counted = {column.name for column in KNOWN if column.role in (*layouts.COUNTS, *layouts.GAUGES)}
    found: dict[str, list[str]] = {}
    for name in sorted(names):
        if meant := [column for column in counted if _ends(name, column)]:
            found.setdefault(max(meant, key=len), []).append(name)
    seen = [*(f"label {label}" for label in sorted(labels)), *(f"metric {name}" for name in sorted(names))]
    layout = layout_of([*seen, *found, *keys])
    twice = [metrics for column, metrics in found.items() if column in layout.names and len(metrics) > 1]
    if twice:
        raise TelemetryRefused(f"{' and '.join(twice[0])} mean the same; query one of them")
    return layout, {column: metrics[0] for column, metrics in found.items() if column in layout.names}


def _ends(metric: str, column: str) -> bool:
    plain = metric.lower().removesuffix("_total").replace("_", "")
    return plain.endswith(column.lower().replace("_", ""))
