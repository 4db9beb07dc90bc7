"""Small configurations of each vendor with names of any characters."""

from xml.sax.saxutils import escape, quoteattr

from hypothesis import strategies as st

from tests.simulations.platforms.script_names import Object

LETTERS = st.sampled_from(
    [*"aZ0.-_/:'\"\\=,;&<>()[]{}!*?~|^+", "ü", "ß", "É", "注", "文", "ё", ". ", "/ ", ": ", "..", "''"]
)
NAME = st.lists(LETTERS, min_size=1, max_size=8).map("".join).map(str.strip).filter(bool)
NAMES = st.lists(NAME, min_size=12, max_size=12, unique=True)


def weblogic(names: list[str]) -> tuple[dict[str, str], set[Object]]:
    """A domain with two destinations of one module and what is known of it."""
    module, first, second, factory, quota, manager, cap, server, _, _, share, _ = names
    text, attribute = [escape(name) for name in names], [quoteattr(name) for name in names]
    config = f"""<domain xmlns="http://xmlns.oracle.com/weblogic/domain"><name>d</name>
<server><name>{text[7]}</name></server><self-tuning>
<fair-share-request-class><name>{text[10]}</name><target>{text[7]}</target><fair-share>20</fair-share>
</fair-share-request-class><max-threads-constraint><name>{text[6]}</name><target>{text[7]}</target><count>5</count>
</max-threads-constraint><work-manager><name>{text[5]}</name><target>{text[7]}</target>
<fair-share-request-class>{text[10]}</fair-share-request-class>
<max-threads-constraint>{text[6]}</max-threads-constraint></work-manager></self-tuning><jms-system-resource>
<name>{text[0]}</name><descriptor-file-name>jms/m-jms.xml</descriptor-file-name></jms-system-resource></domain>"""
    jms = f"""<weblogic-jms><quota name={attribute[4]}><messages-maximum>900</messages-maximum></quota>
<connection-factory name={attribute[3]}><jndi-name>jms/cf</jndi-name></connection-factory>
<queue name={attribute[1]}><quota>{text[4]}</quota><jndi-name>jms/one</jndi-name></queue>
<uniform-distributed-topic name={attribute[2]}><jndi-name>jms/two</jndi-name></uniform-distributed-topic>
</weblogic-jms>"""
    beans = "".join(
        f"""<weblogic-enterprise-bean><ejb-name>{text[number]}</ejb-name><message-driven-descriptor>
<destination-jndi-name>jms/{jndi}</destination-jndi-name>
<connection-factory-jndi-name>jms/cf</connection-factory-jndi-name></message-driven-descriptor>
<dispatch-policy>{text[5]}</dispatch-policy></weblogic-enterprise-bean>"""
        for number, jndi in ((8, "one"), (9, "two"))
    )
    known = {
        ("Server", server),
        *(("WorkManager", manager), ("MaxThreadsConstraint", cap), ("FairShareRequestClass", share)),
        *((module, "Queue", first), (module, "UniformDistributedTopic", second)),
        *((module, "ConnectionFactory", factory), (module, "Quota", quota)),
    }
    standard = "".join(
        f"""<message-driven><ejb-name>{text[number]}</ejb-name><message-destination-type>javax.jms.{kind}
</message-destination-type></message-driven>""".replace("\n<", "<")
        for number, kind in ((8, "Queue"), (9, "Topic"))
    )
    return {
        "config.xml": config,
        "m-jms.xml": jms,
        "weblogic-ejb-jar.xml": f"<weblogic-ejb-jar>{beans}</weblogic-ejb-jar>",
        "ejb-jar.xml": f"<ejb-jar><enterprise-beans>{standard}</enterprise-beans></ejb-jar>",
    }, known


def openmq(names: list[str]) -> dict[str, str]:
    """A domain with a cluster, a pool and two destinations."""
    cluster, config, pool, first, second = (quoteattr(name) for name in names[:5])
    resource = """<admin-object-resource jndi-name="jms/{}" res-type="javax.jms.{}" res-adapter="jmsra">
<property name="Name" value={}/></admin-object-resource>"""
    return {
        "domain.xml": f"""<domain><clusters><cluster name={cluster} config-ref={config}/></clusters>
<configs><config name="server-config"/><config name={config}><mdb-container max-pool-size="32"/></config></configs>
<resources><connector-connection-pool name={pool} resource-adapter-name="jmsra"/>
{resource.format("one", "Queue", first)}{resource.format("two", "Topic", second)}</resources></domain>"""
    }


def websphere(names: list[str]) -> dict[str, str]:
    """A server with two listener ports, and an activation specification beside it."""
    server, first, second, spec = (quoteattr(name) for name in names[:4])
    return {
        "server.xml": f"""<process:Server xmlns:process="p" xmlns:xmi="http://www.omg.org/XMI" name={server}>
<components xmi:type="ejb:EJBContainer"/><services xmi:type="msg:MessageListenerService">
<threadPool minimumSize="10" maximumSize="50"/><listenerPorts name={first} maxSessions="4"/>
<listenerPorts name={second} maxSessions="5"/></services></process:Server>""",
        "resources.xml": f"""<xmi:XMI xmlns:xmi="http://www.omg.org/XMI"><resources.j2c:J2CResourceAdapter
xmlns:resources.j2c="j" name="WebSphere MQ Resource Adapter"><j2cActivationSpec name={spec}>
<resourceProperties name="maxPoolDepth" value="10"/></j2cActivationSpec>
</resources.j2c:J2CResourceAdapter></xmi:XMI>""",
    }
