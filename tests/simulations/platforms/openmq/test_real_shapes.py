"""Scripts, outputs and descriptors as they come: other beans, other adapters, names, lines that go on."""

import pytest

from simulations.platforms import PLATFORMS
from simulations.platforms.openmq.formulas import producer_batch
from simulations.platforms.openmq.parameters import MdbSettings
from simulations.platforms.shared.family import Reading
from simulations.scenario.spec import ScenarioSpec, parse

OPENMQ = PLATFORMS["openmq"]


def read(**files: bytes) -> tuple[Reading, ScenarioSpec]:
    reading = OPENMQ.read({name.replace("_", "."): content for name, content in files.items()})
    return reading, parse(reading.scenario)


def settings(spec: ScenarioSpec) -> dict[str, dict[str, object]]:
    return {queue.name: queue.settings.model_dump() for queue in spec.queues}


SCRIPT = rb"""#!/bin/sh
$IMQ_HOME/bin/imqcmd -u admin create dst -t q -n orders \
   -o maxNumMsgs=5000 \
   -o "maxNumProducers=-1"
echo imqcmd create dst -t q -n shown
imqcmd create dst -t t -n news -o 'consumerFlowLimit=64' && echo done; echo "it's"
imqcmd update dst -n news -o maxNumMsgs=7 -u admin
C:\mq\bin\imqcmd.exe create dst -t q -n windows ^
  -o maxNumMsgs=9
imqcmd update dst -t q -n mq.sys.dmq -o maxNumMsgs=250
imqcmd update bkr -o imq.system.max_count=12
imqcmd create dst -t q -n ${NAME}
"""


def test_commands_of_a_script_are_read_as_they_come() -> None:
    reading, spec = read(setup_sh=SCRIPT)
    found = settings(spec)
    assert [queue.kind for queue in spec.queues] == ["queue", "topic", "queue", "queue"]
    assert list(found) == ["orders", "news", "windows", "${NAME}"]
    assert (found["orders"]["max_num_msgs"], found["orders"]["max_num_producers"]) == (5000, -1)
    assert (found["news"]["destination_consumer_flow_limit"], found["news"]["max_num_msgs"]) == (64, 7)
    assert found["windows"]["max_num_msgs"] == 9
    assert spec.servers[0].settings.model_dump()["broker_max_count"] == 12
    assert [(item.line, "NAME" in item.message) for item in reading.account if item.status == "unresolved"] == [
        (12, True)
    ]
    assert {item.line for item in reading.account if item.path == "queues.orders.settings.max_num_producers"} == {2}


def test_any_number_of_producers_may_send() -> None:
    _, spec = read(setup_sh=b"imqcmd create dst -t q -n q -o maxNumProducers=-1 -o maxNumMsgs=500\n")
    assert {item.rule: item.status for item in OPENMQ.derive(spec.system).findings}["openmq.producers-connect"] == "ok"
    assert producer_batch(MdbSettings.model_validate({"max_num_msgs": 500, "max_num_producers": -1})) == 5


OUTPUT = b"""Querying the destination where:

------------------------------------
Destination Name    Destination Type
------------------------------------
prices              Topic

On the broker specified by:

Host         Primary Port
localhost    7676

Destination Name                         prices
Destination Type                         Topic

Current Number of Producers              0

Max Number of Messages                   unlimited (-1)
Max Bytes per Message                    10k (10240)
Max Total Message Bytes                  10m (10485760)
"""


def test_the_head_of_an_output_is_no_destination() -> None:
    reading, spec = read(out_txt=OUTPUT)
    assert [(queue.name, queue.kind) for queue in spec.queues] == [("prices", "topic")]
    found = settings(spec)["prices"]
    assert (found["max_num_msgs"], found["max_bytes_per_msg"], found["max_total_msg_bytes"]) == (-1, 10240, 10 * 2**20)
    assert not [item for item in reading.account if item.status == "contradictory"]


def descriptor(*beans: str) -> bytes:
    text = "".join(f"<ejb>\n<ejb-name>B{i}</ejb-name>{part}</ejb>" for i, part in enumerate(beans))
    return f"<sun-ejb-jar><enterprise-beans>{text}</enterprise-beans></sun-ejb-jar>".encode()


POOL = "<bean-pool><max-pool-size>3</max-pool-size></bean-pool>"
STANDARD = b"""<ejb-jar><enterprise-beans><session><ejb-name>B0</ejb-name></session>
<message-driven><ejb-name>B1</ejb-name><activation-config>
<activation-config-property><activation-config-property-name>destinationLookup</activation-config-property-name>
<activation-config-property-value>jms/orders</activation-config-property-value></activation-config-property>
<activation-config-property><activation-config-property-name>endpointExceptionRedeliveryAttempts\
</activation-config-property-name>
<activation-config-property-value>4</activation-config-property-value></activation-config-property>
</activation-config></message-driven></enterprise-beans></ejb-jar>"""


@pytest.mark.parametrize(
    ("bean", "taken", "said"),
    [
        ("<jndi-name>ejb/Converter</jndi-name>", False, True),
        ("<jndi-name>ejb/Converter</jndi-name><pass-by-reference>true</pass-by-reference>", False, False),
        ("<jndi-name>jms/orders</jndi-name>", True, False),
        (POOL, False, True),
        ("<jms-max-messages-load>1</jms-max-messages-load>", True, False),
    ],
)
def test_a_bean_counts_when_something_says_that_it_is_message_driven(bean: str, taken: bool, said: bool) -> None:  # noqa: FBT001
    reading, spec = read(sun_xml=descriptor(bean))
    assert [queue.name for queue in spec.queues] == ["B0" if taken else "queue"]
    assert (2 in [item.line for item in reading.account if "ejb-jar.xml" in item.message]) is said


def test_a_name_that_other_files_know_is_that_of_a_destination() -> None:
    _, spec = read(a_xml=descriptor("<jndi-name>orders</jndi-name>"), z_sh=b"imqcmd create dst -t q -n orders\n")
    assert [queue.name for queue in spec.queues] == ["B0"]


@pytest.mark.parametrize("first", ["a_xml", "z_xml"])
def test_an_ejb_jar_decides_and_adds_its_properties(first: str) -> None:
    files = {"m_xml": descriptor(POOL, POOL), first: STANDARD}
    _, spec = read(**files)
    found = settings(spec)
    assert list(found) == ["B1"]
    assert (found["B1"]["bean_pool_maximum"], found["B1"]["redelivery_attempts"]) == (3, 4)


def test_another_adapter_is_named() -> None:
    adapter = "<mdb-resource-adapter><resource-adapter-mid>{}</resource-adapter-mid></mdb-resource-adapter>"
    for name, lines in (("other#ra", [2]), ("jmsra", [])):
        reading, _ = read(sun_xml=descriptor(adapter.format(name)))
        assert [item.line for item in reading.account if "not Open MQ's adapter" in item.message] == lines


NAMED = b"""<resources>
<admin-object-resource jndi-name="jms/prices" res-adapter="jmsra" res-type="javax.jms.Topic">
<property name="Name" value="PricesTopic"/></admin-object-resource>
<admin-object-resource jndi-name="jms/other" res-adapter="foreign" res-type="javax.jms.Queue">
<property name="Name" value="Other"/></admin-object-resource></resources>"""
COMMAND = b"imqcmd create dst -t t -n PricesTopic -o maxNumMsgs=77\n"


@pytest.mark.parametrize("content", [NAMED, b"<domain>" + NAMED + b"</domain>"])
def test_a_destination_is_found_by_the_name_that_its_resource_gives(content: bytes) -> None:
    assert OPENMQ.recognises("r.xml", content)
    reading, spec = read(a_xml=descriptor("<jndi-name>jms/prices</jndi-name>"), r_xml=content, c_sh=COMMAND)
    assert [(queue.name, queue.kind, queue.settings.model_dump()["max_num_msgs"]) for queue in spec.queues] == [
        ("B0", "topic", 77)
    ]
    assert not [item for item in reading.account if item.status == "unresolved"]


def test_resources_of_another_product_are_not_taken() -> None:
    assert not OPENMQ.recognises("strings.xml", b"<resources><string name='a'>b</string></resources>")


def test_the_choice_among_several_clusters_is_said() -> None:
    cluster = b'<cluster name="%s" config-ref="%s-config"><server-ref ref="a"/></cluster>'
    config = b'<config name="b-config"><mdb-container max-pool-size="48"/></config>'
    content = b"<domain>\n<clusters>%s%s</clusters><configs>%s</configs></domain>"
    reading, spec = read(domain_xml=content % (cluster % (b"b", b"b"), cluster % (b"c", b"c"), config))
    assert spec.servers[0].settings.model_dump()["max_pool_size"] == 48
    assert [item.message for item in reading.account if item.status == "unresolved"] == [
        "2 clusters: b, c; name the one that is meant"
    ]
