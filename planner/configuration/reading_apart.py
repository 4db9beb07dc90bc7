"""Large files are read in a process of their own, for a limited time: meanwhile this one answers everybody else.

The process comes from a fork server, which has imported the readers once; a fork of a web server with its threads
would not be safe. It reads and sends back plain values; nothing is stored there.
"""

import multiprocessing
import os
import resource
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.forkserver import ensure_running
from typing import Any

from planner.configuration.importing import ScenarioReading, configuration_read
from planner.configuration.uploads import FileSet, files_named
from planner.errors import Unavailable
from simulations.declarations.problems import InvalidInput, problem
from simulations.platforms.files.archives import is_archive
from simulations.platforms.files.syntax.tree import element_count
from simulations.scenario.spec import parse

SMALL_BYTES, SMALL_COUNT = 500_000, 3_000
"""Bytes and elements or lines up to which reading takes a fraction of a second, so that no process is needed."""
SECONDS = 9.0
"""Longest time of a reading, with the start of its process."""
LEAST_SECONDS = 2.0
"""What is left for reading where the fork server had to start first."""
PATIENCE = 4.0
"""Longest time that a reading waits for others to end."""
AT_ONCE = 2
"""Readings at the same time in one process of the web server."""
MAX_MEMORY = 2_000_000_000
"""Bytes that a reading may take."""
TOO_MUCH = [
    problem(
        ("files",),
        f"reading takes longer than {SECONDS:g} s or too much memory; send only files that configure messaging",
    )
]
DEFECT = 1
"""How Python ends after an exception that nobody handles."""
Upload = tuple[str, bytes]
_PLACES = threading.BoundedSemaphore(AT_ONCE)
_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["planner.configuration.importing"])


def readers_start() -> None:
    """Start the fork server: it imports the readers while nobody waits for them, and not at the first large file."""
    ensure_running()


@dataclass(frozen=True)
class Sent:
    """The files that were read, and what they say."""

    files: FileSet
    reading: ScenarioReading


def uploads_read(uploads: Sequence[Upload], *, platform: str = "", name: str = "", target: str = "") -> Sent:
    """Return the files by name and the scenario in them; ``target`` is the cluster or server that is meant. Raises
    InvalidInput for what cannot be read, or not in a few seconds, and Unavailable when others are being read."""
    if _is_small(uploads):
        return _read(uploads, platform, name, target)
    if not _PLACES.acquire(timeout=PATIENCE):
        raise Unavailable("other large files are being read at the moment; send yours again in some seconds")
    try:
        files, stated, account = _apart(uploads, platform, name, target)
    finally:
        _PLACES.release()
    return Sent(files, ScenarioReading(parse(stated), account, stated))


def _is_small(uploads: Sequence[Upload]) -> bool:
    contents = [content for _, content in uploads]
    return (
        sum(map(len, contents)) <= SMALL_BYTES
        and not any(map(is_archive, contents))
        and sum(map(element_count, contents)) <= SMALL_COUNT
    )


def _read(uploads: Sequence[Upload], platform: str, name: str, target: str) -> Sent:
    files = files_named(uploads, platform, target)
    return Sent(files, configuration_read(files, platform=platform, name=name))


def _apart(*asked: Any) -> Any:
    """What another process reads; it is killed when it takes too long."""
    end = time.monotonic() + SECONDS
    here, there = _CONTEXT.Pipe(duplex=False)
    process = _CONTEXT.Process(target=_answer, args=(there, *asked), daemon=True)
    process.start()
    there.close()
    try:
        left = max(end - time.monotonic(), min(LEAST_SECONDS, SECONDS))
        answered = here.recv() if here.poll(left) else TOO_MUCH
    except EOFError:
        process.join()
        if process.exitcode == DEFECT:
            raise RuntimeError("the process that reads files failed; its trace is in the log") from None
        answered = TOO_MUCH
    finally:
        process.kill()
        process.join()
        here.close()
    if isinstance(answered, list):
        raise InvalidInput(answered)
    return answered


def _answer(there: Connection, *asked: Any) -> None:
    """Run in the other process, behind everything else: send the problems, or what can be restored."""
    os.nice(5)
    resource.setrlimit(resource.RLIMIT_DATA, (MAX_MEMORY, MAX_MEMORY))
    try:
        sent = _read(*asked)
    except InvalidInput as error:
        there.send(list(error.problems))
    except MemoryError:
        there.send(TOO_MUCH)
    else:
        there.send((sent.files, sent.reading.stated, sent.reading.account))
