"""What the broker's properties and commands say of which destination."""

from typing import Any

import pytest

from planner.configuration.importing import configuration_read
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


def test_commands_for_one_destination_run_in_order() -> None:
    made = b"imqcmd create dst -t q -n a -o maxNumMsgs=10\n"
    changed = b"imqcmd update dst -t q -n a -o maxNumMsgs=20\n"
    assert limits(dst_sh=made + changed) == [("a", 20, 5, -1)]
    assert limits(dst_sh=made, more_sh=changed) == [("a", 10, 5, -1)], "of two files nothing says which runs first"
    account = PLATFORMS["openmq"].read({"dst.sh": made + changed}).account
    assert not [line for line in account if line.status == "contradictory"]


def test_what_is_destroyed_is_no_queue_until_it_is_made_again() -> None:
    other = b"imqcmd create dst -t q -n b\nimqcmd destroy dst -t q -n b -f\n"
    gone = b"imqcmd create dst -t q -n a -o maxNumMsgs=10\nimqcmd destroy dst -t q -n a -f\n"
    assert [name for name, *_ in limits(dst_sh=MADE + gone)] == ["orders", "news"]
    assert [name for name, *_ in limits(dst_sh=MADE, more_sh=other)] == ["orders", "news"]
    assert limits(dst_sh=gone + b"imqcmd create dst -t q -n a\n") == [("a", -1, 5, -1)]
    unknown = b"imqcmd destroy dst -t q -n news\nimqcmd destroy dst -t q -n c\n"
    assert [name for name, *_ in limits(dst_sh=MADE, more_sh=unknown)] == ["orders", "news"]


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ("--desttype queue --property MaxNumMsgs=7:MaxNumActiveConsumers=3 a", ("a", 7, 5, 3)),
        ("-T topic --property=MaxNumMsgs=7 a 2>/dev/null", ("a", 7, 5, -1)),
        ("a", ("a", -1, 5, -1)),
    ],
)
def test_a_destination_that_asadmin_makes_is_read(options: str, found: tuple[Any, ...]) -> None:
    text = f"/opt/gf/bin/asadmin --user admin create-jmsdest {options}\n".encode()
    assert PLATFORMS["openmq"].recognises("a.sh", text)
    assert limits(a_sh=text) == [found]
    kind = parse(PLATFORMS["openmq"].read({"a.sh": text}).scenario).queues[0].kind
    assert kind == ("topic" if "topic" in options else "queue")


COUNT = b"imq.system.max_count=%d\n"
INSTALLED = {"lib/default.properties": COUNT % 1, "lib/install.properties": COUNT % 2}
OWN = {"props/config.properties": COUNT % 3 + b"# see imqbrokerd\n"}
START = {"start.sh": b"nohup /opt/mq/bin/imqbrokerd -name b -Dimq.system.max_count=4 -tty &\n"}


@pytest.mark.parametrize(
    ("files", "most"),
    [(INSTALLED, 2), (INSTALLED | OWN, 3), (INSTALLED | OWN | START, 4), (START | OWN, 4), (START, 4)],
)
def test_what_a_broker_reads_later_counts_and_its_options_before_all_files(files: dict[str, bytes], most: int) -> None:
    for order in (files, dict(reversed(files.items()))):
        reading = configuration_read(order)
        assert reading.spec.servers[0].settings.model_dump()["broker_max_count"] == most
        assert not [line for line in reading.account if line.status == "contradictory"]
        places = PLATFORMS["openmq"].read(order).spots.values()
        assert not [spot for spot in places if "lib/" in repr(spot)], "the installation's files are not edited"
