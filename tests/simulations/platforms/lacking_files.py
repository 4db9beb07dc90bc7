"""Generated vendor files of every kind that leave settings out, in many styles."""

from collections.abc import Callable

from hypothesis import strategies as st

from tests.simulations.platforms.stating_files import Files

COUNT = st.integers(1, 9999)


@st.composite
def styled(draw: st.DrawFn, text: str) -> bytes:
    """The XML with line ends, indentation or none, and a namespace prefix or none. ``text`` has two blanks a level."""
    style = draw(st.sampled_from(["  ", "    ", "\t", "flat"]))
    lines = [line for line in text.splitlines() if draw(st.booleans()) or "?" not in line[:1]]
    made = [style * ((len(line) - len(line.lstrip())) // 2) + line.lstrip() for line in lines]
    if style == "flat":
        return "".join(line.lstrip() for line in lines).encode()
    return draw(st.sampled_from(["\n", "\r\n"])).join(made).encode()


def some(draw: st.DrawFn, *lines: str) -> str:
    """Some of the lines, in their order."""
    return "\n".join(line.format(draw(COUNT)) for line in lines if draw(st.booleans()))


@st.composite
def modules(draw: st.DrawFn) -> Files:
    """A JMS module that leaves much out, with or without a prefix, and the bean that uses it."""
    p = draw(st.sampled_from(["", "j:"]))
    flow = some(draw, f"      <{p}flow-steps>{{}}</{p}flow-steps>", "      <!-- why not -->")
    text = f"""<{p}weblogic-jms xmlns{":j" if p else ""}="http://xmlns.oracle.com/weblogic/weblogic-jms">
  <{p}connection-factory name="f">
    <{p}jndi-name>jms/factory</{p}jndi-name>
    <{p}flow-control-params>
{flow}
    </{p}flow-control-params>
    <{p}security-params/>
  </{p}connection-factory>
  <{p}queue name="orders">
    <{p}sub-deployment-name>s</{p}sub-deployment-name>
{draw(st.sampled_from([f"    <{p}thresholds/>", f"    <{p}thresholds></{p}thresholds>", "    <!-- none -->"]))}
    <{p}delivery-failure-params>
      <{p}expiration-policy>Discard</{p}expiration-policy>
    </{p}delivery-failure-params>
    <{p}jndi-name>jms/orders</{p}jndi-name>
  </{p}queue>
</{p}weblogic-jms>"""
    return {"orders-jms.xml": draw(styled(text)), **draw(descriptors())}


@st.composite
def descriptors(draw: st.DrawFn) -> Files:
    """A weblogic-ejb-jar.xml that leaves much out."""
    pool = some(draw, "      <pool/>", "      <timer-descriptor><x/></timer-descriptor>")
    text = f"""<weblogic-ejb-jar xmlns="http://xmlns.oracle.com/weblogic/weblogic-ejb-jar">
  <weblogic-enterprise-bean>
    <ejb-name>Orders</ejb-name>
    <message-driven-descriptor>
{pool}
      <destination-jndi-name>jms/orders</destination-jndi-name>
      <connection-factory-jndi-name>jms/factory</connection-factory-jndi-name>
    </message-driven-descriptor>
{some(draw, "    <enable-call-by-reference>true</enable-call-by-reference>")}
  </weblogic-enterprise-bean>
</weblogic-ejb-jar>"""
    return {"weblogic-ejb-jar.xml": draw(styled(text))}


@st.composite
def domains(draw: st.DrawFn) -> Files:
    """A config.xml of a cluster whose members say nothing of their pools."""
    members = "".join(
        f"""
  <server>
    <name>m{number}</name>
    <listen-port>{7000 + number}</listen-port>
    <cluster>c</cluster>
  </server>"""
        for number in range(draw(st.integers(1, 3)))
    )
    text = f"""<domain xmlns="http://xmlns.oracle.com/weblogic/domain">
  <name>d</name>
{some(draw, "  <jta><max-transactions>{}</max-transactions></jta>", "  <log/>")}
  <server>
    <name>admin</name>
  </server>{members}
</domain>"""
    return {"config.xml": draw(styled(text))}


@st.composite
def servers(draw: st.DrawFn) -> Files:
    """A server.xml of WebSphere in which attributes equal to the default are missing."""
    ports = "".join(f'\n      <listenerPorts xmi:id="L_{n}" name="p{n}"/>' for n in range(draw(st.integers(1, 3))))
    text = f"""<process:Server xmlns:process="p" xmlns:xmi="http://www.omg.org/XMI" name="s">
  <components>
    <services xmi:type="a:TransactionService" enable="true" />
    <services xmi:type="m:MessageListenerService" xmi:id="MessageListenerService_1">
      <threadPool name="Message.Listener.Pool"/>{ports}
    </services>
  </components>
</process:Server>"""
    return {"server.xml": draw(styled(text))}


@st.composite
def glassfish(draw: st.DrawFn) -> Files:
    """A domain.xml without a container for MDBs, and a factory with some options or none."""
    options = draw(st.sampled_from(["", "imqReconnect=true", "imqConsumerFlowLimit=100", "a=x\\,y,imqBroker=1"]))
    own = f'      <property name="options" value="{options}"/>' if draw(st.booleans()) else ""
    text = f"""<domain>
  <resources>
    <connector-connection-pool name="orders" resource-adapter-name="jmsra">
      <property name="AddressList" value="a"/>
{own}
    </connector-connection-pool>
  </resources>
  <configs>
    <config name="server-config">
{some(draw, "      <ejb-container max-pool-size='{}'/>", "      <mdb-container/>", "      <jms-service/>")}
      <thread-pools>
        <thread-pool name="thread-pool-1"/>
      </thread-pools>
    </config>
  </configs>
</domain>"""
    return {"domain.xml": draw(styled(text))}


@st.composite
def beans(draw: st.DrawFn) -> Files:
    """A glassfish-ejb-jar.xml with an activation configuration that says something else, in its options, too."""
    options = """          <activation-config-property>
            <activation-config-property-name>options</activation-config-property-name>
            <activation-config-property-value>imqReconnect=true</activation-config-property-value>
          </activation-config-property>"""
    text = f"""<glassfish-ejb-jar>
  <enterprise-beans>
    <ejb>
      <ejb-name>Orders</ejb-name>
      <jndi-name>jms/orders</jndi-name>
{some(draw, "      <jms-max-messages-load>{}</jms-max-messages-load>", "      <bean-pool/>")}
      <mdb-resource-adapter>
        <resource-adapter-mid>jmsra</resource-adapter-mid>
        <activation-config>
          <activation-config-property>
            <activation-config-property-name>destinationType</activation-config-property-name>
            <activation-config-property-value>jakarta.jms.Queue</activation-config-property-value>
          </activation-config-property>
{draw(st.sampled_from(["", options]))}
        </activation-config>
      </mdb-resource-adapter>
    </ejb>
  </enterprise-beans>
</glassfish-ejb-jar>"""
    return {"glassfish-ejb-jar.xml": draw(styled(text))}


@st.composite
def properties(draw: st.DrawFn) -> Files:
    """A broker's file that says nothing yet, ending in a line end or not."""
    end = draw(st.sampled_from(["\n", "\r\n"]))
    text = end.join(["# of the instance", "imq.instanceconfig.version=300", draw(st.sampled_from(["", "imq.a=b"]))])
    return {"config.properties": text.encode()}


@st.composite
def models(draw: st.DrawFn) -> Files:
    """A Deploy Tooling model that leaves much out, in blocks and in flows."""
    unit, end = draw(st.integers(1, 4)), draw(st.sampled_from(["\n", "\r\n"]))
    flow = draw(
        st.sampled_from(["{}", "{ FlowSteps: 5 }", "", "# of the factory", "\n            FlowSteps: 5 # five"])
    )
    last = draw(
        st.sampled_from(["JNDIName: jms/orders", "Notes: |\n              of\n              ours", "Thresholds:"])
    )
    text = f"""resources:
  JMSSystemResource:
    M:
      JmsResource:
        ConnectionFactory:
          f:
            FlowControlParams: {flow}

            JNDIName: jms/factory
        # destinations
        Queue:
          orders:
            {last}  # the last one
topology: {{Server: {{one: {{ListenPort: 7001}}}}}}"""
    lines = [" " * (unit * ((len(line) - len(line.lstrip())) // 2)) + line.lstrip() for line in text.splitlines()]
    return {"model.yaml": end.join([*lines, *([""] if draw(st.booleans()) else [])]).encode()}


FORMATS: dict[str, tuple[str, Callable[[], st.SearchStrategy[Files]], int]] = {
    "weblogic-jms": ("weblogic", modules, 22),
    "weblogic-ejb-jar": ("weblogic", descriptors, 5),
    "config.xml": ("weblogic", domains, 3),
    "model.yaml": ("weblogic", models, 16),
    "server.xml": ("websphere", servers, 5),
    "domain.xml": ("openmq", glassfish, 8),
    "glassfish-ejb-jar": ("openmq", beans, 6),
    "config.properties": ("openmq", properties, 6),
}
"""Family, generated files, and how many settings of each can be written although they are missing."""
