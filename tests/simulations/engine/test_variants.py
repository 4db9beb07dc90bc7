"""The compiled variants of the loop: each is chosen where it fits, and all say the same."""

import dataclasses
from typing import Any

import numpy as np
import pytest

from simulations.engine import replicate as door
from simulations.engine.loop import kernel
from simulations.engine.network.model import Gate, Horizon, NetworkSpec, Pool, Redelivery, Timeouts, Window
from simulations.engine.packing.tables import EVERYTHING, LONE, PLAIN, Tables, Variant, pack, variant_of
from simulations.engine.records.codes import Status
from simulations.engine.records.layout import ASSUMED
from simulations.engine.records.references import INTERPRETED
from simulations.engine.replicate import replicate
from simulations.pipeline.spark.warm import ONE_FOR_EACH_VARIANT
from tests.simulations.engine.networks import network, poisson, stream

SERVER = Pool(threads_per_servant=4)
SHORT = Horizon(messages=5_000)
ALONE: dict[str, dict[str, Any]] = {
    "gate": {"gate": Gate(6, 3)},
    "gate with an agent and timeouts": {"gate": Gate(6, 3, 0.002), "timeouts": Timeouts(queue=1.0)},
    "window": {"window": Window(6, 3, 0.01)},
    "redelivery on shared CPUs": {"cpu_share": 0.3, "failure_rate": 0.1, "redelivery": Redelivery(delay=0.1, limit=3)},
}


def alone(name: str) -> NetworkSpec:
    return network(stream(arrivals=poisson(15.0), **ALONE[name]), pool=SERVER, horizon=SHORT)


def wrong(tables: Tables) -> list[str]:
    """The fields that are not as the variant for a lone queue assumes."""
    held: dict[str, Any] = {table: tables.head if table == "model" else getattr(tables, table) for table in ASSUMED}
    return [
        f"{table}.{field}"
        for table, fields in ASSUMED.items()
        for field, value in fields.items()
        if np.any(held[table][field] != value)
    ]


def test_each_network_runs_in_the_fastest_variant_that_fits() -> None:
    assert [variant_of(network) for network in ONE_FOR_EACH_VARIANT] == [LONE, PLAIN, EVERYTHING]
    two_instances = dataclasses.replace(SERVER, instances=2)
    assert variant_of(dataclasses.replace(alone("gate"), pools=(two_instances,))) == PLAIN


@pytest.mark.parametrize("name", ALONE)
def test_what_is_assumed_of_a_lone_queue_holds_from_start_to_end(name: str) -> None:
    tables = pack(alone(name), 1, 0, 0)
    assert wrong(tables) == []
    kernel.run(tables.address, *PLAIN)
    assert (tables.head.status, wrong(tables)) == (Status.ENDED, [])


@pytest.mark.parametrize("variant", [PLAIN, EVERYTHING])
@pytest.mark.parametrize("name", ALONE)
def test_a_lone_queue_has_the_same_numbers_in_every_variant(
    name: str, variant: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert variant_of(alone(name)) == LONE
    lone = replicate(alone(name), seed=3, replication=1)
    monkeypatch.setattr(door, "variant_of", lambda _: variant)
    other = replicate(alone(name), seed=3, replication=1)
    for field in dataclasses.fields(lone):
        np.testing.assert_array_equal(getattr(other, field.name), getattr(lone, field.name), field.name)


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_what_is_compiled_before_somebody_waits_is_all_that_is_ever_compiled() -> None:
    for spec in ONE_FOR_EACH_VARIANT:
        replicate(spec, seed=1, replication=0)
    compiled = set(kernel.run.signatures)  # type: ignore[attr-defined]
    for name in ALONE:
        replicate(alone(name), seed=1, replication=0)
    assert set(kernel.run.signatures) == compiled  # type: ignore[attr-defined]
    assert len(compiled) == len({EVERYTHING, PLAIN, LONE})
