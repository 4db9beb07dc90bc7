"""The Open MQ family: credit window, concurrency, redelivery, files in and commands out."""

from simulations.platforms.openmq import OPENMQ
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import mdb

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
    for option in ("Limit 1000 64", "Threshold 50 75"):
        step = f'connector-connection-pool.$(dotted "$POOL")" property.options.imqConsumerFlow{option}\n'
        assert step in scripts["asadmin"].apply
    assert "properties" not in scripts, "an activation property of a bean is none of the broker's"


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
        0.0,
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


def test_what_a_command_sets_is_not_told_as_unread_text() -> None:
    line = b"imqcmd create dst -t q -n orders -o maxNumMsgs=500 -o isLocalOnly=true\n"
    ignored = [item.path for item in OPENMQ.read({"setup.sh": line}).account if item.status == "ignored"]
    assert ignored == ["commands.line 1.isLocalOnly"]
