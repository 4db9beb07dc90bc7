"""Every object that an exported script names exists in the imported files under exactly that name, kind and place."""

import ast
import re
import shlex
from collections.abc import Iterator, Mapping
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import yaml
from hypothesis import given
from hypothesis import strategies as st

from simulations.declarations.path_text import keys_in
from simulations.platforms import PLATFORMS
from simulations.platforms.shared.family import Script
from simulations.scenario.spec import ScenarioSpec, parse
from tests.examples import examples

MANY = examples(25, nightly=2_000)
LETTERS = st.sampled_from(
    [*"aZ0.-_/:'\"\\=,;&<>()[]{}!*?~|^+", "ü", "ß", "É", "注", "文", "ё", ". ", "/ ", ": ", "..", "''"]
)
NAME = st.lists(LETTERS, min_size=1, max_size=8).map("".join).map(str.strip).filter(bool)
NAMES = st.lists(NAME, min_size=12, max_size=12, unique=True)
Object = tuple[str, ...]
"""Kind and name of an object, with what holds it before them."""


def changed(spec: ScenarioSpec, settings: Mapping[str, Mapping[str, Any]]) -> dict[str, Script]:
    """The scripts that change the settings of each server and queue that has them."""
    entities: tuple[Any, ...] = (*spec.system.servers, *spec.system.queues)
    chosen = {
        f"{entity.path}.settings.{name}": value
        for entity in entities
        for name, value in settings[keys_in(entity.path)[0]].items()
    }
    return {script.format: script for script in spec.family.write(spec.system, chosen, "cafe")}


def read(platform: str, files: Mapping[str, str]) -> ScenarioSpec:
    return parse(PLATFORMS[platform].read({name: text.encode() for name, text in files.items()}).scenario)


def assigned(script: str, name: str) -> ast.expr:
    """What a script in Jython sets a variable to."""
    (found,) = (
        node.value
        for node in ast.parse(script).body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == name
    )
    return found


def steps(script: str) -> Iterator[tuple[str, tuple[Any, ...], Any]]:
    """Class, place and wanted value of each step of a script in Jython."""
    table = assigned(script, "STEPS")
    assert isinstance(table, ast.List)
    for step in table.elts:
        assert isinstance(step, ast.Tuple)
        kind = step.elts[1]
        assert isinstance(kind, ast.Name)
        yield kind.id, ast.literal_eval(step.elts[2]), ast.literal_eval(step.elts[4])


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


def named_in_wlst(script: str) -> Iterator[Object]:
    given_names = ast.literal_eval(assigned(script, "NAMES"))
    for kind, at, _ in steps(script):
        if kind == "ServerValue":
            yield "Server", given_names[at[0]]
        elif kind == "Tuned":
            yield at[0], at[1]
        else:
            ((object_kind,), name, module) = at[:3]
            yield given_names[module], object_kind, given_names[name]


def named_in_model(text: str) -> Iterator[Object]:
    model = yaml.safe_load(text)
    yield from (("Server", name) for name in model["topology"]["Server"])
    for kind, items in model["resources"]["SelfTuning"].items():
        yield from ((kind, name) for name in items)
    for module, resource in model["resources"]["JMSSystemResource"].items():
        for kind, items in resource["JmsResource"].items():
            yield from ((module, kind, name) for name in items)
            for quota in (item["Quota"] for item in items.values() if "Quota" in item):
                yield module, "Quota", quota


@MANY
@given(names=NAMES)
def test_scripts_for_weblogic(names: list[str]) -> None:
    files, known = weblogic(names)
    spec = read("weblogic", files)
    (server,) = spec.body()["servers"]
    (manager,) = server["settings"]["work_managers"]
    (constraint,) = server["settings"]["constraints"]
    settings: dict[str, dict[str, Any]] = {
        "servers": {
            "thread_pool_maximum": 50,
            "work_managers": [{**manager, "fair_share": 33}],
            "constraints": [{**constraint, "count": 9}],
        },
        "queues": {"redelivery_limit": 4, "messages_maximum": 5},
    }
    scripts = changed(spec, settings)
    for text in (scripts["wlst"].apply, scripts["wlst"].undo):
        assert set(named_in_wlst(text)) == known - {(names[0], "Quota", names[4])}
    assert set(named_in_model(scripts["wdt"].apply)) == known - {(names[0], "Quota", names[4])}
    first = next(queue for queue in spec.queues if queue.identity and queue.identity.name == names[1])
    limited = spec.family.write(spec.system, {f"{first.path}.settings.messages_quota": 300}, "cafe")
    model = yaml.safe_load(next(item.apply for item in limited if item.format == "wdt"))
    assert list(model["resources"]["JMSSystemResource"][names[0]]["JmsResource"]["Quota"]) == [names[4]]


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


@MANY
@given(names=NAMES)
def test_scripts_for_open_mq(names: list[str]) -> None:
    spec = read("openmq", openmq(names))
    settings = {"servers": {"max_pool_size": 48}, "queues": {"max_num_msgs": 500, "consumer_flow_limit": 64}}
    scripts = changed(spec, settings)
    for text in (scripts["imqcmd"].apply, scripts["imqcmd"].undo):
        lines = [shlex.split(line) for line in text.splitlines() if line.startswith("    step ")]
        assert {line[2] for line in lines} == {f"q:{names[3]}", f"t:{names[4]}"}
    for text in (scripts["asadmin"].apply, scripts["asadmin"].undo):
        head = [shlex.split(line, comments=True)[0] for line in re.findall(r"^(?:CONFIG|POOL)\w*=.*$", text, re.M)]
        assert set(head) == {f"CONFIG={names[1]}", f"POOL={names[2]}"}
        assert set(re.findall(r'\$\(dotted "\$(\w+)"\)', text)) == {"CONFIG", "POOL"}


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


@MANY
@given(names=NAMES, platform=st.sampled_from(["websphere", "websphere-zos"]))
def test_scripts_for_websphere(names: list[str], platform: str) -> None:
    spec = read(platform, websphere(names))
    queue = {"maximum_sessions": 9, "maximum_server_sessions": 33}
    scripts = changed(spec, {"servers": {"total_transaction_timeout": 77}, "queues": queue})
    for text in (scripts["wsadmin"].apply, scripts["wsadmin"].undo):
        found = [(kind, at) for kind, at, _ in steps(text)]
        assert {at[0] for kind, at in found if kind in ("Attribute", "Child")} == {names[0]}
        assert {at[2] for kind, at in found if kind == "Attribute" and at[1] == "ListenerPort"} == {names[1], names[2]}
        assert {at[1] for kind, at in found if kind == "Spec"} == {names[3]}
