"""OpenTelemetry spans become messages: one for all deliveries of it, by the semantic conventions for messaging.

OTLP as JSON, as the Collector writes files. A delivery is a span of a consumer; the producer's span is linked to it, is
its parent, or has the same message id. What is read, and the questions to Spark, lie in ``spans.yaml``.
"""

from pyspark.sql import DataFrame

from simulations.declarations.tables import table_beside
from simulations.pipeline.telemetry.reading.layouts import TelemetryRefused

_QUESTIONS = table_beside(__file__, "spans.yaml")
OTLP = _QUESTIONS["schema"]
"""What is read of a document, in words of Spark."""


def messages_of(documents: DataFrame) -> DataFrame:
    """Return a row for each message, with the columns of a message log; the arrival is null without a producer.

    ``documents``: parsed as ``OTLP``. Raises TelemetryRefused where no span is one of a delivery.
    """
    session = documents.sparkSession
    spans = session.sql(_QUESTIONS["spans"], documents=documents)
    deliveries = spans.where(_QUESTIONS["deliveries"])
    if not deliveries.head(1):
        raise TelemetryRefused(_nothing_delivered(spans))
    return session.sql(_QUESTIONS["messages"], spans=spans, deliveries=deliveries)


def _nothing_delivered(spans: DataFrame) -> str:
    kinds = spans.groupBy("kind", "operation").count().sort("count", ascending=False).head(5)
    found = ", ".join(f"{count:,} of kind {kind}, operation {operation or 'none'}" for kind, operation, count in kinds)
    return (
        "no span is a delivery: record consumers that process, of kind 5 (CONSUMER) with "
        f"messaging.operation.type = process and messaging.destination.name; spans found: {found or 'none'}"
    )
