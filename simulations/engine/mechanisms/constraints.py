"""Thread constraints of a pool: shared minima, maxima and capacities, and the thread time of each port."""

from typing import Any

from simulations.engine.compiled import compiled, inline
from simulations.engine.records.layout import constraint_at, link_at, port_at, stream_at


@compiled
def _count(model: Any, port: Any, change: int) -> None:
    """Count ``change`` threads more for every constraint that ``port`` names."""
    for i in range(port.first_link, port.first_link + port.links):
        constraint_at(model, link_at(model, i).count).running += change


@inline
def charge(model: Any, p: int, change: int) -> None:
    """Bring the thread time of port ``p`` up to date before its number of threads changes by ``change``."""
    port = port_at(model, p)
    spent = port.running * (model.now - port.since)
    port.used += spent
    port.used_total += spent
    port.since = model.now
    if port.links > 0:
        _count(model, port, change)


@inline
def allowed(model: Any, p: int) -> bool:
    """Say whether all maximum constraints of port ``p`` leave room for one more thread."""
    port = port_at(model, p)
    for i in range(port.first_link, port.first_link + port.links):
        constraint = constraint_at(model, link_at(model, i).count)
        if 0 < constraint.maximum <= constraint.running:
            return False
    return True


@inline
def is_urgent(model: Any, p: int) -> bool:
    """Say whether a minimum constraint of port ``p`` is not met."""
    port = port_at(model, p)
    for i in range(port.first_link, port.first_link + port.links):
        constraint = constraint_at(model, link_at(model, i).count)
        if constraint.running < constraint.minimum:
            return True
    return False


@inline
def _load(model: Any, c: int) -> float:
    """Return the messages, of all streams that name constraint ``c``, that wait or run."""
    total = 0.0
    for q in range(model.stream_count):
        port = port_at(model, stream_at(model, q).first_port)
        for i in range(port.first_link, port.first_link + port.links):
            if link_at(model, i).count == c:
                total += stream_at(model, q).inside
    return total


@compiled
def _is_full(model: Any, stream: Any, port: Any) -> bool:
    for i in range(port.first_link, port.first_link + port.links):
        c = link_at(model, i).count
        capacity = constraint_at(model, c).capacity
        if capacity > 0 and _load(model, c) >= capacity * stream.instances:
            return True
    return False


@inline
def at_capacity(model: Any, q: int) -> bool:
    """Say whether a capacity constraint of stream ``q`` refuses more work: its queued and running work is at the bound.

    The bound is per instance; work that no instance has taken yet is counted against all of them together.
    """
    stream = stream_at(model, q)
    port = port_at(model, stream.first_port)
    return bool(port.links > 0 and _is_full(model, stream, port))
