"""Numbering while a network is packed: timers, queues and lists of values."""

from typing import Any

import numpy as np

from simulations.engine.events.agenda import KIND_SHIFT, WIDTH
from simulations.engine.network.model import Law, NetworkSpec, Outage, Stream
from simulations.engine.records.codes import FOREVER, NONE, Kind
from simulations.engine.records.layout import Law as LawRecord
from simulations.engine.records.layout import Queue, Slot, Timer, Value
from simulations.engine.records.record import Table, records

UNLIMITED = int(np.iinfo(np.int64).max)


class Builder:
    """What the packers of streams, pools and ports share."""

    def __init__(self, network: NetworkSpec) -> None:
        self.network = network
        self.queues = 0
        self._kinds: list[Kind] = []
        self._entities: list[int] = []
        self._firsts: list[float] = []
        self._values: list[float] = []

    def timer(self, kind: Kind, entity: int, *, used: bool = True, first: float = FOREVER) -> int:
        """Return the number of a new timer, or NONE where none is ``used``: fewer timers are searched faster. It goes
        off at ``first`` by itself."""
        if not used:
            return NONE
        self._kinds.append(kind)
        self._entities.append(entity)
        self._firsts.append(first)
        return len(self._kinds) - 1

    def outage(self, kind: Kind, entity: int, outage: Outage | None) -> tuple[int, float]:
        """Return the timer of an outage, which begins it, and its duration."""
        if outage is None:
            return NONE, 0.0
        return self.timer(kind, entity, first=outage.start), outage.duration

    def streams_of(self, pool: int) -> list[tuple[int, Stream]]:
        """Return the streams that the threads of ``pool`` serve, with their numbers."""
        return [(q, spec) for q, spec in enumerate(self.network.streams) if spec.pool == pool]

    def queue(self, count: int = 1) -> int:
        """Return the number of the first of ``count`` new queues."""
        self.queues += count
        return self.queues - count

    def values(self, items: tuple[float, ...]) -> int:
        """Keep ``items`` and return the index of the first."""
        self._values.extend(items)
        return len(self._values) - len(items)

    def law(self, row: LawRecord, law: Law) -> None:
        """Pack ``law`` into ``row``."""
        row.kind, row.a, row.b, row.c = law.kind, law.a, law.b, law.c
        row.first, row.count = self.values(law.values), len(law.values)

    def tables(self) -> dict[str, Table[Any]]:
        """Return the queues, all empty, the values, and what the timers are for: in order of kind, then entity."""
        slots, queues = records(Slot, len(self._kinds)), records(Queue, self.queues)
        slots.kind, slots.entity = self._kinds, self._entities
        slots.order = (slots.kind << KIND_SHIFT) + slots.entity
        queues.head = queues.tail = NONE
        values, firsts = records(Value, max(len(self._values), 1)), records(Value, slots.size)
        values.value[: len(self._values)], firsts.value = self._values, self._firsts
        return {"slots": slots, "queues": queues, "values": values, "firsts": firsts}


def timer_table(timers: int) -> tuple[int, Table[Timer]]:
    """Return where ``timers`` begin in their table, below the levels above them, and the table, none of them set."""
    leaves, level = 0, WIDTH
    while level < timers:
        leaves += level
        level *= WIDTH
    return leaves, unset(leaves + timers)


def unset(timers: int) -> Table[Timer]:
    """Return blocks of as many ``timers`` at least, with none of them set."""
    table = records(Timer, -(-timers // WIDTH) * WIDTH)
    table.time = FOREVER
    return table
