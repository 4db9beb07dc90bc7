"""Files of other products under the same names: told apart, with a sentence that says what to do."""

import pytest

from planner.configuration.importing import configuration_read
from simulations.declarations.problems import InvalidInput
from simulations.platforms import PLATFORMS

LIBERTY = b'<?xml version="1.0"?>\n<!-- x -->\n<server description="d"><featureManager/></server>'
SPECS = b'<xmi:XMI xmlns:xmi="x"><j2cActivationSpec name="s"/></xmi:XMI>'


@pytest.mark.parametrize(
    ("file", "content", "words"),
    [
        ("server.xml", LIBERTY, "maxEndpoints of each jmsActivationSpec"),
        ("server.xml", b'<Server port="8005" shutdown="SHUTDOWN"><Service/></Server>', "server.xml of Tomcat"),
        ("domain.xml", b'<domain xmlns="urn:jboss:domain:3.0"><profiles/></domain>', "WildFly"),
        ("domain.xml", b'<domain xmlns="http://www.tmaxsoft.com/xml/ns/jeus"><servers/></domain>', "JEUS"),
        ("config.xml", b'<Domain ConfigurationVersion="8.1.2.0" Name="d"><Server/></Domain>', "WebLogic 8.1"),
        ("resources.xml", b'<xmi:XMI xmlns:xmi="x"><a:JDBCProvider xmlns:a="a"/></xmi:XMI>', "no activation spec"),
        ("web.xml", b"<web-app/>", "nothing about message-driven beans"),
    ],
)
def test_a_file_of_another_product_is_named(file: str, content: bytes, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        configuration_read({file: content})
    assert not [name for name, family in PLATFORMS.items() if family.recognises(file, content)]


@pytest.mark.parametrize("platform", ["websphere", "websphere-zos"])
def test_the_sentence_is_the_same_when_the_platform_is_chosen(platform: str) -> None:
    with pytest.raises(InvalidInput, match=r"not the server\.xml of WebSphere Application Server"):
        configuration_read({"server.xml": LIBERTY}, platform=platform)


@pytest.mark.parametrize("platform", ["", "openmq"])
def test_destinations_that_asadmin_lists_are_refused_with_what_to_give_instead(platform: str) -> None:
    text = b"Orders queue {}\nCommand list-jmsdest executed successfully.\n"
    with pytest.raises(InvalidInput, match="give what imqcmd list dst and, for each destination, imqcmd query"):
        configuration_read({"out.txt": text}, platform=platform)


@pytest.mark.parametrize("platform", ["", "websphere", "websphere-zos"])
@pytest.mark.parametrize(
    "text",
    [
        "LP1(cells/c/nodes/n/servers/s|server.xml#ListenerPort_1)\n",
        "wsadmin>print AdminConfig.attributes('ListenerPort')\nmaxSessions int\n",
        "'{name=Orders, maxPoolDepth=10, destinationJndiName=jms/orders}'\n",
    ],
)
def test_listings_of_wsadmin_are_refused_with_what_to_give_instead(text: str, platform: str) -> None:
    with pytest.raises(InvalidInput, match=r"those of AdminConfig\.show and AdminConfig\.showall are read"):
        configuration_read({"out.txt": text.encode()}, platform=platform)


def test_every_strange_file_is_named_at_once() -> None:
    with pytest.raises(InvalidInput) as error:
        configuration_read({"server.xml": LIBERTY, "web.xml": b"<web-app/>", "r.xml": SPECS})
    assert [problem.path for problem in error.value.problems] == ["server.xml", "web.xml"]


@pytest.mark.parametrize(("codec", "name"), [("utf-16", "UTF-16"), ("utf-16-le", "UTF-16"), ("cp037", "EBCDIC")])
def test_an_encoding_that_is_not_read_is_named(codec: str, name: str) -> None:
    content = '<?xml version="1.0"?><weblogic-ejb-jar/>'.encode(codec)
    for platform in ("", "weblogic"):
        with pytest.raises(InvalidInput, match=f"written in {name}"):
            configuration_read({"w.xml": content}, platform=platform)


def test_a_model_with_a_destination_key_is_no_output_of_a_query() -> None:
    model = b"resources:\n  JMSSystemResource:\n    M:\n      JmsResource:\n        DestinationKey:\n          K: {}\n"
    assert [name for name, family in PLATFORMS.items() if family.recognises("m.yaml", model)] == ["weblogic"]
