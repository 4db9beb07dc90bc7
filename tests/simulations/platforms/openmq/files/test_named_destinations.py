"""A domain.xml alone names destinations: each becomes a queue."""

from simulations.platforms import PLATFORMS
from simulations.scenario.spec import parse

RESOURCE = """<admin-object-resource jndi-name="jms/d{0}" res-type="javax.jms.{1}" res-adapter="jmsra">
<property name="Name" value="{2}"/></admin-object-resource>
"""


def domain(*names: tuple[str, str]) -> bytes:
    each = "".join(RESOURCE.format(i, kind, name) for i, (kind, name) in enumerate(names))
    return f"<domain><resources>{each}</resources></domain>".encode()


SIX = domain(*((("Queue", "Topic")[i % 2], f"D{i}") for i in range(6)))


def test_six_destinations_of_a_domain_become_six_queues() -> None:
    reading = PLATFORMS["openmq"].read({"domain.xml": SIX})
    queues = [(queue.name, queue.kind) for queue in parse(reading.scenario).queues]
    assert queues == [(f"D{i}", ("queue", "topic")[i % 2]) for i in range(6)]
    assert not [item for item in reading.account if "no file describes an MDB or a destination" in item.message]


def test_what_the_broker_says_of_a_destination_still_counts() -> None:
    commands = b"imqcmd create dst -n D0 -t q -o maxNumMsgs=5\n"
    found = PLATFORMS["openmq"].read({"domain.xml": domain(("Queue", "D0"), ("Queue", "mq.sys.dmq")), "x.sh": commands})
    queues = parse(found.scenario).queues
    assert [(queue.name, queue.settings.model_dump()["max_num_msgs"]) for queue in queues] == [("D0", 5)]


def test_a_bean_on_a_destination_of_which_only_the_name_is_known_says_so() -> None:
    jar = b"""<glassfish-ejb-jar><enterprise-beans><ejb><ejb-name>B</ejb-name><jndi-name>jms/d0</jndi-name></ejb>
</enterprise-beans></glassfish-ejb-jar>"""
    reading = PLATFORMS["openmq"].read({"domain.xml": SIX, "glassfish-ejb-jar.xml": jar})
    found = [item.message for item in reading.account if item.status == "unresolved"]
    assert found == ["no file states limits of the destination 'D0' (jms/d0); the broker's defaults count"]


def test_of_several_clusters_all_are_named() -> None:
    content = b"""<domain><clusters><cluster name="a" config-ref="ac"/><cluster name="b" config-ref="bc"/>
<cluster name="c" config-ref="cc"/></clusters></domain>"""
    account = PLATFORMS["openmq"].read({"domain.xml": content}).account
    found = [(item.line, item.message) for item in account if item.status == "unresolved"]
    assert found == [(1, "3 clusters: a, b, c; name the one that is meant")]
