"""Files and archives become a set of files with names that tell them apart, all of one platform."""

from pathlib import Path

import pytest

from planner.configuration.importing import configuration_read
from planner.configuration.uploads import MAX_FILES, MAX_INSIDE, files_named
from planner.management.configuration_files import read_files
from simulations.declarations.problems import InvalidInput
from simulations.platforms.files.importing.drafts import CHOICE
from tests.simulations.platforms.files.importing.test_drafts import DOMAIN
from tests.simulations.platforms.files.test_archives import packed

STANDARD = b"""<ejb-jar><enterprise-beans><message-driven><ejb-name>Orders</ejb-name></message-driven>
</enterprise-beans></ejb-jar>"""
WEBLOGIC = b"""<weblogic-ejb-jar><weblogic-enterprise-bean><ejb-name>Orders</ejb-name><message-driven-descriptor>
<pool><max-beans-in-free-pool>20</max-beans-in-free-pool></pool></message-driven-descriptor></weblogic-enterprise-bean>
</weblogic-ejb-jar>"""
GLASSFISH = b"""<glassfish-ejb-jar><enterprise-beans><ejb><ejb-name>Orders</ejb-name><bean-pool>
<max-pool-size>7</max-pool-size></bean-pool></ejb></enterprise-beans></glassfish-ejb-jar>"""
BINDING = b"""<ejb-jar-bnd><message-driven name="Orders"/></ejb-jar-bnd>"""
META = "orders.jar/META-INF"


def archive(**descriptors: bytes) -> bytes:
    """An EAR with these descriptors of its beans, among other files."""
    inside = {f"META-INF/{name.replace('_', '-')}.xml": content for name, content in descriptors.items()}
    beans = packed({**inside, "Orders.class": b"\xca\xfe", "META-INF/persistence.xml": b"<persistence/>"})
    return packed({"META-INF/application.xml": b"<application/>", "orders.jar": beans})


def test_the_descriptors_of_an_archive_become_one_scenario() -> None:
    files = files_named(
        [("C:\\shop.ear", archive(ejb_jar=STANDARD, weblogic_ejb_jar=WEBLOGIC, ibm_ejb_jar_bnd=BINDING))]
    )
    assert list(files) == [f"shop.ear/{META}/ejb-jar.xml", f"shop.ear/{META}/weblogic-ejb-jar.xml"]
    reading = configuration_read(files)
    assert reading.spec.platform == "weblogic"
    assert reading.spec.queues[0].settings.model_dump()["max_beans_in_free_pool"] == 20
    (note,) = [line for line in reading.account if line.path == "shop.ear"]
    assert (note.status, note.message[:36]) == ("ignored", "files in it that are not read: 3; th")


def test_an_archive_for_two_products_needs_the_platform() -> None:
    content = archive(ejb_jar=STANDARD, weblogic_ejb_jar=WEBLOGIC, glassfish_ejb_jar=GLASSFISH)
    with pytest.raises(InvalidInput, match="choose one of"):
        configuration_read(files_named([("shop.ear", content)]))
    for platform, setting, value in (("weblogic", "max_beans_in_free_pool", 20), ("imq", "bean_pool_maximum", 7)):
        files = files_named([("shop.ear", content)], platform)
        spec = configuration_read(files, platform=platform).spec
        held = {**spec.servers[0].settings.model_dump(), **spec.queues[0].settings.model_dump()}
        assert held[setting] == value, platform


def test_an_archive_without_configuration_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"a\.war: none of the files in it is configuration"):
        files_named([("a.war", packed({"WEB-INF/web.xml": b"<web-app/>"}))])


def test_files_of_one_name_are_kept_apart() -> None:
    uploads = [("a/one/server.xml", b"1"), ("a/two/server.xml", b"2"), ("b.xml", b"3")]
    assert files_named(uploads) == {"one/server.xml": b"1", "two/server.xml": b"2", "b.xml": b"3"}
    assert files_named([("x.xml", b"1"), ("x.xml", b"2"), ("x.xml", b"3")]) == {
        "x.xml": b"1",
        "2/x.xml": b"2",
        "3/x.xml": b"3",
    }


def test_too_many_files_are_refused() -> None:
    with pytest.raises(InvalidInput, match="at most 20 are read"):
        files_named([(f"{number}.xml", b"") for number in range(MAX_FILES + 1)])
    many = packed({f"{number}.xml": WEBLOGIC + b" " * number for number in range(MAX_INSIDE + 1)})
    with pytest.raises(InvalidInput, match="201 files in archives and folders are configuration"):
        files_named([("a.zip", many)])
    with pytest.raises(InvalidInput, match="no file was sent"):
        files_named([])


def test_a_domain_folder_is_read_without_its_copies(tmp_path: Path) -> None:
    domain = tmp_path / "shop"
    for folder in ("config/jms", "config_prev", "servers/one/upload"):
        (domain / folder).mkdir(parents=True)
    (domain / "config/config.xml").write_bytes(
        b"<domain xmlns='http://xmlns.oracle.com/weblogic/domain'><jms-system-resource><name>M</name>"
        b"<descriptor-file-name>jms/m-jms.xml</descriptor-file-name></jms-system-resource></domain>"
    )
    (domain / "config/jms/m-jms.xml").write_bytes(b"<weblogic-jms><queue name='q'/></weblogic-jms>")
    (domain / "config_prev/config.xml").write_bytes(b"<domain xmlns='weblogic'/>")
    (domain / "servers/one/upload/shop.ear").write_bytes(archive(weblogic_ejb_jar=WEBLOGIC))
    (domain / "fileRealm.properties").write_bytes(b"a=b")
    files = read_files([domain])
    assert list(files) == [
        "shop/config/config.xml",
        "shop/config/jms/m-jms.xml",
        f"shop/servers/one/upload/shop.ear/{META}/weblogic-ejb-jar.xml",
    ]
    assert configuration_read(files).spec.platform == "weblogic"


def test_a_chosen_cluster_is_a_file_of_the_set() -> None:
    files = files_named([("domain.xml", DOMAIN)], target="bank")
    assert files == {"domain.xml": DOMAIN, CHOICE: b"bank"}
    assert configuration_read(files).spec.servers[0].instances == 2
    with pytest.raises(InvalidInput, match="did you mean"):
        configuration_read(files_named([("domain.xml", DOMAIN)], target="bnak"))
