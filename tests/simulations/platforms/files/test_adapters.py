"""Beans behind the generic JMS adapter keep pool size and redelivery, and listen to a foreign destination."""

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
