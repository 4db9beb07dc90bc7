"""The answer of a range query of Prometheus becomes samples: names of metrics and labels say what the columns are."""

from pyspark.sql import DataFrame
from pyspark.sql.connect import functions as f

from simulations.pipeline.telemetry.reading.layouts import COUNTS, GAUGES, LAYOUTS, PMI, Layout, TelemetryRefused

KNOWN = [layout for layout in LAYOUTS if layout.samples and layout is not PMI]
"""Layouts with whose columns metrics may end; those of PMI are words that mean other things elsewhere."""
QUEUE, INSTANCE = ("queue", "destination"), "instance"
"""Labels."""
SERIES = "struct<metric map<string,string>, values array<array<string>>>"
ANSWER = f"error string, data struct<resultType string, result array<{SERIES}>>"
"""What is read of a document, in words of Spark."""


def samples_of(documents: DataFrame) -> tuple[DataFrame, Layout]:
    """Return a row for each instant, queue and instance, and the layout that the metrics make up. ``documents``: parsed
    as ``ANSWER``. Raises TelemetryRefused for other answers, and where metrics say too little."""
    failed = documents.where("error IS NOT NULL").select("error").head(1)
    if failed:
        raise TelemetryRefused(f"Prometheus answered with an error: {failed[0][0][:300]}; correct the query, ask again")
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
    """Return the layout whose columns the names of metrics end with, and the metric of each column. Raises
    TelemetryRefused where a column that the layout must have, or the label of the queue, is missing."""
    counted = {column.name for layout in KNOWN for column in layout.columns if column.role in (*COUNTS, *GAUGES)}
    found: dict[str, list[str]] = {}
    for name in sorted(names):
        if meant := [column for column in counted if _ends(name, column)]:
            found.setdefault(max(meant, key=len), []).append(name)
    fitting = [layout for layout in KNOWN if counted & {*layout.required} <= found.keys()]
    if not fitting or not labels & {*QUEUE}:
        raise TelemetryRefused(
            "no metric ends with completed, msgs_out or MessagesReceivedCount, or no label is "
            f"{' or '.join(QUEUE)}; metrics found: {_listed(names)}; labels found: {_listed(labels)}"
        )
    layout = max(fitting, key=lambda layout: len(found.keys() & {*layout.names}))
    twice = [metrics for column, metrics in found.items() if column in layout.names and len(metrics) > 1]
    if twice:
        raise TelemetryRefused(f"{' and '.join(twice[0])} mean the same; query one of them")
    return layout, {column: metrics[0] for column, metrics in found.items() if column in layout.names}


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names))[:300] or "none"


def _ends(metric: str, column: str) -> bool:
    plain = metric.lower().removesuffix("_total").replace("_", "")
    return plain.endswith(column.lower().replace("_", ""))
