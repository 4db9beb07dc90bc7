"""The standard's own descriptors: the ejb-jar.xml, which says which beans are message-driven, and the ra.xml."""

from collections.abc import Iterator, Mapping, Sequence

from simulations.declarations.parameters import Declaration
from simulations.declarations.texts import as_name
from simulations.platforms.files.importing.declared import read_value
from simulations.platforms.files.importing.drafts import Draft
from simulations.platforms.files.syntax.signatures import root_of
from simulations.platforms.files.syntax.tree import Account, Element
from simulations.platforms.files.syntax.xml_file import load

ROOT = "ejb-jar"
CONNECTOR = "connector"
"""Root of an ra.xml, the descriptor of a resource adapter."""
FOR_BEANS = "its pool size and redelivery count for each bean that listens through it and states none"
OF_BEANS = "set aside: pool size and redelivery are activation properties of each bean that listens through it"
INBOUND = (
    ("resourceadapter", "inbound-resourceadapter", "messageadapter", "messagelistener", "activationspec"),
    ("resourceadapter",),
)
"""Where an ra.xml states properties that count for beans, those of their own kind first."""
MESSAGE_DRIVEN = ("enterprise-beans", "message-driven")
"""Where an ejb-jar.xml has its message-driven beans."""
NAME, VALUE = "activation-config-property-name", "activation-config-property-value"
UNKNOWN = "no file says what kind of bean this is; an ejb-jar.xml that names it would, or its source (@MessageDriven)"


def bean_kinds(files: Mapping[str, bytes]) -> dict[str, bool]:
    """Return for each bean that an ejb-jar.xml among the files names, whether it is message-driven."""
    roots = [load(content, file) for file, content in files.items() if root_of(content)[0] == ROOT]
    beans = [bean for root in roots for holder in root.all("enterprise-beans") for bean in holder.children]
    return {as_name(bean.value("ejb-name")): bean.name == "message-driven" for bean in beans if bean.child("ejb-name")}


def take_kind(bean: Element, draft: Draft, account: Account) -> None:
    """Take what says whether the bean's destination is a queue or a topic, as the versions of the standard write it."""
    for path in (("message-destination-type",), ("message-driven-destination", "destination-type")):
        found = bean.child(*path)
        if found is not None and found.text.endswith(("Queue", "Topic")):
            draft.take_kind(found, account)


def activation_of(bean: Element) -> Iterator[tuple[str, Element, Element]]:
    """Yield key, its element and the value's element of each activation property; what lacks a value is left out."""
    for item in bean.all("activation-config", "activation-config-property"):
        key, value = item.child(NAME), item.child(VALUE)
        if key is not None and value is not None:
            item.key = key.text
            yield key.text, key, value


def read_adapter(root: Element, known: Mapping[str, Declaration], account: Account) -> Draft:
    """Return what a resource adapter states for beans that listen through it; ``known``: its properties that count."""
    named = next(filter(None, map(root.child, ("display-name", "eis-type", "vendor-name"))), root)
    draft = Draft("resource adapter", named.text or account.file, file=account.file)
    for item in (found for way in INBOUND for found in root.all(*way, "config-property")):
        declared, value = known.get(item.value("config-property-name").lower()), item.child("config-property-value")
        if declared is not None and value is not None:
            account.take(item.child("config-property-name"))
            read_value(draft, declared, account, value)
    status, message = ("understood", FOR_BEANS) if draft.settings else ("unresolved", OF_BEANS)
    account.note(status, named, f"resource adapter {draft.name}", message)
    return draft


def take_from_adapter(bean: Draft, adapters: Sequence[Draft]) -> None:
    """Give a bean what its adapter states: the only one there is, else the one in an archive of that name."""
    own = [item for item in adapters if len(adapters) == 1 or f"/{bean.adapter}.rar/" in f"/{item.file}"]
    if bean.adapter and len(own) == 1:
        bean.inherit(own[0])
