"""What a test asks of an installation that runs in other processes, whatever its database."""

import json
import subprocess
import sys
from abc import ABC, abstractmethod
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from simulations.pipeline.spark.server import PROJECT
from tests.scenarios import listener_port
from tests.waiting import LONG, wait_until

REPLICATIONS = 40
BODY = listener_port(
    "To be disturbed",
    run={
        "horizon": {"messages": 1_000_000},
        "replications": {"min": REPLICATIONS // 2, "max": REPLICATIONS},
        "precision": {"relative": 1e-6},
    },
    sweep=[{"path": "queues.orders.settings.maximum_sessions", "values": [36, 50]}],
)
"""A run of some seconds: two points and, as nothing is so precise, two rounds."""
OWNED = """
import json, sys, django
django.setup()
from django.contrib.auth.models import User
from planner import services
from planner.models import ScenarioVersion
from simulations.scenario.spec import parse
owner, _ = User.objects.get_or_create(username="ada")
hers = ScenarioVersion.objects.filter(scenario__owner=owner).first()
version = hers or services.scenario_store(owner=owner, spec=parse(json.load(sys.stdin))).version
"""
START = (
    OWNED
    + """
print(services.run_start(version=version, owner=owner, force=True).run.pk)
"""
)
PAUSE = (
    OWNED
    + """
import time
run = services.run_start(version=version, owner=owner, force=True).run
while run.progress.get("replications_done", 0) < 6:
    time.sleep(0.05)
    run.refresh_from_db()
print(services.job_pause(run, actor=owner).status, run.pk)
"""
)
ASK = """
import sys, django
django.setup()
from planner import services
from planner.models import Run
action, key = sys.argv[1:]
run = Run.objects.get(pk=key)
print(getattr(services, f"job_{action}")(run, actor=run.owner).status)
"""


class Observed(ABC):
    """An installation with its state in `folder`."""

    folder: Path

    @property
    @abstractmethod
    def variables(self) -> dict[str, str]:
        """The environment of its processes."""

    @abstractmethod
    def rows(self, query: str, *values: str) -> list[dict[str, Any]]:
        """The answer of the database to a query with `?` for each value."""

    def start_run(self, body: dict[str, Any]) -> str:
        """Start a run of the same scenario, whatever ran before; return its id."""
        return self.python(["-c", START], json.dumps(body)).strip().splitlines()[-1]

    def start_and_pause(self, body: dict[str, Any]) -> str:
        """Start a run and ask for its pause in the middle of its first round; return its id."""
        status, run_id = self.python(["-c", PAUSE], json.dumps(body)).strip().splitlines()[-1].split()
        assert status == "pausing"
        return run_id

    def ask(self, action: str, run_id: str) -> str:
        """Pause, resume or cancel a run as its owner; return its status then."""
        return self.python(["-c", ASK, action, run_id]).strip().splitlines()[-1]

    def run(self, run_id: str) -> dict[str, Any]:
        """The run's row as it is now."""
        (row,) = self.rows("SELECT * FROM planner_run WHERE id = ?", run_id)
        progress = row["progress"]
        return {**row, "progress": json.loads(progress) if isinstance(progress, str) else progress}

    def points(self, run_id: str) -> list[dict[str, Any]]:
        """The rows of its points."""
        return self.rows('SELECT "index", partial FROM planner_pointresult WHERE run_id = ? ORDER BY "index"', run_id)

    def finished(self, run_id: str) -> dict[str, Any]:
        """Wait until the run is over; return its row."""
        over = ("succeeded", "failed", "cancelled")
        wait_until(lambda: self.run(run_id)["status"] in over, f"{run_id} is over", seconds=LONG)
        return self.run(run_id)

    def in_the_middle(self, run_id: str, rows: int = 6) -> None:
        """Wait until the run has that many replications, and more to do."""
        wait_until(
            lambda: self.run(run_id)["progress"].get("replications_done", 0) >= rows,
            f"{run_id} is under way",
        )
        assert self.run(run_id)["status"] == "running"

    def assert_whole(self, row: dict[str, Any], result_hash: str, *, points: int, replications: int) -> None:
        """The run has the same numbers, every point once, every replication once."""
        assert row["status"] == "succeeded", row["error"]
        assert row["result_hash"] == result_hash
        assert self.points(row["id"]) == [{"index": index, "partial": False} for index in range(points)]
        assert self.replications_stored(row["id"]) == points * replications

    def replications_stored(self, run_id: str) -> int:
        """How many replications of the run lie in the store, each written once."""
        return replications_stored(self.folder, run_id)

    def python(self, arguments: list[str], text: str = "") -> str:
        """Run Python with these arguments in the installation's environment; return what it printed."""
        answer = subprocess.run(
            [sys.executable, *arguments],
            env=self.variables,
            cwd=PROJECT,
            input=text,
            capture_output=True,
            text=True,
            check=False,
        )
        assert answer.returncode == 0, answer.stderr
        return answer.stdout


def replications_stored(folder: Path, run_id: str) -> int:
    """How many replications of a run the store below the state folder holds: as its readers, who see each once.

    While rows settle, after the answer, files go as they are read.
    """
    files = sorted((folder / "store" / run_id).glob("replications-*.parquet"))
    with suppress(FileNotFoundError):
        tables = [pq.read_table(path, columns=["point", "replication"]) for path in files]
        return pa.concat_tables(tables).group_by(["point", "replication"]).aggregate([]).num_rows if tables else 0
    return replications_stored(folder, run_id)
