"""The adapter's options: pairs in one text, each with its place in the file."""

import re

from simulations.platforms import PLATFORMS
from simulations.platforms.openmq.files.resources import OptionList
from simulations.platforms.shared.spots import VALUE, Addition, Raw
from simulations.scenario.spec import parse

FILE = b"<p>addressList=mq,maxPool=20,name=a\\,b,</p>"
TEXT = FILE[3:-4].decode()


def test_every_pair_has_the_bytes_of_its_value() -> None:
    pairs = list(OptionList(TEXT, "ra.xml", 3, 3 + len(TEXT)).pairs())
    assert [(key, value) for key, value, _ in pairs] == [("addressList", "mq"), ("maxPool", "20"), ("name", "a\\,b")]
    for _, value, place in pairs:
        assert place is not None
        assert FILE[place.start : place.end].decode() == value


def test_where_characters_are_not_bytes_no_place_is_told() -> None:
    text = "größe=7"
    assert list(OptionList(text, "ra.xml", 0, len(text.encode())).pairs()) == [("größe", "7", None)]


def test_a_value_that_is_missing_has_no_place() -> None:
    assert list(OptionList("flag=", "ra.xml", 0, 5).pairs()) == [("flag", "", None)]


def test_a_further_pair_comes_behind_a_comma_where_there_are_others() -> None:
    first, alone = (OptionList(text, "ra.xml", 5, 5 + len(text)).further("b") for text in ("a=1", " "))
    assert first == Addition("ra.xml", 8, Raw(f",b={VALUE}"))
    assert alone == Addition("ra.xml", 6, Raw(f"b={VALUE}"))


BEANS = b"<glassfish-ejb-jar><enterprise-beans>%s</enterprise-beans></glassfish-ejb-jar>" % b"".join(
    b"<ejb><ejb-name>M%d</ejb-name><jndi-name>jms/q%d</jndi-name>"
    b"<mdb-connection-factory><jndi-name>jms/cf%d</jndi-name></mdb-connection-factory></ejb>" % (item, item, item)
    for item in (1, 2)
)
POOLS = b"<resources>%s</resources>" % b"".join(
    b"""<connector-connection-pool name="p%d" resource-adapter-name="jmsra"><property name="options"
value="imqConsumerFlowLimit=%d"/></connector-connection-pool><connector-resource jndi-name="jms/cf%d" pool-name="p%d"/>
"""
    % (item, 30 * item, item, item)
    for item in (1, 2)
)


def limits(resources: bytes) -> tuple[list[tuple[str, int]], list[str]]:
    """Pool and flow limit of each bean, and which paths are contradictory or name pools."""
    found = PLATFORMS["openmq"].read({"glassfish-ejb-jar.xml": BEANS, "glassfish-resources.xml": resources})
    told = [it.path for it in found.account if it.status == "contradictory" or "connection pool" in it.message]
    queues = parse(found.scenario).queues
    names = [queue.identity.part("factory").name if queue.identity else "" for queue in queues]
    found_limits = [queue.settings.model_dump()["consumer_flow_limit"] for queue in queues]
    return list(zip(names, found_limits, strict=True)), told


def test_a_bean_has_the_options_of_the_pool_of_its_own_factory() -> None:
    assert limits(POOLS) == ([("p1", 30), ("p2", 60)], [])


def test_of_several_pools_without_a_link_none_counts() -> None:
    unlinked = re.sub(rb"<connector-resource.*?/>", b"", POOLS)
    assert limits(unlinked) == ([("", 1000), ("", 1000)], ["queues.M1", "queues.M2"])


def test_the_only_pool_counts_for_all_but_for_beans_with_another() -> None:
    one = re.sub(rb'<connector-connection-pool name="p2".*</connector-connection-pool>', b"", POOLS, flags=re.DOTALL)
    assert limits(one) == ([("p1", 30), ("", 1000)], [])
    assert limits(re.sub(rb"<connector-resource.*?/>", b"", one)) == ([("p1", 30), ("p1", 30)], [])


def test_a_patch_changes_the_pool_of_the_bean_alone() -> None:
    files = {"glassfish-ejb-jar.xml": BEANS, "glassfish-resources.xml": POOLS}
    assert PLATFORMS["openmq"].patch
    system = parse(PLATFORMS["openmq"].read(files).scenario).system
    patched = PLATFORMS["openmq"].patch(files, system, {"queues.M2.settings.consumer_flow_limit": 64}, "cafe")
    (script,) = patched.scripts
    assert [int(number) for number in re.findall(r"FlowLimit=(\d+)", script.apply)] == [30, 64]


def test_what_pools_say_of_the_connection_is_written_to_all_that_agree_or_to_the_one_that_counts() -> None:
    both = POOLS.replace(b'value="imq', b'value="imqConnectionFlowLimit=500,imq')
    one = both.replace(b'value="imqConnectionFlowLimit=500,imqConsumerFlowLimit=60', b'value="imqConsumerFlowLimit=60')
    for resources, pools, told in ((both, 2, []), (one, 1, ["servers.server"])):
        assert limits(resources)[1] == told
        files = {"glassfish-ejb-jar.xml": BEANS, "glassfish-resources.xml": resources}
        system = parse(PLATFORMS["openmq"].read(files).scenario).system
        change = {"servers.server.settings.connection_flow_limit": 800}
        scripts = {script.format: script.apply for script in PLATFORMS["openmq"].write(system, change, "cafe")}
        assert scripts["asadmin"].count("property.options.imqConnectionFlowLimit 500 800") == pools
        assert PLATFORMS["openmq"].patch
        (script,) = PLATFORMS["openmq"].patch(files, system, change, "cafe").scripts
        assert script.apply.count("imqConnectionFlowLimit=800") == pools


def test_the_threads_are_those_of_the_pool_that_the_adapter_is_configured_to_have() -> None:
    config = b"""<domain><resources>
<resource-adapter-config resource-adapter-name="%s" thread-pool-ids="jms"/></resources>
<configs><config name="server-config"><thread-pools><thread-pool name="jms" max-thread-pool-size="11"/>
<thread-pool name="thread-pool-1" max-thread-pool-size="60"/></thread-pools></config></configs></domain>"""
    for adapter, name, threads in ((b"jmsra", "jms", 11), (b"other", "thread-pool-1", 60)):
        system = parse(PLATFORMS["openmq"].read({"domain.xml": config % adapter}).scenario).system
        scripts = PLATFORMS["openmq"].write(system, {"servers.server.settings.thread_pool_maximum": 7}, "cafe")
        (script,) = [item.apply for item in scripts if item.format == "asadmin"]
        assert f" thread-pools.thread-pool.{name}.max-thread-pool-size {threads} 7" in script
