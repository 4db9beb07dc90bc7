"""Thread constraints of a pool: shared minima, maxima and capacities, and the thread time of each port."""

from simulations.engine.compiled import compiled, inline
from simulations.engine.records.layout import Model
from simulations.engine.records.server import Port
from simulations.engine.records.stream import Stream


@compiled
def _count(model: Model, port: Port, change: int) -> None:
    """Change the running threads of every constraint that ``port`` names by ``change``."""
    for i in range(port.first_link, port.first_link + port.links):
        model.constraints[model.links[i].count].running += change


@inline
def charge(model: Model, p: int, change: int) -> None:
    """Bring the thread time of port ``p`` up to date before its number of threads changes by ``change``."""
    port = model.ports[p]
    spent = port.running * (model.now - port.since)
    port.used += spent
    port.used_total += spent
    port.since = model.now
    if port.links > 0:
        _count(model, port, change)


@inline
def allowed(model: Model, p: int) -> bool:
    """Say whether all maximum constraints of port ``p`` leave room for one more thread."""
    port = model.ports[p]
    for i in range(port.first_link, port.first_link + port.links):
        constraint = model.constraints[model.links[i].count]
        if 0 < constraint.maximum <= constraint.running:
            return False
    return True


@inline
def is_urgent(model: Model, p: int) -> bool:
    """Say whether a minimum constraint of port ``p`` is not met."""
    port = model.ports[p]
    for i in range(port.first_link, port.first_link + port.links):
        constraint = model.constraints[model.links[i].count]
        if constraint.running < constraint.minimum:
            return True
    return False


@inline
def _load(model: Model, c: int) -> float:
    """Return the messages, of all streams that name constraint ``c``, that wait or run."""
    total = 0.0
    for q in range(model.stream_count):
        port = model.ports[model.streams[q].first_port]
        for i in range(port.first_link, port.first_link + port.links):
            if model.links[i].count == c:
                total += model.streams[q].inside
    return total


@compiled
def _is_full(model: Model, stream: Stream, port: Port) -> bool:
    for i in range(port.first_link, port.first_link + port.links):
        c = model.links[i].count
        capacity = model.constraints[c].capacity
        if capacity > 0 and _load(model, c) >= capacity * stream.instances:
            return True
    return False


@inline
def at_capacity(model: Model, q: int) -> bool:
    """Say whether a capacity constraint of stream ``q`` refuses more work: its queued and running work is at the bound.
    The bound is per instance; work that no instance has taken yet is counted against all of them together."""
    stream = model.streams[q]
    port = model.ports[stream.first_port]
    return port.links > 0 and _is_full(model, stream, port)
