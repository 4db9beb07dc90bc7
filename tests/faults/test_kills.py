"""Killing a process in the middle of a run leaves the same numbers: nothing twice, nothing lost."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from simulations.pipeline.spark.server import ServerPlan, free_port
from tests.faults.installation import Installation
from tests.faults.observed import BODY, REPLICATIONS
from tests.waiting import wait_until

pytestmark = [pytest.mark.faults, pytest.mark.spark, pytest.mark.redis, pytest.mark.slow]


@pytest.fixture(scope="module")
def installation() -> Iterator[Installation]:
    """Everything running."""
    with tempfile.TemporaryDirectory(prefix="sluice-faults-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        plan = ServerPlan(port=free_port(), token="a token for the length of a test", folder=folder / "spark")
        everything = Installation(folder, plan)
        try:
            everything.migrate()
            everything.start_broker()
            everything.start_spark()
            everything.start_worker()
            yield everything
        finally:
            everything.kill_all()


@pytest.fixture(scope="module")
def undisturbed(installation: Installation) -> str:
    """The hash of the numbers when nothing happens."""
    row = installation.finished(installation.start_run(BODY))
    assert row["status"] == "succeeded"
    return str(row["result_hash"])


def assert_whole(installation: Installation, row: dict[str, Any], undisturbed: str) -> None:
    """The same numbers, every point once, every replication once."""
    installation.assert_whole(row, undisturbed, points=2, replications=REPLICATIONS)


def test_a_killed_worker(installation: Installation, undisturbed: str) -> None:
    run_id = installation.start_run(BODY)
    installation.in_the_middle(run_id)
    installation.kill("worker")
    installation.start_worker()
    row = installation.finished(run_id)
    assert row["attempt"] == 2
    assert_whole(installation, row, undisturbed)


@pytest.mark.nightly
def test_a_pause_frees_the_worker_and_goes_on_to_the_same_numbers(installation: Installation, undisturbed: str) -> None:
    run_id = installation.start_and_pause(BODY)
    wait_until(lambda: installation.run(run_id)["status"] != "pausing", "its round has ended")
    assert installation.run(run_id)["status"] == "paused"
    kept = installation.replications_stored(run_id)
    assert kept == REPLICATIONS, "one round of two"
    other = installation.finished(installation.start_run(BODY))
    assert_whole(installation, other, undisturbed)
    assert (installation.run(run_id)["status"], installation.replications_stored(run_id)) == ("paused", kept)
    assert installation.ask("resume", run_id) == "queued"
    row = installation.finished(run_id)
    assert row["attempt"] == 1
    assert_whole(installation, row, undisturbed)


@pytest.mark.nightly
def test_a_worker_killed_while_pausing(installation: Installation, undisturbed: str) -> None:
    run_id = installation.start_and_pause(BODY)
    installation.kill("worker")
    installation.start_worker()
    wait_until(lambda: installation.run(run_id)["status"] == "paused", "another worker pauses it")
    assert installation.run(run_id)["spark_session"] == ""
    installation.ask("resume", run_id)
    assert_whole(installation, installation.finished(run_id), undisturbed)


@pytest.mark.nightly
def test_a_killed_spark_server(installation: Installation, undisturbed: str) -> None:
    run_id = installation.start_run(BODY)
    installation.in_the_middle(run_id)
    session = installation.run(run_id)["spark_session"]
    installation.kill("spark")
    installation.start_spark()
    wait_until(lambda: installation.run(run_id)["spark_session"] not in ("", session), "it goes on in a new session")
    row = installation.finished(run_id)
    assert row["attempt"] == 1
    assert_whole(installation, row, undisturbed)


@pytest.mark.nightly
def test_killed_python_workers(installation: Installation, undisturbed: str) -> None:
    run_id = installation.start_run(BODY)
    installation.in_the_middle(run_id)
    assert installation.kill_python_workers() > 0
    row = installation.finished(run_id)
    assert row["attempt"] == 1
    assert_whole(installation, row, undisturbed)


def test_a_killed_broker(installation: Installation, undisturbed: str) -> None:
    running, waiting = installation.start_runs(BODY, 2)
    installation.in_the_middle(running)
    assert installation.run(waiting)["status"] == "queued"
    installation.kill("broker")
    unsent = installation.start_run(BODY)
    installation.start_broker()
    for run_id in (running, waiting, unsent):
        row = installation.finished(run_id)
        assert row["attempt"] == 1
        assert_whole(installation, row, undisturbed)
    assert installation.processes["worker"].poll() is None, "the worker has connected again"
