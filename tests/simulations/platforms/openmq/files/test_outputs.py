"""Outputs of asadmin and imqcmd are read as the files that they tell of, and are never written into."""

from typing import Any

import pytest

from simulations.platforms.files.importing.drafts import OUTPUT
from simulations.platforms.openmq import OPENMQ
from simulations.scenario.spec import parse
from tests.simulations.platforms.choosing import settings_of

LIST = b"""Listing all the destinations on the broker specified by:

-------------------------
Host         Primary Port
-------------------------
localhost    7676

---------------------------------------------------------------------------
    Name      Type    State      Producers  Consumers      Msgs
---------------------------------------------------------------------------
PAY-ORDERS   Queue  RUNNING    0          2          15     0      0      1.0
prices       Topic  PAUSED     1          0          0      0      0      0.0
mq.sys.dmq   Queue  RUNNING    0          -          0      0      0      0.0

Successfully listed destinations.
"""
POOL = b"""server-config.mdb-container.max-pool-size=48
server-config.mdb-container.property.reconnect-enabled=true
configs.config.server-config.thread-pools.thread-pool.thread-pool-1.max-thread-pool-size=20
configs.config.default-config.mdb-container.max-pool-size=7
resources.connector-connection-pool.jms/F.resource-adapter-name=jmsra
resources.connector-connection-pool.jms/F.property.imqConsumerFlowLimit=55
Command get executed successfully.
"""
CLUSTER = b"""clusters.cluster.shop.config-ref=shop-config
clusters.cluster.shop.server-ref.one.ref=one
clusters.cluster.shop.server-ref.two.ref=two
configs.config.server-config.mdb-container.max-pool-size=7
configs.config.shop-config.mdb-container.max-pool-size=9
"""


def read(content: bytes) -> Any:
    assert OPENMQ.recognises("a.txt", content)
    return OPENMQ.read({"a.txt": content})


def test_a_list_of_destinations_becomes_their_queues() -> None:
    spec = parse(read(LIST).scenario)
    assert [(queue.name, queue.kind) for queue in spec.queues] == [("PAY-ORDERS", "queue"), ("prices", "topic")]


def test_dotted_names_say_what_domain_xml_would() -> None:
    reading = read(POOL)
    spec = parse(reading.scenario)
    settings = settings_of(spec)
    assert settings["servers.server.settings.max_pool_size"] == 48
    assert settings["servers.server.settings.reconnect_enabled"] is True
    assert settings["servers.server.settings.thread_pool_maximum"] == 20
    assert settings["queues.queue.settings.consumer_flow_limit"] == 55
    pool = next(line for line in reading.account if line.path == "servers.server.settings.max_pool_size")
    assert (pool.status, pool.file, pool.line) == ("understood", "a.txt", 1)


@pytest.mark.parametrize(
    ("content", "pool", "members"),
    [
        (CLUSTER, 9, 2),
        (b"configs.config.other.mdb-container.max-pool-size=5\n", 5, 1),
        (CLUSTER.replace(b"clusters.", b"elsewhere."), 7, 1),
    ],
)
def test_the_configuration_of_the_cluster_counts(content: bytes, pool: int, members: int) -> None:
    spec = parse(read(content).scenario)
    assert settings_of(spec)["servers.server.settings.max_pool_size"] == pool
    assert spec.servers[0].instances == members


def test_nothing_is_written_into_an_output() -> None:
    assert OPENMQ.patch
    spec = parse(read(POOL).scenario)
    chosen = {
        "servers.server.settings.max_pool_size": 50,
        "servers.server.settings.steady_pool_size": 5,
        "queues.queue.settings.prefetch": False,
    }
    patched = OPENMQ.patch({"a.txt": POOL}, spec.system, chosen, "cafe")
    assert patched.scripts == ()
    assert patched.refused.keys() == chosen.keys()
    assert patched.refused["servers.server.settings.steady_pool_size"] == OUTPUT
