"""Descriptors of message-driven beans: weblogic-ejb-jar.xml in all its namespaces, and the standard ejb-jar.xml."""

from collections.abc import Sequence

from simulations.declarations.parameters import addresses_of
from simulations.declarations.tables import table_beside
from simulations.declarations.texts import as_name
from simulations.platforms.files.importing.declared import adapter_properties, read_elements, read_value
from simulations.platforms.files.importing.drafts import Draft, Sourced
from simulations.platforms.files.importing.ejb_jar import MESSAGE_DRIVEN, NAME, UNKNOWN, VALUE, activation_of, take_kind
from simulations.platforms.files.syntax.tree import Account, Element
from simulations.platforms.shared.spots import New
from simulations.platforms.weblogic.files.domain.contents import Imported, Link
from simulations.platforms.weblogic.files.domain.jms_modules import OWN_CONTEXT
from simulations.platforms.weblogic.files.work_managers.reading import read_work
from simulations.platforms.weblogic.parameters.mdb import MdbSettings

MDB = "message-driven-descriptor"
BEAN = addresses_of(MdbSettings, "bean")
OF_OTHER_BEANS: Sequence[str] = table_beside(__file__, "names.yaml")["other_beans"]
"""What stands at other beans only, where there is no descriptor of a message-driven one."""
MODE = New("activation-config-property", children=(New(NAME, "topicMessagesDistributionMode"), New(VALUE)))
MODES = ("Compatibility", "One-Copy-Per-Server", "One-Copy-Per-Application")


def read_weblogic_ejb_jar(root: Element, found: Imported, account: Account) -> None:
    """Read work managers and message-driven beans: those with a descriptor for them, or that an ejb-jar.xml calls so. A
    bean that nothing tells apart is taken for one."""
    for element in root.all("weblogic-enterprise-bean"):
        known = found.kinds.get(as_name(element.value("ejb-name")))
        is_other = known is False or (known is None and any(element.child(name) for name in OF_OTHER_BEANS))
        descriptor = element.child(MDB)
        if is_other and descriptor is None:
            continue
        name = element.child("ejb-name")
        draft = found.bean(element.value("ejb-name") or "bean")
        if not draft.describe(root.name, name or element, account, "a message-driven bean"):
            continue
        if name is not None and known is None and descriptor is None:
            account.note("defaulted", name, draft.path, f"taken for message-driven: {UNKNOWN}")
        read_elements(draft, element, BEAN, account)
        for item in descriptor.children if descriptor else ():
            _named(item.name, item, draft, found, account)
    read_work(root, found, account)


def _named(name: str, item: Element, draft: Draft, found: Imported, account: Account) -> bool:
    """Take what a descriptor or an activation property says of other objects; False when the name is none of them."""
    if name == "initial-context-factory":
        own = item.text.startswith(OWN_CONTEXT)
        draft.put("destination", "weblogic" if own else "foreign", account, item)
    elif name == "resource-adapter-jndi-name":
        draft.settings["destination"] = Sourced("foreign", account.file, item.line)
        draft.adapter = item.text
        message = f"listens to a foreign destination through {item.text}: of its limits pool and redelivery are read"
        account.note("unresolved", item, draft.path, message)
    elif name in WORDS.values():
        account.take(item)
        links = found.factory_links if name.startswith("connection-factory") else found.links
        module, _, target = item.text.rpartition("#") if name.endswith("-link") else ("", "", item.text)
        links.append(Link(draft.name, target, module, item, account))
    else:
        return False
    return True


def read_ejb_jar(root: Element, found: Imported, account: Account) -> None:
    """Read kind, transaction type and activation properties of the message-driven beans."""
    for element in root.all(*MESSAGE_DRIVEN):
        name = element.child("ejb-name")
        draft = found.bean(element.value("ejb-name") or "bean")
        if not draft.describe(root.key or root.name, name or element, account, "a message-driven bean"):
            continue
        kind, attribute = element.child("transaction-type"), _attribute(element, root, account)
        account.take(kind)
        said = attribute if kind is None or kind.text == "Container" else kind
        if said is not None and said.text in ("Required", "NotSupported", "Bean"):
            draft.put("transactional", said.text == "Required", account, said)
        take_kind(element, draft, account)
        for key, item, value in activation_of(element):
            if _property(key.lower(), value, draft, found, account):
                account.take(item)
        if "topic_messages_distribution_mode" not in draft.settings and not root.key:
            draft.add("topic_messages_distribution_mode", account, element, MODE, ("activation-config",))


def _attribute(bean: Element, root: Element, account: Account) -> Element | None:
    """The transaction attribute of a bean's onMessage; one that names it counts before one for all methods."""
    found = {"": bean.child("trans-attribute")}
    for transaction in root.all("assembly-descriptor", "container-transaction"):
        for method in transaction.all("method"):
            if method.value("ejb-name") == bean.value("ejb-name"):
                found[method.value("method-name")] = transaction.child("trans-attribute")
                for name in method.children:
                    account.take(name)
    return found.get("onMessage") or found.get("*") or found[""]


ADAPTER = adapter_properties(MdbSettings, "max_beans_in_free_pool", "redelivery_limit", "redelivery_delay")
STATED = {path[-1].replace("-", ""): item for path, item in BEAN.items()}
STATED |= ADAPTER
"""Activation property in small letters -> setting."""
WORDS = {
    **dict.fromkeys(("destinationlookup", "destinationjndiname", "destination"), "destination-jndi-name"),
    **dict.fromkeys(("connectionfactorylookup", "connectionfactoryjndiname"), "connection-factory-jndi-name"),
    "destinationresourcelink": "destination-resource-link",
    "connectionfactoryresourcelink": "connection-factory-resource-link",
    "resourceadapterjndiname": "resource-adapter-jndi-name",
    "initialcontextfactory": "initial-context-factory",
}
"""Activation property in small letters -> element of the descriptor that says the same."""


def _property(key: str, value: Element, draft: Draft, found: Imported, account: Account) -> bool:
    """Take an activation property; False when it means nothing here."""
    if key == "destinationtype":
        draft.take_kind(value, account)
    elif key == "topicmessagesdistributionmode" and value.text in MODES:
        draft.put("topic_messages_distribution_mode", value.text, account, value)
    elif key in STATED:
        read_value(draft, STATED[key], account, value)
        if STATED[key].name in draft.settings:
            draft.lacking.pop(STATED[key].name, None)
    else:
        return key in WORDS and _named(WORDS[key], value, draft, found, account)
    return True
