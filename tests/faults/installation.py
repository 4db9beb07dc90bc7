"""Broker, Spark and worker as processes of their own, beside the test's database file, so that each can be killed."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from planner.runtime.services import broker_answers, broker_command, broker_url, find_server
from planner.runtime.supervisor import Watchdog
from simulations.pipeline.spark.server import PROJECT, ServerPlan, is_listening, server_command, server_environment
from tests.faults.observed import Observed
from tests.waiting import PATIENCE, wait_until


@dataclass
class Installation(Observed):
    """Processes that share one folder. Whatever was started is killed at the end."""

    folder: Path
    spark: ServerPlan
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    watchdog: Watchdog = field(default_factory=Watchdog)
    """Ends the processes when the tests are ended and cannot."""

    @property
    def socket(self) -> Path:
        """The broker's."""
        return self.folder / "broker.sock"

    @property
    def variables(self) -> dict[str, str]:
        """The environment of every process."""
        return {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "planner.settings.django",
            "STATE_DIR": str(self.folder),
            "BROKER_URL": broker_url(self.socket),
            "SPARK_REMOTE": self.spark.remote,
            "SPARK_TOKEN": self.spark.token,
            "SPARK_CORES": str(self.spark.cores),
            "WORKER_CONCURRENCY": "1",
        }

    def migrate(self) -> None:
        """Make the database."""
        command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
        subprocess.run(command, env=self.variables, cwd=PROJECT, check=True)

    def start_broker(self) -> None:
        """Start the broker on what it kept, and wait until it answers."""
        (self.folder / "broker").mkdir(exist_ok=True)
        self._start("broker", broker_command(find_server(), socket_path=self.socket, folder=self.folder / "broker"))
        wait_until(lambda: broker_answers(self.socket), "the broker answers")

    def start_spark(self) -> None:
        """Start Spark, and wait until it listens."""
        self.spark.folder.mkdir(exist_ok=True)
        self._start("spark", server_command(self.spark), server_environment(self.spark))
        wait_until(lambda: is_listening(self.spark.port), "Spark listens")

    def start_worker(self) -> None:
        """Start a worker; it connects by itself."""
        options = ["--pool", "prefork", "--without-gossip", "--without-mingle"]
        self._start("worker", [sys.executable, "-m", "celery", "-A", "planner", "worker", *options], self.variables)

    def kill(self, name: str) -> None:
        """End a process and its children with SIGKILL: none of them can tidy up."""
        process = self.processes.pop(name)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        self.watchdog.remove(process.pid)

    def kill_python_workers(self) -> int:
        """End the processes of Spark that compute right now with SIGKILL; return how many there were.

        They are the forks of the daemon in the server's own session of processes, so no other server's are met.
        """
        ours = [number for number in _processes() if _session(number) == self.processes["spark"].pid]
        daemons = [number for number in ours if b"pyspark.worker" in _command(number)]
        forks = [number for number in daemons if _parent(number) in daemons]
        for number in forks:
            os.kill(number, signal.SIGKILL)
        return len(forks)

    def kill_all(self) -> None:
        """End everything."""
        self.leave()
        for name in list(self.processes):
            self.kill(name)
        self.watchdog.close()

    def rows(self, query: str, *values: str) -> list[dict[str, Any]]:
        """The answer of the database to a query."""
        database = sqlite3.connect(self.folder / "sluice.sqlite3", timeout=PATIENCE)
        try:
            database.row_factory = sqlite3.Row
            return [dict(row) for row in database.execute(query, values)]
        finally:
            database.close()

    def _start(self, name: str, command: Sequence[str], environment: dict[str, str] | None = None) -> None:
        with (self.folder / f"{name}.log").open("ab") as log:
            self.processes[name] = subprocess.Popen(
                command, env=environment, cwd=PROJECT, stdout=log, stderr=log, start_new_session=True
            )
        self.watchdog.add(self.processes[name].pid)


def _processes() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]


def _command(number: int) -> bytes:
    return _of_process(number, "cmdline")


def _parent(number: int) -> int:
    return _status(number, 1)


def _session(number: int) -> int:
    return _status(number, 3)


def _status(number: int, field_after_name: int) -> int:
    """A field of /proc/<number>/stat after the name in brackets; -1 for a process that has just ended."""
    parts = _of_process(number, "stat").rpartition(b")")[2].split()
    return int(parts[field_after_name]) if parts else -1


def _of_process(number: int, name: str) -> bytes:
    try:
        return Path(f"/proc/{number}/{name}").read_bytes()
    except OSError:
        return b""
