"""WebSphere's resources.xml: activation specifications, each of which becomes a queue.

No public file with one was found: element and property names follow the names that administrative commands show.
"""

from collections.abc import Iterator, Mapping

from simulations.platforms.formats.drafts import Draft, safe_name
from simulations.platforms.formats.tree import Account, Element
from simulations.platforms.formats.was_server import Property, put_property

MARKS = (b"j2cActivationSpec", b"J2CActivationSpec")
ROOT = "XMI"
COMMON = {
    "maxPoolDepth": Property("maximum_server_sessions"),
    "poolTimeout": Property("server_session_idle_timeout", 0.001),
    "stopEndpointIfDeliveryFails": Property("stop_if_delivery_fails", 0),
    "failureDeliveryCount": Property("failure_delivery_count"),
}
"""Properties of an activation specification on every platform."""


def holds_specs(root: str, content: bytes) -> bool:
    """Whether a file with this root element is a resources.xml with activation specifications."""
    return root == ROOT and any(mark in content for mark in MARKS)


def specs_of(root: Element) -> Iterator[Element]:
    """Yield every activation specification, whatever provider it belongs to."""
    return (item for item in root.walk() if item.name.lower() == "j2cactivationspec")


def spec_draft(
    element: Element,
    server: str,
    queues: dict[str, Draft],
    account: Account,
    switch: str,
    known: Mapping[str, Property],
) -> Draft:
    """Return the queue of an activation specification with what its properties state.

    ``switch``: the setting that tells it from a listener port. A name that is taken gets a number.
    """
    number, name = 2, safe_name(element.attributes.get("name", "spec"))
    free = name
    while free in queues:
        free, number = f"{name}_{number}", number + 1
    account.note("understood", element, f"queues.{free}", "an activation specification", "name")
    draft = queues.setdefault(free, Draft("queues", free, fields={"server": server}))
    draft.put(switch, "activation_spec", account, element)
    for item in element.all("resourceProperties"):
        meant = known.get(item.attributes.get("name", ""))
        if meant is not None:
            put_property(item, meant, draft, account)
    return draft
