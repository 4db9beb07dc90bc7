"""Descriptors of message-driven beans: weblogic-ejb-jar.xml in all its namespaces, and the standard ejb-jar.xml."""

from simulations.platforms.formats.drafts import Draft, number_of
from simulations.platforms.formats.tree import Account, Element
from simulations.platforms.weblogic.imported import Imported, Link

OTHER_BEANS = (
    "stateless-session-descriptor",
    "stateful-session-descriptor",
    "singleton-session-descriptor",
    "entity-descriptor",
)
OWN_CONTEXT = "weblogic.jndi."
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


def _bean(element: Element, draft: Draft, found: Imported, account: Account) -> None:
    policy = element.child("dispatch-policy")
    if policy is not None:
        draft.put("work_manager", policy.text, account, policy)
    timeout = element.child("transaction-descriptor", "trans-timeout-seconds")
    if timeout is not None:
        _put(draft, "transaction_timeout", timeout, account)
    descriptor = element.child("message-driven-descriptor")
    if descriptor is None:
        return
    for setting, path in (
        ("max_beans_in_free_pool", ("pool", "max-beans-in-free-pool")),
        ("max_messages_in_transaction", ("max-messages-in-transaction",)),
    ):
        item = descriptor.child(*path)
        if item is not None:
            _put(draft, setting, item, account)
    style = descriptor.child("use81-style-polling")
    if style is not None:
        draft.put("use_81_style_polling", style.text.lower() == "true", account, style)
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
