"""PostgreSQL servers of one's own: the machine's, and the packaged one."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest

from planner.runtime import database
from planner.runtime.cluster import database_service
from planner.runtime.database import DatabasePlan, accepts, plan_database
from planner.runtime.processes import StartProblem
from planner.settings.environment import BASE_DIR
from simulations.pipeline.spark.server import free_port, is_listening
from tests.services import running
from tests.waiting import wait_until

SERVERS = [folder for folder in database._candidates() if database._version(folder)]
PASSWORD = "a password / with : signs @ of an address"


@pytest.fixture
def state() -> Iterator[Path]:
    """A folder that another user may be let into, as the stand-in for root must: pytest's own are closed again."""
    with TemporaryDirectory(prefix="sluice-pg-") as name:
        yield Path(name)


def test_there_is_a_packaged_server() -> None:
    assert any("site-packages" in str(folder) for folder in SERVERS)


@pytest.mark.postgres
@pytest.mark.parametrize("programs", SERVERS, ids=str)
def test_it_keeps_its_data_and_wants_the_password(state: Path, programs: Path) -> None:
    plan = DatabasePlan(programs, state / "postgres" / "1", free_port(), PASSWORD)
    with running(database_service(plan), state), psycopg.connect(plan.url, autocommit=True) as connection:
        connection.execute("CREATE TABLE kept (number integer)")
        assert not accepts(plan.url.replace("a%20password", "another"))
    with running(database_service(plan), state), psycopg.connect(plan.url) as connection:
        assert connection.execute("SELECT count(*) FROM kept").fetchone() == (0,)
    assert not accepts(plan.url)


def test_no_server_is_a_problem_with_a_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(database, "PACKAGE", "a_package_that_nobody_made")
    with pytest.raises(StartProblem, match="DATABASE_URL"):
        plan_database(tmp_path, port=1, password=PASSWORD)


ABORTED = """
import os, sys
import subprocess
import sys
from pathlib import Path
from planner.runtime.cluster import database_service
from planner.runtime.database import plan_database
from tests.services import running
from tests.waiting import wait_until
state = Path(sys.argv[1])
with running(database_service(plan_database(state, port=int(sys.argv[2]), password="secret")), state):
    os._exit(1)
"""


@pytest.mark.faults
def test_a_test_run_that_is_ended_at_once_leaves_no_server(state: Path) -> None:
    port = free_port()
    subprocess.run([sys.executable, "-c", ABORTED, str(state), str(port)], cwd=BASE_DIR, check=False)
    assert (state / "postgres.log").exists()
    wait_until(lambda: not is_listening(port), "the server is gone")
