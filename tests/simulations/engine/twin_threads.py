"""The threads of each instance, written a second time: idle ones, late servants, growth, servants that are lost."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from simulations.engine.network.model import Pool, PoolGrowth
from simulations.engine.records.codes import Kind

if TYPE_CHECKING:
    from tests.simulations.engine.twin import Twin
    from tests.simulations.engine.twin_state import Thread

SERVANT, GROWTH = int(Kind.SERVANT_READY), int(Kind.GROWTH)


@dataclass
class Crew:
    """The threads of one instance; of ``idle`` and ``parked`` the last one is the next."""

    pool: Pool
    threads: list["Thread"]
    first_servant: int
    idle: list["Thread"] = field(default_factory=list)
    parked: list["Thread"] = field(default_factory=list)
    existing: int = 0
    target: int = 0
    direction: int = 1
    finished: int = 0
    rate: float = 0.0
    starting: bool = False
    coming: list[list[Any]] = field(default_factory=list)
    """Events of servants that come up."""


class Threads:
    """All threads of one replication."""

    def __init__(self, twin: "Twin") -> None:
        self.twin = twin
        self.crews: list[Crew] = []
        servants = 0
        for m, threads in enumerate(twin.members):
            pool = twin.network.pools[twin.pool_of[m]]
            fixed = pool.growth == PoolGrowth.FIXED
            existing = pool.threads if fixed else pool.threads_per_servant * pool.servants_min
            crew = Crew(pool, threads, servants, existing=existing, target=existing)
            crew.idle, crew.parked = threads[:existing][::-1], threads[existing:][::-1]
            self.crews.append(crew)
            servants += pool.servants_max

    def start(self) -> None:
        """Set the timers of pools that look at their history."""
        for m, crew in enumerate(self.crews):
            if crew.pool.growth == PoolGrowth.HISTORY:
                self.twin.at(crew.pool.growth_interval, GROWTH, m, partial(self._tick, m))

    def idle(self, m: int) -> bool:
        return bool(self.crews[m].idle)

    def all_exist(self, m: int) -> bool:
        return self.crews[m].existing == len(self.crews[m].threads)

    def take(self, m: int) -> "Thread":
        return self.crews[m].idle.pop()

    def give(self, thread: "Thread") -> None:
        """Take back a thread that is done, or park it when the pool shrinks."""
        crew = self.crews[thread.member]
        if crew.pool.growth == PoolGrowth.HISTORY and crew.existing > crew.target:
            crew.parked.append(thread)
            crew.existing -= 1
        else:
            crew.idle.append(thread)

    def _add(self, crew: Crew) -> None:
        crew.idle.append(crew.parked.pop())
        crew.existing += 1

    def grow(self, m: int) -> None:
        """React to work that finds no thread."""
        crew = self.crews[m]
        growth = crew.pool.growth
        if growth == PoolGrowth.INSTANT or (growth == PoolGrowth.HISTORY and crew.existing < crew.target):
            self._add(crew)
        elif growth == PoolGrowth.SERVANTS and not crew.starting:
            crew.starting = True
            number = crew.existing // crew.pool.threads_per_servant
            self._come_up(m, number, lambda: self._started(crew))

    def _come_up(self, m: int, number: int, ready: Callable[[], None]) -> None:
        def arrive() -> None:
            ready()
            self.twin.dispatcher.dispatch(m)

        crew = self.crews[m]
        time = self.twin.now + crew.pool.servant_start_time
        crew.coming.append(self.twin.at(time, SERVANT, crew.first_servant + number, arrive))

    def _started(self, crew: Crew) -> None:
        crew.starting = False
        for _ in range(crew.pool.threads_per_servant):
            self._add(crew)

    def _tick(self, m: int) -> None:
        crew = self.crews[m]
        rate = crew.finished / crew.pool.growth_interval
        better, worse = rate > crew.rate * 1.01, rate * 1.01 < crew.rate
        if (crew.direction > 0 and not better) or (crew.direction < 0 and worse):
            crew.direction = -crew.direction
        crew.target = min(max(crew.target + crew.direction, 1), len(crew.threads))
        crew.rate, crew.finished = rate, 0
        self.twin.at(self.twin.now + crew.pool.growth_interval, GROWTH, m, partial(self._tick, m))
        self.twin.dispatcher.dispatch(m)

    def lose_servant(self, thread: "Thread") -> None:
        """End the servant of ``thread`` with all that its threads do; a new one comes up."""
        m, crew = thread.member, self.crews[thread.member]
        size = crew.pool.threads_per_servant
        number = crew.threads.index(thread) // size
        lost = crew.threads[number * size : (number + 1) * size]
        for each in lost:
            if each in crew.idle:
                crew.idle.remove(each)
            else:
                self.twin.endings.lose(each)
        self._come_up(m, number, lambda: crew.idle.extend(lost))
