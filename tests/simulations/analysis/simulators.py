"""What simulates a replication in the tests of validation: the engine, a recursion without it, and a wrong engine."""

from simulations.engine.network.model import NetworkSpec
from simulations.engine.network.results import ReplicationResult
from simulations.engine.replicate import replicate
from tests.simulations.analysis.synthetic import network, replication


def engine(spec: NetworkSpec, seed: int, number: int) -> ReplicationResult:
    return replicate(spec, seed=seed, replication=number)


def recursion(spec: NetworkSpec, seed: int, number: int) -> ReplicationResult:
    return replication(spec, number, seed)


def slow_threads(spec: NetworkSpec, seed: int, number: int) -> ReplicationResult:
    """A wrong engine: service takes 5 % longer than it was told."""
    return recursion(network(18, 81, 0.21, messages=spec.horizon.messages), seed, number)
