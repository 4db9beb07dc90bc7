"""Work managers in every file that declares them: made, changed, taken out, and all else as it was."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulations.platforms import PLATFORMS
from simulations.platforms.weblogic.files.work_managers.patches import NO_FILE
from simulations.scenario.spec import ScenarioSpec, parse
from tests.examples import examples
from tests.simulations.platforms.files.syntax.test_splices import body

WEBLOGIC = PLATFORMS["weblogic"]
PATH = "servers.server.settings"
INSIDE = """  <work-manager>
    <name>kept</name>
    <max-threads-constraint><name>five</name><count>5</count></max-threads-constraint>
    <!-- since 2019 -->
    <ignore-stuck-threads>true</ignore-stuck-threads>
  </work-manager>"""
DOMAIN = """<domain xmlns="http://xmlns.oracle.com/weblogic/domain">
  <name>d</name>
  <server><name>one</name></server>
  <self-tuning>
    <max-threads-constraint>
      <name>five</name>
      <target>one</target>
      <count>5</count>
    </max-threads-constraint>
    <work-manager>
      <name>kept</name>
      <target>one</target>
      <max-threads-constraint>five</max-threads-constraint>
      <!-- since 2019 -->
      <ignore-stuck-threads>true</ignore-stuck-threads>
    </work-manager>
  </self-tuning>
</domain>"""
MODEL = """resources:
    SelfTuning:
        MaxThreadsConstraint:
            five: {Target: one, Count: 5}
        WorkManager:   # two of them
            kept:
                Target: one
                MaxThreadsConstraint: five
                IgnoreStuckThreads: true   # since 2019
topology:
    Server:
        one: {ListenPort: 7001}
"""
USERS = "".join(
    f"\n  <weblogic-enterprise-bean><ejb-name>{name}</ejb-name><dispatch-policy>{name}</dispatch-policy>"
    "</weblogic-enterprise-bean>"
    for name in ("first", "second", "third")
)
APPLICATION = f"<weblogic-application>\n{INSIDE}\n</weblogic-application>"
FILES = {
    "weblogic-ejb-jar.xml": f"<weblogic-ejb-jar>{USERS}\n{INSIDE}\n</weblogic-ejb-jar>",
    "weblogic.xml": f"<weblogic-web-app>\n  <context-root>x</context-root>\n{INSIDE}\n</weblogic-web-app>",
    "weblogic-application.xml": re.sub(r"<(/?)(?=[a-z])", r"<\1w:", APPLICATION).replace("n>", 'n xmlns:w="w">', 1),
    "config.xml": DOMAIN,
    "model.yaml": MODEL,
}
counts = st.integers(1, 99)
managers = st.lists(
    st.fixed_dictionaries(
        {"name": st.sampled_from(["first", "second", "third"])},
        optional={
            "fair_share": st.integers(1, 1000),
            "max_threads": counts | st.just("both"),
            "min_threads": counts,
            "capacity": counts,
        },
    )
    | st.fixed_dictionaries({"name": st.sampled_from(["first", "second"]), "response_time_goal": counts.map(float)}),
    max_size=3,
    unique_by=lambda item: item["name"],
)
KEPT = {"name": "kept", "max_threads": "five"}


def chosen(work: list[dict[str, Any]], both: int, five: int) -> dict[str, Any]:
    shared = [
        {"name": "five", "kind": "max_threads", "count": five},
        {"name": "both", "kind": "max_threads", "count": both},
    ]
    return {f"{PATH}.work_managers": [KEPT, *work], f"{PATH}.constraints": shared}


def work_of(spec: ScenarioSpec) -> dict[str, dict[str, Any]]:
    """Each work manager with numbers, ``both`` where two of them share it."""
    settings = spec.servers[0].settings.model_dump()
    shared = {item["name"]: item["count"] for item in settings["constraints"]}
    return {
        item["name"]: {
            key: shared.get(value, value) if key != "name" and isinstance(value, str) else value
            for key, value in item.items()
            if value is not None and key != "identity"
        }
        for item in settings["work_managers"]
    }


def expected(work: list[dict[str, Any]], both: int, five: int) -> dict[str, dict[str, Any]]:
    counted = {"both": both, "five": five}
    return {
        item["name"]: {key: counted.get(value, value) if key == "max_threads" else value for key, value in item.items()}
        for item in [KEPT, *work]
    }


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_generated_work_managers_come_and_go(file: str, end: str) -> None:
    patch = WEBLOGIC.patch
    assert patch

    @examples(15, nightly=1_000)
    @given(steps=st.lists(st.tuples(managers, counts, counts), min_size=2, max_size=2))
    def check(steps: list[tuple[list[dict[str, Any]], int, int]]) -> None:
        content = FILES[file].replace("\n", end).encode()
        for work, both, five in steps:
            spec = parse(WEBLOGIC.read({file: content}).scenario)
            found = patch({file: content}, spec.system, chosen(work, both, five), "cafe")
            if not found.scripts:
                assert work_of(spec) == expected(work, both, five), found.refused
                continue
            (script,) = found.scripts
            assert script.undo.encode() == content
            content = script.apply.encode()
            assert work_of(parse(WEBLOGIC.read({file: content}).scenario)) == expected(work, both, five)
            assert content.count(b"\n") == content.count(end.encode())
        for line in FILES[file].splitlines():
            if "five" not in line and ">5<" not in line:
                assert line.encode() in content.splitlines()

    check()


def test_a_new_work_manager_of_a_domain_has_its_objects_beside_it() -> None:
    assert WEBLOGIC.patch
    spec = parse(WEBLOGIC.read({"config.xml": DOMAIN.encode()}).scenario)
    new = [KEPT, {"name": "new", "max_threads": 40}]
    (script,) = WEBLOGIC.patch(
        {"config.xml": DOMAIN.encode()}, spec.system, {f"{PATH}.work_managers": new}, "c"
    ).scripts
    made = """
    <max-threads-constraint>
      <name>new-max-threads-constraint</name>
      <target>one</target>
      <count>40</count>
    </max-threads-constraint>"""
    manager = """
    <work-manager>
      <name>new</name>
      <target>one</target>
      <max-threads-constraint>new-max-threads-constraint</max-threads-constraint>
    </work-manager>"""
    first, second = "    </max-threads-constraint>\n    <work", "    </work-manager>\n"
    wanted = DOMAIN.replace(first, f"    </max-threads-constraint>{made}\n    <work").replace(
        second, f"    </work-manager>{manager}\n"
    )
    assert body(script.apply.replace("scenario c ", "scenario cafe ")) == wanted


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"m.xml": "<weblogic-jms><queue name='q'/></weblogic-jms>"}, NO_FILE),
        ({"weblogic-ejb-jar.xml": f"<weblogic-ejb-jar>{USERS}</weblogic-ejb-jar>"}, NO_FILE),
        (
            {"config.xml": "<domain><server><name>a</name></server><server><name>b</name></server></domain>"},
            "not clear which server or cluster",
        ),
    ],
    ids=["none", "unused", "two servers"],
)
def test_a_work_manager_without_a_place_is_refused(files: dict[str, str], reason: str) -> None:
    assert WEBLOGIC.patch
    contents = {file: text.encode() for file, text in files.items()}
    spec = parse(WEBLOGIC.read(contents).scenario)
    path = f"{PATH}.work_managers"
    found = WEBLOGIC.patch(contents, spec.system, {path: [{"name": "new", "max_threads": 40}]}, "cafe")
    assert found.scripts == ()
    assert reason in found.refused[path]
