"""Metric samples on the real Spark: the truth behind them is found, and what they cannot tell is not claimed."""

import subprocess
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from planner.settings.environment import BASE_DIR
from simulations.pipeline.spark.session import SparkLink
from simulations.pipeline.telemetry.fitting.fit import Value
from simulations.pipeline.telemetry.fitting.questions import Span
from simulations.pipeline.telemetry.fitting.sample_fit import SampledFit
from simulations.pipeline.telemetry.logs import held_out
from simulations.pipeline.telemetry.reading.layouts import COMMON, TelemetryRefused
from simulations.scenario.spec import ScenarioSpec, parse
from tests.sampled import BAD_SAMPLES, EVERY, SYSTEM, fit_of, followed, samples, slower, write_samples
from tests.synthetic.messages import Truth
from tests.synthetic.samples import write_table
from tests.telemetry import Story, calibrate, refusal

pytestmark = pytest.mark.spark


def kept(story: Story) -> ScenarioSpec:
    """The scenario of the samples, with service times that are not exponential."""
    body = story.outcome.scenario.body()
    queue = {**body["queues"][0], "service": {"kind": "lognormal", "mean": 1.0, "cv": 1.0}}
    return parse({**body, "name": "Kept", "queues": [queue]})


def holds(value: Value | None, truth: float) -> bool:
    assert value is not None
    assert value.low is not None
    assert value.high is not None
    return value.low <= truth <= value.high


def test_each_bad_sample_is_put_aside_with_its_reason_and_shown(sampled: Story) -> None:
    account = sampled.outcome.quarantine
    assert {item.reason: item.count for item in account.aside} == dict.fromkeys(COMMON.reasons, 1)
    assert account.used == samples("wldf").num_rows
    shown = {item.reason: item.examples[0] for item in account.aside}
    assert shown["bad_number"].split(",")[4] == "-2"
    assert shown["clock_backwards"].startswith("5,orders")
    assert set(BAD_SAMPLES) < set(shown)


def test_the_truth_is_found_inside_its_interval(sampled: Story) -> None:
    fit = fit_of(sampled)
    assert sampled.outcome.layout == "wldf"
    assert fit.source == "busy"
    assert holds(fit.service_mean, SYSTEM.mean)
    assert holds(fit.throughput, SYSTEM.rate)
    assert holds(fit.busy, SYSTEM.rate * SYSTEM.mean * SYSTEM.deliveries_mean)
    assert holds(fit.failure_rate, SYSTEM.failure)
    assert (fit.concurrency.threads, fit.concurrency.limited) == (12, True)
    assert fit.arrivals.low <= SYSTEM.rate <= fit.arrivals.high
    assert fit.arrivals.body["kind"] == "poisson"
    assert fit.arrivals.local == pytest.approx(1, abs=0.15)
    assert set(fit.instances) == {"orders-0", "orders-1"}
    assert (fit.restarts, fit.gaps, fit.every) == (0, 0, EVERY)


def test_what_samples_cannot_tell_is_assumed_and_said(sampled: Story) -> None:
    fit = fit_of(sampled)
    assert (fit.service.kind, fit.provenance) == ("exponential", "assumed")
    assert any("exponential ones are assumed" in sentence for sentence in sampled.outcome.assumed)
    assert not hasattr(fit, "percentiles")
    assert {check.metric for check in sampled.outcome.checks} == {"latency.mean", "service.mean"}


def test_the_prediction_is_near_and_the_scenario_is_ready_to_run(sampled: Story) -> None:
    outcome = sampled.outcome
    assert sampled.steps == ("reading", "counting", "fitting", "checking")
    assert outcome.validated
    assert [check.kind for check in outcome.checks] == ["replayed", "replayed", "generated"]
    assert all(check.sentence.startswith("Validated: predicted mean") for check in outcome.checks)
    assert outcome.scenario.network().streams[0].name == "orders"


@pytest.mark.parametrize(
    ("flavour", "kind", "source", "deliveries"),
    [
        ("pmi", "jsonl", "service_seconds", 1.0),
        pytest.param("intervals", "parquet", "busy", 1.0, marks=pytest.mark.nightly),
        # imqcmd counts no failed deliveries: a message's time is that of all its deliveries.
        pytest.param("imqcmd", "csv", "present", SYSTEM.deliveries_mean, marks=pytest.mark.nightly),
    ],
)
def test_other_vendors_samples_say_the_same(
    spark_link: SparkLink, tmp_path: Path, flavour: str, kind: str, source: str, deliveries: float
) -> None:
    outcome = calibrate(spark_link, write_samples(tmp_path / f"orders.{kind}", samples(flavour)))
    (fit,) = outcome.queues
    assert isinstance(fit, SampledFit)
    assert (outcome.layout, fit.source, fit.concurrency.threads) == (flavour, source, 12)
    assert holds(fit.service_mean, SYSTEM.mean * deliveries)
    assert holds(fit.throughput, SYSTEM.rate)
    assert outcome.validated
    assert outcome.quarantine.aside == ()
    assert any("solved" in text or "as many threads" in text for text in outcome.assumed) == (source == "present")


def test_restarts_gaps_and_uneven_intervals_lose_only_what_was_not_seen(spark_link: SparkLink, tmp_path: Path) -> None:
    """Counters begin anew, two minutes are missing, and later a third of the samples."""
    rows = samples("samples", replace(SYSTEM, instances=1, threads=12), 1.0).to_pandas()
    counters = ["arrived", "completed", "deliveries", "rolled_back", "service_seconds"]
    rows.loc[700:, counters] -= rows.loc[699, counters].astype(float)
    random = np.random.default_rng(3)
    rest = rows.drop(range(300, 420)).drop(random.choice(range(900, 1_400), 170, replace=False))
    path = write_samples(tmp_path / "orders.parquet", pa.Table.from_pandas(rest, preserve_index=False))
    outcome = calibrate(spark_link, path)
    (fit,) = outcome.queues
    assert isinstance(fit, SampledFit)
    assert (fit.restarts, fit.gaps) == (1, 1)
    assert holds(fit.service_mean, SYSTEM.mean)
    assert holds(fit.throughput, SYSTEM.rate)
    assert fit.arrivals.rate == pytest.approx(SYSTEM.rate, rel=0.03)
    assert fit.arrivals.body["kind"] == "poisson"


@pytest.mark.nightly
def test_a_service_that_slows_down_in_the_held_out_part_is_not_validated(spark_link: SparkLink, tmp_path: Path) -> None:
    late = samples("wldf", slower(SYSTEM, 1.25, 18_000))
    counters = ("MessagesReceivedCount", "TransactionsCommittedTotalCount", "TransactionsRolledBackTotalCount")
    table = followed(samples("wldf"), late, "timestamp", counters)
    outcome = calibrate(spark_link, write_samples(tmp_path / "orders.parquet", table))
    assert not outcome.validated
    judged = {(check.kind, check.metric): check for check in outcome.checks}
    assert not judged["replayed", "service.mean"].validated
    assert "above 10 %" in judged["replayed", "service.mean"].sentence


@pytest.mark.nightly
def test_a_shape_that_is_far_from_the_assumed_one_is_not_validated(spark_link: SparkLink, tmp_path: Path) -> None:
    """Nearly constant times before one thread wait half as long as exponential ones."""
    truth = Truth(messages=60_000, rate=40, mean=0.02, cv=0.1, service="gamma", threads=1, seed=5)
    outcome = calibrate(spark_link, write_samples(tmp_path / "orders.csv", samples("wldf", truth)))
    (fit,) = outcome.queues
    assert isinstance(fit, SampledFit)
    assert holds(fit.service_mean, truth.mean)
    assert not outcome.validated
    assert any("above 10 %" in check.sentence for check in outcome.checks)


@pytest.mark.nightly
def test_the_tools_own_table_takes_threads_and_shape_from_a_scenario(
    spark_link: SparkLink, tmp_path: Path, sampled: Story
) -> None:
    table, path = tmp_path / "orders.txt", tmp_path / "orders.csv"
    with table.open("w") as file:
        write_table(samples("imqcmd", SYSTEM, 5.0), file)
    recipe = ["awk", "-v", "queue=orders", "-f", str(BASE_DIR / "docs/samples/imqcmd.awk"), str(table)]
    path.write_bytes(subprocess.run(recipe, capture_output=True, check=True).stdout)
    with pytest.raises(TelemetryRefused, match="name a scenario that has the threads"):
        calibrate(spark_link, path)
    outcome = calibrate(spark_link, path, base=kept(sampled))
    (fit,) = outcome.queues
    assert isinstance(fit, SampledFit)
    assert (fit.name, fit.concurrency.threads) == ("orders", 12)
    assert (fit.service.kind, fit.provenance) == ("lognormal", "assumed")
    assert holds(fit.service_mean, SYSTEM.mean * SYSTEM.deliveries_mean)
    assert any("those of Kept" in sentence for sentence in outcome.assumed)
    assert outcome.scenario.queues[0].service.model_dump()["mean"] == pytest.approx(fit.service_mean.value, rel=1e-6)


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("few.csv", b"time,queue,completed,busy\n1,q,1,1\n2,q,2,1\n", "2 samples that cover"),
        ("columns.csv", b"time,queue,complete\n1,q,2\n", "no column completed (is it 'complete'?)"),
        ("counts.csv", b"time,queue,completed\n1,q,many\n", "a count or a gauge is not a number"),
    ],
)
def test_samples_that_cannot_be_used_are_refused_with_the_reason(
    spark_link: SparkLink, tmp_path: Path, name: str, content: bytes, reason: str
) -> None:
    assert reason in refusal(spark_link, tmp_path / name, content)


SPAN = Span(1000.0, 1400.0)
COUNTS = np.full(400, 10)


def test_few_messages_are_held_out_in_one_piece() -> None:
    assert held_out(COUNTS, SPAN, 1.0, 1200) == [(1280.0, 1401.0)]
    assert held_out(COUNTS[:280], SPAN, 1.0, 1200) == [(1280.0, 1401.0)]


@pytest.mark.parametrize("most", [100, 600])
def test_of_many_messages_four_stretches_are_taken(most: int) -> None:
    spans = held_out(COUNTS, SPAN, 1.0, most)
    assert len(spans) == 4
    assert all(1280 <= start < end <= 1401 for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    messages = sum(10 * (end - start) for start, end in spans)
    assert most * 0.8 <= messages <= most * 1.2
