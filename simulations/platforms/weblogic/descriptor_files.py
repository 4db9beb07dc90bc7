"""Descriptors of message-driven beans: weblogic-ejb-jar.xml in all its namespaces, and the standard ejb-jar.xml."""

from simulations.platforms.formats.drafts import Draft, number_of
from simulations.platforms.formats.spots import New
from simulations.platforms.formats.tree import Account, Element
from simulations.platforms.weblogic.imported import Imported, Link

OTHER_BEANS = (
    "stateless-session-descriptor",
    "stateful-session-descriptor",
    "singleton-session-descriptor",
    "entity-descriptor",
)
OWN_CONTEXT = "weblogic.jndi."
MEMBERS = "distributed-destination-connection"
MODE = New(
    "activation-config-property",
    children=(
        New("activation-config-property-name", "topicMessagesDistributionMode"),
        New("activation-config-property-value"),
    ),
)
MODES = ("Compatibility", "One-Copy-Per-Server", "One-Copy-Per-Application")


def read_weblogic_ejb_jar(root: Element, found: Imported, account: Account) -> None:
    """Read the beans; one without a descriptor of another kind is taken for message-driven."""
    for element in root.all("weblogic-enterprise-bean"):
        if any(element.child(name) for name in OTHER_BEANS):
            continue
        name = element.child("ejb-name")
        draft = found.bean(element.value("ejb-name") or "bean")
        if name is not None:
            account.note("understood", name, f"queues.{draft.name}", "a message-driven bean")
        _bean(element, draft, found, account)


SETTINGS = {
    "max_beans_in_free_pool": ("message-driven-descriptor", "pool", "max-beans-in-free-pool"),
    "initial_beans_in_free_pool": ("message-driven-descriptor", "pool", "initial-beans-in-free-pool"),
    "jms_polling_interval": ("message-driven-descriptor", "jms-polling-interval-seconds"),
    "init_suspend": ("message-driven-descriptor", "init-suspend-seconds"),
    "max_suspend": ("message-driven-descriptor", "max-suspend-seconds"),
    "max_messages_in_transaction": ("message-driven-descriptor", "max-messages-in-transaction"),
    "transaction_timeout": ("transaction-descriptor", "trans-timeout-seconds"),
}
"""Setting -> elements below the bean."""


def _bean(element: Element, draft: Draft, found: Imported, account: Account) -> None:
    draft.room("work_manager", account, element, "dispatch-policy")
    draft.room("use_81_style_polling", account, element, "message-driven-descriptor", "use81-style-polling")
    draft.room("distributed_destination_connection", account, element, "message-driven-descriptor", MEMBERS)
    for setting, path in SETTINGS.items():
        item = element.child(*path)
        if item is not None:
            _put(draft, setting, item, account)
        draft.room(setting, account, element, *path)
    policy = element.child("dispatch-policy")
    if policy is not None:
        draft.put("work_manager", policy.text, account, policy)
    descriptor = element.child("message-driven-descriptor")
    if descriptor is None:
        return
    style = descriptor.child("use81-style-polling")
    if style is not None:
        draft.put("use_81_style_polling", style.text.lower() == "true", account, style)
    members = descriptor.child(MEMBERS)
    if members is not None:
        draft.put("distributed_destination_connection", members.text, account, members)
    context = descriptor.child("initial-context-factory")
    if context is not None:
        own = context.text.startswith(OWN_CONTEXT)
        draft.put("destination", "weblogic" if own else "foreign", account, context)
    for name, links in (
        ("destination-jndi-name", found.links),
        ("connection-factory-jndi-name", found.factory_links),
    ):
        item = descriptor.child(name)
        if item is not None:
            account.take(item)
            links.append(Link(draft.name, item.text, item, account))


def _put(draft: Draft, setting: str, element: Element, account: Account) -> None:
    value = number_of(element, account, f"queues.{draft.name}.settings.{setting}")
    if value is not None:
        draft.put(setting, value, account, element)


def read_ejb_jar(root: Element, found: Imported, account: Account) -> None:
    """Read kind, transaction type and distribution mode of the message-driven beans."""
    beans = root.child("enterprise-beans")
    for element in beans.all("message-driven") if beans else []:
        name = element.child("ejb-name")
        draft = found.bean(element.value("ejb-name") or "bean")
        if name is not None:
            account.note("understood", name, f"queues.{draft.name}", "a message-driven bean")
        kind = element.child("transaction-type")
        if kind is not None:
            draft.put("transactional", kind.text == "Container", account, kind)
        config = element.child("activation-config")
        for item in config.all("activation-config-property") if config else []:
            _property(item, draft, found, account)
        if "topic_messages_distribution_mode" not in draft.settings:
            draft.add("topic_messages_distribution_mode", account, element, MODE, ("activation-config",))


def _property(item: Element, draft: Draft, found: Imported, account: Account) -> None:
    key, value = item.value("activation-config-property-name"), item.child("activation-config-property-value")
    if value is None:
        return
    if key == "destinationType":
        draft.fields["kind"] = "topic" if value.text.endswith("Topic") else "queue"
        account.note("understood", value, f"queues.{draft.name}.kind", draft.fields["kind"])
    elif key.lower() == "topicmessagesdistributionmode" and value.text in MODES:
        draft.put("topic_messages_distribution_mode", value.text, account, value)
    elif key in ("destinationLookup", "destinationJNDIName", "destination"):
        account.take(value)
        found.links.append(Link(draft.name, value.text, value, account))
    else:
        return
    account.take(item.child("activation-config-property-name"))
