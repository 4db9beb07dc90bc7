"""The cluster computes what the embedded installation computes, also when its parts are killed in the middle."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil
import pytest
import yaml

from planner.answers.summaries import result_hash
from planner.settings.environment import BASE_DIR
from simulations.experiment import expansion
from simulations.pipeline.rounds import run_rounds
from simulations.pipeline.spark.executors import InlineExecutor
from simulations.pipeline.spark.server import free_port
from simulations.scenario.spec import ScenarioSpec, parse
from tests.faults.cluster import Cluster
from tests.faults.observed import BODY, REPLICATIONS
from tests.waiting import PATIENCE, wait_until

pytestmark = [pytest.mark.faults, pytest.mark.spark, pytest.mark.redis, pytest.mark.postgres, pytest.mark.slow]

AGAIN = "Master has changed"
"""What a worker logs when a master has taken it over with its executors."""
PRESET = BASE_DIR / "planner" / "presets" / "surge-backlog.yaml"


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Everything running. As root PostgreSQL runs as another user, who must be let into the folder."""
    with TemporaryDirectory(prefix="sluice-cluster-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o711)
        running = Cluster.start(folder / "state", port=free_port())
        try:
            yield running
        finally:
            running.stop()


@pytest.fixture(scope="module")
def undisturbed() -> str:
    """The hash of the numbers without any cluster."""
    return inline(parse(BODY))


def inline(spec: ScenarioSpec) -> str:
    """The hash of a scenario's answer, computed in this process."""
    found = {}
    for step in run_rounds(expansion(spec).points, spec.run, InlineExecutor(threads=2), should_stop=lambda: False):
        found.update({summary.index: summary for summary in step.summaries})
    return result_hash(found.values())


def test_the_worked_example_has_the_numbers_of_a_computation_in_one_process(cluster: Cluster) -> None:
    (run,) = cluster.rows("SELECT id, status, result_hash FROM planner_run")
    assert run["status"] == "succeeded"
    assert run["result_hash"] == inline(parse(yaml.safe_load(PRESET.read_text())))
    assert len(cluster.processes("executor")) == 2


def test_a_killed_executor(cluster: Cluster, undisturbed: str) -> None:
    run_id = cluster.start_run(BODY)
    cluster.in_the_middle(run_id)
    cluster.kill("executor")
    row = cluster.finished(run_id)
    assert row["attempt"] == 1
    cluster.assert_whole(row, undisturbed, points=2, replications=REPLICATIONS)


@pytest.mark.nightly
def test_a_killed_master_leaves_the_executors(cluster: Cluster, undisturbed: str) -> None:
    before = set(cluster.processes("executor"))
    cluster.kill("spark-master")
    logs = [cluster.folder / "log" / f"spark-worker-{number}.log" for number in (1, 2)]
    wait_until(lambda: all(AGAIN in log.read_text() for log in logs), "the workers know the master that came after it")
    run_id = cluster.start_run(BODY)
    cluster.assert_whole(cluster.finished(run_id), undisturbed, points=2, replications=REPLICATIONS)
    assert set(cluster.processes("executor")) == before


@pytest.mark.nightly
def test_every_part_is_killed_in_one_run(cluster: Cluster, undisturbed: str) -> None:
    run_id = cluster.start_run(BODY)
    for part, done in {"spark-worker": 4, "broker": 8, "spark-connect": 12, "worker": 24}.items():
        cluster.in_the_middle(run_id, rows=done)
        cluster.kill(part)
    row = cluster.finished(run_id)
    assert row["attempt"] == 2, cluster.said()
    cluster.assert_whole(row, undisturbed, points=2, replications=REPLICATIONS)


def test_the_end_leaves_nothing_behind(cluster: Cluster) -> None:
    processes = psutil.Process(cluster.process.pid).children(recursive=True)
    assert len(processes) >= 8
    cluster.stop()
    assert cluster.process.returncode == 0
    _, alive = psutil.wait_procs(processes, timeout=PATIENCE)
    assert alive == []
