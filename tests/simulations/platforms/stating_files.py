"""Generated vendor files of every kind that state settings, in many styles."""

from collections.abc import Callable

from hypothesis import strategies as st

Files = dict[str, bytes]
"""Content by name."""
COUNT = st.integers(1, 9999)
QUOTE = st.sampled_from(["'", '"'])
BEAN = b"""<weblogic-ejb-jar><weblogic-enterprise-bean><ejb-name>Orders</ejb-name><message-driven-descriptor>
<destination-jndi-name>jms/orders</destination-jndi-name><connection-factory-jndi-name>jms/factory</connection-factory-jndi-name>
</message-driven-descriptor></weblogic-enterprise-bean></weblogic-ejb-jar>"""


@st.composite
def jms_modules(draw: st.DrawFn) -> Files:
    """A WebLogic module with thresholds, redelivery, a quota and flow control, in every namespace."""
    space = draw(st.sampled_from(["xmlns.oracle.com/weblogic/weblogic-jms", "www.bea.com/ns/weblogic/weblogic-jms"]))
    low, blank, number = draw(COUNT), draw(st.sampled_from(["", " ", "\n\t"])), draw
    text = f"""<?xml version='1.0' encoding='UTF-8'?>
<weblogic-jms xmlns="http://{space}"><!-- Größe -->
<quota name="all"><bytes-maximum>{number(COUNT)}</bytes-maximum><messages-maximum>{low * 9}</messages-maximum></quota>
<connection-factory name="f"><jndi-name>jms/factory</jndi-name>
<default-delivery-params><send-timeout>{number(COUNT)}</send-timeout></default-delivery-params>
<client-params><messages-maximum>{number(COUNT)}</messages-maximum></client-params>
<flow-control-params><flow-minimum>{low}</flow-minimum><flow-maximum>{low * 7}</flow-maximum>
<flow-steps>{number(COUNT)}</flow-steps>
<flow-control-enabled>{number(st.sampled_from(["true", "false"]))}</flow-control-enabled>
</flow-control-params></connection-factory>
<queue name="orders"><jndi-name>jms/orders</jndi-name><quota>all</quota>
<thresholds><messages-high>{blank}{number(st.sampled_from([low * 3, 2**63 - 1]))}{blank}</messages-high>
<messages-low>{low}</messages-low></thresholds>
<delivery-params-overrides><redelivery-delay>{number(COUNT)}</redelivery-delay></delivery-params-overrides>
<delivery-failure-params><redelivery-limit>{number(st.integers(-1, 99))}</redelivery-limit></delivery-failure-params>
</queue></weblogic-jms>"""
    return {"orders-jms.xml": text.encode(), "weblogic-ejb-jar.xml": BEAN}


@st.composite
def domain_configs(draw: st.DrawFn) -> Files:
    """A WebLogic config.xml: transaction timeout, size of the thread pool, thresholds of the JMS server."""
    low = draw(COUNT)
    spaces = [
        "xmlns.oracle.com/weblogic/domain",
        "www.bea.com/ns/weblogic/920/domain",
        "www.bea.com/ns/weblogic/90/domain",
    ]
    text = f"""<domain xmlns="http://{draw(st.sampled_from(spaces))}"><name>d</name>
<jta><timeout-seconds>{draw(COUNT)}</timeout-seconds></jta>
<server><name>one</name><self-tuning-thread-pool-size-min>{low}</self-tuning-thread-pool-size-min>
<self-tuning-thread-pool-size-max>{low * 5}</self-tuning-thread-pool-size-max></server>
<jms-server><name>j</name><target>one</target><messages-threshold-high>{low * 4}</messages-threshold-high>
<messages-threshold-low>{low}</messages-threshold-low><bytes-maximum>{draw(COUNT)}</bytes-maximum></jms-server></domain>"""
    return {"config.xml": text.encode()}


@st.composite
def descriptors(draw: st.DrawFn) -> Files:
    """A weblogic-ejb-jar.xml with the elements of the bean itself."""
    text = f"""<weblogic-ejb-jar>\r\n<weblogic-enterprise-bean><ejb-name>Orders</ejb-name>
<message-driven-descriptor><pool><max-beans-in-free-pool>{draw(COUNT)}</max-beans-in-free-pool></pool>
<max-messages-in-transaction>{draw(COUNT)}</max-messages-in-transaction></message-driven-descriptor>
<transaction-descriptor><trans-timeout-seconds>{draw(COUNT)}</trans-timeout-seconds></transaction-descriptor>
</weblogic-enterprise-bean></weblogic-ejb-jar>"""
    return {"weblogic-ejb-jar.xml": text.encode()}


@st.composite
def websphere_servers(draw: st.DrawFn) -> Files:
    """A server.xml with listener ports, attributes in both kinds of quotes."""
    ports = "".join(
        f"<listenerPorts name={q}p{i}{q} maxSessions = {q}{draw(COUNT)}{q} maxMessages={q}{draw(COUNT)}{q}/>\n"
        for i, q in enumerate(draw(st.lists(QUOTE, min_size=1, max_size=3)))
    )
    text = f"""<process:Server xmlns:process="p" xmlns:xmi="x" name="s">
<services xmi:type="a:TransactionService" totalTranLifetimeTimeout="{draw(COUNT)}"/>
<services xmi:type="m:MessageListenerService"><threadPool maximumSize="{draw(COUNT)}"/>{ports}</services>
</process:Server>"""
    return {"server.xml": text.encode()}


@st.composite
def glassfish_domains(draw: st.DrawFn) -> Files:
    """A domain.xml with the pools of the MDB container."""
    least = draw(COUNT)
    text = f"""<domain><configs><config name="server-config">
<mdb-container steady-pool-size="{least}" max-pool-size='{least + draw(COUNT)}'/>
<thread-pools><thread-pool name="thread-pool-1" max-thread-pool-size="{draw(COUNT)}"/></thread-pools>
</config></configs></domain>"""
    return {"domain.xml": text.encode()}


@st.composite
def glassfish_descriptors(draw: st.DrawFn) -> Files:
    """A glassfish-ejb-jar.xml or sun-ejb-jar.xml with the bean's pool and its activation properties, in Latin-1."""
    root = draw(st.sampled_from(["glassfish-ejb-jar", "sun-ejb-jar"]))
    text = f"""<?xml version="1.0" encoding="ISO-8859-1"?><!-- ä --><{root}><enterprise-beans><ejb>
<ejb-name>Orders</ejb-name><jndi-name>jms/orders</jndi-name>
<bean-pool><max-pool-size>{draw(COUNT)}</max-pool-size></bean-pool>
<mdb-resource-adapter><activation-config><activation-config-property>
<activation-config-property-name>endpointExceptionRedeliveryInterval</activation-config-property-name>
<activation-config-property-value>{draw(COUNT)}</activation-config-property-value>
</activation-config-property></activation-config></mdb-resource-adapter></ejb></enterprise-beans></{root}>"""
    return {f"{root}.xml": text.encode("latin-1")}


@st.composite
def broker_properties(draw: st.DrawFn) -> Files:
    """A config.properties with every separator and line ending that Java knows."""
    end, equals = draw(st.sampled_from(["\n", "\r\n"])), draw(st.sampled_from(["=", " = ", ":", " "]))
    size = draw(st.sampled_from(["", "b", "k", "m"]))
    lines = [
        "# the broker's own",
        f"imq.autocreate.destination.maxNumMsgs{equals}{draw(COUNT)}",
        f"imq.autocreate.destination.maxTotalMsgBytes{equals}{draw(COUNT)}{size}",
        f"imq.autocreate.destination.limitBehavior{equals}{draw(st.sampled_from(['FLOW_CONTROL', 'REJECT_NEWEST']))}",
        f"  imq.autocreate.queue.consumerFlowLimit{equals}{draw(COUNT)}  ",
        f"imq.transaction.message.maxConsecutiveRollbacks{equals}{draw(st.integers(0, 99))}",
        "imq.other=\\\n  goes on",
    ]
    return {"config.properties": end.join(lines).encode()}


@st.composite
def models(draw: st.DrawFn) -> Files:
    """A Deploy Tooling model: blocks and flows, quotes, comments, with and without a byte order mark."""
    low, q, end, number = (
        draw(COUNT),
        draw(st.sampled_from(["", "'", '"'])),
        draw(st.sampled_from(["\n", "\r\n"])),
        draw,
    )
    text = f"""# Größe \U0001f600
resources:
    JMSSystemResource:
        M:
            JmsResource:
                Quota:
                    all: {{BytesMaximum: {number(COUNT)}, 'MessagesMaximum' : {q}{low * 9}{q}, Policy: {q}FIFO{q}}}
                ConnectionFactory:
                    f:
                        JNDIName: jms/factory   # ä
                        DefaultDeliveryParams: {{ SendTimeout : {number(COUNT)} }}
                        FlowControlParams:
                            FlowMinimum: {low}  # least
                            FlowMaximum: {q}{low * 7}{q}
                            FlowControlEnabled: {number(st.sampled_from(["true", "false"]))}
                UniformDistributedQueue:
                    orders:
                        Quota: all
                        Thresholds:
                            MessagesHigh: {number(st.sampled_from([low * 3, 2**63 - 1]))}
                            MessagesLow : {low}
                        DeliveryParamsOverrides: {{RedeliveryDelay: {q}{number(COUNT)}{q}}}
topology:
    Server:
        one: {{SelfTuningThreadPoolSizeMin: {low}, SelfTuningThreadPoolSizeMax: {low * 5}}}
"""
    mark = number(st.sampled_from([b"", b"\xef\xbb\xbf"]))
    return {"model.yaml": mark + text.replace("\n", end).encode()}


FORMATS: dict[str, tuple[str, Callable[[], st.SearchStrategy[Files]], int]] = {
    "weblogic-jms": ("weblogic", jms_modules, 10),
    "config.xml": ("weblogic", domain_configs, 5),
    "weblogic-ejb-jar": ("weblogic", descriptors, 3),
    "server.xml": ("websphere", websphere_servers, 4),
    "domain.xml": ("openmq", glassfish_domains, 3),
    "glassfish-ejb-jar": ("openmq", glassfish_descriptors, 2),
    "model.yaml": ("weblogic", models, 9),
    "config.properties": ("openmq", broker_properties, 5),
}
"""Family, generated files, and how many settings of each can be changed in place."""
