"""Values of files read as their settings are declared."""

from dataclasses import replace
from typing import Any

import pytest

from simulations.declarations.parameters import addresses_of, parameters_of
from simulations.platforms.files.importing.declared import (
    LARGEST,
    adapter_properties,
    read_attributes,
    read_elements,
    read_value,
)
from simulations.platforms.files.importing.drafts import Draft
from simulations.platforms.files.syntax.tree import Account, Element
from simulations.platforms.files.syntax.xml_file import load
from simulations.platforms.weblogic.parameters.mdb import MdbSettings
from simulations.platforms.websphere.parameters import ServerSettings

DECLARED = {item.name: item for item in parameters_of(MdbSettings)}


@pytest.mark.parametrize(
    ("setting", "text", "value"),
    [
        ("send_timeout", "250", 0.25),
        ("flow_interval", "90", 90),
        ("messages_threshold_high", str(LARGEST), -1),
        ("messages_threshold_high", "700", 700),
        ("flow_control_enabled", "Yes", True),
        ("one_way_send_mode", "TOPICONLY", "topicOnly"),
        ("one_way_send_mode", "sometimes", "sometimes"),
        ("error_destination", "jms/Bad.Ones", "jms/Bad.Ones"),
    ],
)
def test_texts_become_values_by_kind_unit_and_limit(setting: str, text: str, value: Any) -> None:
    draft = Draft("queues", "orders")
    read_value(draft, DECLARED[setting], Account("f"), Element("x", 3, text=text))
    assert draft.settings[setting].value == value


@pytest.mark.parametrize(
    ("setting", "text", "status"),
    [
        ("send_timeout", "soon", "contradictory"),
        ("send_timeout", " ", "defaulted"),
        ("one_way_send_mode", "", "defaulted"),
        ("flow_control_enabled", "${flow}", "unresolved"),
        ("send_timeout", "@TIMEOUT@", "unresolved"),
    ],
)
def test_what_is_no_value_is_accounted_for_and_not_taken(setting: str, text: str, status: str) -> None:
    draft, account = Draft("queues", "orders"), Account("f")
    read_value(draft, DECLARED[setting], account, Element("x", 3, text=text))
    assert draft.settings == {}
    assert [line.status for line in account.lines] == [status]


def test_an_adapter_writes_a_setting_in_its_own_unit() -> None:
    draft, known = Draft("queues", "orders"), DECLARED["redelivery_delay"]
    found = adapter_properties(MdbSettings, "max_beans_in_free_pool", "redelivery_limit", "redelivery_delay")
    read_value(draft, found["redeliveryinterval"], Account("f"), Element("x", 3, text="30"))
    assert draft.settings["redelivery_delay"].value == 30
    assert found["redeliveryinterval"] == replace(known, quantity=replace(known.quantity, factor=1.0))


def test_elements_and_attributes_are_found_at_their_addresses_and_room_is_noted_for_the_others() -> None:
    root = load(
        b"<connection-factory><client-params><messages-maximum>7</messages-maximum></client-params></connection-factory>",
        "f",
    )
    factory, account = addresses_of(MdbSettings, "factory"), Account("f")
    draft = Draft("connection factory", "cf")
    read_elements(draft, root, factory, account)
    assert {key: item.value for key, item in draft.settings.items()} == {"messages_maximum": 7}
    assert draft.lacking.keys() == {item.name for item in factory.values()} - {"messages_maximum"}
    pool = load(b'<services><threadPool maximumSize="9" inactivityTimeout="3500"/></services>', "f")
    server = Draft("servers", "s")
    addresses = addresses_of(ServerSettings, "ThreadPool/Message.Listener.Pool")
    read_attributes(server, pool, addresses, account, "threadPool")
    assert {key: item.value for key, item in server.settings.items()} == {
        "listener_pool_maximum": 9,
        "listener_pool_inactivity": 3.5,
    }
    assert server.lacking.keys() == {"listener_pool_minimum", "listener_pool_growable"}
