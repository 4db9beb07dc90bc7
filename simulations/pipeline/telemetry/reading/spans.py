"""OpenTelemetry spans become messages: one for all deliveries of it, by the semantic conventions for messaging.

OTLP as JSON, as the Collector writes files. A delivery is a span of a consumer; the producer's span is linked to it, is
its parent, or has the same message id. The names of attributes are those of the conventions 1.0 to 1.41, newest first.
"""

from pyspark.sql import Column, DataFrame
from pyspark.sql.connect import functions as f

from simulations.pipeline.telemetry.reading.layouts import TelemetryRefused

QUEUE = ("messaging.destination.name", "messaging.source.name", "messaging.destination")
OPERATION = ("messaging.operation.type", "messaging.operation")
MESSAGE_ID = ("messaging.message.id", "messaging.message_id")
PROCESSING = ("process", "deliver")
"""Operations of a delivery; a consumer's span without an operation is one too."""
PRODUCER, CONSUMER = ("4", "SPAN_KIND_PRODUCER"), ("5", "SPAN_KIND_CONSUMER")
FAILED = ("2", "STATUS_CODE_ERROR")
ATTRIBUTES = "array<struct<key string, value struct<stringValue string>>>"
SPAN = (
    "struct<traceId string, spanId string, parentSpanId string, kind string, startTimeUnixNano string, "
    f"endTimeUnixNano string, attributes {ATTRIBUTES}, status struct<code string>, "
    "links array<struct<traceId string, spanId string>>>"
)
OTLP = (
    f"resourceSpans array<struct<resource struct<attributes {ATTRIBUTES}>, scopeSpans array<struct<spans array<{SPAN}>>>>>"
)
"""What is read of a document, in words of Spark."""


def messages_of(documents: DataFrame) -> DataFrame:
    """Return a row for each message, with the columns of a message log; the arrival is null without a producer.

    ``documents``: parsed as ``OTLP``. Raises TelemetryRefused where no span is one of a delivery.
    """
    spans = _spans(documents)
    delivered = f.col("kind").isin(*CONSUMER) & f.coalesce("operation", f.lit(PROCESSING[0])).isin(*PROCESSING)
    deliveries, sent = spans.where(delivered), spans.where(f.col("kind").isin(*PRODUCER))
    if not deliveries.head(1):
        raise TelemetryRefused(_nothing_delivered(spans))
    ways = sent.select(
        f.explode(f.array_compact(f.array("span", "same_id"))).alias("way"),
        f.col("begin").alias("sent"),
        f.col("done").alias("accepted"),
    )
    found = deliveries.select("*", f.explode("ways").alias("way")).join(ways, "way", "left")
    message = f.coalesce("message_id", f.get("ways", f.lit(0)))
    merged = found.groupBy("queue", "service", message.alias("message")).agg(
        f.min("sent").alias("sent"),
        f.min("accepted").alias("accepted"),
        f.min("begin").alias("start"),
        f.max("done").alias("end"),
        f.max_by("instance", "done").alias("instance"),
        f.max_by("outcome", "done").alias("outcome"),
        f.count_distinct("span").alias("deliveries"),
    )
    accepted = f.when(f.col("start") >= f.col("sent"), f.least("accepted", "start")).otherwise(f.col("sent"))
    return merged.select("*", accepted.alias("arrival"), f.col("message").alias("message_id"))


def _spans(documents: DataFrame) -> DataFrame:
    """A row for each span. ``ways``: what may lead to its producer: links, its parent, a message id."""
    resources = documents.select(f.explode("resourceSpans").alias("of"))
    scopes = resources.select(f.col("of.resource.attributes").alias("server"), f.explode("of.scopeSpans").alias("scope"))
    spans = scopes.select("server", f.explode("scope.spans").alias("span"))
    same_id = f.concat(f.lit("id "), _attribute("span.attributes", MESSAGE_ID))
    parent = f.when(f.col("span.parentSpanId") != "", _context(f.col("span.traceId"), f.col("span.parentSpanId")))
    linked = f.transform(f.coalesce("span.links", f.array()), lambda link: _context(link["traceId"], link["spanId"]))
    own = _context(f.col("span.traceId"), f.col("span.spanId"))
    return spans.select(
        own.alias("span"),
        f.col("span.kind").alias("kind"),
        _attribute("span.attributes", OPERATION).alias("operation"),
        _attribute("span.attributes", QUEUE).alias("queue"),
        _attribute("span.attributes", MESSAGE_ID).alias("message_id"),
        _attribute("server", ("service.name",)).alias("service"),
        _attribute("server", ("service.instance.id", "host.name")).alias("instance"),
        _seconds("span.startTimeUnixNano").alias("begin"),
        _seconds("span.endTimeUnixNano").alias("done"),
        f.when(f.col("span.status.code").isin(*FAILED), "failed").otherwise("completed").alias("outcome"),
        same_id.alias("same_id"),
        f.array_compact(f.concat(linked, f.array(parent, same_id, own))).alias("ways"),
    )


def _context(trace: Column, span: Column) -> Column:
    return f.concat_ws(" ", trace, span)


def _attribute(attributes: str, names: tuple[str, ...]) -> Column:
    """The text of the first of the names that is there."""
    return f.coalesce(
        *(f.get(f.filter(attributes, lambda item: item["key"] == name), f.lit(0))["value"]["stringValue"] for name in names)
    )


def _seconds(nanoseconds: str) -> Column:
    return f.col(nanoseconds).try_cast("bigint") / 1e9


def _nothing_delivered(spans: DataFrame) -> str:
    kinds = spans.groupBy("kind", "operation").count().orderBy(f.desc("count")).head(5)
    found = ", ".join(f"{count:,} of kind {kind}, operation {operation or 'none'}" for kind, operation, count in kinds)
    return (
        "no span is a delivery: record consumers that process, of kind 5 (CONSUMER) with "
        f"messaging.operation.type = process and messaging.destination.name; spans found: {found or 'none'}"
    )
