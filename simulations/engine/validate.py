"""Refuses networks that make no sense before anything is allocated."""

from simulations.engine.network import NetworkSpec


class NetworkError(ValueError):
    """The network cannot be simulated; the message names the part and the reason."""


def check_network(network: NetworkSpec) -> None:
    """Raise NetworkError when a part of ``network`` is out of range or contradicts another."""
    if not network.pools or not network.streams:
        raise NetworkError("a network needs at least one pool and one stream")
