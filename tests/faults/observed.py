"""What a test asks of an installation that runs in other processes, whatever its database."""

import json
import subprocess
import sys
import time
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
        "horizon": {"messages": 400_000},
        "replications": {"min": REPLICATIONS // 2, "max": REPLICATIONS},
        "precision": {"relative": 1e-6},
    },
    sweep=[{"path": "queues.orders.settings.maximum_sessions", "values": [36, 50]}],
)
"""A run of some seconds on the two cores that Spark has: two points and, as nothing is so precise, two rounds.

Long enough to be disturbed in its middle, which ``in_the_middle`` makes sure of.
"""
CONSOLE = """
import json, sys, time, django
django.setup()
from django.contrib.auth.models import User
from django.db import connections
from planner import services
from planner.models import Run, ScenarioVersion
from simulations.scenario.spec import parse

def begun(body):
    owner, _ = User.objects.get_or_create(username="ada")
    hers = ScenarioVersion.objects.filter(scenario__owner=owner).first()
    version = hers or services.scenario_store(owner=owner, spec=parse(body)).version
    return services.run_start(version=version, owner=owner, force=True).run

def start(body, count):
    return [begun(body).pk for _ in range(count)]

def start_and_pause(body):
    run = begun(body)
    while run.progress.get("replications_done", 0) < 6:
        time.sleep(0.05)
        run.refresh_from_db()
    return services.job_pause(run, actor=run.owner).status, run.pk

def ask(action, key):
    run = Run.objects.get(pk=key)
    return getattr(services, f"job_{action}")(run, actor=run.owner).status

for line in sys.stdin:
    name, *arguments = json.loads(line)
    print(json.dumps(globals()[name](*arguments)), flush=True)
    connections.close_all()
"""
"""Does for its owner what it reads line by line, until its input ends: to start Python anew for each takes seconds."""


class Observed(ABC):
    """An installation with its state in `folder`."""

    folder: Path
    _console: "subprocess.Popen[str] | None" = None

    @property
    @abstractmethod
    def variables(self) -> dict[str, str]:
        """The environment of its processes."""

    @abstractmethod
    def rows(self, query: str, *values: str) -> list[dict[str, Any]]:
        """The answer of the database to a query with `?` for each value."""

    def start_run(self, body: dict[str, Any]) -> str:
        """Start a run of the same scenario, whatever ran before; return its id."""
        return self.start_runs(body, 1)[0]

    def start_runs(self, body: dict[str, Any], count: int) -> list[str]:
        """Start so many of them at once; return their ids."""
        return list(self._told("start", body, count))

    def start_and_pause(self, body: dict[str, Any]) -> str:
        """Start a run and ask for its pause in the middle of its first round; return its id."""
        status, run_id = self._told("start_and_pause", body)
        assert status == "pausing"
        return str(run_id)

    def ask(self, action: str, run_id: str) -> str:
        """Pause, resume or cancel a run as its owner; return its status then."""
        return str(self._told("ask", action, run_id))

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

        def rest() -> None:
            time.sleep(0.5)  # each look opens a connection, and the run needs the processor

        wait_until(lambda: self.run(run_id)["status"] in over, f"{run_id} is over", seconds=LONG, meanwhile=rest)
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

    def leave(self) -> None:
        """End the process that starts and asks."""
        if self._console is not None:
            self._console.communicate()
            self._console = None

    def _told(self, *words: object) -> Any:
        """Let the console do something; return what it answers."""
        log = self.folder / "console.log"
        if self._console is None:
            with log.open("ab") as errors:
                self._console = subprocess.Popen(
                    [sys.executable, "-c", CONSOLE],
                    env=self.variables,
                    cwd=PROJECT,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    text=True,
                )
        assert self._console.stdin is not None
        assert self._console.stdout is not None
        self._console.stdin.write(json.dumps(words) + "\n")
        self._console.stdin.flush()
        answer = self._console.stdout.readline()
        assert answer, log.read_text()
        return json.loads(answer)


def replications_stored(folder: Path, run_id: str) -> int:
    """How many replications of a run the store below the state folder holds: as its readers, who see each once.

    While rows settle, after the answer, files go as they are read.
    """
    files = sorted((folder / "store" / run_id).glob("replications-*.parquet"))
    with suppress(FileNotFoundError):
        tables = [pq.read_table(path, columns=["point", "replication"]) for path in files]
        return pa.concat_tables(tables).group_by(["point", "replication"]).aggregate([]).num_rows if tables else 0
    return replications_stored(folder, run_id)
