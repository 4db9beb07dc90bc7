"""Spans and answers of range queries say what the log says."""

import json

import pyarrow as pa
import pytest

from simulations.pipeline.telemetry.reading.layouts import COMMON
from tests.synthetic.documents import BATCH, CONVENTIONS, answer_of, line_of, spans_of
from tests.synthetic.messages import LOG, Truth, log_of
from tests.synthetic.samples import samples_of

TRUTH = Truth(messages=450, rate=40, mean=0.2, instances=2, threads=5, failure=0.2, seed=3)


@pytest.mark.parametrize("version", CONVENTIONS)
def test_a_message_has_a_span_of_its_producer_and_one_for_each_delivery(version: str) -> None:
    documents = list(spans_of(log_of(TRUTH), version))
    assert len(documents) == -(-TRUTH.messages // BATCH)
    spans = [
        span
        for document in documents
        for server in document["resourceSpans"]
        for scope in server["scopeSpans"]
        for span in scope["spans"]
    ]
    log = pa.Table.from_batches(log_of(TRUTH), LOG).to_pandas()
    sent, received = ([span for span in spans if span["kind"] == kind] for kind in (4, 5))
    assert (len(sent), len(received)) == (TRUTH.messages, log.deliveries.sum())
    assert len({span["spanId"] for span in spans}) == len(spans)
    failed = sum(span["status"] != {} for span in received)
    assert failed == (log.deliveries - (log.outcome == "completed")).sum()
    keys = {attribute["key"] for span in received for attribute in span["attributes"]}
    assert keys == set(CONVENTIONS[version].values())
    producers = {(span["traceId"], span["spanId"]) for span in sent}
    for span in received:
        link = {**span, **span.get("links", [{}])[0]}
        assert (link["traceId"], span.get("parentSpanId", link["spanId"])) in producers


def test_an_answer_has_a_series_for_each_column_and_instance() -> None:
    samples = samples_of(TRUTH, log_of(TRUTH), 1.0, COMMON.key)
    answer = json.loads(line_of(answer_of(samples)))
    series = answer["data"]["result"]
    counted = [name for name in samples.column_names if name not in ("time", "queue", "instance")]
    assert len(series) == 2 * len(counted)
    completed = [item for item in series if item["metric"]["__name__"] == "mdb_completed"]
    last = sum(float(item["values"][-1][1]) for item in completed)
    assert last == samples["completed"].to_numpy()[-2:].sum()
