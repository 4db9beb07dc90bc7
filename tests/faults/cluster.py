"""`make cluster` in processes of its own, so that each of its parts can be killed."""

import os
import re
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import psycopg
from dotenv import dotenv_values
from psycopg.rows import dict_row

from planner.runtime.supervisor import Watchdog
from planner.settings.environment import services_file
from tests.faults.observed import Observed
from tests.services import launched, wait_until_served
from tests.waiting import PATIENCE

SIGNS = {
    "broker": "unixsocket",
    "postgres": "listen_addresses",
    "executor": "CoarseGrainedExecutorBackend",
    "spark-connect": "SparkConnectServer",
    "spark-master": "deploy.master.Master",
    "spark-worker": "deploy.worker.Worker",
    "worker": "celery",
}
"""What the command line of each part contains."""


@dataclass
class Cluster(Observed):
    """A running `make cluster`."""

    folder: Path
    process: subprocess.Popen[bytes]
    output: Path
    watchdog: Watchdog

    @classmethod
    def start(cls, folder: Path, *, port: int) -> "Cluster":
        """Start it and wait until it serves."""
        output = folder.with_suffix(".output")
        process, watchdog = launched("cluster", port, output=output, STATE_DIR=str(folder), SPARK_CORES="2")
        wait_until_served(process, output)
        return cls(folder, process, output, watchdog)

    @property
    def variables(self) -> dict[str, str]:
        """The environment of its processes: the addresses that the supervisor wrote down."""
        known = {name: value or "" for name, value in dotenv_values(services_file(self.folder)).items()}
        return {
            **os.environ,
            **known,
            "DJANGO_SETTINGS_MODULE": "planner.settings.django",
            "STATE_DIR": str(self.folder),
        }

    def said(self) -> str:
        """What it printed so far."""
        return self.output.read_text()

    def rows(self, query: str, *values: str) -> list[dict[str, Any]]:
        """The answer of its PostgreSQL to a query with `?` for each value."""
        with psycopg.connect(self.variables["DATABASE_URL"]) as connection:
            cursor = connection.cursor(row_factory=dict_row)
            return cursor.execute(re.sub(r"\?", "%s", query).encode(), values).fetchall()

    def processes(self, part: str) -> list[psutil.Process]:
        """The part's processes, or those of several workers or executors."""
        ours = psutil.Process(self.process.pid).children(recursive=True)
        return [process for process in ours if SIGNS[part] in _command(process)]

    def kill(self, part: str) -> None:
        """End the part with SIGKILL: it cannot tidy up. The supervisor, or Spark's worker, starts it again."""
        victims = self.processes(part)
        assert victims, f"{part} does not run"
        victims[0].kill()

    def stop(self) -> None:
        """End it as Ctrl-C does."""
        self.leave()
        self.process.send_signal(signal.SIGINT)
        self.process.wait(PATIENCE)
        self.watchdog.close()


def _command(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""
