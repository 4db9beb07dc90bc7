"""Thresholds and quotas of JMS servers: they are put into a config.xml or a model that leaves them out."""

from typing import Any

from simulations.platforms.base import Patched
from simulations.platforms.weblogic import WEBLOGIC
from simulations.scenario import parse

BEAN = b"""<weblogic-ejb-jar>
  <weblogic-enterprise-bean><ejb-name>Orders</ejb-name></weblogic-enterprise-bean>
</weblogic-ejb-jar>
"""
SERVERS = b"""<domain xmlns="http://xmlns.oracle.com/weblogic/domain">
  <jms-server>
    <name>one</name>
    <target>a</target>
    <persistent-store>files</persistent-store>
  </jms-server>
  <jms-server>
    <name>two</name>
    <target>b</target>
  </jms-server>
</domain>
"""
MODEL = b"""resources:
    JMSServer:
        one:
            Target: a
"""
WANTED: dict[str, Any] = {
    "messages_threshold_high": 900, "messages_threshold_low": 300, "messages_quota": 1000, "bytes_quota": 10**6,
    "blocking_send_policy": "Preemptive",
}  # fmt: skip


def patched(file: str, content: bytes, wanted: dict[str, Any]) -> Patched:
    assert WEBLOGIC.patch
    files = {file: content, "weblogic-ejb-jar.xml": BEAN}
    system = parse(WEBLOGIC.read(files).scenario).system
    chosen = {f"queues.Orders.settings.{key}": value for key, value in wanted.items()}
    return WEBLOGIC.patch(files, system, chosen, "0123abcd")


def read(file: str, content: str) -> dict[str, Any]:
    files = {file: content.encode(), "weblogic-ejb-jar.xml": BEAN}
    return parse(WEBLOGIC.read(files).scenario).queues[0].settings.model_dump()


def test_every_jms_server_gets_what_it_lacks() -> None:
    result = patched("config.xml", SERVERS, WANTED)
    assert not result.refused
    text = result.scripts[0].apply
    assert text.count("<messages-threshold-high>900</messages-threshold-high>") == 2
    found = read("config.xml", text)
    assert {key: found[key] for key in WANTED} == WANTED
    first = text[text.index("<persistent-store>") : text.index("</jms-server>")]
    names = ["persistent-store", "messages-threshold-high", "messages-threshold-low", "bytes-maximum", "messages-max"]
    assert [first.index(f"<{name}") for name in names] == sorted(first.index(f"<{name}") for name in names)
    assert result.scripts[0].undo.encode() == SERVERS


def test_a_model_gets_what_its_jms_server_lacks() -> None:
    result = patched("model.yaml", MODEL, WANTED)
    assert not result.refused
    found = read("model.yaml", result.scripts[0].apply)
    assert {key: found[key] for key in WANTED} == WANTED


def test_servers_that_differ_are_left_alone() -> None:
    different = SERVERS.replace(b"<target>b<", b"<bytes-maximum>5</bytes-maximum><target>b<")
    assert set(patched("config.xml", different, {"messages_quota": 10}).refused) == {
        "queues.Orders.settings.messages_quota"
    }


def test_a_destination_of_a_module_is_changed_itself() -> None:
    """Its thresholds come before those of its server."""
    assert WEBLOGIC.patch
    module = b"""<weblogic-jms>
  <queue name="orders"><jndi-name>jms/orders</jndi-name></queue>
</weblogic-jms>
"""
    bean = BEAN.replace(
        b"</ejb-name>",
        b"</ejb-name><message-driven-descriptor><destination-jndi-name>jms/orders</destination-jndi-name>"
        b"</message-driven-descriptor>",
    )
    files = {"config.xml": SERVERS, "orders-jms.xml": module, "weblogic-ejb-jar.xml": bean}
    system = parse(WEBLOGIC.read(files).scenario).system
    chosen = {
        "queues.Orders.settings.messages_threshold_high": 90, "queues.Orders.settings.messages_threshold_low": 30,
    }  # fmt: skip
    result = WEBLOGIC.patch(files, system, chosen, "0123abcd")
    assert not result.refused
    assert [script.filename for script in result.scripts] == ["orders-jms.xml"]
