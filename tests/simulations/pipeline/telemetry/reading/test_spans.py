"""Spans of every version of the conventions become the messages that they are about."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from simulations.pipeline.spark.session import SparkLink
from simulations.pipeline.telemetry.fitting.fit import QueueFit
from simulations.pipeline.telemetry.reading.layouts import MESSAGES
from simulations.pipeline.telemetry.reading.raw import allowed_source, read_raw
from tests.synthetic.documents import CONVENTIONS, SENDING, line_of, spans_of
from tests.synthetic.messages import LOG, Truth, log_of
from tests.telemetry import calibrate, read, refusal

pytestmark = pytest.mark.spark

TRUTH = Truth(
    messages=6_000, rate=30, mean=0.2, cv=0.4, service="lognormal", instances=2, threads=5, failure=0.02, seed=4
)
BY_NIGHT = {"1.20", "1.24"}
"""Versions between the oldest and the newest."""
SHORT = Truth(messages=450, rate=30, mean=0.2, instances=2, threads=5, failure=0.2, seed=4)


def written(path: Path, documents: Iterable[Mapping[str, Any]]) -> Path:
    """Write documents, one a line."""
    path.write_text("".join(map(line_of, documents)))
    return path


def messages(link: SparkLink, path: Path) -> Any:
    """Return the messages of a file of spans by their id."""
    log = read_raw(link.session, allowed_source(str(path), [path.parent]))
    assert log.layout is MESSAGES
    found = log.rows.toArrow().to_pandas()
    assert found["_corrupt"].isna().all()
    return found.astype({"message_id": int}).set_index("message_id").sort_index()


@pytest.mark.parametrize(
    "version",
    [pytest.param(name, marks=pytest.mark.nightly) if name in BY_NIGHT else name for name in CONVENTIONS],
)
def test_each_version_of_the_conventions_is_understood(spark_link: SparkLink, tmp_path: Path, version: str) -> None:
    found = messages(spark_link, written(tmp_path / "spans.json", spans_of(log_of(SHORT), version)))
    log = pa.Table.from_batches(log_of(SHORT), LOG).to_pandas()
    assert len(found) == SHORT.messages
    for name in ("queue", "instance", "outcome", "deliveries"):
        assert found[name].tolist() == log[name].tolist()
    for name in ("arrival", "start", "end"):
        assert abs(found[name].to_numpy() - log[name].to_numpy()).max() < 1e-5


@pytest.mark.nightly
def test_a_document_of_several_lines_and_spans_sent_twice_say_the_same(spark_link: SparkLink, tmp_path: Path) -> None:
    documents = list(spans_of(log_of(SHORT)))
    once = messages(spark_link, written(tmp_path / "once.jsonl", documents))
    twice = messages(spark_link, written(tmp_path / "twice.json", documents * 2))
    whole = {"resourceSpans": [server for document in documents for server in document["resourceSpans"]]}
    pretty = tmp_path / "pretty.json"
    pretty.write_text(json.dumps(whole, indent=2))
    for other in (twice, messages(spark_link, pretty)):
        assert other[list(once.columns)].equals(once)


@pytest.mark.nightly
def test_a_delivery_that_begins_while_the_message_is_sent_does_not_wait(spark_link: SparkLink, tmp_path: Path) -> None:
    documents = list(spans_of(log_of(SHORT)))
    for document in documents:
        for span in document["resourceSpans"][0]["scopeSpans"][0]["spans"]:
            span["endTimeUnixNano"] = str(int(span["endTimeUnixNano"]) + 3_600 * 10**9)
    found = messages(spark_link, written(tmp_path / "spans.json", documents))
    assert (found["arrival"] == found["start"]).all()
    for document in documents:
        for span in document["resourceSpans"][0]["scopeSpans"][0]["spans"]:
            span["startTimeUnixNano"] = str(int(span["startTimeUnixNano"]) + 1_800 * 10**9)
    late = messages(spark_link, written(tmp_path / "late.json", documents))
    assert (late["arrival"] - late["start"]).min() > 1_700 - SENDING


@pytest.mark.nightly
def test_spans_calibrate_to_the_truth(spark_link: SparkLink, tmp_path: Path) -> None:
    outcome = calibrate(spark_link, written(tmp_path / "spans.json", spans_of(log_of(TRUTH))))
    (fit,) = outcome.queues
    assert isinstance(fit, QueueFit)
    assert (outcome.layout, outcome.quarantine.used, outcome.quarantine.aside) == ("messages", TRUTH.messages, ())
    assert outcome.validated
    assert fit.concurrency.threads == TRUTH.instances * TRUTH.threads
    assert fit.failure_rate.value == pytest.approx(TRUTH.failure, rel=0.3)
    assert fit.service_mean.value == pytest.approx(TRUTH.mean, rel=0.03)


def test_a_truncated_end_is_one_unreadable_row(spark_link: SparkLink, tmp_path: Path) -> None:
    path = written(tmp_path / "spans.json", spans_of(log_of(SHORT)))
    path.write_bytes(path.read_bytes()[:-2_000])
    account = read(spark_link, path).account
    assert [(item.reason, item.count) for item in account.aside] == [("unreadable", 1)]
    assert account.aside[0].examples[0].startswith('{"resourceSpans"')


@pytest.mark.parametrize(
    ("kept", "reason"),
    [
        (slice(1, None), "record the producers too (kind 4)"),
        (slice(0, 1), "spans found: 450 of kind 4, operation none"),
        (slice(0, 0), "spans found: none"),
    ],
)
def test_what_is_not_recorded_is_named(spark_link: SparkLink, tmp_path: Path, kept: slice, reason: str) -> None:
    documents = [{"resourceSpans": document["resourceSpans"][kept]} for document in spans_of(log_of(SHORT))]
    assert reason in refusal(spark_link, tmp_path / "spans.json", "".join(map(line_of, documents)).encode())
