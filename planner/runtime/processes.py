"""A service, and a child of the supervisor that runs it: a process group with a log."""

import os
import pwd
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

LOG_LIMIT = 5_000_000
LEFTOVER_PATIENCE = 8.0


class StartProblem(RuntimeError):
    """What stops a start and the person at the keyboard can mend; the message says what and how."""


@dataclass(frozen=True)
class Service:
    """What to run, how to see that it is ready, and how to stop it."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    ready: Callable[[], bool]
    prepare: Callable[[], None] = lambda: None
    """Called before every start, for example to remove what a killed predecessor left."""
    start_limit: float = 300.0
    """Seconds after which a start counts as failed. With ten processes to a core the pages take two minutes."""
    stops: tuple[tuple[signal.Signals, float], ...] = ((signal.SIGTERM, 10.0),)
    """Signals to stop it, each with the seconds to wait before the next; the last resort is always SIGKILL."""
    user: str | None = None
    """Operating-system user to run it as; None: the supervisor's own. Only root may name another."""


class Child:
    """A running service. Its whole process group is stopped with it, so nothing it started is left behind."""

    def __init__(self, service: Service, log: Path, *, folder: Path) -> None:
        """Start the service in `folder`, appending its output to `log`."""
        service.prepare()
        keep_small(log)
        self.service = service
        self.started = time.monotonic()
        with log.open("ab") as output:
            self.log_from = output.tell()
            self.process = subprocess.Popen(
                service.command,
                env=service.environment,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                # A session of its own: Ctrl-C reaches the supervisor alone, which stops the children in order.
                start_new_session=True,
                **as_user(service.user),
            )

    @property
    def group(self) -> int:
        """Its process group."""
        return self.process.pid

    def exit_code(self) -> int | None:
        """None while it runs; after its end what is left of its group is killed."""
        code = self.process.poll()
        if code is not None:
            self.end()
        return code

    def standing_still(self) -> list[psutil.Process]:
        """Its processes that a signal has stopped. Others may answer in their place, as web processes do."""
        with suppress(psutil.NoSuchProcess):
            leader = psutil.Process(self.process.pid)
            family = (leader, *leader.children(recursive=True))
            return [process for process in family if process.status() == psutil.STATUS_STOPPED]
        return []

    def end(self) -> None:
        """Kill its group."""
        with suppress(ProcessLookupError):
            os.killpg(self.group, signal.SIGKILL)

    def stop(self, *, hurried: Callable[[], bool]) -> None:
        """Stop it in the service's own way, and at once when `hurried()` turns true."""
        for number, patience in self.service.stops:
            # To the leader alone: Celery's pool would die of the signal that tells its parent to let it finish.
            self.process.send_signal(number)
            if self._ended_within(patience, hurried):
                break
        self.end()
        self.process.wait()

    def _ended_within(self, seconds: float, hurried: Callable[[], bool]) -> bool:
        limit = time.monotonic() + seconds
        while self.process.poll() is None:
            if time.monotonic() > limit or hurried():
                return False
            time.sleep(0.05)
        return True


def as_user(user: str | None) -> dict[str, Any]:
    """The arguments of `subprocess` for running a command as that user with no groups of ours; None changes nothing."""
    return {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []} if user else {}


def end_leftovers(logs: Path) -> list[str]:
    """End the processes of an earlier life that log to this folder; return their names. Hold the folder's lock."""
    left = [process for process in psutil.process_iter() if _logs_to(process, logs)]
    names = [f"process {process.pid} ({process.name()})" for process in left]
    for process in left:
        with suppress(psutil.NoSuchProcess):
            process.terminate()
            process.resume()
    for process in psutil.wait_procs(left, LEFTOVER_PATIENCE)[1]:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    return names


def _logs_to(process: psutil.Process, logs: Path) -> bool:
    """Whether the process has a log there open to append to it, as whoever only reads it has not."""
    try:
        files = process.open_files()
    except (psutil.Error, OSError):
        return False
    return any(Path(file.path).parent == logs and file.mode.startswith("a") for file in files)


def port_holder(port: int) -> str:
    """Name the process that listens on this TCP port, with the command that ends it; empty where that is unknown."""
    try:
        listening = [item for item in psutil.net_connections("tcp") if item.status == psutil.CONN_LISTEN]
    except psutil.Error:
        return ""
    pids = {item.pid for item in listening if item.laddr[1:2] == (port,) and item.pid}
    return "".join(f" by process {pid} ({psutil.Process(pid).name()}; `kill {pid}` ends it)" for pid in pids)


def keep_small(log: Path) -> None:
    """Move what a large log holds to its `.log.1`. Its writer appends and goes on; a line may be lost."""
    if log.exists() and log.stat().st_size > LOG_LIMIT:
        shutil.copyfile(log, log.with_suffix(".log.1"))
        os.truncate(log, 0)
