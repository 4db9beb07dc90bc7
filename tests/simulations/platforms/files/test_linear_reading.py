"""Twice as many objects take twice the work: counted in bytecode instructions, not in seconds."""

import sys
from collections.abc import Callable, Mapping
from types import FrameType
from typing import Any

import pytest

from simulations.declarations.problems import InvalidInput
from simulations.platforms import PLATFORMS
from simulations.platforms.files.importing import scenario_body

FEW = 150
GROWTH = 2.2
"""Twice the objects and a little more, for longer numbers in names."""


def beans(count: int) -> bytes:
    bean = "<weblogic-enterprise-bean><ejb-name>B{0}</ejb-name><message-driven-descriptor><destination-jndi-name>q{0}"
    end = "</destination-jndi-name></message-driven-descriptor></weblogic-enterprise-bean>\n"
    each = "".join(bean.format(i) + end for i in range(count))
    return f"<weblogic-ejb-jar>{each}</weblogic-ejb-jar>".encode()


def module_of(count: int) -> Mapping[str, bytes]:
    each = "".join(f'<queue name="q{i}"><jndi-name>j{i}</jndi-name></queue>\n' for i in range(count))
    quotas = "".join(f'<quota name="x{i}"/>' for i in range(count))
    return {
        "m-jms.xml": f"<weblogic-jms>{each}{quotas}</weblogic-jms>".encode(),
        "weblogic-ejb-jar.xml": beans(count),
    }


def equal_names_removed(count: int) -> Mapping[str, bytes]:
    module = "    m{0}:\n      JmsResource:\n        Queue:\n          q:\n            JNDIName: j{0}\n"
    made = "".join(module.format(i) for i in range(count))
    gone = "".join(f"    '!m{i}':\n" for i in range(count))
    head = "resources:\n  JMSSystemResource:\n"
    return {"1.yaml": (head + made).encode(), "2.yaml": (head + gone).encode()}


def domain_of(count: int) -> Mapping[str, bytes]:
    servers = "".join(f"<server><name>s{i}</name><cluster>c{i % 7}</cluster></server>" for i in range(count))
    each = "<app-deployment><name>a{0}</name><target>s{0},c3</target></app-deployment>"
    applications = "".join(each.format(i) for i in range(count))
    return {"config.xml": f"<domain>{servers}{applications}</domain>".encode()}


def ports_of(count: int) -> Mapping[str, bytes]:
    ports = '<listenerPorts name="p" maxSessions="3"/>\n' * count
    service = f'<services type="x:MessageListenerService">{ports}</services>'
    return {"server.xml": f'<p:Server xmlns:p="p" name="s">{service}</p:Server>'.encode()}


def commands_of(count: int) -> Mapping[str, bytes]:
    lines = "".join(f"imqcmd create dst -n q{i} -t q -o maxNumMsgs=5\n" for i in range(count))
    return {"create.sh": lines.encode()}


def instructions(work: Callable[[], Any]) -> int:
    """Bytecode instructions of the readers that the work executes; what is compiled counts as nothing."""
    counted = 0

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal counted
        if event == "call":
            frame.f_trace_opcodes = "simulations/platforms" in frame.f_code.co_filename or "<string>" in str(
                frame.f_code
            )
            frame.f_trace_lines = False
            return trace if frame.f_trace_opcodes else None
        counted += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return counted


@pytest.mark.parametrize(
    ("platform", "files"),
    [
        ("weblogic", module_of),
        ("weblogic", equal_names_removed),
        ("weblogic", domain_of),
        ("websphere", ports_of),
        ("openmq", commands_of),
    ],
)
def test_reading_is_linear(
    platform: str, files: Callable[[int], Mapping[str, bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scenario_body, "MAX_ENTRIES", 10 * FEW)
    few, many = files(FEW), files(2 * FEW)
    PLATFORMS[platform].read(few)  # fills caches
    once = instructions(lambda: PLATFORMS[platform].read(few))
    twice = instructions(lambda: PLATFORMS[platform].read(many))
    assert once > 10 * FEW
    assert twice < GROWTH * once


def test_more_queues_than_a_scenario_holds_are_refused_before_they_are_worked_on() -> None:
    files = {"weblogic-ejb-jar.xml": beans(101)}
    with pytest.raises(InvalidInput, match="describe 101 queues or more, a scenario holds 100"):
        PLATFORMS["weblogic"].read(files)
    assert len(PLATFORMS["weblogic"].read({"weblogic-ejb-jar.xml": beans(100)}).scenario["queues"]) == 100
