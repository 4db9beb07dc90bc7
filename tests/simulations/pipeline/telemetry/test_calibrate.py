"""A log on the real Spark: bad rows are put aside with reasons, the truth is found, the check says so by itself."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq
import pytest

from planner.settings.environment import BASE_DIR
from simulations.pipeline.spark.executors import Cancelled
from simulations.pipeline.spark.session import SparkLink
from simulations.pipeline.telemetry.fitting.bursts import Bursts
from simulations.pipeline.telemetry.fitting.fit import QueueFit
from simulations.pipeline.telemetry.reading.layouts import MESSAGES, TelemetryRefused
from simulations.pipeline.telemetry.reading.raw import LONGEST_LINE
from tests.simulations.pipeline.telemetry.fitting.test_bursts import switching
from tests.synthetic.messages import LOG, Truth, log_of, write_log
from tests.synthetic.systems import hidden_system, logged
from tests.telemetry import BAD_ROWS, TRUTH, Story, calibrate, read, refusal, write_served

pytestmark = pytest.mark.spark


def test_each_bad_row_is_put_aside_with_its_reason_and_shown(calibrated: Story) -> None:
    account = calibrated.outcome.quarantine
    counts = {item.reason: item.count for item in account.aside}
    # The end of the line that is too long is one more row without sense.
    once = dict.fromkeys(MESSAGES.reasons, 1)
    assert counts in ({**once, "unreadable": 2}, once)
    assert account.used == TRUTH.messages
    assert account.rows == TRUTH.messages + sum(counts.values())
    assert account.passed_over >= 2 * LONGEST_LINE
    for item in account.aside:
        assert item.examples
        assert all(len(example) <= 300 for example in item.examples)
    shown = {item.reason: item.examples[0] for item in account.aside}
    assert shown["clock_backwards"].split(",")[:3] == ["5", "2", "3"]
    assert set(BAD_ROWS) < set(shown)


def test_the_truth_is_found(calibrated: Story) -> None:
    (fit,) = calibrated.outcome.queues
    assert isinstance(fit, QueueFit)
    assert (calibrated.outcome.layout, calibrated.outcome.assumed) == ("messages", ())
    assert (fit.service.kind, fit.provenance) == (TRUTH.service, "fitted")
    assert fit.service_mean.low is not None
    assert fit.service_mean.high is not None
    assert fit.service_mean.low <= TRUTH.mean <= fit.service_mean.high
    assert fit.service_cv.value == pytest.approx(TRUTH.cv, rel=0.1)
    assert (fit.concurrency.threads, fit.concurrency.limited) == (TRUTH.threads, True)
    assert fit.concurrency.share > 0.99
    assert fit.failure_rate.value == pytest.approx(TRUTH.failure, rel=0.4)
    assert fit.arrivals.rate == pytest.approx(TRUTH.rate, rel=0.03)
    assert fit.arrivals.body["kind"] == "poisson"
    assert fit.arrivals.local == pytest.approx(1, abs=0.15)
    assert list(fit.instances) == ["orders-0"]


def test_the_prediction_is_near_and_says_so(calibrated: Story) -> None:
    outcome = calibrated.outcome
    assert [check.kind for check in outcome.checks] == ["replayed", "generated"]
    assert outcome.validated
    for check in outcome.checks:
        assert check.deviation is not None
        assert abs(check.deviation) <= 0.1
        assert check.sentence.startswith("Validated: predicted p95")


def test_the_steps_are_told_and_the_scenario_is_ready_to_run(calibrated: Story) -> None:
    assert calibrated.steps == ("reading", "counting", "fitting", "checking")
    spec = calibrated.outcome.scenario
    assert spec.network().streams[0].name == "orders"
    assert spec.name == "From a test"


@pytest.mark.nightly
@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_other_formats_say_the_same(spark_link: SparkLink, tmp_path: Path, calibrated: Story, kind: str) -> None:
    path = tmp_path / f"orders.{kind}"
    write_log(log_of(TRUTH), LOG, path)
    outcome = calibrate(spark_link, path)
    assert outcome.quarantine.aside == ()
    (fit,), (before,) = outcome.queues, calibrated.outcome.queues
    assert fit.concurrency.threads == before.concurrency.threads
    assert fit.service_mean.value == pytest.approx(before.service_mean.value, rel=1e-3)


def test_timestamps_mean_the_same_as_seconds(spark_link: SparkLink, tmp_path: Path) -> None:
    log = rows = pa.Table.from_batches(log_of(TRUTH), LOG)
    for name in ("arrival", "start", "end"):
        micros = pa.compute.cast(pa.compute.round(pa.compute.multiply(rows[name], 1e6)), pa.int64())
        at = rows.column_names.index(name)
        rows = rows.set_column(at, name, micros.cast(pa.timestamp("us")))
    path = tmp_path / "orders.csv"
    pc.write_csv(rows, path)
    found = read(spark_link, path)
    assert (found.account.aside, found.account.used) == ((), TRUTH.messages)
    for name in ("arrival", "start", "end"):
        assert np.sort(found.rows[name]) == pytest.approx(np.sort(log[name].to_numpy()), abs=1e-6, rel=0)


def test_a_system_that_changes_is_not_validated(spark_link: SparkLink, tmp_path: Path) -> None:
    slow = Truth(messages=8_000, rate=40, mean=0.26, cv=0.8, service="lognormal", threads=12, seed=6)
    first, second = (pa.Table.from_batches(log_of(truth), LOG) for truth in (TRUTH, slow))
    shift = first["end"].to_numpy().max() - second["arrival"].to_numpy().min()
    for name in ("arrival", "start", "end"):
        at = second.column_names.index(name)
        second = second.set_column(at, name, pa.array(second[name].to_numpy() + shift))
    ids = pa.array([f"late-{number}" for number in range(len(second))])
    second = second.set_column(second.column_names.index("message_id"), "message_id", ids)
    path = tmp_path / "orders.parquet"
    write_log(pa.concat_tables([first, second]).to_batches(), LOG, path)
    outcome = calibrate(spark_link, path)
    assert not outcome.validated
    assert any("above 10 %" in check.sentence for check in outcome.checks)


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("empty.csv", b"", "the log is empty"),
        ("columns.csv", b"arival,start,end,queue\n1,2,3,q\n", "no column arrival (is it 'arival'?)"),
        ("twice.csv", b"arrival,start,start,end,queue\n", "two columns 'start'"),
        ("header.csv", b"arrival,start,end,queue\n", "no row that can be used"),
        ("list.jsonl", b"[1, 2]\n", "not a JSON object"),
        pytest.param("table.jsonl", b"arrival,start\n1,2\n", "not a JSON object", marks=pytest.mark.nightly),
        pytest.param("number.json", b"3\n", "not a JSON object", marks=pytest.mark.nightly),
        ("broken.parquet", b"PAR1 and nothing else", "not Parquet"),
        ("utf16.csv", "arrival,start,end,queue\n1,2,3,q\n".encode("utf-16"), "no column arrival"),
        ("late.csv", b"arrival,start,end,queue\n5,2,3,q\n", "begins before the message arrived"),
        ("few.csv", b"arrival,start,end,queue\n1,2,3,q\n2,3,4,q\n", "at least 100 are needed"),
    ],
)
def test_a_log_that_cannot_be_used_is_refused_with_the_reason(
    spark_link: SparkLink, tmp_path: Path, name: str, content: bytes, reason: str
) -> None:
    assert reason in refusal(spark_link, tmp_path / name, content)


def test_a_cancelled_calibration_stops(spark_link: SparkLink, calibrated: Story) -> None:
    with pytest.raises(Cancelled):
        calibrate(spark_link, calibrated.path, should_stop=lambda: True)


@pytest.mark.nightly
def test_bursts_are_found_and_the_verdict_says_up_to_which_load_it_holds(spark_link: SparkLink, tmp_path: Path) -> None:
    truth, path = Bursts(60, 20, 5.0, 20.0), tmp_path / "bursts.parquet"
    write_served(path, switching(11, truth, 7_200.0), mean=0.2, threads=12)
    outcome = calibrate(spark_link, path)
    (fit,) = outcome.queues
    assert isinstance(fit, QueueFit)
    assert fit.arrivals.body["kind"] == "on_off"
    assert fit.arrivals.bursts is not None
    assert fit.arrivals.bursts.on_rate == pytest.approx(truth.on_rate, rel=0.1)
    assert fit.arrivals.bursts.mean_on == pytest.approx(truth.mean_on, rel=0.3)
    assert [check.kind for check in outcome.checks] == ["replayed", "generated", "busiest"]
    assert outcome.checks[2].load > 1.1
    assert outcome.validated == (outcome.verdict.scope != "")
    assert outcome.verdict.reach in (0.0, 1.0, outcome.checks[2].load)
    assert fit.dependence is None
    assert fit.arrivals.expected.keys() == fit.arrivals.dispersion.keys()


RECIPES = {"smf-120-9.csv": "messages", "wldf.csv": "wldf", "spans.json": "messages", "prometheus.json": "samples"}
"""Files of docs/samples and their layouts."""


def recipe(folder: Path, name: str) -> Path:
    path = folder / name
    path.write_bytes((BASE_DIR / "docs/samples" / name).read_bytes())
    return path


@pytest.mark.parametrize(
    "name", [name if name == "wldf.csv" else pytest.param(name, marks=pytest.mark.nightly) for name in RECIPES]
)
def test_the_examples_of_the_recipes_are_read(spark_link: SparkLink, tmp_path: Path, name: str) -> None:
    found = read(spark_link, recipe(tmp_path, name))
    assert (found.layout, found.account.aside) == (RECIPES[name], ())
    assert found.account.used == len(found.rows) > 0


@pytest.mark.nightly
@pytest.mark.parametrize("name", RECIPES)
def test_the_examples_of_the_recipes_are_calibrated(spark_link: SparkLink, tmp_path: Path, name: str) -> None:
    outcome = calibrate(spark_link, recipe(tmp_path, name))
    assert (outcome.layout, outcome.quarantine.aside) == (RECIPES[name], ())
    assert outcome.queues[0].service_mean.value == pytest.approx(0.2, rel=0.2)


@pytest.mark.nightly
def test_the_log_to_try_is_validated(spark_link: SparkLink, tmp_path: Path) -> None:
    path = tmp_path / "orders.csv"
    path.write_bytes((BASE_DIR / "docs/samples/orders.csv").read_bytes())
    outcome = calibrate(spark_link, path)
    truth = json.loads((BASE_DIR / "docs/samples/orders.truth.json").read_text())
    assert outcome.verdict.reach == 1.0
    assert outcome.queues[0].concurrency.threads == truth["threads"]


@pytest.mark.nightly
def test_a_log_that_is_too_short_says_how_many_messages_it_takes_and_so_many_are_enough(
    spark_link: SparkLink, tmp_path: Path
) -> None:
    busy = Truth(messages=2_500, rate=40, mean=0.2, cv=0.8, service="lognormal", threads=10)
    write_log(log_of(busy), LOG, tmp_path / "short.csv")
    outcome = calibrate(spark_link, tmp_path / "short.csv")
    assert not outcome.validated
    needed = [re.search(r"it takes a log of about ([\d,]+) messages or more", item.sentence) for item in outcome.checks]
    most = max(int(found[1].replace(",", "")) for found in needed if found)
    assert 15_000 < most < 40_000
    write_log(log_of(replace(busy, messages=most)), LOG, tmp_path / "long.csv")
    assert calibrate(spark_link, tmp_path / "long.csv").validated


def test_cpus_that_are_shared_are_told_and_simulated(spark_link: SparkLink, tmp_path: Path) -> None:
    path = tmp_path / "shared.parquet"
    truth = hidden_system(23, 20_000)
    pq.write_table(logged(truth), path)
    (fit,) = (outcome := calibrate(spark_link, path)).queues
    assert isinstance(fit, QueueFit)
    assert fit.dependence is None
    assert fit.limit is not None
    assert (fit.limit.number, fit.limit.cpus) == (truth.cores, True)
    assert fit.limit.mean == pytest.approx(truth.mean, rel=0.03)
    assert fit.service_mean.value > 1.1 * truth.mean
    assert outcome.scenario.servers[0].cpus == truth.cores
    assert outcome.scenario.queues[0].service.cpu == 1.0
    assert f"a limit of {truth.cores} for all of the work, taken as CPUs" in outcome.assumed[0]


@pytest.mark.nightly
def test_connections_behind_the_threads_are_told_and_simulated(spark_link: SparkLink, tmp_path: Path) -> None:
    path = tmp_path / "limits.parquet"
    truth = hidden_system(98, 40_000)
    pq.write_table(logged(truth), path)
    (fit,) = (outcome := calibrate(spark_link, path)).queues
    assert isinstance(fit, QueueFit)
    assert fit.limit is not None
    assert fit.limit.number == truth.connections
    assert fit.limit.share == pytest.approx(truth.downstream, abs=0.03)
    behind = outcome.scenario.body()["queues"][0]["settings"]["downstream"]
    assert (behind["limit"], behind["share"]) == (truth.connections, fit.limit.share)


def test_a_constant_difference_of_clocks_is_corrected(spark_link: SparkLink, tmp_path: Path) -> None:
    instants = np.random.default_rng(2).exponential(1 / 40, 20_000).cumsum()
    for name, skew in (("skewed", 0.08), ("sound", 0.0)):
        write_served(tmp_path / f"{name}.parquet", instants, mean=0.2, threads=12, skew=skew)
    late, sound = (read(spark_link, tmp_path / f"{name}.parquet") for name in ("skewed", "sound"))
    assert "behind arrivals by up to 80 ms and are corrected" in late.account.sentence
    assert late.account.used == sound.account.used == len(instants)
    waits, latencies = ([item.rows[name] - item.rows["arrival"] for item in (late, sound)] for name in ("start", "end"))
    assert waits[0].min() >= 0
    assert np.quantile(latencies[0], 0.95) == pytest.approx(np.quantile(latencies[1], 0.95), rel=1e-3)
    assert waits[0].mean() == pytest.approx(waits[1].mean(), abs=1e-3)


def test_clocks_that_drift_apart_are_refused(spark_link: SparkLink, tmp_path: Path) -> None:
    instants = np.random.default_rng(2).exponential(1 / 40, 20_000).cumsum()
    drift = np.linspace(0.0, 0.08, len(instants))
    write_served(tmp_path / "drift.parquet", instants, mean=0.2, threads=12, skew=drift)
    with pytest.raises(TelemetryRefused, match=r"by up to 79\.?\d* ms: the clocks .* not by the same time"):
        calibrate(spark_link, tmp_path / "drift.parquet")
