"""How much work a replication is, before one ran: an estimate, on which only the cutting into tasks depends."""

from simulations.analysis.theory.laws import arrival_rate
from simulations.engine.network.model import ArrivalKind, ArrivalSpec, NetworkSpec

SECONDS_PER_EVENT = 6e-8
"""Time of one simulated event: about 35 ns of a plain queue, about 80 ns with most mechanisms on."""
SECONDS_PER_REPLICATION = 1e-3
"""Time around the events: arrays, the compact row, its way through Spark."""
UNKNOWN_RATE = 1_000.0
"""Messages per second where the scenario states no rate."""


def expected_seconds(events: float) -> float:
    """Return the time of one replication with that many events."""
    return SECONDS_PER_REPLICATION + SECONDS_PER_EVENT * events


def expected_events(network: NetworkSpec) -> float:
    """Return the events of one replication: an arrival and a completion for each message."""
    horizon = network.horizon
    if horizon.messages:
        return 2.0 * horizon.messages
    return 2.0 * sum(_messages(stream.arrivals, horizon.time) for stream in network.streams)


def _messages(arrivals: ArrivalSpec, seconds: float) -> float:
    """Messages until ``seconds``, or what comes at once where the run ends when all is drained (0 s)."""
    rate = arrival_rate(arrivals)
    if rate is None:
        rate = UNKNOWN_RATE if arrivals.kind is ArrivalKind.SATURATED else arrivals.rate
    return arrivals.count + len(arrivals.instants) + rate * seconds
