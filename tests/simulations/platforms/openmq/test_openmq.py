"""The Open MQ family: credit window, concurrency, redelivery, files in and commands out."""

from typing import Any

import pytest

from simulations.declarations.problems import InvalidInput
from simulations.declarations.workload import Saturated
from simulations.engine.network.results import PoolSum
from simulations.engine.replicate import replicate
from simulations.platforms.openmq import OPENMQ
from simulations.platforms.openmq.formulas import (
    invocations,
    limit_for_full_pool,
    max_concurrency,
    mean_concurrency,
    producer_batch,
    threshold,
)
from simulations.platforms.openmq.parameters.instance import MdbSettings
from simulations.scenario.runsettings import RunHorizon, RunSettings
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import mdb, scenario_body


@pytest.mark.parametrize(
    ("limit", "percent", "left"),
    [
        (1000, 50, 500),
        (1000, 10, 100),
        (100, 75, 75),
        (16, 50, 8),
        (7, 50, 3),
        (5, 50, 2),
        (10, 100, 9),
        (10, 0, 0),
        (1, 50, 0),
        (1, 100, 0),
    ],
)
def test_the_threshold_of_a_limit(limit: int, percent: float, left: int) -> None:
    """Fact list, examples 38-40."""
    assert threshold(limit, percent) == left


@pytest.mark.parametrize(
    ("limit", "most", "mean", "share"),
    [(16, 16, 12.07, 37.7), (32, 32, 23.61, 73.8), (63, 32, 32.0, 100), (64, 32, 32.0, 100)],
)
def test_a_pool_of_32_behind_a_limit(limit: int, most: int, mean: float, share: float) -> None:
    """Job J11 and fact list, example 42."""
    assert OPENMQ.quick
    answer = OPENMQ.quick({"platform": "openmq", "consumer_flow_limit": limit})
    assert answer["max_concurrency"] == most
    assert answer["mean_concurrency_saturated"] == mean
    assert 100 * answer["mean_share"] == pytest.approx(share, abs=0.05)
    assert answer["min_limit_for_full_pool"] == 64


@pytest.mark.parametrize(
    ("settings", "limit"),
    [
        ({"consumer_flow_limit": 1000, "destination_consumer_flow_limit": 100}, 100),
        ({"consumer_flow_limit": -1, "destination_consumer_flow_limit": 100}, 100),
        ({"consumer_flow_limit": 0, "destination_consumer_flow_limit": 0}, 2**31 - 1),
        ({"prefetch": False}, 1),
    ],
)
def test_the_lower_limit_counts(settings: dict[str, Any], limit: int) -> None:
    """Fact list, examples 44 and 45, with the manual's reading of unlimited."""
    spec = mdb(**settings)
    assert OPENMQ.derive(spec.system).value("effective_limit") == limit
    window = spec.network().streams[0].window
    assert window is not None
    assert window.limit == limit


def test_a_topic_in_a_cluster_has_the_shared_limit() -> None:
    """Fact list, example 43."""
    derivation = OPENMQ.derive(mdb("topic", instances=2).system)
    assert (derivation.value("effective_limit"), derivation.value("top_up_threshold")) == (5, 2)
    assert {item.rule: item.status for item in derivation.findings}["openmq.shared-topic-limit"] == "violated"


@pytest.mark.parametrize(("attempts", "count"), [(6, 7), (1, 2), (0, 1)])
def test_invocations_before_the_dead_message_queue(attempts: int, count: int) -> None:
    """Fact list, example 46."""
    settings = MdbSettings(redelivery_attempts=attempts)
    assert invocations(settings) == count
    redelivery = mdb(redelivery_attempts=attempts).network().streams[0].redelivery
    assert (redelivery.limit, redelivery.delay, redelivery.in_place) == (count, 0.5, True)


@pytest.mark.parametrize(("messages", "batch"), [(100_000, 1000), (500, 5), (50, 1), (-1, 1000)])
def test_messages_of_a_resumed_producer(messages: int, batch: int) -> None:
    """Fact list, example 47."""
    assert producer_batch(MdbSettings(max_num_msgs=messages)) == batch


def test_no_limit_fills_the_pool_without_a_threshold() -> None:
    assert limit_for_full_pool(32, 0) is None
    assert limit_for_full_pool(32, 33) == 97


def test_the_round_trip_raises_the_limit() -> None:
    body = scenario_body("openmq", queue={"consumer_flow_limit": 64})
    body["queues"][0]["service"] = {"kind": "exponential", "mean": 0.005}
    derivation = OPENMQ.derive(parse(body).system)
    assert derivation.value("min_limit_with_round_trip") == 128
    assert {item.rule: item.status for item in derivation.findings}["openmq.round-trip-covered"] == "violated"


def test_memory_for_messages_sent_ahead() -> None:
    """Limit × size × instances."""
    spec = parse(scenario_body("openmq", instances=2, message_size=2000))
    assert OPENMQ.derive(spec.system).value("heap") == 1000 * 2000 * 2


def test_a_wrong_question_names_its_fields() -> None:
    assert OPENMQ.quick
    with pytest.raises(InvalidInput) as error:
        OPENMQ.quick({"platform": "openmq", "max_pool_size": 0, "consumer_flow_threshold": 130})
    assert {item.pointer for item in error.value.problems} == {"/max_pool_size", "/consumer_flow_threshold"}


def test_commands_follow_the_grammar_of_the_tools() -> None:
    chosen = {
        "queues.orders.settings.destination_consumer_flow_limit": 64,
        "queues.orders.settings.consumer_flow_limit": 64,
        "queues.orders.settings.consumer_flow_threshold": 75,
        "queues.orders.settings.redelivery_interval": "250ms",
        "servers.payments.settings.max_pool_size": 48,
    }
    scripts = {item.format: item for item in OPENMQ.write(mdb().system, chosen, "cafe")}
    assert "step queues.orders.settings.destination_consumer_flow_limit q:orders consumerFlowLimit 1000 64\n" in (
        scripts["imqcmd"].apply
    )
    assert "q:orders consumerFlowLimit 64 1000\n" in scripts["imqcmd"].undo
    assert '"configs.config.$(dotted "$CONFIG")" mdb-container.max-pool-size 32 48\n' in scripts["asadmin"].apply
    options = "imqConsumerFlowLimit=64,imqConsumerFlowThreshold=75"
    assert 'connector-connection-pool.$(dotted "$POOL")" property.options' in scripts["asadmin"].apply
    assert f" {options}\n" in scripts["asadmin"].apply
    assert "properties" not in scripts, "an activation property of a bean is none of the broker's"


DOMAIN = b"""<domain><configs>
 <config name="other"><mdb-container max-pool-size="7"/></config>
 <config name="shop-config"><mdb-container max-pool-size="48" steady-pool-size="2">
   <property name="cmt-max-runtime-exceptions" value="3"/></mdb-container>
   <thread-pools><thread-pool name="thread-pool-1" max-thread-pool-size="90"/></thread-pools></config></configs>
 <clusters><cluster name="shop" config-ref="shop-config"><server-ref ref="a"/><server-ref ref="b"/></cluster></clusters>
 <resources><connector-connection-pool name="jms/cf" resource-adapter-name="jmsra">
   <property name="options" value="imqConsumerFlowLimit=64,imqConnectionFlowLimitEnabled=true"/>
 </connector-connection-pool></resources></domain>"""
DESCRIPTOR = b"""<!DOCTYPE sun-ejb-jar PUBLIC "-//Sun//DTD" "http://example.invalid/sun-ejb-jar_3_0-0.dtd">
<sun-ejb-jar><enterprise-beans><ejb><ejb-name>Orders</ejb-name><jndi-name>orders</jndi-name>
 <bean-pool><max-pool-size>16</max-pool-size></bean-pool></ejb></enterprise-beans></sun-ejb-jar>"""
COMMANDS = b"""# set up
/opt/mq/bin/imqcmd create dst -t q -n orders -o maxNumMsgs=500 -o 'consumerFlowLimit=100' -o isLocalOnly=true
"""
PROPERTIES = b"""imq.transaction.message.maxConsecutiveRollbacks = 4
imq.autocreate.destination.maxTotalMsgBytes=10m
imq.jmx.enabled\\
 =true
"""


def test_files_of_broker_and_server_make_one_scenario() -> None:
    files = {"domain.xml": DOMAIN, "sun-ejb-jar.xml": DESCRIPTOR, "setup.sh": COMMANDS, "config.properties": PROPERTIES}
    reading = OPENMQ.read(files)
    spec = parse(reading.scenario)
    server, queue = spec.servers[0].settings.model_dump(), spec.queues[0].settings.model_dump()
    assert spec.servers[0].instances == 2
    assert (server["max_pool_size"], server["thread_pool_maximum"], server["connection_flow_limit_enabled"]) == (
        48,
        90,
        True,
    )
    assert (queue["bean_pool_maximum"], queue["consumer_flow_limit"], queue["destination_consumer_flow_limit"]) == (
        16,
        64,
        100,
    )
    assert (queue["max_num_msgs"], queue["max_total_msg_bytes"], queue["max_consecutive_rollbacks"]) == (
        500,
        10 * 2**20,
        4,
    )
    assert queue["redelivery_attempts"] == 3
    ignored = {item.path for item in reading.account if item.status == "ignored"}
    assert {"commands.line 2.isLocalOnly", "properties.imq.jmx.enabled"} <= ignored
    assert any("other" not in path and path.startswith("domain.configs.config") for path in ignored)


def test_query_output_is_read() -> None:
    text = b"""Destination Name           prices
Destination Type           Topic
Max Number of Messages     unlimited (-1)
Max Total Message Bytes    10k
Consumer Flow Limit        100
"""
    spec = parse(OPENMQ.read({"query.txt": text}).scenario)
    settings = spec.queues[0].settings.model_dump()
    assert (spec.queues[0].name, spec.queues[0].kind) == ("prices", "topic")
    assert (settings["max_num_msgs"], settings["max_total_msg_bytes"], settings["destination_consumer_flow_limit"]) == (
        -1,
        10240,
        100,
    )


@pytest.mark.parametrize(
    ("count", "most", "mean"),
    [(0, 5, 5.0), (100, 32, 23.668), (3, 7, 5.888)],
)
def test_metering_passes_the_limit_of_the_connection(count: int, most: int, mean: float) -> None:
    """The limit is looked at after each batch only; the simulation of a queue that is never empty agrees."""
    connection = {"connection_flow_limit_enabled": True, "connection_flow_limit": 5, "connection_flow_count": count}
    spec = mdb(server=connection, round_trip=0.0)
    full = spec.queues[0].model_copy(update={"arrivals": Saturated()})
    spec = spec.model_copy(update={"queues": (full,), "run": RunSettings(horizon=RunHorizon(messages=20_000))})
    assert max_concurrency(spec.servers[0], full) == most
    assert mean_concurrency(spec.servers[0], full) == pytest.approx(mean, rel=0.001)
    result = replicate(spec.network(), seed=1, replication=0)
    late = slice(4, None)
    busy = result.pool_sums[late, 0, PoolSum.BUSY].sum() / result.durations[late].sum()
    assert busy == pytest.approx(mean, rel=0.03)
