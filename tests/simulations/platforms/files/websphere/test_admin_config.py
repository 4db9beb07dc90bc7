"""Outputs of AdminConfig.show and showall are read as server.xml and resources.xml with the same objects would be."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.configuration.importing import configuration_read
from simulations.declarations.problems import InvalidInput
from simulations.platforms import PLATFORMS
from simulations.platforms.files.importing.drafts import OUTPUT
from simulations.platforms.files.websphere.admin_config import is_printed, printed_tree
from simulations.scenario.spec import parse
from tests.examples import examples
from tests.simulations.platforms.choosing import settings_of

SERVICE = b"""wsadmin>print AdminConfig.showall(AdminConfig.list('MessageListenerService'))
[context (cells/c/nodes/n/servers/s|server.xml#EJBContainer_1)]
[enable true]
[listenerPorts [[[connectionFactoryJNDIName jms/CF]
[destinationJNDIName "jms/PAY ORDERS"]
[maxMessages 2]
[maxRetries 3]
[maxSessions 36]
[name orders]
[stateManagement [[initialState STOP]]]] [[maxSessions 7]
[name bills]]]]
[properties [[[name NON.ASF.RECEIVE.TIMEOUT]
[required false]
[value 110000]]]]
[threadPool [[isGrowable false]
[maximumSize 60]
[minimumSize 10]
[name Message.Listener.Pool]]]
"""
PORTS = b"""[destinationJNDIName jms/a]
[maxSessions 5]
[name first]

[destinationJNDIName jms/b]
[maxSessions 6]
[name second]
"""
SPEC = b"""[destinationJndiName jms/q]
[name spec]
[resourceProperties [[[name maxPoolDepth]
[type java.lang.Integer]
[value 25]] [[name destinationType]
[value javax.jms.Topic]]]]
"""
TIMEOUT = b"[totalTranLifetimeTimeout 90]\n[propogatedOrBMTTranLifetimeTimeout 200]\n"


def settings(content: bytes, platform: str = "websphere") -> dict[str, Any]:
    return settings_of(configuration_read({"out.txt": content}, platform=platform).spec)


@pytest.mark.parametrize("content", [SERVICE, SERVICE.replace(b"[", b"{").replace(b"]", b"}")], ids=["jython", "jacl"])
def test_a_listener_service_with_all_below_it(content: bytes) -> None:
    found = settings(content)
    assert found["queues.orders.settings.maximum_sessions"] == 36
    assert found["queues.orders.settings.maximum_retries"] == 3
    assert found["queues.orders.settings.initial_state"] == "STOP"
    assert found["queues.bills.settings.maximum_sessions"] == 7
    assert found["queues.bills.settings.receive_timeout"] == 110
    assert found["servers.server.settings.listener_pool_maximum"] == 60


def test_ports_timeouts_and_specifications_one_after_the_other() -> None:
    found = settings(PORTS + b"\n" + TIMEOUT + b"spec(cells/c|resources.xml#J2CActivationSpec_1)\n" + SPEC)
    assert found["queues.first.settings.maximum_sessions"] == 5
    assert found["queues.second.settings.maximum_sessions"] == 6
    assert found["servers.server.settings.total_transaction_timeout"] == 90
    assert found["queues.spec.settings.maximum_server_sessions"] == 25
    assert found["queues.spec.settings.mode"] == "activation_spec"


def test_the_platform_has_to_be_said_and_both_read_it() -> None:
    with pytest.raises(InvalidInput, match=r"\(websphere-zos\), WebSphere Application Server \(websphere\)$"):
        configuration_read({"out.txt": PORTS})
    assert settings(PORTS, "websphere-zos")["queues.first.settings.maximum_sessions"] == 5


def test_each_value_has_its_line() -> None:
    account = configuration_read({"out.txt": PORTS}, platform="websphere").account
    (line,) = [item for item in account if item.path == "queues.second.settings.maximum_sessions"]
    assert (line.status, line.file, line.line) == ("understood", "out.txt", 5)


def test_nothing_is_written_into_an_output() -> None:
    family = PLATFORMS["websphere"]
    assert family.patch
    system = parse(family.read({"out.txt": PORTS}).scenario).system
    chosen = {"queues.first.settings.maximum_sessions": 9, "queues.first.settings.maximum_messages": 9}
    patched = family.patch({"out.txt": PORTS}, system, chosen, "cafe")
    assert patched.scripts == ()
    assert patched.refused["queues.first.settings.maximum_messages"] == OUTPUT


@pytest.mark.parametrize("content", [b"[maxSessions 5", b"[maxSessions 5]]", b"[maxSessions " + b"[" * 99])
def test_brackets_that_do_not_fit_are_refused_with_their_line(content: bytes) -> None:
    assert is_printed(content)
    with pytest.raises(InvalidInput, match=r"out\.txt:1: .*bracket"):
        printed_tree(content, "out.txt")


def test_whatever_stands_there_is_read_or_refused() -> None:
    words = st.sampled_from(["[", "]", "{", "}", '"', "name", "maxSessions", "5", "\n", " ", "listenerPorts", "x(y)"])

    @examples(200, nightly=20_000)
    @given(text=st.lists(words, max_size=40))
    def check(text: list[str]) -> None:
        content = ("[maxSessions 1]\n" + " ".join(text)).encode()
        try:
            configuration_read({"out.txt": content}, platform="websphere")
        except InvalidInput as error:
            assert error.problems

    check()
