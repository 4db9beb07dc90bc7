"""The hidden system of ``messages`` as an OpenTelemetry Collector and a Prometheus server write it down."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pyarrow as pa

SPANS, PROMETHEUS = "spans", "prometheus"
CONVENTIONS: dict[str, dict[str, str]] = {
    "1.16": {"queue": "messaging.destination", "operation": "messaging.operation", "id": "messaging.message_id"},
    "1.20": {"queue": "messaging.source.name", "operation": "messaging.operation", "id": "messaging.message.id"},
    "1.24": {"queue": "messaging.destination.name", "operation": "messaging.operation", "id": "messaging.message.id"},
    "1.41": {
        "queue": "messaging.destination.name",
        "operation": "messaging.operation.type",
        "id": "messaging.message.id",
    },
}
"""Version of the semantic conventions for messaging -> names of the attributes."""
SENDING = 0.002
"""Seconds that a producer takes to send."""
BATCH = 200
"""Messages whose spans stand in one line."""


def spans_of(log: Iterable[pa.RecordBatch], version: str = "1.41") -> Iterator[dict[str, Any]]:
    """Yield documents of spans: a producer's for each message, a consumer's for each delivery, all but the last failed.

    Deliveries of a message take equally long.
    """
    names = CONVENTIONS[version]
    for batch in log:
        for first in range(0, batch.num_rows, BATCH):
            messages = batch.slice(first, BATCH).to_pylist()
            sent = [_sent(message, names) for message in messages]
            received: dict[str, list[dict[str, Any]]] = {}
            for message in messages:
                received.setdefault(message["instance"], []).extend(_received(message, names))
            found = [_resource("shop", "shop-0", sent), *(_resource("orders", *item) for item in received.items())]
            yield {"resourceSpans": found}


def _sent(message: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    trace, own = _ids(message, 0)
    attributes = {names["queue"].replace("source", "destination"): message["queue"], names["id"]: message["message_id"]}
    accepted = message["arrival"]
    return _span(trace, own, 4, accepted - SENDING, accepted, attributes)


def _received(message: Mapping[str, Any], names: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Every other message has the producer's span as parent, the others have a link to it."""
    trace, producer = _ids(message, 0)
    parent = {"parentSpanId": producer}
    number, length = int(message["message_id"]), (message["end"] - message["start"]) / message["deliveries"]
    link = {"links": [{"traceId": trace, "spanId": producer}]}
    for at in range(message["deliveries"]):
        attributes = {names["queue"]: message["queue"], names["operation"]: "process", names["id"]: str(number)}
        begin = message["start"] + at * length
        last = at + 1 == message["deliveries"]
        status = {} if last and message["outcome"] == "completed" else {"code": 2}
        related = parent if number % 2 else link
        _, own = _ids(message, at + 1)
        yield {**_span(trace, own, 5, begin, begin + length, attributes), **related, "status": status}


def _ids(message: Mapping[str, Any], number: int) -> tuple[str, str]:
    first = int(message["message_id"]) + 1
    return f"{first:032x}", f"{first * 16 + number:016x}"


def _span(trace: str, own: str, kind: int, begin: float, end: float, texts: Mapping[str, str]) -> dict[str, Any]:
    times = {"startTimeUnixNano": str(round(begin * 1e9)), "endTimeUnixNano": str(round(end * 1e9))}
    attributes = [{"key": key, "value": {"stringValue": text}} for key, text in texts.items()]
    return {"traceId": trace, "spanId": own, "name": "orders", "kind": kind, **times, "attributes": attributes}


def _resource(service: str, instance: str, spans: list[dict[str, Any]]) -> dict[str, Any]:
    texts = {"service.name": service, "service.instance.id": instance}
    attributes = [{"key": key, "value": {"stringValue": text}} for key, text in texts.items()]
    return {"resource": {"attributes": attributes}, "scopeSpans": [{"scope": {"name": "jms"}, "spans": spans}]}


def answer_of(samples: pa.Table, prefix: str = "mdb_") -> dict[str, Any]:
    """Return samples (columns ``time``, ``queue``, ``instance``) as the answer of a range query, a series a column."""
    series: dict[tuple[str, ...], list[list[Any]]] = {}
    for row in samples.to_pylist():
        labels = row.pop("queue"), row.pop("instance", "orders-0")
        time = row.pop("time")
        for name, value in row.items():
            series.setdefault((f"{prefix}{name}", *labels), []).append([time, f"{value:.6g}"])
    found = [
        {"metric": {"__name__": name, "instance": instance, "queue": queue}, "values": values}
        for (name, queue, instance), values in series.items()
    ]
    return {"status": "success", "data": {"resultType": "matrix", "result": found}}


def line_of(document: Mapping[str, Any]) -> str:
    """Return a document as one line."""
    return json.dumps(document, separators=(",", ":")) + "\n"
