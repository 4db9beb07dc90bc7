"""What is declared of a network is off by default."""

from simulations.engine.network.model import Horizon, Pool
from simulations.engine.packing.tables import PLAIN, variant_of
from tests.simulations.engine.networks import network, stream


def test_the_threads_of_an_instance_are_those_of_all_its_servants() -> None:
    assert Pool().threads == 1
    assert Pool(instances=5, threads_per_servant=6, servants_min=1, servants_max=3).threads == 18


def test_what_is_not_asked_for_is_off() -> None:
    assert variant_of(network(stream(), stream(), pool=Pool(), horizon=Horizon(messages=1))) == PLAIN
