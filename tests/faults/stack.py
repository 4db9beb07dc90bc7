"""An installation as a whole, to be disturbed: which processes it has, and whether it stands."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from dotenv import dotenv_values

from planner.runtime.supervisor import Watchdog
from planner.settings.environment import BASE_DIR, services_file
from tests.faults.apart import Lines
from tests.faults.drawing import PROFILES, Profile
from tests.services import launched

SIGNS = {
    "watchdog": "runtime/watchdog.py",
    "broker": "unixsocket",
    "web": "uvicorn",
    "worker": "celery",
    "Spark": "SparkConnectServer",
    "Spark master": "deploy.master.Master",
    "Spark worker": "deploy.worker.Worker",
    "postgres": "listen_addresses",
}
"""What the command line of each child of the supervisor contains."""
BELOW = {
    "web process": ("web", "spawn_main"),
    "worker process": ("worker", "celery"),
    "Python of Spark": ("Spark", "pipeline.spark.daemon"),
    "executor": ("Spark worker", "CoarseGrainedExecutorBackend"),
}
"""Of which child they are the children, and what their command line contains."""
LOOK = 0.2
VARIABLES = {"WEB_PROCESSES": "2", "SPARK_CORES": "2"}


@dataclass
class Stack:
    """An installation with its state in ``folder``; whoever ends it ends the campaign's processes, and no others."""

    folder: Path
    output: Path
    """What it prints; with the number of the start behind it."""
    port: int
    profile: Profile = PROFILES["up"]
    variables: dict[str, str] = field(default_factory=dict)
    """More of its environment."""
    lines: Lines = field(default_factory=dict)
    """The sockets before parts that it does not start."""
    starts: int = 0
    process: "subprocess.Popen[bytes]" = field(init=False)
    watchdog: Watchdog = field(init=False)

    @property
    def address(self) -> str:
        """Where it answers."""
        return f"http://localhost:{self.port}"

    @property
    def own(self) -> dict[str, str]:
        """The variables that make it this installation."""
        return {**VARIABLES, **self.variables, "STATE_DIR": str(self.folder)}

    def start(self) -> None:
        """Start it, as a service manager does, and come back at once."""
        if self.starts:
            self.watchdog.close()
        self.starts += 1
        self.process, self.watchdog = launched(self.profile.command, self.port, output=self._output, **self.own)

    def said(self) -> str:
        """What it printed since its last start."""
        return self._output.read_text()

    def revive(self) -> None:
        """Start it again where it has ended."""
        if self.process.poll() is not None:
            self.start()

    def stop(self) -> None:
        """End it as Ctrl-C does, and by force where that does not help."""
        with suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(60)
        finally:
            self.watchdog.close()

    def family(self) -> set[psutil.Process]:
        """All of its processes that the supervisor has for descendants, and the supervisor."""
        try:
            supervisor = psutil.Process(self.process.pid)
            return {supervisor, *supervisor.children(recursive=True)}
        except psutil.NoSuchProcess:
            return set()

    def strays(self, earlier: set[psutil.Process]) -> list[psutil.Process]:
        """Processes of an earlier moment, or with this folder in their environment, that belong to nobody any more.

        What lost its parent and is still in the session of a child of the supervisor belongs to that: the workers of a
        daemon of Spark's, for example, which Spark goes on to use.
        """
        family = self.family()
        sessions = {process.pid for process in family}
        marked = {process for process in psutil.process_iter() if self._is_ours(process)}
        return [
            process for process in (earlier | marked) - family if _lives(process) and _session(process) not in sessions
        ]

    def processes(self, part: str) -> list[psutil.Process]:
        """The processes of a part, the oldest first."""
        if part == "supervisor":
            return [process for process in self.family() if process.pid == self.process.pid]
        leader, sign = BELOW.get(part, ("", SIGNS.get(part, "")))
        above = {self.process.pid} if part in SIGNS else {process.pid for process in self.processes(leader)}
        found = [process for process in self.family() if above & _ancestors(process, direct=part in SIGNS)]
        return sorted((process for process in found if sign in _line(process)), key=lambda process: process.pid)

    def is_whole(self, parts_ok: Callable[[], bool]) -> bool:
        """Whether all parts run, answer and are ready to work; ``parts_ok``: whether the health page says so."""
        leaders = (*self.profile.supervised, "watchdog")
        if not all(any(_runs(process) for process in self.processes(part)) for part in leaders):
            return False
        return parts_ok() and self._worker_is_ready()

    def refuses_another(self) -> bool:
        """Whether a second start in the same folder ends by itself and says that one runs already."""
        words = [sys.executable, "-m", "planner.runtime", self.profile.command, "--port", str(self.port + 1)]
        environment = {**os.environ, **self.own}
        second = subprocess.run(
            words, cwd=BASE_DIR, env=environment, capture_output=True, text=True, timeout=60, check=False
        )
        return second.returncode == 1 and f"already runs from {self.folder}" in second.stdout

    def python(self, code: str) -> str:
        """Run Python in the installation's environment; return what it printed."""
        known = {name: value or "" for name, value in dotenv_values(services_file(self.folder)).items()}
        settings = {"DJANGO_SETTINGS_MODULE": "planner.settings.django"}
        environment = {**os.environ, **known, **self.own, **settings}
        words = [sys.executable, "-c", code]
        return subprocess.run(words, cwd=BASE_DIR, env=environment, capture_output=True, text=True, check=True).stdout

    @property
    def clock(self) -> Path:
        """Where all its processes read how far their clock is from that of the machine."""
        return self.folder.with_name("clock")

    @property
    def _output(self) -> Path:
        return self.output.with_suffix(f".{self.starts}")

    def _worker_is_ready(self) -> bool:
        file = self.folder / "run" / "worker.ready"
        with suppress(OSError, psutil.Error):
            return any(file.stat().st_mtime > worker.create_time() for worker in self.processes("worker"))
        return False

    def _is_ours(self, process: psutil.Process) -> bool:
        try:
            return process.environ().get("STATE_DIR") == str(self.folder)
        except (psutil.Error, OSError):
            return False


def gone(process: psutil.Process, *, within: float) -> bool:
    """Whether the process ended within so many seconds."""
    limit = time.monotonic() + within
    while _lives(process) and time.monotonic() < limit:
        time.sleep(LOOK / 4)
    return not _lives(process)


def _lives(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _runs(process: psutil.Process) -> bool:
    return _lives(process) and process.status() != psutil.STATUS_STOPPED


def _line(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


def _ancestors(process: psutil.Process, *, direct: bool) -> set[int]:
    with suppress(psutil.Error):
        return {process.ppid()} if direct else {parent.pid for parent in process.parents()}
    return set()


def _session(process: psutil.Process) -> int:
    with suppress(ProcessLookupError):
        return os.getsid(process.pid)
    return 0
