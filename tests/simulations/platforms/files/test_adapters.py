"""Beans behind the generic JMS adapter keep pool size and redelivery, and listen to a foreign destination."""

import pytest

from planner.configuration.importing import configuration_read
from simulations.platforms import PLATFORMS
from simulations.scenario.spec import parse

PROPERTY = (
    "<activation-config-property><activation-config-property-name>{}</activation-config-property-name>"
    "<activation-config-property-value>{}</activation-config-property-value></activation-config-property>\n"
)
VALUES = {"MaxPoolSize": 12, "RedeliveryAttempts": 4, "RedeliveryInterval": 30}
CONFIG = "".join(PROPERTY.format(name, value) for name, value in VALUES.items())
ADAPTER = "<resource-adapter-mid>genericra</resource-adapter-mid>"


def test_glassfish_reads_pool_and_redelivery_of_the_generic_adapter() -> None:
    jar = f"""<glassfish-ejb-jar><enterprise-beans><ejb><ejb-name>B</ejb-name>
<mdb-resource-adapter>{ADAPTER}<activation-config>{CONFIG}</activation-config></mdb-resource-adapter></ejb>
</enterprise-beans></glassfish-ejb-jar>"""
    found = parse(PLATFORMS["openmq"].read({"glassfish-ejb-jar.xml": jar.encode()}).scenario).queues[0].settings
    read = found.model_dump()
    assert (read["bean_pool_maximum"], read["redelivery_attempts"], read["redelivery_interval"]) == (12, 4, 30.0)


def test_weblogic_reads_them_too_and_the_destination_is_foreign() -> None:
    vendor = b"""<weblogic-ejb-jar><weblogic-enterprise-bean><ejb-name>B</ejb-name><message-driven-descriptor>
<resource-adapter-jndi-name>eis/Sonic</resource-adapter-jndi-name></message-driven-descriptor>
</weblogic-enterprise-bean></weblogic-ejb-jar>"""
    standard = f"""<ejb-jar><enterprise-beans><message-driven><ejb-name>B</ejb-name>
<activation-config>{CONFIG}</activation-config></message-driven></enterprise-beans></ejb-jar>"""
    reading = PLATFORMS["weblogic"].read({"weblogic-ejb-jar.xml": vendor, "ejb-jar.xml": standard.encode()})
    read = parse(reading.scenario).queues[0].settings.model_dump()
    names = ("destination", "max_beans_in_free_pool", "redelivery_limit", "redelivery_delay")
    assert [read[name] for name in names] == ["foreign", 12, 4, 30.0]
    assert "queues.B.settings.destination" not in reading.spots


RA = b"""<connector><display-name>Generic JMS Adapter</display-name><resourceadapter><config-property>
<config-property-name>UserName</config-property-name></config-property></resourceadapter></connector>"""
BEAN = b"""<weblogic-ejb-jar><weblogic-enterprise-bean><ejb-name>B</ejb-name><message-driven-descriptor>
<resource-adapter-jndi-name>SonicRA</resource-adapter-jndi-name></message-driven-descriptor>
</weblogic-enterprise-bean></weblogic-ejb-jar>"""
MDB = b"""<ejb-jar><enterprise-beans><message-driven><ejb-name>B</ejb-name><activation-config>
<activation-config-property><activation-config-property-name>destination</activation-config-property-name>
<activation-config-property-value>TP.LHR.#</activation-config-property-value></activation-config-property>
<activation-config-property><activation-config-property-name>connectID</activation-config-property-name>
<activation-config-property-value>x</activation-config-property-value></activation-config-property>
</activation-config></message-driven></enterprise-beans></ejb-jar>"""
MODULE = b'<weblogic-jms><queue name="TP.LHR.#"/></weblogic-jms>'


def test_a_destination_behind_an_adapter_is_none_of_the_domain() -> None:
    files = {"weblogic-ejb-jar.xml": BEAN, "ejb-jar.xml": MDB, "m-jms.xml": MODULE}
    reading = configuration_read(files)
    (queue,) = reading.spec.queues
    assert queue.identity is not None
    assert (queue.identity.name, queue.identity.part("adapter").name) == ("", "SonicRA")
    said = {(line.status, line.message) for line in reading.account if line.path == "queues.B"}
    assert ("understood", "destination TP.LHR.# of SonicRA") in said
    assert ("unresolved", "destination") in {(line.status, line.path) for line in reading.account}
    ignored = [line.path for line in reading.account if line.status == "ignored"]
    assert "ejb-jar.enterprise-beans.message-driven.activation-config.connectID" in ignored


def test_glassfish_reads_properties_in_any_letters_and_names_the_adapter() -> None:
    config = PROPERTY.format("DestinationType", "javax.jms.Topic") + PROPERTY.format("endpointPoolMaxSize", 7)
    config += PROPERTY.format("Destination", "Foo.Bar")
    jar = f"""<sun-ejb-jar><enterprise-beans><ejb><ejb-name>B</ejb-name><mdb-resource-adapter>{ADAPTER}
<activation-config>{config}</activation-config></mdb-resource-adapter></ejb></enterprise-beans></sun-ejb-jar>"""
    reading = configuration_read({"sun-ejb-jar.xml": jar.encode()})
    (queue,) = reading.spec.queues
    assert queue.identity is not None
    assert (queue.kind, queue.settings.model_dump()["bean_pool_maximum"]) == ("topic", 7)
    assert queue.identity.part("adapter").name == "genericra"
    assert "destination Foo.Bar of genericra" in {line.message for line in reading.account}


@pytest.mark.parametrize("platform", ["weblogic", "openmq"])
def test_an_ra_xml_is_named_and_set_aside(platform: str) -> None:
    reading = configuration_read({"ra.xml": RA}, platform=platform)
    (line,) = [line for line in reading.account if line.path == "resource adapter Generic JMS Adapter"]
    assert (line.status, line.file) == ("unresolved", "ra.xml")
    assert "properties of each bean" in line.message
    beside = configuration_read({"ra.xml": RA, "weblogic-ejb-jar.xml": BEAN})
    assert beside.spec.platform == "weblogic"
