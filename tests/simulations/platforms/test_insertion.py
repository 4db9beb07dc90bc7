"""Settings that files leave out: they get what says them, at the right place and in the file's own style."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulations.platforms import PLATFORMS
from simulations.platforms.base import Patched, Reading
from simulations.platforms.formats.wsadmin_specs import NO_EFFECT
from simulations.platforms.openmq.schema import ORDER as GLASSFISH
from simulations.platforms.weblogic.schema import ORDER as WEBLOGIC
from simulations.scenario import ScenarioSpec, parse
from tests.examples import examples
from tests.simulations.platforms.test_imports import FILES
from tests.simulations.platforms.test_rewriting import Files, others, settings_of

COUNT = st.integers(1, 9999)
ORDERS = {**GLASSFISH, **WEBLOGIC}


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


@pytest.mark.slow
@pytest.mark.parametrize("kind", FORMATS)
def test_generated_files_get_what_they_lack_and_nothing_else(kind: str) -> None:
    platform, made, least = FORMATS[kind]

    @examples(20, nightly=1_000)
    @given(files=made())
    def check(files: Files) -> None:
        made, refused = completed(platform, files)
        assert made >= least
        assert set(refused.values()) <= {NO_EFFECT}

    check()


@pytest.mark.parametrize(("platform", "path"), FILES, ids=lambda value: getattr(value, "name", value))
def test_public_files_get_what_they_lack_and_nothing_else(platform: str, path: Path) -> None:
    completed(platform, {path.name: path.read_bytes()}, most=40)


def completed(platform: str, files: Files, most: int = 1000) -> tuple[int, Mapping[str, str]]:
    """Choose a value for everything that could be added; check what reads back and every other byte.

    Return how much was added, and what was refused.
    """
    family = PLATFORMS[platform]
    assert family.patch
    reading = family.read(files)
    spec = parse(reading.scenario)
    paths = lacking(reading)[:most]
    chosen = others(spec, paths) | pairs(paths)
    patched = family.patch(files, spec.system, chosen, "cafe")
    made = {path: value for path, value in chosen.items() if path not in patched.refused}
    after = {**files, **{item.filename: item.apply.encode(item.encoding) for item in patched.scripts}}
    again = parse(family.read(after).scenario)
    assert settings_of(again) == pytest.approx({**settings_of(spec), **made})
    assert all(item.undo.encode(item.encoding) == files[item.filename] for item in patched.scripts)
    for item in patched.scripts:
        keeps_style(files[item.filename], after[item.filename])
    return len(made), patched.refused


def pairs(paths: list[str]) -> dict[str, Any]:
    """Thresholds, which are allowed only together."""
    ends = {"_threshold_high": 900, "_threshold_low": 90}
    return {path: value for path in paths for end, value in ends.items() if path.endswith(end)}


def lacking(reading: Reading) -> list[str]:
    """Paths of the settings that files would state but do not."""
    return [path for path, spot in reading.spots.items() if spot.additions]


def keeps_style(old: bytes, new: bytes) -> None:
    """Every old byte is there in its order; line ends and namespaces are the file's, children in schema order."""
    rest = iter(new)
    assert all(byte in rest for byte in old)
    if b"\r\n" in old:
        assert new.replace(b"\r\n", b"").count(b"\n") == old.replace(b"\r\n", b"").count(b"\n")
    if not old.lstrip().startswith(b"<"):
        return
    before = fromstring(old)  # noqa: S314 - what the test has just written, or a public example
    after = fromstring(new)  # noqa: S314
    assert {spaces(item.tag) for item in after.iter()} == {spaces(item.tag) for item in before.iter()}
    for parent in after.iter():
        if local(parent) in ORDERS and ordered(parent, before):
            known = [
                ORDERS[local(parent)].index(local(item)) for item in parent if local(item) in ORDERS[local(parent)]
            ]
            assert known == sorted(known), local(parent)


def ordered(parent: Element, before: Element) -> bool:
    """Whether such an element was in the schema's order before."""
    places = [
        [ORDERS[local(parent)].index(local(item)) for item in element if local(item) in ORDERS[local(parent)]]
        for element in before.iter(parent.tag)
    ]
    return all(known == sorted(known) for known in places)


def local(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def spaces(tag: str) -> str:
    return tag.rpartition("}")[0]


def patched(platform: str, files: Files, chosen: dict[str, Any]) -> tuple[Patched, ScenarioSpec]:
    family = PLATFORMS[platform]
    spec = parse(family.read(files).scenario)
    assert family.patch
    return family.patch(files, spec.system, chosen, "cafe"), spec


def body(text: str) -> str:
    """The patched file without the comment that names the hash."""
    return text.replace("\n<!-- Patched by Sluice for the scenario cafe -->", "")


QUEUE = """<weblogic-jms>
  <queue name="orders">
    <notes>ours</notes>
    <jndi-name>jms/orders</jndi-name>
  </queue>
</weblogic-jms>
"""


def test_a_pair_that_only_fits_together_is_added_together() -> None:
    chosen = {f"queues.orders.settings.messages_threshold_{end}": n for end, n in (("high", 900), ("low", 90))}
    found, _ = patched("weblogic", {"m.xml": QUEUE.encode()}, chosen)
    assert body(found.scripts[0].apply) == QUEUE.replace(
        "    <jndi-name>",
        "    <thresholds>\n      <messages-high>900</messages-high>\n      <messages-low>90</messages-low>\n"
        "    </thresholds>\n    <jndi-name>",
    )


def test_a_quota_is_added_with_the_reference_to_it() -> None:
    found, _ = patched("weblogic", {"m.xml": QUEUE.encode()}, {"queues.orders.settings.messages_quota": 500})
    assert body(found.scripts[0].apply) == QUEUE.replace(
        "<weblogic-jms>\n",
        '<weblogic-jms>\n  <quota name="orders-quota">\n    <messages-maximum>500</messages-maximum>\n  </quota>\n',
    ).replace("    <jndi-name>", "    <quota>orders-quota</quota>\n    <jndi-name>")


def test_options_are_changed_and_added_in_their_list() -> None:
    text = (
        '<domain><resources><connector-connection-pool resource-adapter-name="jmsra"><property name="options" '
        "value='imqReconnect=true,imqConsumerFlowLimit=100'/></connector-connection-pool></resources></domain>"
    )
    chosen = {"queues.queue.settings.consumer_flow_limit": 64, "queues.queue.settings.consumer_flow_threshold": 70}
    found, _ = patched("openmq", {"domain.xml": text.encode()}, chosen)
    assert body(found.scripts[0].apply) == text.replace("=100'", "=64,imqConsumerFlowThreshold=70'")


def test_options_of_a_bean_become_one_property() -> None:
    text = (
        "<glassfish-ejb-jar><enterprise-beans><ejb><ejb-name>A</ejb-name><jndi-name>q</jndi-name><mdb-resource-adapter>"
        "<activation-config><!-- own --></activation-config></mdb-resource-adapter></ejb></enterprise-beans>"
        "</glassfish-ejb-jar>"
    )
    chosen = {"queues.A.settings.consumer_flow_limit": 64, "queues.A.settings.consumer_flow_threshold": 70}
    found, _ = patched("openmq", {"glassfish-ejb-jar.xml": text.encode()}, chosen)
    assert body(found.scripts[0].apply) == text.replace(
        "<!-- own -->",
        "<activation-config-property><activation-config-property-name>options</activation-config-property-name>"
        "<activation-config-property-value>imqConsumerFlowLimit=64,imqConsumerFlowThreshold=70"
        "</activation-config-property-value></activation-config-property><!-- own -->",
    )


def test_the_mode_of_all_ports_is_one_property_of_the_service() -> None:
    text = (
        '<s:Server xmlns:s="s" xmlns:xmi="x" name="s">\n  <services xmi:type="m:MessageListenerService" xmi:id="M_7">\n'
        '    <threadPool/>\n    <listenerPorts name="a"/>\n    <listenerPorts name="b"/>\n  </services>\n</s:Server>'
    )
    files = {"server.xml": text.encode()}
    one: dict[str, Any] = {"queues.a.settings.mode": "non_asf", "queues.a.settings.receive_timeout": "104s"}
    found, _ = patched("websphere", files, one)
    assert (found.scripts, set(found.refused)) == ((), set(one))
    found, spec = patched("websphere", files, {**one, **{path.replace(".a.", ".b."): one[path] for path in one}})
    (script,) = found.scripts
    assert body(script.apply) == text.replace(
        "<threadPool/>\n",
        '<threadPool/>\n    <properties xmi:id="Property_7_receive" name="NON.ASF.RECEIVE.TIMEOUT" value="104000"/>\n',
    )
    switched = {"server.xml": script.apply.encode()}
    found, _ = patched("websphere", switched, {f"queues.{name}.settings.mode": "asf" for name in "ab"})
    assert 'value="0"' in found.scripts[0].apply
    again = parse(PLATFORMS["websphere"].read({"server.xml": found.scripts[0].apply.encode()}).scenario)
    assert again.system == spec.system


REFUSED = [
    pytest.param(
        "openmq",
        {"glassfish-ejb-jar.xml": b"<glassfish-ejb-jar><enterprise-beans><ejb><ejb-name>A</ejb-name>"
         b"<jndi-name>q</jndi-name></ejb></enterprise-beans></glassfish-ejb-jar>"},
        {"queues.A.settings.redelivery_attempts": 3},
        "no mdb-resource-adapter",
        id="no adapter",
    ),
    pytest.param(
        "openmq",
        {"c.properties": b"imq.a=b\n", "create.sh": b"imqcmd create dst -t q -n orders -o maxNumMsgs=5\n"},
        {"queues.orders.settings.max_num_producers": 7},
        "created with settings of its own",
        id="explicit destination",
    ),
    pytest.param(
        "websphere",
        {"server.xml": b'<Server name="s"><services type="x:MessageListenerService"/></Server>'},
        {"servers.s.settings.listener_pool_maximum": 7},
        "no thread pool of its own",
        id="no pool",
    ),
    pytest.param(
        "weblogic", {"m.xml": QUEUE.encode()}, {"servers.server.settings.thread_pool_maximum": 70},
        "no imported file is the place", id="no file",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("platform", "files", "chosen", "reason"), REFUSED)
def test_what_would_not_be_sound_is_refused_with_a_reason(
    platform: str, files: Files, chosen: dict[str, Any], reason: str
) -> None:
    found, _ = patched(platform, files, chosen)
    assert found.scripts == ()
    assert list(found.refused) == list(chosen)
    assert all(reason in text for text in found.refused.values())
