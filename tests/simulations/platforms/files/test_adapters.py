"""Beans behind the generic JMS adapter keep pool size and redelivery, and listen to a foreign destination."""

import re

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


JAR = f"""<glassfish-ejb-jar><enterprise-beans><ejb><ejb-name>B</ejb-name>
<mdb-resource-adapter>{ADAPTER}<activation-config>{CONFIG}</activation-config></mdb-resource-adapter></ejb>
</enterprise-beans></glassfish-ejb-jar>"""


def test_glassfish_reads_pool_and_redelivery_of_the_generic_adapter() -> None:
    found = parse(PLATFORMS["openmq"].read({"glassfish-ejb-jar.xml": JAR.encode()}).scenario).queues[0].settings
    read = found.model_dump()
    assert (read["bean_pool_maximum"], read["redelivery_attempts"], read["redelivery_interval"]) == (12, 4, 30.0)


def test_a_pool_that_the_adapter_states_is_changed_there_alone() -> None:
    family, files = PLATFORMS["openmq"], {"glassfish-ejb-jar.xml": JAR.encode()}
    assert family.patch
    system = parse(family.read(files).scenario).system
    (script,) = family.patch(files, system, {"queues.B.settings.bean_pool_maximum": 77}, "cafe").scripts
    assert "".join(re.sub("<!--.*-->", "", script.apply).split()) == "".join(JAR.replace(">12<", ">77<").split())


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
    nameless = RA.replace(b"display-name", b"x")
    paths = [
        {line.path for line in configuration_read({"ra.xml": content}, platform=platform).account}
        for content in (nameless, nameless.replace(b"<x>Generic JMS Adapter</x>", b"<vendor-name>Sonic</vendor-name>"))
    ]
    assert ["resource adapter ra.xml" in paths[0], "resource adapter Sonic" in paths[1]] == [True, True]
    beside = configuration_read({"ra.xml": RA, "weblogic-ejb-jar.xml": BEAN})
    assert beside.spec.platform == "weblogic"


def stated(**values: object) -> str:
    """Properties as an ra.xml declares them, each with its default."""
    lines = (
        f"<config-property><config-property-name>{name}</config-property-name><config-property-type>java.lang.Integer"
        f"</config-property-type><config-property-value>{value}</config-property-value></config-property>\n"
        for name, value in values.items()
    )
    return "".join(lines)


def ra_xml(inbound: str, adapter: str = "") -> bytes:
    return f"""<connector><display-name>Sonic</display-name><resourceadapter>{adapter}
<outbound-resourceadapter><connection-definition>{stated(MaxPoolSize=99)}</connection-definition>
</outbound-resourceadapter><inbound-resourceadapter><messageadapter><messagelistener><activationspec>
{inbound}</activationspec></messagelistener></messageadapter></inbound-resourceadapter>
</resourceadapter></connector>""".encode()


OWN = ra_xml(stated(MaxPoolSize=21, RedeliveryAttempts=6), stated(MaxPoolSize=21, RedeliveryInterval=45))
TWO = MDB.replace(b"connectID", b"maxPoolSize").replace(b">x<", b">3<")


def values_of(files: dict[str, bytes], *names: str) -> list[object]:
    read = configuration_read(files).spec.queues[0].settings.model_dump()
    return [read[name] for name in names]


def test_an_ra_xml_states_what_beans_behind_its_adapter_leave_out() -> None:
    names = ("max_beans_in_free_pool", "redelivery_limit", "redelivery_delay")
    files = {"weblogic-ejb-jar.xml": BEAN, "ejb-jar.xml": MDB, "ra.xml": OWN}
    assert values_of(files, *names) == [21, 6, 45.0]
    assert values_of({**files, "ejb-jar.xml": TWO}, *names) == [3, 6, 45.0]
    assert values_of({**files, "weblogic-ejb-jar.xml": BEAN.replace(b"resource-adapter-jndi", b"x")}, names[0]) != [21]
    (line,) = [line for line in configuration_read(files).account if line.path == "resource adapter Sonic"]
    assert (line.status, line.file) == ("understood", "ra.xml")


def test_glassfish_takes_them_from_the_adapter_of_the_archive_that_is_named() -> None:
    jar = f"""<glassfish-ejb-jar><enterprise-beans><ejb><ejb-name>B</ejb-name><mdb-resource-adapter>{ADAPTER}
<activation-config/></mdb-resource-adapter></ejb></enterprise-beans></glassfish-ejb-jar>""".encode()
    names = ("bean_pool_maximum", "redelivery_attempts", "redelivery_interval")
    files = {"glassfish-ejb-jar.xml": jar, "a.ear/genericra.rar/META-INF/ra.xml": OWN}
    assert values_of(files, *names) == [21, 6, 45.0]
    assert values_of({**files, "a.ear/other.rar/META-INF/ra.xml": ra_xml(stated(MaxPoolSize=5))}, *names) == [
        21,
        6,
        45.0,
    ]
    open_ones = {"glassfish-ejb-jar.xml": jar, "one/ra.xml": OWN, "two/ra.xml": OWN}
    assert values_of(open_ones, "bean_pool_maximum") != [21]


def test_an_ra_xml_is_changed_for_all_of_its_beans_or_for_none() -> None:
    family = PLATFORMS["weblogic"]
    assert family.patch
    other = BEAN.replace(
        b"</weblogic-enterprise-bean>", b"</weblogic-enterprise-bean>" + BEAN[18:-19].replace(b">B<", b">C<")
    )
    for bean, made in ((BEAN, True), (other, False)):
        files = {"weblogic-ejb-jar.xml": bean, "ra.xml": OWN}
        system = configuration_read(files).spec.system
        patched = family.patch(files, system, {"queues.B.settings.redelivery_limit": 8}, "cafe")
        assert [script.filename for script in patched.scripts] == ["ra.xml"] * made
        assert bool(patched.refused) is not made
