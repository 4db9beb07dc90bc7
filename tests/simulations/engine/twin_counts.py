"""What the twin counts besides its trace: events by stream, messages by place and threads by state over time."""

from collections import Counter
from typing import TYPE_CHECKING

from simulations.engine.network.results import Count, PoolSum, Sum
from simulations.engine.records.codes import Step

if TYPE_CHECKING:
    from tests.simulations.engine.twin import Twin
    from tests.simulations.engine.twin_state import Message, Thread

BY_STEP = {
    Step.ARRIVE: Count.ARRIVED,
    Step.COMPLETE: Count.COMPLETED,
    Step.FAIL: Count.FAILED,
    Step.EXPIRE: Count.QUEUE_TIMEOUTS,
    Step.DEAD: Count.DEAD_LETTERS,
}
"""Counts that are the number of rows of the trace."""


class Counts:
    """Of one replication: ``events`` by (stream, column), ``places`` and ``states`` in seconds by (index, column)."""

    def __init__(self, twin: "Twin") -> None:
        self.twin = twin
        self.events: Counter[tuple[int, Count]] = Counter()
        self.places: Counter[tuple[int, Sum]] = Counter()
        self.states: Counter[tuple[int, PoolSum]] = Counter()
        self.latency: Counter[int] = Counter()

    def add(self, q: int, column: Count, number: int = 1) -> None:
        self.events[q, column] += number

    def note(self, step: Step, message: "Message") -> None:
        """Count a row of the trace."""
        if step in BY_STEP:
            self.add(message.stream, BY_STEP[step])
        if step == Step.COMPLETE:
            self.latency[message.stream] += self.twin.now - message.arrived  # type: ignore[assignment]
            if self.twin.urgent(message):
                self.add(message.stream, Count.URGENT)
                self.places[message.stream, Sum.URGENT] += self.twin.now - message.arrived  # type: ignore[assignment]

    def end(self, message: "Message", batch: float) -> None:
        """Add what a completed message lost to other threads on the CPUs and to the rest of its ``batch`` (s)."""
        self.places[message.stream, Sum.WAIT_CPU] += max(message.crowding, 0.0)  # type: ignore[assignment]
        self.places[message.stream, Sum.WAIT_BATCH] += max(batch, 0.0)  # type: ignore[assignment]

    def pass_time(self, time: float) -> None:
        """Let the time pass in which everything stays as it is."""
        passed = time - self.twin.now
        for q, inside in enumerate(self.twin.inside):
            running = sum(
                self._held(thread) for threads in self.twin.members for thread in threads if self._of(thread, q)
            )
            prepared = sum(len(port.prepared) + sum(map(len, port.sessions)) for port in self.twin.ports[q])
            for column, here in (
                (Sum.RUNNING, running),
                (Sum.PREPARED, prepared),
                (Sum.BACKLOG, inside - running - prepared),
            ):
                self.places[q, column] += here * passed  # type: ignore[assignment]
        for m, threads in enumerate(self.twin.members):
            crew, p = self.twin.threads.crews[m], self.twin.pool_of[m]
            busy = sum(bool(self._held(thread)) and not thread.resuming for thread in threads)
            self.states[p, PoolSum.BUSY] += busy * passed  # type: ignore[assignment]
            existing = crew.existing - busy - len(crew.idle)
            self.states[p, PoolSum.HELD] += existing * passed  # type: ignore[assignment]
            self.states[p, PoolSum.IDLE_NO_WORK] += len(crew.idle) * passed  # type: ignore[assignment]
            self.states[p, PoolSum.AWAY] += self.twin.outages.away[m] * passed  # type: ignore[assignment]
            closed = [port for port in self.twin.ports_of(m) if port.closed]
            self.states[p, PoolSum.HELD_BACK] += any(map(self.twin.waits, closed)) * passed  # type: ignore[assignment]

    @staticmethod
    def _of(thread: "Thread", q: int) -> bool:
        return thread.port is not None and thread.port.stream == q

    @staticmethod
    def _held(thread: "Thread") -> int:
        return len(thread.batch) + (thread.message is not None)
