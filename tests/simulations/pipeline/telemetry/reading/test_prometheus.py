"""Answers of range queries become samples by the names of their metrics."""

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from simulations.pipeline.spark.session import SparkLink
from simulations.pipeline.telemetry.reading.layouts import (
    COMMON,
    COUNTS,
    GAUGES,
    INTERVALS,
    WLDF,
    Layout,
    TelemetryRefused,
)
from simulations.pipeline.telemetry.reading.prometheus import mapping
from tests.sampled import SYSTEM, samples
from tests.synthetic.documents import answer_of, line_of
from tests.telemetry import calibrate, read, refusal

LABELS = {"__name__", "instance", "queue"}


@pytest.mark.parametrize(
    ("metrics", "layout", "columns"),
    [
        (
            {"mdb_completed_total", "mdb_service_seconds_total", "mdb_busy", "up"},
            COMMON,
            {"completed": "mdb_completed_total", "service_seconds": "mdb_service_seconds_total", "busy": "mdb_busy"},
        ),
        (
            {"mdb:completed_now", "mdb:waiting"},
            INTERVALS,
            {"completed_now": "mdb:completed_now", "waiting": "mdb:waiting"},
        ),
        (
            {"wls_jms_messagesReceivedCount", "wls_jms_messages_current_count", "wls_max_threads"},
            WLDF,
            {
                "MessagesReceivedCount": "wls_jms_messagesReceivedCount",
                "MessagesCurrentCount": "wls_jms_messages_current_count",
                "MaxThreads": "wls_max_threads",
            },
        ),
    ],
)
def test_a_metric_is_the_column_that_its_name_ends_with(
    metrics: set[str], layout: Layout, columns: dict[str, str]
) -> None:
    assert mapping(metrics, LABELS) == (layout, columns)


@pytest.mark.parametrize(
    ("metrics", "labels", "reason"),
    [
        (
            {"artemis_message_count", "artemis_consumer_count"},
            LABELS,
            "metrics found: artemis_consumer_count, artemis_message_count;",
        ),
        ({"mdb_completed"}, {"__name__", "address"}, "metrics found: mdb_completed; labels found: __name__, address"),
        ({"a_completed", "b_completed_total"}, LABELS, "a_completed and b_completed_total mean the same"),
    ],
)
def test_what_is_missing_or_there_twice_is_named(metrics: set[str], labels: set[str], reason: str) -> None:
    with pytest.raises(TelemetryRefused, match=reason):
        mapping(metrics, labels)


def assert_same(found: Any) -> None:
    """The rows read are the samples, each once: what they counted and saw, to the six digits that an answer has."""
    rows, wanted = found.sort_values(["time", "instance"]), samples("samples").to_pandas()
    assert rows["instance"].tolist() == wanted["instance"].tolist()
    shared = [name for name in wanted.columns if name in (*COUNTS, *GAUGES, "time")]
    assert len(shared) > 5
    for name in shared:
        assert rows[name].to_numpy() == pytest.approx(wanted[name].to_numpy(dtype=float), rel=1e-5), name


@pytest.mark.spark
def test_an_answer_has_the_rows_of_the_samples(spark_link: SparkLink, tmp_path: Path) -> None:
    path = tmp_path / "answer.json"
    path.write_text(json.dumps(answer_of(samples("samples"))))
    found = read(spark_link, path)
    assert (found.layout, found.account.aside) == ("samples", ())
    assert found.account.rows == samples("samples").num_rows
    assert_same(found.rows)


@pytest.mark.nightly
@pytest.mark.spark
@pytest.mark.parametrize("indent", [None, 1])
def test_an_answer_says_what_the_samples_say(spark_link: SparkLink, tmp_path: Path, indent: int | None) -> None:
    path = tmp_path / "answer.json"
    path.write_text(json.dumps(answer_of(samples("samples")), indent=indent))
    outcome = calibrate(spark_link, path)
    (fit,) = outcome.queues
    assert (outcome.layout, outcome.quarantine.aside) == ("samples", ())
    assert outcome.quarantine.rows == samples("samples").num_rows
    assert outcome.validated
    assert fit.concurrency.threads == SYSTEM.instances * SYSTEM.threads
    assert fit.service_mean.value == pytest.approx(SYSTEM.mean, rel=0.03)


def overlapping(answer: dict[str, Any]) -> None:
    """A second answer begins in the middle of the first: the same samples are there twice."""
    late = [{**series, "values": series["values"][200:]} for series in answer["data"]["result"]]
    answer["data"]["result"].extend(late)


def divided(answer: dict[str, Any]) -> None:
    """Half of everything is counted by each of two series."""
    answer["data"]["result"] = [
        {
            "metric": {**series["metric"], "member": member},
            "values": [[at, str(float(value) / 2)] for at, value in series["values"]],
        }
        for series in answer["data"]["result"]
        for member in "ab"
    ]


@pytest.mark.spark
@pytest.mark.nightly
@pytest.mark.parametrize("changed", [overlapping, divided])
def test_instants_count_once_and_series_of_an_instance_add_up(
    spark_link: SparkLink, tmp_path: Path, changed: Callable[[dict[str, Any]], None]
) -> None:
    answer = deepcopy(answer_of(samples("samples")))
    changed(answer)
    path = tmp_path / "answer.json"
    path.write_text(line_of(answer))
    found = read(spark_link, path)
    assert found.account.aside == ()
    assert_same(found.rows)


@pytest.mark.spark
def test_other_answers_are_refused(spark_link: SparkLink, tmp_path: Path) -> None:
    vector = {"resultType": "vector", "result": [{"metric": {"__name__": "completed"}, "value": [1, "2"]}]}
    content = line_of({"status": "success", "data": vector}).encode()
    assert "answered a vector; ask /api/v1/query_range" in refusal(spark_link, tmp_path / "answer.json", content)


@pytest.mark.spark
@pytest.mark.parametrize("indent", [None, 1])
def test_an_error_is_refused_with_what_prometheus_said(
    spark_link: SparkLink, tmp_path: Path, indent: int | None
) -> None:
    error = {"status": "error", "errorType": "bad_data", "error": 'invalid parameter "step": zero'}
    content = json.dumps(error, indent=indent).encode()
    reason = refusal(spark_link, tmp_path / "answer.json", content)
    assert reason.startswith('Prometheus answered with an error: invalid parameter "step": zero; ')
    several = f"{line_of(answer_of(samples('samples')))}\n{line_of(error)}".encode()
    assert "zero; correct the query" in refusal(spark_link, tmp_path / "answers.json", several)
