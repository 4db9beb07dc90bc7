"""Values that another tool fills in, empty ones, and switches as schemas allow them."""

import pytest

from simulations.platforms import PLATFORMS
from simulations.platforms.files.importing.drafts import is_filled_in, is_on
from simulations.platforms.shared.family import Understood


@pytest.mark.parametrize("text", ["${a.b}", "@token@", "@@PROP:X@@", "%SIZE%", "$SIZE", "#{x}", "10${x}", "<count>"])
def test_placeholders_are_known(text: str) -> None:
    assert is_filled_in(text)


@pytest.mark.parametrize("text", ["10", "jms/Q", "a@b", "50%", "A$B", "5 % of 10 %", 12, True])
def test_values_are_no_placeholders(text: object) -> None:
    assert not is_filled_in(text)


@pytest.mark.parametrize(("text", "on"), [("True", True), ("yes", True), ("1", True), (" Y ", True), ("no", False)])
def test_switches_are_read_as_schemas_allow_them(text: str, on: bool) -> None:  # noqa: FBT001
    assert is_on(text) is on


BEAN = (
    b"<weblogic-ejb-jar><weblogic-enterprise-bean><ejb-name>A</ejb-name><message-driven-descriptor><pool>\n"
    b"<max-beans-in-free-pool>%s</max-beans-in-free-pool></pool></message-driven-descriptor>"
    b"</weblogic-enterprise-bean></weblogic-ejb-jar>"
)
SERVER = b'<Server name="s">\n<services type="a:TransactionService" totalTranLifetimeTimeout="%s"/></Server>'
BROKER = b"# broker\nimq.autocreate.destination.maxNumMsgs=%s\n"
DOMAIN = (
    b'<domain><configs><config name="server-config">\n<mdb-container max-pool-size="%s"/></config></configs></domain>'
)


def said(platform: str, content: bytes) -> tuple[str, int]:
    """Status and line of what is said of the one value that is no number."""
    found = [
        item
        for item in PLATFORMS[platform].read({"f": content}).account
        if "filled in" in item.message or "empty" in item.message
    ]
    assert len(found) == 1
    assert isinstance(found[0], Understood)
    return found[0].status, found[0].line


@pytest.mark.parametrize(
    ("platform", "content"), [("weblogic", BEAN), ("websphere", SERVER), ("openmq", BROKER), ("openmq", DOMAIN)]
)
def test_a_placeholder_is_open_and_contradicts_nothing(platform: str, content: bytes) -> None:
    assert said(platform, content % b"${the.size}") == ("unresolved", 2)


@pytest.mark.parametrize(("platform", "content"), [("weblogic", BEAN), ("websphere", SERVER), ("openmq", DOMAIN)])
def test_an_empty_value_is_the_default(platform: str, content: bytes) -> None:
    assert said(platform, content % b"") == ("defaulted", 2)
