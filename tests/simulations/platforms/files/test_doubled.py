"""Two objects of one name and doubled values: the first counts, and the account says so with both places."""

import pytest

from simulations.declarations.identity import without_identities
from simulations.platforms import PLATFORMS
from simulations.scenario.spec import parse

BEAN = b"""<weblogic-enterprise-bean>
<ejb-name>Orders</ejb-name>
<message-driven-descriptor><pool><max-beans-in-free-pool>%d</max-beans-in-free-pool></pool></message-driven-descriptor>
</weblogic-enterprise-bean>
"""
MANAGER = b"""<work-manager><name>w</name><max-threads-constraint><name>c%d</name>
<count>%d</count></max-threads-constraint></work-manager>
"""
GLASSFISH = b"""<ejb><ejb-name>Orders</ejb-name><jndi-name>jms/q</jndi-name>
<bean-pool><max-pool-size>%d</max-pool-size></bean-pool></ejb>
"""


def contradictions(platform: str, files: dict[str, bytes]) -> tuple[list[tuple[str, int, str]], dict[str, object]]:
    """Path, line and message of each contradiction, and the settings of the first queue."""
    reading = PLATFORMS[platform].read(files)
    found = [(item.path, item.line, item.message) for item in reading.account if item.status == "contradictory"]
    return found, parse(reading.scenario).queues[0].settings.model_dump()


def test_two_beans_of_one_name_are_a_contradiction_and_the_first_counts() -> None:
    files = {"weblogic-ejb-jar.xml": b"<weblogic-ejb-jar>%s%s</weblogic-ejb-jar>" % (BEAN % 7, BEAN % 9)}
    message = "another one of this name is described in weblogic-ejb-jar.xml:2, which counts; rename one"
    found, settings = contradictions("weblogic", files)
    assert found == [("queues.Orders", 6, message)]
    assert settings["max_beans_in_free_pool"] == 7


def test_two_beans_of_one_name_on_one_line_are_a_contradiction() -> None:
    line = (BEAN % 7 + BEAN % 9).replace(b"\n", b"")
    found, settings = contradictions(
        "weblogic", {"weblogic-ejb-jar.xml": b"<weblogic-ejb-jar>%s</weblogic-ejb-jar>" % line}
    )
    assert [item[:2] for item in found] == [("queues.Orders", 1)]
    assert settings["max_beans_in_free_pool"] == 7


def test_two_beans_of_one_name_in_two_files_and_on_the_other_platform() -> None:
    one, other = (b"<weblogic-ejb-jar>%s</weblogic-ejb-jar>" % (BEAN % size) for size in (7, 9))
    assert [item[:2] for item in contradictions("weblogic", {"a.xml": one, "b.xml": other})[0]] == [
        ("queues.Orders", 2)
    ]
    jar = b"<glassfish-ejb-jar><enterprise-beans>%s%s</enterprise-beans></glassfish-ejb-jar>"
    found, settings = contradictions("openmq", {"glassfish-ejb-jar.xml": jar % (GLASSFISH % 5, GLASSFISH % 6)})
    assert [item[:2] for item in found] == [("queues.Orders", 3)]
    assert settings["bean_pool_maximum"] == 5


def test_a_bean_in_the_standards_descriptor_too_is_the_same_bean() -> None:
    bean = b"<message-driven><ejb-name>Orders</ejb-name></message-driven>"
    standard = b"<ejb-jar><enterprise-beans>%s</enterprise-beans></ejb-jar>" % bean
    vendor = b"<weblogic-ejb-jar>%s</weblogic-ejb-jar>" % (BEAN % 7)
    assert contradictions("weblogic", {"ejb-jar.xml": standard, "weblogic-ejb-jar.xml": vendor})[0] == []


def test_two_work_managers_of_one_name_are_a_contradiction_and_the_first_counts() -> None:
    work = b"<weblogic-application>%s%s</weblogic-application>" % (MANAGER % (1, 3), MANAGER % (2, 8))
    reading = PLATFORMS["weblogic"].read({"weblogic-application.xml": work})
    found = [(item.path, item.line) for item in reading.account if item.status == "contradictory"]
    assert found == [("servers.server.settings.work_managers.w", 3)]
    managers = without_identities(reading.scenario)["servers"][0]["settings"]["work_managers"]
    assert managers == [{"name": "w", "max_threads": "c1"}]


@pytest.mark.parametrize(
    ("platform", "file", "content", "path"),
    [
        (
            "weblogic",
            "weblogic-application.xml",
            (b"<weblogic-application>%s</weblogic-application>" % (MANAGER % (1, 3))).replace(
                b"</count>", b"</count><count>9</count>"
            ),
            "weblogic-application.work-manager.max-threads-constraint.count",
        ),
        (
            "openmq",
            "glassfish-ejb-jar.xml",
            (
                b"<glassfish-ejb-jar><enterprise-beans>%s</enterprise-beans></glassfish-ejb-jar>" % (GLASSFISH % 3)
            ).replace(b"</max-pool-size>", b"</max-pool-size><max-pool-size>9</max-pool-size>"),
            "glassfish-ejb-jar.enterprise-beans.ejb.bean-pool.max-pool-size",
        ),
    ],
)
def test_a_doubled_value_is_a_contradiction(platform: str, file: str, content: bytes, path: str) -> None:
    assert contradictions(platform, {file: content})[0] == [(path, 2, "'9' contradicts '3' of line 2, which counts")]
