"""Limits of broker and destination, active consumers, reconnecting and the dead message queue: in, simulated, out."""

import math
import re
from typing import Any

import pytest

from simulations.engine.network.model import LimitBehaviour
from simulations.platforms.openmq import OPENMQ
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import formula_value, mdb, scenario_body


def test_only_active_consumers_get_messages() -> None:
    spec = mdb(instances=4, max_active_consumers=3, max_backup_consumers=5)
    assert spec.network().pools[0].instances == 3
    derivation = OPENMQ.derive(spec.system)
    assert (formula_value(derivation, "active_consumers"), formula_value(derivation, "backup_consumers")) == (3, 1)
    assert mdb(instances=2, max_active_consumers=3).network().pools[0].instances == 2
    assert mdb("topic", instances=4, max_active_consumers=3).network().pools[0].instances == 4


def test_consumers_that_share_their_server_are_not_left_out_and_the_rule_says_so() -> None:
    body = scenario_body("openmq", instances=3, queue={"max_active_consumers": 1})
    body["queues"].append({**body["queues"][0], "name": "bills"})
    spec = parse(body)
    assert spec.network().pools[0].instances == 3
    finding = next(item for item in OPENMQ.derive(spec.system).findings if item.rule == "openmq.consumers-take-part")
    assert "simulation lets all take part" in finding.message


def test_the_lower_of_destination_and_broker_limits_a_lone_destination() -> None:
    own: dict[str, Any] = {"max_num_msgs": 500, "limit_behavior": "FLOW_CONTROL"}
    for broker, messages, behaviour, batch in (
        (200, 200, LimitBehaviour.REJECT_NEWEST, 0),
        (900, 500, LimitBehaviour.FLOW_CONTROL, 5),
    ):
        quota = mdb(server={"broker_max_count": broker}, **own).network().streams[0].quota
        assert quota is not None
        assert (quota.messages, quota.behaviour, quota.producer_batch) == (messages, behaviour, batch)
    body = scenario_body("openmq", server={"broker_max_count": 200})
    body["queues"].append({**body["queues"][0], "name": "bills"})
    assert [stream.quota for stream in parse(body).network().streams] == [None, None]


def test_a_message_that_goes_back_to_the_broker_is_tried_for_ever() -> None:
    assert mdb().network().streams[0].redelivery.limit == 2
    assert mdb(send_undeliverable_to_dmq=False).network().streams[0].redelivery.limit == 0


def test_the_share_of_messages_that_are_too_large() -> None:
    assert formula_value(OPENMQ.derive(mdb(max_bytes_per_msg=500).system), "refused_share") == 1
    assert formula_value(OPENMQ.derive(mdb(max_bytes_per_msg=1000).system), "refused_share") == 0


def test_drawn_sizes_count_by_their_distribution_and_their_mean() -> None:
    size = {"kind": "exponential", "mean": "1kB"}
    body = scenario_body("openmq", queue={"max_bytes_per_msg": 3000}, message_size=size)
    found = OPENMQ.derive(parse(body).system)
    assert formula_value(found, "refused_share") == pytest.approx(math.exp(-3))
    assert formula_value(found, "heap") == 1000 * 1000.0, "the window of 1000 messages, by the mean"
    body["queues"][0]["settings"]["max_bytes_per_msg"] = 6908
    status = {item.rule: item.status for item in OPENMQ.derive(parse(body).system).findings}
    assert status["openmq.message-fits"] == "ok", "fewer than one in a thousand is larger"


BROKER = {"max_bytes_per_msg": 10240, "max_active_consumers": 1, "max_backup_consumers": 2, "use_dmq": False}


def test_new_settings_of_a_destination_are_read_from_commands_and_queries() -> None:
    options = "-o maxBytesPerMsg=10k -o maxNumActiveConsumers=1 -o maxNumBackupConsumers=2 -o useDMQ=false"
    command = f"imqcmd create dst -t q -n orders {options}\n"
    query = (
        "Destination Name    orders\nDestination Type    Queue\nMax Bytes per Message    10240\n"
        "Max Number of Active Consumers    1\nMax Number of Backup Consumers    2\nUse Dead Message Queue    false\n"
    )
    for file, text in (("make.sh", command), ("query.txt", query)):
        settings = parse(OPENMQ.read({file: text.encode()}).scenario).queues[0].settings.model_dump()
        assert {key: settings[key] for key in BROKER} == BROKER


def commands(script: str) -> bytes:
    """The commands that the steps of a script run."""
    steps = re.findall(r"^    step \S+ (.):(\S+) (\S+) \S+ (\S+)$", script, re.MULTILINE)
    assert steps
    return "".join(f"imqcmd update dst -t {kind} -n {name} -o {key}={to}\n" for kind, name, key, to in steps).encode()


def test_written_commands_read_back_as_the_settings() -> None:
    system = mdb().system
    chosen = {f"queues.orders.settings.{key}": value for key, value in BROKER.items()}
    script = next(item for item in OPENMQ.write(system, chosen, "0123abcd") if item.format == "imqcmd")
    settings = parse(OPENMQ.read({"apply.sh": commands(script.apply)}).scenario).queues[0].settings.model_dump()
    assert {key: settings[key] for key in BROKER} == BROKER
    undone = parse(OPENMQ.read({"undo.sh": commands(script.undo)}).scenario).queues[0].settings
    assert undone == system.queues[0].settings


PROPERTIES = b"""imq.system.max_count=5000
imq.system.max_size=-1
imq.autocreate.destination.maxBytesPerMsg=20k
imq.admincreate.topic.sharedConsumerFlowLimit=7
"""


def test_limits_of_the_broker_are_read_and_patched() -> None:
    reading = OPENMQ.read({"config.properties": PROPERTIES})
    system = parse(reading.scenario).system
    server = system.servers[0].settings.model_dump()
    assert (server["broker_max_count"], server["broker_max_size"]) == (5000, 0)
    assert system.queues[0].settings.model_dump()["max_bytes_per_msg"] == 20480
    assert OPENMQ.patch
    chosen = {"servers.server.settings.broker_max_count": 800, "servers.server.settings.broker_max_size": 1000.0}
    patched = OPENMQ.patch({"config.properties": PROPERTIES}, system, chosen, "0123abcd")
    assert not patched.refused
    _, *lines = patched.scripts[0].apply.splitlines()
    assert lines[:2] == ["imq.system.max_count=800", "imq.system.max_size=1000"]
    assert lines[2:] == PROPERTIES.decode().splitlines()[2:]


def test_the_shared_limit_of_made_topics_counts_for_those_only() -> None:
    command = b"imqcmd create dst -t t -n news\n"
    queues = parse(OPENMQ.read({"config.properties": PROPERTIES, "make.sh": command}).scenario).queues
    assert [queue.settings.model_dump()["shared_consumer_flow_limit"] for queue in queues] == [7]
    queues = parse(OPENMQ.read({"config.properties": PROPERTIES}).scenario).queues
    assert [queue.settings.model_dump()["shared_consumer_flow_limit"] for queue in queues] == [5]


DOMAIN = b"""<domain><configs><config name="server-config">
  <mdb-container pool-resize-quantity="4" idle-timeout-in-seconds="300">
    <property name="reconnect-enabled" value="true"/>
    <property name="reconnect-delay-in-seconds" value="10"/>
  </mdb-container>
</config></configs></domain>
"""
CONTAINER = {
    "pool_resize_quantity": 4,
    "pool_idle_timeout": 300,
    "reconnect_enabled": True,
    "reconnect_delay": 10,
    "reconnect_retries": 60,
}


def test_settings_of_the_container_are_read_and_patched() -> None:
    system = parse(OPENMQ.read({"domain.xml": DOMAIN}).scenario).system
    settings = system.servers[0].settings.model_dump()
    assert {key: settings[key] for key in CONTAINER} == CONTAINER
    assert formula_value(OPENMQ.derive(system), "reconnect_time") == 600
    assert OPENMQ.patch
    new = {"pool_resize_quantity": 2, "pool_idle_timeout": 60.0, "reconnect_delay": 5.0, "reconnect_retries": 3}
    chosen = {f"servers.server.settings.{key}": value for key, value in new.items()}
    patched = OPENMQ.patch({"domain.xml": DOMAIN}, system, chosen, "0123abcd")
    assert not patched.refused
    after = parse(OPENMQ.read({"domain.xml": patched.scripts[0].apply.encode()}).scenario).system
    assert after.servers[0].settings.model_dump() == {**settings, **new}


BEAN = b"""<glassfish-ejb-jar><enterprise-beans><ejb>
  <ejb-name>Orders</ejb-name>
  <mdb-resource-adapter><resource-adapter-mid>jmsra</resource-adapter-mid><activation-config>
    <activation-config-property>
      <activation-config-property-name>sendUndeliverableMsgsToDMQ</activation-config-property-name>
      <activation-config-property-value>false</activation-config-property-value>
    </activation-config-property>
  </activation-config></mdb-resource-adapter>
</ejb></enterprise-beans></glassfish-ejb-jar>
"""


def test_where_undeliverable_messages_go_is_read_and_patched() -> None:
    assert OPENMQ.patch
    system = parse(OPENMQ.read({"glassfish-ejb-jar.xml": BEAN}).scenario).system
    assert system.queues[0].settings.model_dump()["send_undeliverable_to_dmq"] is False
    chosen = {"queues.Orders.settings.send_undeliverable_to_dmq": True}
    patched = OPENMQ.patch({"glassfish-ejb-jar.xml": BEAN}, system, chosen, "0123abcd")
    assert not patched.refused
    after = parse(OPENMQ.read({"glassfish-ejb-jar.xml": patched.scripts[0].apply.encode()}).scenario).system
    assert after.queues[0].settings.model_dump()["send_undeliverable_to_dmq"] is True
