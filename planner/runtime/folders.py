"""The state folder and the short private folder for sockets."""

import fcntl
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from planner.runtime.processes import StartProblem

LONGEST = 50
"""A socket's path may have about 100 characters, of which Spark's own file names take 42."""
BYTES_NEEDED = 200_000_000
PARTS = ("run", "log", "broker", "postgres", "store")
"""Folders of the state folder that services write to; each may be a disk of its own."""


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

    Raises StartProblem when that name in the temporary folder belongs to another user.
    """
    inside = state / "run"
    if len(str(inside)) <= LONGEST:
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
