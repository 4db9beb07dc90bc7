"""JMS modules: files that the domain names and nobody gave, and what destinations leave to the connection factory."""

import pytest

from simulations.platforms import PLATFORMS
from simulations.platforms.shared.family import Reading
from simulations.scenario.spec import parse

CONFIG = b"""<domain xmlns="weblogic"><jms-system-resource><name>Orders Module</name>
<descriptor-file-name>jms/orders-jms.xml</descriptor-file-name></jms-system-resource></domain>"""
MODULE = b"""<weblogic-jms>
<queue name="q"><delivery-params-overrides><redelivery-delay>%s</redelivery-delay></delivery-params-overrides></queue>
<connection-factory name="f"><default-delivery-params>
<default-redelivery-delay>2500</default-redelivery-delay></default-delivery-params></connection-factory>
</weblogic-jms>"""


def of_modules(files: dict[str, bytes]) -> list[tuple[str, int, str]]:
    account = PLATFORMS["weblogic"].read(files).account
    return [(item.status, item.line, item.message) for item in account if item.path.startswith("JMS module")]


def test_a_module_whose_file_is_missing_is_unresolved_with_the_files_name() -> None:
    message = "its file jms/orders-jms.xml is missing: add it, destinations and connection factories stand in it"
    assert of_modules({"config.xml": CONFIG}) == [("unresolved", 2, message)]


@pytest.mark.parametrize("name", ["orders-jms.xml", "config/jms/Orders-jms.xml", "orders module-jms.xml"])
def test_a_module_whose_file_was_given_is_not_missing(name: str) -> None:
    found = of_modules({"config.xml": CONFIG, name: MODULE % b"-1"})
    assert found == [("understood", 2, "its file jms/orders-jms.xml was read")]


@pytest.mark.parametrize(("written", "delay"), [(b"-1", 2.5), (b"700", 0.7)])
def test_a_destination_of_minus_1_leaves_the_redelivery_delay_to_the_factory(written: bytes, delay: float) -> None:
    reading = PLATFORMS["weblogic"].read({"m-jms.xml": MODULE % written})
    assert parse(reading.scenario).queues[0].settings.model_dump()["redelivery_delay"] == delay
    stated = [(item.status, item.line) for item in reading.account if item.path == "queues.q.settings.redelivery_delay"]
    assert stated == [("understood", 2)]


@pytest.mark.parametrize(
    ("shared", "names", "told"),
    [(b"", b"QQ", True), (b"true", b"QQ", True), (b"false", b"QQ", False), (b"", b"QR", False)],
)
def test_a_quota_that_destinations_share_is_unresolved(*, shared: bytes, names: bytes, told: bool) -> None:
    stated = b"<shared>%s</shared>" % shared if shared else b""
    quotas = b"".join(
        b'<quota name="%c">%s<messages-maximum>5</messages-maximum></quota>' % (name, stated) for name in b"QR"
    )
    queues = b"".join(b'<queue name="%d"><quota>%c</quota></queue>' % item for item in enumerate(names))
    account = PLATFORMS["weblogic"].read({"m-jms.xml": b"<weblogic-jms>%s%s</weblogic-jms>" % (quotas, queues)}).account
    assert [item.path for item in account if "share it" in item.message] == (["quota Q"] if told else [])
    assert not [item for item in account if item.path.endswith("shared")]


def test_messages_maximum_without_a_limit_is_unresolved() -> None:
    factory = b"<client-params><messages-maximum>-1</messages-maximum></client-params>"
    module = b'<weblogic-jms><connection-factory name="f">%s</connection-factory><queue name="q"/></weblogic-jms>'
    account = PLATFORMS["weblogic"].read({"m-jms.xml": module % factory}).account
    told = [(item.status, item.path) for item in account if "no limit" in item.message]
    assert told == [("unresolved", "connection factory.f.settings.messages_maximum")]
    assert not [item for item in account if item.status == "contradictory"]


WEBLOGIC = PLATFORMS["weblogic"]
TWIN = b"""<weblogic-jms>
<quota name="Q"><messages-maximum>%d</messages-maximum></quota>
<connection-factory name="F"><jndi-name>jms/f%d</jndi-name>
<client-params><messages-maximum>%d</messages-maximum></client-params></connection-factory>
<queue name="orders"><quota>Q</quota><jndi-name>jms/%s</jndi-name><delivery-failure-params>
<error-destination>errors</error-destination></delivery-failure-params></queue>
<queue name="errors"/>
</weblogic-jms>"""
FIRST = {"jms/shop-jms.xml": TWIN % (10, 1, 3, b"shop")}
SECOND = {"jms/stock-jms.xml": TWIN % (20, 2, 4, b"stock")}
BEAN = b"""<weblogic-enterprise-bean><ejb-name>%s</ejb-name><message-driven-descriptor>
%s<connection-factory-jndi-name>jms/f%d</connection-factory-jndi-name>
</message-driven-descriptor></weblogic-enterprise-bean>"""


def named(name: bytes, kind: bytes = b"destination-jndi-name") -> bytes:
    return b"<%s>%s</%s>" % (kind, name, kind)


def read(*beans: bytes, **others: bytes) -> Reading:
    descriptor = {"w.xml": b"<weblogic-ejb-jar>%s</weblogic-ejb-jar>" % b"".join(beans)} if beans else {}
    return WEBLOGIC.read({**FIRST, **SECOND, **others, **descriptor})


def settings(reading: Reading) -> dict[str, tuple[int, int]]:
    """Queue -> its quota and the messages that its connection factory lets wait."""
    found = {queue["name"]: queue["settings"] for queue in reading.scenario["queues"]}
    return {name: (each.get("messages_quota"), each.get("messages_maximum")) for name, each in found.items()}


def opened(reading: Reading, path: str) -> list[tuple[str, str, int]]:
    said = [item for item in reading.account if item.status == "unresolved" and item.path == path]
    return [(item.message, item.file, item.line) for item in said]


def test_a_bean_has_the_destination_and_factory_of_its_jndi_names() -> None:
    reading = read(BEAN % (b"A", named(b"jms/shop"), 1), BEAN % (b"B", named(b"jms/stock"), 2))
    assert settings(reading) == {"A": (10, 3), "B": (20, 4)}
    assert not [item for item in reading.account if item.status == "contradictory"]


def test_a_reference_by_module_and_name_is_followed() -> None:
    kind = b"destination-resource-link"
    reading = read(BEAN % (b"A", named(b"stock#orders", kind), 1), BEAN % (b"B", named(b"Shop#orders", kind), 1))
    assert settings(reading) == {"A": (20, 3), "B": (10, 3)}
    assert not opened(reading, "queues.A") + opened(reading, "queues.B")


def test_a_name_of_two_modules_is_said_with_the_one_that_counts() -> None:
    reading = read(BEAN % (b"A", named(b"orders"), 1))
    assert settings(reading) == {"A": (10, 3)}
    message = "2 modules have a destination 'orders': that of jms/shop-jms.xml:5 counts, not jms/stock-jms.xml:5"
    assert opened(reading, "queues.A") == [(message, "w.xml", 2)]


def test_a_jndi_name_of_two_modules_is_said_with_the_one_that_counts() -> None:
    other = b'<weblogic-jms>\n<queue name="other">%s</queue></weblogic-jms>' % named(b"jms/stock", b"jndi-name")
    reading = read(BEAN % (b"A", named(b"jms/stock"), 1), **{"third.xml": other})
    assert settings(reading) == {"A": (20, 3)}
    message = "'jms/stock' is also the JNDI name of 'orders' of jms/stock-jms.xml:5, which counts"
    assert opened(reading, "queues.other") == [(message, "third.xml", 2)]


def test_without_beans_each_destination_is_a_queue() -> None:
    reading = read()
    assert {name: quota for name, (quota, _) in settings(reading).items()} == {"orders": 10, "orders_2": 20}
    said = [(item.message, item.file) for item in reading.account if item.path == "queues.orders_2"]
    assert said[0] == (
        "a queue, 'orders' in its module: another destination has this name",
        "jms/stock-jms.xml",
    )


def test_sub_deployments_of_one_name_are_told_apart() -> None:
    config = b"""<domain xmlns="weblogic"><jms-server><name>a</name><messages-maximum>50</messages-maximum></jms-server>
<jms-server><name>b</name><messages-maximum>60</messages-maximum></jms-server>
<jms-system-resource><name>Shop</name><sub-deployment><name>S</name><target>a</target></sub-deployment>
</jms-system-resource><jms-system-resource><name>Stock</name><sub-deployment><name>S</name><target>b</target>
</sub-deployment></jms-system-resource></domain>"""
    own = b'<weblogic-jms><queue name="%s"><sub-deployment-name>S</sub-deployment-name></queue></weblogic-jms>'
    files = {"config.xml": config, "shop-jms.xml": own % b"p", "stock-jms.xml": own % b"q"}
    reading = WEBLOGIC.read(files)
    assert {name: quota for name, (quota, _) in settings(reading).items()} == {"p": 50, "q": 60}


@pytest.mark.parametrize(
    ("context", "provider", "quota"),
    [(b"com.ibm.mq.Factory", "foreign", -1), (b"weblogic.jndi.WLInitialContextFactory", "weblogic", 50)],
)
def test_a_destination_of_a_foreign_server_has_no_limits_of_jms_servers(
    context: bytes, provider: str, quota: int
) -> None:
    files = {
        "config.xml": b'<domain xmlns="weblogic"><jms-server><name>J</name><messages-maximum>50</messages-maximum>'
        b"</jms-server></domain>",
        "m-jms.xml": b"<weblogic-jms><foreign-server><initial-context-factory>%s</initial-context-factory>"
        b"<foreign-destination><local-jndi-name>jms/Q</local-jndi-name></foreign-destination>"
        b"</foreign-server></weblogic-jms>" % context,
        "weblogic-ejb-jar.xml": b"<weblogic-ejb-jar><weblogic-enterprise-bean><ejb-name>B</ejb-name>"
        b"<message-driven-descriptor><destination-jndi-name>jms/Q</destination-jndi-name>"
        b"</message-driven-descriptor></weblogic-enterprise-bean></weblogic-ejb-jar>",
    }
    system = parse(PLATFORMS["weblogic"].read(files).scenario).system
    settings = system.queues[0].settings.model_dump()
    assert (settings["destination"], settings["messages_quota"]) == (provider, quota)
    chosen = {f"queues.B.settings.{name}": 7 for name in ("messages_quota", "redelivery_limit", "messages_maximum")}
    for script in PLATFORMS["weblogic"].write(system, chosen, "cafe")[1:]:
        assert len(script.left_out) == (3 if provider == "foreign" else 0)
