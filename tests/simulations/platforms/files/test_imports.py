"""Real public files where they lie beside the project, and generated configurations of every format."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.parsers.expat import ParserCreate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulations.declarations.parameters import parameters_of
from simulations.platforms import PLATFORMS
from simulations.platforms.shared.family import Reading
from simulations.scenario.spec import ScenarioSpec, parse
from tests.examples import examples
from tests.simulations.platforms.public_files import EXAMPLES, FILES
from tests.simulations.platforms.samples import scenario_body, sweep_value

MANY = examples(100, nightly=1_000)


def read(platform: str, *paths: Path) -> tuple[Reading, ScenarioSpec]:
    reading = PLATFORMS[platform].read({path.name: path.read_bytes() for path in paths})
    return reading, parse(reading.scenario)


@pytest.mark.skipif(not EXAMPLES.is_dir(), reason="the public example files are not beside the project")
def test_the_examples_are_found() -> None:
    assert len(FILES) >= 12


@pytest.mark.parametrize(("platform", "path"), FILES, ids=lambda value: getattr(value, "name", value))
def test_every_public_example_is_read_with_an_account(platform: str, path: Path) -> None:
    reading, spec = read(platform, path)
    assert spec.family.derive(spec.system).values
    assert all(item.line > 0 for item in reading.account if item.file)
    assert {item.status for item in reading.account} <= {
        "understood",
        "defaulted",
        "contradictory",
        "unresolved",
        "ignored",
    }


NAMES = {"name", "jndi-name", "target", "activation-config-property-name"}
"""Elements that only name what their parent is about: the parent's line in the account speaks for them."""


@pytest.mark.parametrize(
    ("platform", "path"),
    [case for case in FILES if case[1].suffix == ".xml"],
    ids=lambda value: getattr(value, "name", value),
)
def test_the_account_of_a_public_example_leaves_nothing_out(platform: str, path: Path) -> None:
    """Every element with a text has a line, lies in a part that is ignored as a whole, or is a name."""
    reading, _ = read(platform, path)
    told = {item.line for item in reading.account if item.file}
    ignored = {item.line for item in reading.account if item.status == "ignored" and "elements in it" in item.message}
    for line, name, around, text in elements(path.read_bytes()):
        if text and name not in NAMES:
            assert line in told or ignored & set(around), f"{path.name}:{line} <{name}>"


def elements(content: bytes) -> list[tuple[int, str, tuple[int, ...], str]]:
    """Line, local name, lines of the elements around and text of every element, by a parser of its own."""
    found: list[tuple[int, str, tuple[int, ...], str]] = []
    open_lines: list[int] = []
    texts: list[str] = []
    parser = ParserCreate()

    def start(name: str, _: dict[str, str]) -> None:
        open_lines.append(parser.CurrentLineNumber)
        texts.append("")

    def end(name: str) -> None:
        line = open_lines.pop()
        found.append((line, name.rsplit(":", 1)[-1], tuple(open_lines), texts.pop().strip()))

    def data(text: str) -> None:
        texts[-1] += text

    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, data
    parser.ParseFile(BytesIO(content))
    return found


def test_what_no_bean_refers_to_is_not_passed_over() -> None:
    bean = b"<weblogic-enterprise-bean><ejb-name>A</ejb-name></weblogic-enterprise-bean>"
    module = b'<weblogic-jms>\n<queue name="Q"/><connection-factory name="F"/></weblogic-jms>'
    account = (
        PLATFORMS["weblogic"]
        .read({"a.xml": b"<weblogic-ejb-jar>" + bean + b"</weblogic-ejb-jar>", "m-jms.xml": module})
        .account
    )
    told = [(item.file, item.line, item.message) for item in account if item.status == "unresolved"]
    assert [(file, line) for file, line, _ in told] == [("m-jms.xml", 2)] * 2
    assert "'Q'" in told[0][2]


@pytest.mark.skipif(not EXAMPLES.is_dir(), reason="the public example files are not beside the project")
def test_a_domain_with_its_module_is_one_cluster() -> None:
    """Four members, two work managers that share five threads, 600 s for transactions, error queues."""
    paths = [next((EXAMPLES / folder).glob("*")) for folder in ("weblogic-config-xml", "weblogic-jms-module")]
    _, spec = read("weblogic", *paths)
    server, queue = spec.servers[0], spec.queues[0].settings.model_dump()
    assert server.instances == 4
    users = [
        item["name"] for item in server.settings.model_dump()["work_managers"] if item["max_threads"].endswith("-0")
    ]
    assert len(users) == 2
    assert (queue["transaction_timeout"], queue["redelivery_limit"]) == (600.0, 1)
    assert queue["error_destination"]


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("indent", [None, 2])
def test_a_scenario_as_json_says_its_platform(platform: str, indent: int | None) -> None:
    content = json.dumps(scenario_body(platform), indent=indent).encode()
    assert [name for name, family in PLATFORMS.items() if family.recognises("s.json", content)] == [platform]
    assert parse(PLATFORMS[platform].read({"s.json": content}).scenario) == parse(scenario_body(platform))


@st.composite
def bodies(draw: st.DrawFn, platform: str) -> dict[str, Any]:
    """A scenario with some settings changed from their defaults."""
    family = PLATFORMS[platform]
    chosen: dict[str, dict[str, Any]] = {}
    for part, model in (("server", family.server_parameters), ("queue", family.queue_parameters)):
        items = [item for item in parameters_of(model) if item.kind in ("integer", "number", "boolean", "choice")]
        names = draw(st.lists(st.sampled_from(items), max_size=4, unique_by=lambda item: item.name))
        chosen[part] = {item.name: sweep_value(item, item.default) for item in names}
    return scenario_body(platform, **chosen)


@pytest.mark.slow
@pytest.mark.parametrize("platform", PLATFORMS)
def test_generated_scenarios_survive_writing_and_reading(platform: str) -> None:
    family = PLATFORMS[platform]

    @MANY
    @given(body=bodies(platform))
    def check(body: dict[str, Any]) -> None:
        try:
            spec = parse(body)
        except ValueError:
            return
        text = next(item for item in family.write(spec.system, {}, "cafe") if item.format == "yaml").apply
        assert parse(family.read({"s.yaml": text.encode()}).scenario).system == spec.system

    check()


@pytest.mark.slow
def test_generated_listener_ports_come_back_from_server_xml() -> None:
    ports = st.lists(st.tuples(st.integers(1, 9999), st.integers(1, 99), st.integers(0, 99)), min_size=1, max_size=5)

    @MANY
    @given(ports=ports, pool=st.integers(1, 9999))
    def check(ports: list[tuple[int, int, int]], pool: int) -> None:
        lines = [
            f'<listenerPorts name="p{i}" maxSessions="{s}" maxMessages="{m}" maxRetries="{r}"/>'
            for i, (s, m, r) in enumerate(ports)
        ]
        text = (
            f'<Server name="s"><services type="x:MessageListenerService"><threadPool maximumSize="{pool}"/>'
            f"{''.join(lines)}</services></Server>"
        )
        spec = parse(PLATFORMS["websphere"].read({"server.xml": text.encode()}).scenario)
        found = [
            (q["maximum_sessions"], q["maximum_messages"], q["maximum_retries"])
            for q in (queue.settings.model_dump() for queue in spec.queues)
        ]
        assert found == ports
        assert spec.servers[0].settings.model_dump()["listener_pool_maximum"] == pool

    check()


@pytest.mark.slow
def test_generated_work_managers_come_back_from_a_descriptor() -> None:
    counts = st.none() | st.integers(1, 9999)

    @MANY
    @given(values=st.lists(st.tuples(counts, counts, st.none() | st.integers(1, 1000)), min_size=1, max_size=4))
    def check(values: list[tuple[int | None, int | None, int | None]]) -> None:
        new = [
            {"name": f"wm {i}", "min_threads": low, "max_threads": high, "fair_share": share}
            for i, (low, high, share) in enumerate(values)
        ]
        beans = "".join(
            f"<weblogic-enterprise-bean><ejb-name>A{i}</ejb-name><dispatch-policy>wm {i}</dispatch-policy>"
            "</weblogic-enterprise-bean>"
            for i in range(len(values))
        )
        original = f"<weblogic-ejb-jar>\n{beans}</weblogic-ejb-jar>".encode()
        family = PLATFORMS["weblogic"]
        spec = parse(family.read({"f.xml": original}).scenario)
        assert family.patch
        path = "servers.server.settings.work_managers"
        script = family.patch({"f.xml": original}, spec.system, {path: new}, "cafe").scripts[0]
        server = parse(family.read({"f.xml": script.apply.encode()}).scenario).servers[0].settings.model_dump()
        counts = {item["name"]: item["count"] for item in server["constraints"]}
        found = [
            (counts.get(item["min_threads"]), counts.get(item["max_threads"]), item["fair_share"])
            for item in server["work_managers"]
        ]
        assert found == values

    check()
