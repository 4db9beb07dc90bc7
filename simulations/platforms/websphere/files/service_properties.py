"""Custom properties of the message listener service: those of the server, those of all its ports, those of one port."""

from dataclasses import replace

from simulations.declarations.parameters import addresses_of
from simulations.platforms.files.importing.drafts import Draft, number_of
from simulations.platforms.files.syntax.tree import Account, Element
from simulations.platforms.files.websphere.server import read_properties
from simulations.platforms.shared.spots import New
from simulations.platforms.websphere.parameters.listener_port import ListenerPort
from simulations.platforms.websphere.parameters.server import ServerSettings

RECEIVE_TIMEOUT = "NON.ASF.RECEIVE.TIMEOUT"
UNUSED_TIMEOUT = "SERVER.SESSION.POOL.UNUSED.TIMEOUT"
ASF_ONLY = ("SERVER.SESSION.POOL.REAP", "SERVER.SESSION.POOL.REAP.TIME", UNUSED_TIMEOUT)


SERVER = addresses_of(ServerSettings, "MessageListenerService")
_OF_PORTS = addresses_of(ListenerPort, "MessageListenerService")
WAIT = _OF_PORTS[RECEIVE_TIMEOUT,]
PORTS = {
    **{path: declared for path, declared in _OF_PORTS.items() if declared is not WAIT},
    ("SERVER.SESSION.POOL.REAP",): _OF_PORTS["SERVER.SESSION.POOL.REAP.TIME",],
}
"""Of the two spellings of the reaper's property the first one is written where none is there."""


def service_properties(element: Element, items: dict[str, Element], server: Draft, account: Account) -> Draft:
    """Read the properties of a service; return what they say for all its ports."""
    ports = Draft("queues", "*", implied={"mode"})
    for names, draft in ((SERVER, server), (PORTS, ports)):
        read_properties(draft, items, names, account)
        for (name,), known in names.items():
            if known.name not in draft.settings and known.name not in draft.lacking:
                draft.add(known.name, account, element, _new(element, name, known.name))
    _receive_timeout(items, ports, element, account)
    if ports.settings.get("mode") and ports.settings["mode"].value == "non_asf":
        for name, item in items.items():
            if name.startswith(ASF_ONLY):
                account.note("ignored", item, name, "does nothing in non-ASF mode", "name")
                account.take(item, "value")
    return ports


def _receive_timeout(items: dict[str, Element], ports: Draft, element: Element, account: Account) -> None:
    """The receive timeout is the switch to non-ASF mode for all ports of the service."""
    timeout = items.get(RECEIVE_TIMEOUT)
    if timeout is None:
        for setting in ("mode", "receive_timeout"):
            ports.add(setting, account, element, _new(element, RECEIVE_TIMEOUT, "receive"))
        return
    account.take(timeout, "name")
    value = number_of(timeout, account, "queues.*.settings.receive_timeout", "value")
    if value is None or value < 0:
        return
    mode = "non_asf" if value > 0 else "asf"
    ports.put("receive_timeout", value / WAIT.quantity.factor, account, timeout, "value")
    ports.settings["mode"] = replace(ports.settings["receive_timeout"], value=mode)
    account.note("understood", timeout, "queues.*.settings.mode", f"{value:g} ms: {mode} mode for all ports", "value")


def _new(element: Element, name: str, word: str) -> New:
    """A property that the service lacks; with an id where the service has one, made from it."""
    own = element.attributes.get("id", "")
    named = (("xmi:id", f"Property_{own.rpartition('_')[2]}_{word}"),) if own else ()
    return New("properties", "", (*named, ("name", name), ("value", "{}")))
