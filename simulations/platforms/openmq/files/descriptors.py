"""Descriptors of message-driven beans: glassfish-ejb-jar.xml, sun-ejb-jar.xml, and the ejb-jar.xml beside them."""

from collections.abc import Sequence

from simulations.declarations.parameters import addresses_of
from simulations.declarations.tables import table_beside
from simulations.declarations.texts import as_name, path_of
from simulations.platforms.files.importing.declared import adapter_properties, read_elements, read_value
from simulations.platforms.files.importing.drafts import Draft
from simulations.platforms.files.importing.ejb_jar import MESSAGE_DRIVEN, NAME, UNKNOWN, VALUE, activation_of, take_kind
from simulations.platforms.files.syntax.tree import Account, Element
from simulations.platforms.openmq.files.domain_contents import FACTORY_QUEUE, Imported, put_factory
from simulations.platforms.openmq.files.resources import ADAPTER, OPTIONS, OptionList
from simulations.platforms.openmq.parameters import MdbSettings
from simulations.platforms.shared.spots import New

TO_DMQ = "sendUndeliverableMsgsToDMQ"
MDB_SIGNS = ("mdb-connection-factory", "mdb-resource-adapter", "jms-max-messages-load", "jms-durable-subscription-name")
OF_OTHER_BEANS: Sequence[str] = table_beside(__file__, "names.yaml")["other_beans"]
JMS_WORDS = ("jms", "queue", "topic")
"""Parts of JNDI names that only destinations have; other beans have a JNDI name too."""
REDELIVERY = {name: item for (name,), item in addresses_of(MdbSettings, "activation-config").items()}
GENERIC = {
    **adapter_properties(MdbSettings, "bean_pool_maximum", "redelivery_attempts", "redelivery_interval"),
    "sendbadmessagestodmd": REDELIVERY[TO_DMQ],
    **{key.lower(): declared for key, declared in REDELIVERY.items()},
}
"""The same in small letters, and what the generic adapter for JMS has."""
NO_ADAPTER = (
    "the descriptor has no mdb-resource-adapter with an activation-config for this bean, and a new one would choose "
    "its resource adapter"
)


def read_ejb_jar(root: Element, found: Imported, account: Account) -> None:
    """Read the message-driven beans of glassfish-ejb-jar.xml or sun-ejb-jar.xml; other beans are not used. A bean that
    nothing tells apart is not used either, but is said to be left out."""
    for element in root.all("enterprise-beans", "ejb"):
        name, is_mdb = element.child("ejb-name"), _is_message_driven(element, found)
        if name is None:
            continue
        if is_mdb is None:
            message = f"left out: {UNKNOWN}"
            account.note("unresolved", name, path_of("queues", as_name(name.text)), message)
        if not is_mdb:
            continue
        draft = found.beans.setdefault(as_name(name.text), Draft("queues", as_name(name.text)))
        if draft.describe(root.name, name, account, "a message-driven bean"):
            _bean(element, draft, found, account)


def _is_message_driven(element: Element, found: Imported) -> bool | None:
    """Whether a bean is message-driven; None where nothing says so."""
    known = found.kinds.get(as_name(element.value("ejb-name")))
    if known is not None:
        return known
    if any(element.child(sign) for sign in MDB_SIGNS):
        return True
    if any(element.child(sign) for sign in OF_OTHER_BEANS):
        return False
    jndi = element.value("jndi-name")
    if jndi in found.names or jndi in found.destinations or any(word in jndi.lower() for word in JMS_WORDS):
        return True
    return None


def _bean(element: Element, draft: Draft, found: Imported, account: Account) -> None:
    read_elements(draft, element, addresses_of(MdbSettings, "ejb"), account)
    jndi = element.child("jndi-name")
    if jndi is not None:
        account.take(jndi)
        found.links.append((draft.name, jndi.text, jndi, account))
    factory = element.child("mdb-connection-factory", "jndi-name")
    if factory is not None:
        account.take(factory)
        found.factory_of[draft.name] = factory.text
    adapter = element.child("mdb-resource-adapter")
    if adapter is not None:
        _adapter(adapter, draft, account)
        for key, item, text in activation_of(adapter):
            _activation(key, item, text, draft, found, account)
    _activation_room(adapter and adapter.child("activation-config"), draft, account)


def _adapter(element: Element, draft: Draft, account: Account) -> None:
    """Say when the bean listens through an adapter that is not Open MQ's."""
    name = element.child("resource-adapter-mid")
    if name is None:
        return
    account.take(name)
    if not name.text.startswith(ADAPTER):
        draft.adapter = name.text
        message = f"listens through {name.text}, not Open MQ's adapter: of its limits pool and redelivery are read"
        account.note("unresolved", name, draft.path, message)


def read_standard(root: Element, found: Imported, account: Account) -> None:
    """Read the activation properties of the message-driven beans of an ejb-jar.xml."""
    for element in root.all(*MESSAGE_DRIVEN):
        name = element.child("ejb-name")
        if name is None:
            continue
        draft = found.beans.setdefault(as_name(name.text), Draft("queues", as_name(name.text)))
        if not draft.describe(root.key or root.name, name, account, "a message-driven bean"):
            continue
        take_kind(element, draft, account)
        for key, item, value in activation_of(element):
            _activation(key, item, value, draft, found, account)
        for setting in draft.settings:
            draft.refused.pop(setting, None)


def _activation_room(config: Element | None, draft: Draft, account: Account) -> None:
    """Properties of the adapter that are left out; those of the factory are options of one property."""
    items = config.all("activation-config-property") if config else []
    held = next((item.child(VALUE) for item in items if item.value(NAME) == OPTIONS), None)
    own = {key: declared.name for key, declared in REDELIVERY.items()}
    for key, setting in {**own, **FACTORY_QUEUE}.items():
        if setting in draft.settings:
            continue
        if config is None:
            draft.refused[setting] = NO_ADAPTER
        elif key in own:
            draft.add(setting, account, config, _new_property(key))
        elif held is None:
            draft.add(setting, account, config, _new_property(OPTIONS, f"{key}={{}}"))
        else:
            draft.lacking[setting] = (OptionList(held.text, account.file, *held.inner).further(key),)


def _new_property(key: str, text: str = "{}") -> New:
    return New("activation-config-property", children=(New(NAME, key), New(VALUE, text)))


def _activation(key: str, item: Element, value: Element, draft: Draft, found: Imported, account: Account) -> None:
    """Take an activation property; one that means nothing here stays for the list of what is not used."""
    small = key.lower()
    if small in GENERIC:
        read_value(draft, GENERIC[small], account, value)
    elif small == "destinationtype":
        draft.take_kind(value, account)
    elif small in ("destination", "destinationlookup"):
        account.take(value)
        found.links.append((draft.name, value.text, value, account))
    elif key == OPTIONS:
        for name, text, place in OptionList(value.text, account.file, *value.inner).pairs():
            put_factory(found.server, draft, name, text, account, value, place)
    elif not put_factory(found.server, draft, key, value.text, account, value):
        return
    account.take(item)
