"""Sources of message-driven beans: names, properties and lines as an ejb-jar.xml would have them."""

from typing import Any

import pytest

from planner.configuration.drift import drift_of
from planner.configuration.importing import configuration_read
from simulations.declarations.problems import InvalidInput
from simulations.platforms import PLATFORMS
from simulations.platforms.files.importing.ejb_jar import MESSAGE_DRIVEN, activation_of
from simulations.platforms.files.syntax.annotations import annotated_tree
from simulations.platforms.files.syntax.signatures import ANNOTATED, root_of
from simulations.platforms.files.syntax.tree import Element

SOURCE = """package shop;
/* @MessageDriven
 * of old */
@TransactionManagement(TransactionManagementType.BEAN)
@MessageDriven(name = "Orders", mappedName = "jms/Bestellübung", activationConfig = {
    // @ActivationConfigProperty(propertyName = "none", propertyValue = "1")
    @ActivationConfigProperty(propertyName = "destinationType", propertyValue = "javax.jms.Topic"),
    @ActivationConfigProperty(propertyValue = "a \\"//b\\", (c)", propertyName = "messageSelector"),
    @javax.ejb.ActivationConfigProperty(propertyName = "MaxPoolSize", propertyValue = "12"),
    @ActivationConfigProperty(propertyName = "RedeliveryAttempts", propertyValue = Limits.ATTEMPTS)
})
public class OrdersBean implements MessageListener {}
"""
DESCRIPTOR = """<weblogic-ejb-jar><weblogic-enterprise-bean><ejb-name>Orders</ejb-name><message-driven-descriptor>
<pool><max-beans-in-free-pool>20</max-beans-in-free-pool></pool></message-driven-descriptor>
</weblogic-enterprise-bean></weblogic-ejb-jar>"""
STANDARD = """<ejb-jar><enterprise-beans><message-driven><ejb-name>Orders</ejb-name></message-driven></enterprise-beans>
</ejb-jar>"""


def beans(text: str) -> list[Element]:
    return annotated_tree(text.encode(), "A.java").all(*MESSAGE_DRIVEN)


def test_name_properties_and_lines() -> None:
    (bean,) = beans(SOURCE)
    assert (bean.value("ejb-name"), bean.value("transaction-type"), bean.line) == ("Orders", "Bean", 5)
    assert [(key, value.text, value.line) for key, _, value in activation_of(bean)] == [
        ("destinationType", "javax.jms.Topic", 7),
        ("messageSelector", 'a "//b", (c)', 8),
        ("MaxPoolSize", "12", 9),
        ("RedeliveryAttempts", "${Limits.ATTEMPTS}", 10),
        ("destinationLookup", "jms/Bestellübung", 5),
    ]


def test_a_destination_that_is_named_counts_before_the_mapped_name() -> None:
    own = '@ActivationConfigProperty(propertyName = "Destination", propertyValue = "one")'
    (bean,) = beans(f'@MessageDriven(mappedName = "two", activationConfig = {own})\nclass B {{}}')
    assert [(key, value.text) for key, _, value in activation_of(bean)] == [("Destination", "one")]


@pytest.mark.parametrize(
    ("before", "inside", "found"),
    [
        ("@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED) ", "", "NotSupported"),
        ("", "@javax.ejb.TransactionAttribute(value = REQUIRED) @Override public void onMessage(", "Required"),
        ("@TransactionAttribute(REQUIRED) ", "@TransactionAttribute(NOT_SUPPORTED) void onMessage(", "NotSupported"),
        ("", "@TransactionAttribute(NOT_SUPPORTED) void store() { a(); } void onMessage(", ""),
        ("@TransactionAttribute(REQUIRES_NEW) ", "", ""),
    ],
)
def test_the_attribute_of_on_message_counts_before_that_of_the_class(before: str, inside: str, found: str) -> None:
    (bean,) = beans(f"{before}\n@MessageDriven()\npublic class B {{ {inside} }}")
    assert bean.value("trans-attribute") == found


def test_what_is_commented_out_is_refused() -> None:
    with pytest.raises(InvalidInput, match="every bean in it is commented out"):
        annotated_tree(b"/*\n@MessageDriven\nclass B {}\n*/", "B.java")


def test_several_beans_have_their_own_properties_and_class_names() -> None:
    one = '@MessageDriven(activationConfig = @ActivationConfigProperty(propertyName = "n", propertyValue = "{}"))\n'
    found = beans("".join(f"{one.format(number)}class B{number} {{}}\n" for number in (1, 2)))
    assert [bean.value("ejb-name") for bean in found] == ["B1", "B2"]
    assert [[value.text for _, _, value in activation_of(bean)] for bean in found] == [["1"], ["2"]]


@pytest.mark.parametrize("text", ["<a>\n@MessageDriven\n</a>", "sluice: 1\nnote: |\n @MessageDriven\n", "class A {}"])
def test_other_texts_are_no_sources(text: str) -> None:
    assert root_of(text.encode())[1] != ANNOTATED


def test_a_bean_without_a_name_is_refused_with_its_line() -> None:
    with pytest.raises(InvalidInput, match="add the line with its class") as refused:
        annotated_tree(b"// typed\n@MessageDriven()", "typed.java")
    assert refused.value.problems[0].path == "typed.java:2"


@pytest.mark.parametrize(
    ("platform", "pool"), [("weblogic", "max_beans_in_free_pool"), ("openmq", "bean_pool_maximum")]
)
def test_a_source_alone_is_read_where_the_platform_is_named(platform: str, pool: str) -> None:
    files = {"Orders.java": SOURCE.encode()}
    reading = configuration_read(files, platform=platform)
    (queue,) = reading.spec.queues
    assert (queue.name, queue.kind, queue.settings.model_dump()[pool]) == ("Orders", "topic", 12)
    places = {(line.status, line.line) for line in reading.account if line.path.startswith("queues.Orders")}
    assert {("understood", 9), ("unresolved", 10)} <= places
    assert drift_of(reading.spec, files).differences == ()
    with pytest.raises(
        InvalidInput, match=r"choose one of Oracle WebLogic Server \(weblogic\), Open MQ with GlassFish \(openmq\)"
    ):
        configuration_read(files)


def test_descriptors_count_before_annotations_and_sources_are_not_patched() -> None:
    files = {"Orders.java": SOURCE, "ejb-jar.xml": STANDARD, "weblogic-ejb-jar.xml": DESCRIPTOR}
    sent = {name: text.encode() for name, text in files.items()}
    reading = configuration_read(sent)
    assert reading.spec.platform == "weblogic"
    assert reading.spec.queues[0].settings.model_dump()["max_beans_in_free_pool"] == 20
    (doubt,) = [line for line in reading.account if line.status == "contradictory"]
    assert (doubt.file, doubt.line) == ("Orders.java", 9)
    assert not [spot for spot in PLATFORMS["weblogic"].read(sent).spots.values() if "Orders.java" in repr(spot)]


KINDS = "<message-destination-type>javax.jms.Queue</message-destination-type>"
WEBLOGIC = {
    "weblogic-ejb-jar.xml": DESCRIPTOR.replace(
        "<pool>", "<destination-jndi-name>jms/Own</destination-jndi-name><pool>"
    ),
    "m-jms.xml": """<weblogic-jms>
<queue name="Own"><delivery-failure-params><redelivery-limit>5</redelivery-limit></delivery-failure-params>
<jndi-name>jms/Own</jndi-name></queue>
<topic name="T"><delivery-params-overrides><redelivery-delay>900</redelivery-delay></delivery-params-overrides>
<jndi-name>jms/Bestellübung</jndi-name></topic></weblogic-jms>""",
}
GLASSFISH = {
    "glassfish-ejb-jar.xml": "<glassfish-ejb-jar><enterprise-beans><ejb><ejb-name>Orders</ejb-name>"
    "<jndi-name>Own</jndi-name></ejb></enterprise-beans></glassfish-ejb-jar>",
    "dst.sh": "imqcmd create dst -t q -n Own -o maxNumMsgs=5\n"
    "imqcmd create dst -t t -n jms/Bestellübung -o maxBytesPerMsg=9",
}


@pytest.mark.parametrize(
    ("platform", "files", "own", "other"),
    [
        ("weblogic", WEBLOGIC, ("redelivery_limit", 5), ("redelivery_delay", 0.0)),
        ("openmq", GLASSFISH, ("max_num_msgs", 5), ("max_bytes_per_msg", 0.0)),
    ],
)
def test_destination_and_kind_of_a_descriptor_count_before_those_of_an_annotation(
    platform: str, files: dict[str, str], own: tuple[str, Any], other: tuple[str, Any]
) -> None:
    standard = STANDARD.replace("</ejb-name>", f"</ejb-name>{KINDS}")
    sent = {**files, "Orders.java": SOURCE, "ejb-jar.xml": standard}
    reading = configuration_read({name: text.encode() for name, text in sent.items()}, platform=platform)
    (queue,) = reading.spec.queues
    settings = queue.settings.model_dump()
    assert (queue.kind, settings[own[0]], settings[other[0]]) == ("queue", own[1], other[1])
    doubts = {line.line for line in reading.account if line.status == "contradictory" and line.file == "Orders.java"}
    assert doubts >= {5, 7}, "destination and kind"
