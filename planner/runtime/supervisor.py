"""Start the services, keep them running, and stop every one of them in order."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Self, cast

import psutil

from planner.runtime.processes import Child, Service, StartProblem, keep_small

TICK = 0.1
FIRST_PAUSE = 0.5
LONGEST_PAUSE = 30.0
SETTLED = 60.0
"""Seconds after which a service counts as stable again, and its next failure as its first."""
MOST_STARTS = 3
"""Failures in a row after which a start counts as failed."""
LOOK, HUNG = 5.0, 30.0
"""Seconds between two looks at a service that is ready, and without an answer until it is ended."""
STILL = 3
"""Looks in a row that find a process stopped by a signal, after which it is ended."""
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass
class Watched:
    """A service with its current child and the history of its failures."""

    service: Service
    child: Child | None = None
    failures: int = 0
    due: float = 0.0
    ready: bool = False
    look_at: float = 0.0
    answered: float = 0.0
    still: dict[psutil.Process, int] = field(default_factory=dict)
    """Its processes that stand still, with the number of looks that have found them so."""
    log_from: int = 0
    """Where in the log the lines of the last start begin."""


class Supervisor:
    """Runs services in stages: a stage starts when the one before is ready, and stops after the one behind it.

    Use it as a context manager: leaving it, for whatever reason, stops every child. When the supervisor is killed and
    cannot do that, its watchdog does.
    """

    def __init__(
        self, stages: Sequence[Sequence[Service]], *, folder: Path, logs: Path, say: Callable[[str], None]
    ) -> None:
        self.stages = [[Watched(service) for service in stage] for stage in stages]
        self.folder = folder
        self.logs = logs
        self.say = say
        self._signals = 0
        self._jobs: list[subprocess.Popen[bytes]] = []
        self._watchdog = Watchdog()

    def __enter__(self) -> Self:
        for number in STOP_SIGNALS:
            signal.signal(number, self._on_signal)
        return self

    def __exit__(self, *reason: object) -> None:
        for watched in reversed([watched for stage in self.stages for watched in stage]):
            if watched.child is not None:
                watched.child.stop(hurried=lambda: self._signals > 1)
                self._watchdog.remove(watched.child.process.pid)
                watched.child = None
        self._watchdog.close()

    @property
    def stopping(self) -> bool:
        """Whether a stop was requested: Ctrl-C, SIGTERM or a closed terminal."""
        return self._signals > 0

    def launch(self, *numbers: int) -> None:
        """Start the services of stages and come back before they are ready. Raises StartProblem."""
        for watched in [watched for number in numbers for watched in self.stages[number]]:
            self._spawn(watched)

    def await_ready(self, *numbers: int) -> None:
        """Wait until the services of stages are ready, and watch all others meanwhile. Raises StartProblem with the end
        of the log when one ends ``MOST_STARTS`` times instead or is too slow."""
        waiting = [watched for number in numbers for watched in self.stages[number]]
        since = time.monotonic()
        while waiting and not self.stopping:
            self.tick()
            for watched in waiting:
                self._check_start(watched, since)
            waiting = [watched for watched in waiting if not watched.ready]

    def run(self, command: Sequence[str], environment: Mapping[str, str]) -> int:
        """Run a command to its end while the services are watched; 130 when a stop was requested meanwhile."""
        with self.beside(command, environment) as job:
            while job.poll() is None and not self.stopping:
                self.tick()
        return 130 if self.stopping else job.returncode

    @contextmanager
    def beside(self, command: Sequence[str], environment: Mapping[str, str]) -> Iterator["subprocess.Popen[bytes]"]:
        """Start a command, and end it with the block where it still runs."""
        with subprocess.Popen(command, env=environment, cwd=self.folder, start_new_session=True) as job:
            self._watchdog.add(job.pid)
            self._jobs.append(job)
            try:
                yield job
            finally:
                job.terminate()
                job.wait()
                self._forget_ended()

    def serve(self) -> None:
        """Watch the services until a stop is requested."""
        while not self.stopping:
            self.tick()

    def tick(self) -> None:
        """Look at every service once: note ends, start again what is due, say what became ready."""
        for watched in [item for stage in self.stages for item in stage if item.child or item.failures]:
            if watched.child is None:
                if time.monotonic() >= watched.due:
                    self._spawn(watched)
            elif watched.child.exit_code() is not None:
                self._note_end(watched, watched.child)
            elif time.monotonic() >= watched.look_at:
                self._look(watched, watched.child)
        self._forget_ended()
        self._watchdog.look()
        time.sleep(TICK)

    def _forget_ended(self) -> None:
        for job in [job for job in self._jobs if job.poll() is not None]:
            self._watchdog.remove(job.pid)
            self._jobs.remove(job)

    def _look(self, watched: Watched, child: Child) -> None:
        """Ask the service whether it answers; end one that has not for long, so that it is started again."""
        keep_small(self._log(watched))
        if watched.ready:
            self._end_still(watched, child)
        now = time.monotonic()
        answers = watched.service.ready()
        if answers and not watched.ready:
            watched.ready = True
            how = "back" if watched.failures else f"ready ({time.monotonic() - child.started:.1f} s)"
            self.say(f"{watched.service.name} is {how}")
        if answers or not watched.ready:
            watched.answered = now
        elif now - watched.answered > HUNG:
            self.say(f"{watched.service.name} has not answered for {HUNG:.0f} s, ending it")
            child.end()
        watched.look_at = now + (LOOK if watched.ready else 0.0)

    def _end_still(self, watched: Watched, child: Child) -> None:
        """End the processes that stand still; whoever started them starts others."""
        watched.still = {process: watched.still.get(process, 0) + 1 for process in child.standing_still()}
        for process in [process for process, looks in watched.still.items() if looks >= STILL]:
            self.say(f"{watched.service.name}: process {process.pid} stands still, ending it")
            with suppress(psutil.NoSuchProcess):
                process.kill()

    def _spawn(self, watched: Watched) -> None:
        watched.ready, watched.look_at = False, 0.0
        watched.child = Child(watched.service, self._log(watched), folder=self.folder)
        watched.log_from = watched.child.log_from
        self._watchdog.add(watched.child.process.pid)

    def _note_end(self, watched: Watched, child: Child) -> None:
        self._watchdog.remove(child.process.pid)
        watched.failures = 1 if time.monotonic() - child.started > SETTLED else watched.failures + 1
        pause = min(FIRST_PAUSE * 2 ** (watched.failures - 1), LONGEST_PAUSE)
        watched.child, watched.due = None, time.monotonic() + pause
        code = child.exit_code()
        end = f"signal {signal.Signals(-code).name}" if code is not None and code < 0 else f"exit code {code}"
        self.say(f"{watched.service.name} ended ({end}), starting it again in {pause:.1f} s")

    def _check_start(self, watched: Watched, since: float) -> None:
        child = watched.child
        too_slow = child is not None and time.monotonic() - max(child.started, since) > watched.service.start_limit
        if not watched.ready and (watched.failures >= MOST_STARTS or too_slow):
            lines = self._log(watched).read_bytes()[watched.log_from :].decode(errors="replace").splitlines()
            raise StartProblem(f"{watched.service.name} did not start:\n" + "\n".join(lines[-12:]))

    def _log(self, watched: Watched) -> Path:
        return self.logs / f"{watched.service.name}.log"

    def _on_signal(self, number: int, frame: object) -> None:
        self._signals += 1
        if self._signals == 1:
            self.say("Stopping" if number == signal.SIGINT else f"Stopping ({signal.Signals(number).name})")


class Watchdog:
    """The supervisor's end of the pipe to its watchdog (planner/runtime/watchdog.py)."""

    def __init__(self) -> None:
        self._groups: set[int] = set()
        self._start()

    def add(self, group: int) -> None:
        """End this process group when the supervisor is gone."""
        self._groups.add(group)
        self._tell(f"+{group}\n")

    def remove(self, group: int) -> None:
        """Forget this process group: it has ended."""
        self._groups.discard(group)
        self._tell(f"-{group}\n")

    def close(self) -> None:
        """End the watchdog, which ends whatever is still on its list."""
        with suppress(BrokenPipeError):
            self._pipe.close()
        self._process.wait()

    def _start(self) -> None:
        command = [sys.executable, "-I", str(Path(__file__).with_name("watchdog.py"))]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, text=True, start_new_session=True)
        self._pipe = cast("IO[str]", self._process.stdin)

    def look(self) -> None:
        """Start another one where it has ended."""
        if self._process.poll() is not None:
            self.close()
            self._start()
            self._tell("".join(f"+{group}\n" for group in self._groups))

    def _tell(self, line: str) -> None:
        try:
            self._pipe.write(line)
            self._pipe.flush()
        except BrokenPipeError:
            self._process.wait()
            self.look()
