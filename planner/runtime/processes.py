"""A child of the supervisor: a process group with a log; and the private folders in which it writes."""

import fcntl
import hashlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

LOG_LIMIT = 5_000_000
LEFTOVER_PATIENCE = 8.0
LONGEST_PATH = 50
"""A socket's path may have about 100 characters, of which Spark's own file names take 42."""
BYTES_NEEDED = 200_000_000
PARTS = ("run", "log", "broker", "postgres", "store")
"""Folders of the state folder that services write to; each may be a disk of its own."""


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
            os.killpg(self.process.pid, signal.SIGKILL)

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


def prepare_state(state: Path) -> None:
    """Make the state folder private to this user. Raises StartProblem when it cannot be used."""
    folder = state
    try:
        state.mkdir(mode=0o700, parents=True, exist_ok=True)
        state.chmod(0o700)
        for name in ("run", "log"):
            (state / name).mkdir(mode=0o700, exist_ok=True)
        for folder in (state, *filter(Path.exists, (state / name for name in PARTS))):
            tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise StartProblem(
            f"Sluice cannot write to its data folder {folder} ({error.strerror}): make it writable for this user, "
            "or set STATE_DIR to a folder of your own."
        ) from error
    free = shutil.disk_usage(state).free
    if free < BYTES_NEEDED:
        raise StartProblem(
            f"The disk of {state} is full: {free / 1e6:.0f} MB are free, {BYTES_NEEDED / 1e6:.0f} needed."
        )


def socket_folder(state: Path) -> Path:
    """A private folder whose path is short enough for sockets: inside the state folder, else in the temporary one.
    Raises StartProblem when that name in the temporary folder belongs to another user."""
    inside = state / "run"
    if len(str(inside)) <= LONGEST_PATH:
        return inside
    name = hashlib.sha256(str(state).encode()).hexdigest()[:8]
    folder = Path(tempfile.gettempdir()) / f"sluice-{os.getuid()}-{name}"
    folder.mkdir(mode=0o700, exist_ok=True)
    about = folder.lstat()
    if about.st_uid != os.getuid() or about.st_mode & 0o077 or folder.is_symlink():
        raise StartProblem(f"{folder} is not private to this user: remove it, or set STATE_DIR to a shorter path.")
    return folder


@contextmanager
def only_one(state: Path) -> Iterator[None]:
    """Hold the state folder for this process. Raises StartProblem when another supervisor runs from it."""
    with (state / "run" / "lock").open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            pid = lock.read().strip()
            raise StartProblem(
                f"Sluice already runs from {state} (process {pid}): end it with `kill {pid}`, or set STATE_DIR and "
                "PORT to a folder and a port that it does not use."
            ) from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield
