"""Checks of the rules about what an MDB carries and what its messages take up."""

from functools import partial

from simulations.platforms.openmq.formulas import carried, heap_bytes, mdb_of, pool_size
from simulations.platforms.shared.queues import mean_size, number, offered_rate
from simulations.platforms.shared.rules import Verdict, carries, more_members
from simulations.system import Queue, Server, System

LARGE_HEAP = 64e6
"""Bytes of messages sent ahead per instance above which memory is worth a warning; our choice."""


def memory(_: System, server: Server, queue: Queue) -> Verdict:
    """Client memory for messages sent ahead."""
    heap = heap_bytes(server, queue)
    if heap is None:
        message = "Nothing limits the messages sent ahead: the client can run out of memory."
        return Verdict("violated", message, {"settings.consumer_flow_limit": 1000})
    details = {"heap_bytes": heap}
    if heap <= LARGE_HEAP:
        return Verdict("ok", f"Messages sent ahead take at most {number(heap / 1e6)} MB per instance.", details=details)
    message = f"Messages sent ahead take up to {number(round(heap / 1e6))} MB per instance."
    fitting = int(LARGE_HEAP / mean_size(queue))
    fix = {"settings.consumer_flow_limit": fitting} if fitting >= pool_size(server, queue) else {}
    return Verdict("violated", message, fix, details)


def stable(system: System, server: Server, queue: Queue) -> Verdict | None:
    """Arrivals against what the window carries."""
    return carries(offered_rate(server, queue), carried(system, queue), partial(_wider, server, queue))


def _wider(server: Server, queue: Queue, rate: float, most: float) -> dict[str, object]:
    """More members, unless the queue says how many of them get messages."""
    return more_members(server, queue, rate, most) if mdb_of(queue).max_active_consumers < 0 else {}
