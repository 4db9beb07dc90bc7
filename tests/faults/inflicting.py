"""Doing to an installation what was drawn."""

import errno
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
from redis import Redis

from planner.runtime.processes import socket_folder
from tests.faults.drawing import AHEAD, BACK, BOTH, CUT, FLUSH, FULL, SECOND, SILENT, STARTING, STAYS_STOPPED, Fault
from tests.faults.stack import LOOK, Stack, gone

if TYPE_CHECKING:
    from collections.abc import Callable

DISK_MB = 800
APPEARS, ENDS = 30.0, 20.0
"""Seconds in which a part that comes and goes is there, and in which it obeys a signal that it may also ignore."""


def inflict(stack: Stack, fault: Fault) -> tuple[float, str]:
    """Do it, and undo it where it only lasts; return when that was, and what went wrong already."""
    special: dict[str, Callable[[Stack, Fault], tuple[float, str]]] = {
        STAYS_STOPPED: _stopped,
        "SIGSTOP": _stopped,
        STARTING: _killed_while_starting,
        BOTH: _both_killed,
        FLUSH: _flushed,
        SECOND: _started_twice,
        FULL: _disk_full,
        SILENT: _network_lost,
        CUT: _network_lost,
        AHEAD: _clock_set,
        BACK: _clock_set,
    }
    return special.get(fault.kind.action, _signalled)(stack, fault)


def small_disk(folder: Path) -> bool:
    """Put a small disk under the folder, where this process has mounts of its own (`unshare --mount`) and may do so."""
    try:
        own, above = (Path(f"/proc/{number}/ns/mnt").readlink() for number in (os.getpid(), os.getppid()))
    except OSError:  # another kind of machine, or a parent that may not be asked: the first process of the machine
        return False
    if own == above:
        return False
    words = ["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m,mode=0711", "tmpfs", str(folder)]
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


def _victim(stack: Stack, fault: Fault) -> psutil.Process | None:
    """One of the part's processes; None where it has none for a long time."""
    limit = time.monotonic() + APPEARS
    while time.monotonic() < limit:
        found = stack.processes(fault.kind.part)
        if found:
            return found[int(fault.pick * len(found))]
        time.sleep(LOOK)
    return None


def _signalled(stack: Stack, fault: Fault) -> tuple[float, str]:
    victim = _victim(stack, fault)
    if victim is None:
        return time.monotonic(), "no such process"
    at = time.monotonic()
    with suppress(psutil.NoSuchProcess):
        victim.send_signal(signal.Signals[fault.kind.action])
    return (at if gone(victim, within=ENDS) else time.monotonic()), ""


def _stopped(stack: Stack, fault: Fault) -> tuple[float, str]:
    """For a while, or for good where the kind says so."""
    victim = _victim(stack, fault)
    if victim is None:
        return time.monotonic(), "no such process"
    with suppress(psutil.NoSuchProcess):
        victim.suspend()
    if fault.kind.action != STAYS_STOPPED:
        time.sleep(fault.hold)
        with suppress(psutil.NoSuchProcess):
            victim.resume()
    return time.monotonic(), ""


def _killed_while_starting(stack: Stack, fault: Fault) -> tuple[float, str]:
    stack.process.terminate()
    stack.process.wait()
    stack.start()
    time.sleep(fault.hold)
    everything = sorted(stack.family(), key=lambda process: process.pid)
    if not everything:
        return time.monotonic(), "the start had ended"
    everything[int(fault.pick * len(everything))].kill()
    return time.monotonic(), ""


def _both_killed(stack: Stack, fault: Fault) -> tuple[float, str]:
    at = time.monotonic()
    for process in (*stack.processes("watchdog"), *stack.processes("supervisor")):
        process.kill()
    stack.process.wait()
    return at, ""


def _flushed(stack: Stack, fault: Fault) -> tuple[float, str]:
    socket = socket_folder(stack.folder) / "broker.sock"
    with Redis(unix_socket_path=str(socket)) as broker:
        broker.flushall()
    return time.monotonic(), ""


def _started_twice(stack: Stack, fault: Fault) -> tuple[float, str]:
    at = time.monotonic()
    return at, "" if stack.refuses_another() else "the second start was not refused"


def _network_lost(stack: Stack, fault: Fault) -> tuple[float, str]:
    line = stack.lines[fault.kind.part]
    (line.cut if fault.kind.action == CUT else line.silence)()
    time.sleep(fault.hold)
    line.mend()
    return time.monotonic(), ""


def _clock_set(stack: Stack, fault: Fault) -> tuple[float, str]:
    with stack.clock.open("r+b", buffering=0) as clock:  # in place: every process has it in its memory
        clock.write((3600 if fault.kind.action == AHEAD else -3600).to_bytes(8, sys.byteorder, signed=True))
        time.sleep(fault.hold)
        clock.seek(0)
        clock.write(bytes(8))
    return time.monotonic(), ""


def _disk_full(stack: Stack, fault: Fault) -> tuple[float, str]:
    ballast = stack.folder.with_name("ballast")
    with ballast.open("wb", buffering=0) as file:
        end = time.monotonic() + fault.hold
        while time.monotonic() < end:
            _fill(file.fileno())
            time.sleep(LOOK)
    ballast.unlink()
    return time.monotonic(), ""


def _fill(file: int) -> None:
    """Write until nothing more fits, in pieces that get smaller."""
    for size in (1_000_000, 4096):
        try:
            while True:
                os.write(file, bytes(size))
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
