"""WebSphere's resources.xml: activation specifications, each of which becomes a queue.

No public file with one was found: element and property names follow the names that administrative commands and public
tools that read such files show.
"""

import re
from collections.abc import Iterator, Mapping

from simulations.declarations.parameters import Declaration, PlatformParameters, addresses_of
from simulations.platforms.files.importing.drafts import Draft, Queues, kind_of
from simulations.platforms.files.syntax.tree import Account, Element
from simulations.platforms.files.websphere.server import read_property, take_formal
from simulations.platforms.shared.activation import SPEC

MARKS = (b"j2cActivationSpec", b"J2CActivationSpec")
ROOT = "XMI"
ADAPTER = "J2CResourceAdapter"
IBM_MQ, SIB = "IBM MQ", "the default messaging provider"
ADAPTERS = {IBM_MQ: ("WebSphere MQ", "IBM MQ", "wmq.jmsra"), SIB: ("SIB JMS", "sib.api.jmsra")}
"""Messaging provider -> what the name or archive of its resource adapter says."""
OTHER_ADAPTER = "not an adapter whose limits are known here; it is taken for IBM MQ's, enter what it allows"
ARBITRARY = "arbitraryProperties"
"""The property that holds those for which the adapter has none of its own, as name="value" with commas between."""
IN_A_LIST = "the file has it inside a list of properties; a script makes the change"
_ARBITRARY = re.compile(r"\bwas_(\w++)\s*=\s*\"?([^\",]*)")


def holds_specs(root: str, content: bytes) -> bool:
    """Whether a file with this root element is a resources.xml with activation specifications."""
    return root == ROOT and any(mark in content for mark in MARKS)


def specs_of(root: Element) -> Iterator[Element]:
    """Yield every activation specification, whatever provider it belongs to."""
    return (item for item in root.walk() if item.name.lower() == "j2cactivationspec")


def adapters_of(root: Element) -> Iterator[tuple[str, Element]]:
    """Yield the resource adapter's kind and each of its activation specifications. The kind is ``IBM_MQ``, ``SIB`` or
    the name of another adapter; empty where no adapter is around it."""
    held = {id(spec): _kind(item) for item in root.walk() if item.name == ADAPTER for spec in specs_of(item)}
    yield from ((held.get(id(spec), ""), spec) for spec in specs_of(root))


def _kind(adapter: Element) -> str:
    named = f"{adapter.attributes.get('name', '')} {adapter.attributes.get('archivePath', '')}"
    known = (kind for kind, signs in ADAPTERS.items() if any(sign in named for sign in signs))
    return next(known, adapter.attributes.get("name", ""))


def spec_draft(
    element: Element, server: str, queues: Queues, account: Account, switch: str, model: type[PlatformParameters]
) -> Draft:
    """Return the queue of an activation specification with what its properties state. ``switch``: the setting that
    tells it from a listener port. A name that is taken gets a number."""
    draft = queues.new(element.attributes.get("name", "spec"), server=server)
    known = {name: declared for (name,), declared in addresses_of(model, SPEC).items()}
    account.note("understood", element, draft.path, "an activation specification", "name")
    identity = {"name": element.attributes.get("name", ""), "kind": "J2CActivationSpec", "file": account.file}
    draft.identify(identity, [{"role": "destination", "name": _destination(element)}])
    draft.put(switch, "activation_spec", account, element)
    for item in element.all("resourceProperties"):
        name = item.attributes.get("name", "")
        if name == ARBITRARY:
            _arbitrary(item, known, draft, account)
        elif name == "destinationType" and item.attributes.get("value", "").endswith(("Queue", "Topic")):
            draft.fields["kind"] = kind_of(item.attributes["value"])
            take_formal(item, account)
            account.note("understood", item, f"{draft.path}.kind", draft.fields["kind"], "value")
        elif name in known:
            read_property(draft, known[name], item, account)
    return draft


def _destination(spec: Element) -> str:
    """The JNDI name of the destination, in an attribute or among the properties."""
    own = (item.attributes for item in spec.all("resourceProperties") if item.attributes.get("name") == "destination")
    return spec.attributes.get("destinationJndiName", "") or next(own, {}).get("value", "")


def _arbitrary(item: Element, known: Mapping[str, Declaration], draft: Draft, account: Account) -> None:
    """Put what stands in one text with other properties; it has no place of its own that could be changed."""
    take_formal(item, account)
    for name, value in _ARBITRARY.findall(item.attributes.get("value", "")):
        if name in known:
            part = Element("property", item.line, attributes={"value": value})
            item.children.append(part)
            read_property(draft, known[name], part, account)
            draft.refused[known[name].name] = IN_A_LIST
    account.take(item, "value")
