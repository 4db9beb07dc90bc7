"""Which beans are message-driven, what their descriptors share with ejb-jar.xml, and what hosts them."""

import pytest

from simulations.platforms import PLATFORMS
from simulations.platforms.shared.family import Reading
from simulations.scenario.spec import ScenarioSpec, parse

WEBLOGIC = PLATFORMS["weblogic"]
MDB = "<message-driven-descriptor><pool/></message-driven-descriptor>"


def beans(*inner: str) -> bytes:
    text = "".join(
        f"<weblogic-enterprise-bean>\n<ejb-name>B{i}</ejb-name>{part}</weblogic-enterprise-bean>"
        for i, part in enumerate(inner)
    )
    return f"<weblogic-ejb-jar>{text}</weblogic-ejb-jar>".encode()


def standard(**kinds: str) -> bytes:
    text = "".join(f"<{kind}><ejb-name>{name}</ejb-name></{kind}>" for name, kind in kinds.items())
    return f"<ejb-jar><enterprise-beans>{text}</enterprise-beans></ejb-jar>".encode()


def read(**files: bytes) -> tuple[Reading, ScenarioSpec]:
    reading = WEBLOGIC.read({f"{name}.xml": content for name, content in files.items()})
    return reading, parse(reading.scenario)


@pytest.mark.parametrize(
    "sign",
    [
        "<jndi-name>a/B</jndi-name>",
        "<local-jndi-name>a/B</local-jndi-name>",
        "<enable-call-by-reference>true</enable-call-by-reference>",
        "<caching-descriptor><max-beans-in-free-pool>200</max-beans-in-free-pool></caching-descriptor>",
        "<persistence-descriptor/>",
        "<singleton-session-descriptor/>",
    ],
)
def test_other_beans_are_not_taken_for_message_driven(sign: str) -> None:
    _, spec = read(w=beans(sign, MDB))
    assert [queue.name for queue in spec.queues] == ["B1"]


def test_a_message_driven_bean_may_have_a_jndi_name() -> None:
    _, spec = read(w=beans(MDB + "<jndi-name>a/B</jndi-name>"))
    assert [queue.name for queue in spec.queues] == ["B0"]


def test_a_bean_that_nothing_tells_apart_is_taken_and_said() -> None:
    reading, spec = read(w=beans("<dispatch-policy>wm</dispatch-policy>"))
    assert [queue.name for queue in spec.queues] == ["B0"]
    assert ("defaulted", 2) in [(item.status, item.line) for item in reading.account if "ejb-jar.xml" in item.message]


@pytest.mark.parametrize("first", ["a", "z"])
def test_an_ejb_jar_decides_wherever_it_stands(first: str) -> None:
    plain = "<dispatch-policy>wm</dispatch-policy>"
    named = "<jndi-name>a/B</jndi-name>"
    files = {"m": beans(plain, plain, named), first: standard(B0="session", B1="message-driven", B2="message-driven")}
    reading, spec = read(**files)
    assert sorted(queue.name for queue in spec.queues) == ["B1", "B2"]
    assert not [item for item in reading.account if "taken for message-driven" in item.message]


def activation(**properties: str) -> bytes:
    text = "".join(
        f"<activation-config-property><activation-config-property-name>{key}</activation-config-property-name>\n"
        f"<activation-config-property-value>{value}</activation-config-property-value></activation-config-property>"
        for key, value in properties.items()
    )
    return (
        "<ejb-jar><enterprise-beans><message-driven><ejb-name>B0</ejb-name>"
        f"<activation-config>{text}</activation-config></message-driven></enterprise-beans></ejb-jar>"
    ).encode()


def test_activation_properties_say_what_the_descriptor_can_say() -> None:
    jar = activation(
        maxBeansInFreePool="7",
        transTimeoutSeconds="45",
        maxMessagesInTransaction="3",
        initialContextFactory="com.other.Factory",
        use81StylePolling="True",
        destinationJndiName="jms/orders",
        connectionFactoryJndiName="jms/cf",
        acknowledgeMode="Auto-acknowledge",
    )
    module = (
        b'<weblogic-jms><connection-factory name="F"><jndi-name>jms/cf</jndi-name><client-params>'
        b"<messages-maximum>4</messages-maximum></client-params></connection-factory>"
        b'<queue name="Q"><jndi-name>jms/orders</jndi-name><delivery-failure-params>'
        b"<redelivery-limit>9</redelivery-limit></delivery-failure-params></queue></weblogic-jms>"
    )
    reading, spec = read(jar=jar, module=module)
    found = spec.queues[0].settings.model_dump()
    assert (found["max_beans_in_free_pool"], found["transaction_timeout"], found["max_messages_in_transaction"]) == (
        7,
        45.0,
        3,
    )
    assert (found["destination"], found["use_81_style_polling"]) == ("foreign", True)
    assert (found["redelivery_limit"], found["messages_maximum"]) == (9, 4)
    ignored = [item.line for item in reading.account if item.status == "ignored" and item.file == "jar.xml"]
    assert len(ignored) == 1


def test_the_vendor_s_descriptor_counts_where_both_say_it() -> None:
    pool = "<pool><max-beans-in-free-pool>5</max-beans-in-free-pool></pool>"
    reading, spec = read(
        a=activation(maxBeansInFreePool="7"),
        w=beans(f"<message-driven-descriptor>{pool}</message-driven-descriptor>"),
    )
    assert spec.queues[0].settings.model_dump()["max_beans_in_free_pool"] == 5
    assert [(item.file, item.line) for item in reading.account if item.status == "contradictory"] == [("a.xml", 2)]


def test_a_pool_stated_in_the_ejb_jar_is_changed_there() -> None:
    files = {"a.xml": activation(maxBeansInFreePool="7"), "w.xml": beans(MDB)}
    spec = parse(WEBLOGIC.read(files).scenario)
    assert WEBLOGIC.patch
    done = WEBLOGIC.patch(files, spec.system, {"queues.B0.settings.max_beans_in_free_pool": 9}, "cafe")
    assert [script.filename for script in done.scripts] == ["a.xml"]
    assert "<activation-config-property-value>9</activation-config-property-value>" in done.scripts[0].apply


def test_a_bean_behind_a_resource_adapter_is_named() -> None:
    adapter = "<message-driven-descriptor><resource-adapter-jndi-name>OtherRA</resource-adapter-jndi-name>"
    reading, _ = read(w=beans(f"{adapter}</message-driven-descriptor>"))
    assert [item.line for item in reading.account if item.status == "unresolved" and "OtherRA" in item.message] == [2]


def test_links_of_an_application_lead_into_its_module() -> None:
    link = "<destination-resource-link>module#Q</destination-resource-link>"
    module = (
        b'<weblogic-jms><queue name="Q"><delivery-failure-params><redelivery-limit>2</redelivery-limit>'
        b"</delivery-failure-params></queue></weblogic-jms>"
    )
    _, spec = read(w=beans(f"<message-driven-descriptor>{link}</message-driven-descriptor>"), module=module)
    assert spec.queues[0].settings.model_dump()["redelivery_limit"] == 2


def transactions(kind: str, *attributes: tuple[str, str]) -> bytes:
    text = "".join(
        f"<container-transaction><method><ejb-name>B0</ejb-name><method-name>{method}</method-name></method>"
        f"<trans-attribute>{attribute}</trans-attribute></container-transaction>"
        for method, attribute in attributes
    )
    bean = f"<message-driven><ejb-name>B0</ejb-name><transaction-type>{kind}</transaction-type></message-driven>"
    parts = f"<enterprise-beans>{bean}</enterprise-beans><assembly-descriptor>{text}</assembly-descriptor>"
    return f"<ejb-jar>{parts}</ejb-jar>".encode()


@pytest.mark.parametrize(
    ("jar", "source", "expected"),
    [
        (transactions("Container"), "REQUIRED", True),
        (transactions("Container"), "NOT_SUPPORTED", False),
        (transactions("Container", ("*", "NotSupported")), "", False),
        (transactions("Container", ("*", "NotSupported"), ("onMessage", "Required")), "", True),
        (transactions("Container", ("onMessage", "Required")), "", True),
        (transactions("Bean", ("*", "Required")), "", False),
    ],
)
def test_the_transaction_attribute_decides_for_a_container_s_bean(jar: bytes, source: str, *, expected: bool) -> None:
    java = f'@MessageDriven(name = "B0")\n@TransactionAttribute(TransactionAttributeType.{source})\nclass B0 {{}}'
    reading = WEBLOGIC.read({"a.xml": jar, "w.xml": beans(MDB), **({"B0.java": java.encode()} if source else {})})
    assert parse(reading.scenario).queues[0].settings.model_dump()["transactional"] is expected
    assert not [line for line in reading.account if line.status == "contradictory"]
