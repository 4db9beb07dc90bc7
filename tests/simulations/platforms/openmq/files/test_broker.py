"""What the broker's properties and commands say of which destination."""

from typing import Any

from simulations.platforms import PLATFORMS
from simulations.scenario.spec import parse

PROPERTIES = b"""imq.autocreate.destination.maxNumMsgs=777
imq.autocreate.topic.sharedConsumerFlowLimit=9
imq.autocreate.queue.maxNumActiveConsumers=1
"""
MADE = b"imqcmd create dst -t q -n orders\nimqcmd create dst -t t -n news\n"
NAMED = b"""<resources>
<admin-object-resource jndi-name="jms/o" res-type="javax.jms.Queue" res-adapter="jmsra">
<property name="Name" value="orders"/></admin-object-resource>
<admin-object-resource jndi-name="jms/n" res-type="javax.jms.Topic" res-adapter="jmsra">
<property name="Name" value="news"/></admin-object-resource></resources>"""


def limits(**files: bytes) -> list[tuple[Any, ...]]:
    found = PLATFORMS["openmq"].read({name.replace("_", "."): content for name, content in files.items()})
    each = [(queue.name, queue.settings.model_dump()) for queue in parse(found.scenario).queues]
    keys = ("max_num_msgs", "shared_consumer_flow_limit", "max_active_consumers")
    return [(name, *(settings[key] for key in keys)) for name, settings in each]


def test_limits_of_what_the_broker_creates_are_not_given_to_what_an_administrator_made() -> None:
    assert limits(broker_properties=PROPERTIES, dst_sh=MADE) == [("orders", -1, 5, 1), ("news", -1, 5, -1)]


def test_what_the_broker_creates_by_itself_has_them_by_kind() -> None:
    found = limits(broker_properties=PROPERTIES, resources_xml=NAMED)
    assert found == [("orders", 777, 5, 1), ("news", 777, 9, -1)]
