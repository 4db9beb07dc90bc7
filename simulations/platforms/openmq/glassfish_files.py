"""What GlassFish says: domain.xml with pools and factories, and the descriptors of message-driven beans."""

from simulations.platforms.formats.drafts import Draft, number_of, place_of, safe_name
from simulations.platforms.formats.spots import New
from simulations.platforms.formats.tree import Account, Element
from simulations.platforms.openmq.imported import FACTORY_QUEUE, FACTORY_SERVER, Imported, put_factory, value_of
from simulations.platforms.openmq.option_lists import OPTIONS, OptionList

DEFAULT_CONFIG = "server-config"
WORK_POOL = "thread-pool-1"
POOL = {
    "max-pool-size": "max_pool_size",
    "steady-pool-size": "steady_pool_size",
    "pool-resize-quantity": "pool_resize_quantity",
    "idle-timeout-in-seconds": "pool_idle_timeout",
}
RECONNECT = {
    "reconnect-enabled": "reconnect_enabled",
    "reconnect-delay-in-seconds": "reconnect_delay",
    "reconnect-max-retries": "reconnect_retries",
}
"""Properties of the MDB container."""
TO_DMQ = "sendUndeliverableMsgsToDMQ"
MDB_SIGNS = ("jndi-name", "mdb-connection-factory", "mdb-resource-adapter", "jms-max-messages-load")
REDELIVERY = {
    "endpointExceptionRedeliveryAttempts": ("redelivery_attempts", 1.0),
    "endpointExceptionRedeliveryInterval": ("redelivery_interval", 0.001),
}
NAME, VALUE = "activation-config-property-name", "activation-config-property-value"
NO_ADAPTER = (
    "the descriptor has no mdb-resource-adapter with an activation-config for this bean, and a new one would choose "
    "its resource adapter"
)


def read_domain(root: Element, found: Imported, account: Account) -> None:
    """Read the configuration of the cluster, or else of the default server; others are listed as not used."""
    cluster = root.child("clusters", "cluster")
    wanted = DEFAULT_CONFIG
    if cluster is not None:
        wanted = cluster.attributes.get("config-ref", DEFAULT_CONFIG)
        members = len(cluster.all("server-ref"))
        if members:
            found.server.fields["instances"] = members
            account.note("understood", cluster, "servers.server.instances", f"{members} members", "config-ref")
    configs = root.child("configs")
    for config in configs.all("config") if configs else []:
        if config.attributes.get("name") == wanted:
            account.take(config, "name")
            _config(config, found, account)
    resources = root.child("resources")
    for pool in resources.all("connector-connection-pool") if resources else []:
        if pool.attributes.get("resource-adapter-name", "").startswith("jmsra"):
            account.take(pool, "resource-adapter-name")
            for item in pool.all("property"):
                _factory_property(item, found, account)
            _factory_room(pool, found, account)


def _config(config: Element, found: Imported, account: Account) -> None:
    for attribute, setting in POOL.items():
        found.server.room(setting, account, config, "mdb-container", attribute=attribute)
    container = config.child("mdb-container")
    if container is not None:
        for attribute, setting in POOL.items():
            _attribute(container, attribute, setting, found, account)
        for item in container.all("property"):
            _container_property(item, found, account)
    for name, setting in RECONNECT.items():
        if setting not in found.server.settings:
            new = New("property", "", (("name", name), ("value", "{}")))
            found.server.add(setting, account, config, new, ("mdb-container",))
    pools = config.child("thread-pools")
    for pool in pools.all("thread-pool") if pools else []:
        if WORK_POOL in (pool.attributes.get("name"), pool.attributes.get("thread-pool-id")):
            _attribute(pool, "max-thread-pool-size", "thread_pool_maximum", found, account)
            found.server.room("thread_pool_maximum", account, pool, attribute="max-thread-pool-size")


def _container_property(item: Element, found: Imported, account: Account) -> None:
    name, value = item.attributes.get("name", ""), value_of(item.attributes.get("value", ""))
    if name == "cmt-max-runtime-exceptions":
        found.broker.put("redelivery_attempts", value, account, item, "value")
    elif name in RECONNECT:
        found.server.put(RECONNECT[name], value, account, item, "value")
    else:
        return
    account.take(item, "name")


def _attribute(element: Element, name: str, setting: str, found: Imported, account: Account) -> None:
    if name not in element.attributes:
        return
    value = number_of(element, account, f"servers.server.settings.{setting}", element.attributes[name], name)
    if value is not None:
        found.server.put(setting, value, account, element, name)


def _factory_property(item: Element, found: Imported, account: Account) -> None:
    """A property of the factory, or its list of options."""
    name, value = item.attributes.get("name", ""), item.attributes.get("value", "")
    known = put_factory(found, found.broker, name, value, account, item, place_of(account.file, item, "value"))
    for key, text, place in _options(item, account).pairs() if name == OPTIONS else ():
        known |= put_factory(found, found.broker, key, text, account, item, place)
    if known:
        account.take(item, "name")
        account.take(item, "value")


def _options(item: Element, account: Account) -> OptionList:
    start, end = item.values.get("value", (0, 0))
    return OptionList(item.attributes.get("value", ""), account.file, start + 1, end - 1)


def _factory_room(pool: Element, found: Imported, account: Account) -> None:
    """Options that are left out are put behind those that are there, or into a new list of options."""
    options = next((item for item in pool.all("property") if item.attributes.get("name") == OPTIONS), None)
    for draft, names in ((found.server, FACTORY_SERVER), (found.broker, FACTORY_QUEUE)):
        for key, setting in names.items():
            if setting in draft.settings:
                continue
            if options is None:
                draft.add(setting, account, pool, New("property", "", (("name", OPTIONS), ("value", f"{key}={{}}"))))
            elif "value" in options.values:
                draft.lacking[setting] = (*draft.lacking.get(setting, ()), _options(options, account).further(key))


def read_ejb_jar(root: Element, found: Imported, account: Account) -> None:
    """Read the message-driven beans of glassfish-ejb-jar.xml or sun-ejb-jar.xml; other beans are not used."""
    beans = root.child("enterprise-beans")
    for element in beans.all("ejb") if beans else []:
        name = element.child("ejb-name")
        if name is None or not any(element.child(sign) for sign in MDB_SIGNS):
            continue
        draft = found.beans.setdefault(safe_name(name.text), Draft("queues", safe_name(name.text)))
        account.note("understood", name, f"queues.{draft.name}", "a message-driven bean")
        _bean(element, draft, found, account)


def _bean(element: Element, draft: Draft, found: Imported, account: Account) -> None:
    draft.room("bean_pool_maximum", account, element, "bean-pool", "max-pool-size")
    size = element.child("bean-pool", "max-pool-size")
    if size is not None:
        value = number_of(size, account, f"queues.{draft.name}.settings.bean_pool_maximum")
        if value is not None:
            draft.put("bean_pool_maximum", value, account, size)
    jndi = element.child("jndi-name")
    if jndi is not None:
        account.take(jndi)
        found.links.append((draft.name, jndi.text, jndi, account))
    config = element.child("mdb-resource-adapter", "activation-config")
    for item in config.all("activation-config-property") if config else []:
        _activation(item, draft, found, account)
    _activation_room(config, draft, account)


def _activation_room(config: Element | None, draft: Draft, account: Account) -> None:
    """Properties of the adapter that are left out; those of the factory are options of one property."""
    items = config.all("activation-config-property") if config else []
    held = next((item.child(VALUE) for item in items if item.value(NAME) == OPTIONS), None)
    redelivery = {**{key: name for key, (name, _) in REDELIVERY.items()}, TO_DMQ: "send_undeliverable_to_dmq"}
    for key, setting in {**redelivery, **FACTORY_QUEUE}.items():
        if setting in draft.settings:
            continue
        if config is None:
            draft.refused[setting] = NO_ADAPTER
        elif key in redelivery:
            draft.add(setting, account, config, _new_property(key))
        elif held is None:
            draft.add(setting, account, config, _new_property(OPTIONS, f"{key}={{}}"))
        else:
            draft.lacking[setting] = (OptionList(held.text, account.file, *held.inner).further(key),)


def _new_property(key: str, text: str = "{}") -> New:
    return New("activation-config-property", children=(New(NAME, key), New(VALUE, text)))


def _activation(item: Element, draft: Draft, found: Imported, account: Account) -> None:
    key, value = item.value(NAME), item.child(VALUE)
    if value is None:
        return
    if key in REDELIVERY:
        setting, factor = REDELIVERY[key]
        number = number_of(value, account, f"queues.{draft.name}.settings.{setting}")
        if number is not None:
            draft.put(setting, number * factor if factor != 1 else number, account, value)
    elif key == TO_DMQ:
        draft.put("send_undeliverable_to_dmq", value.text.lower() == "true", account, value)
    elif key == "destinationType":
        draft.fields["kind"] = "topic" if value.text.endswith("Topic") else "queue"
        account.note("understood", value, f"queues.{draft.name}.kind", draft.fields["kind"])
    elif key in ("destination", "destinationLookup"):
        account.take(value)
        found.links.append((draft.name, value.text, value, account))
    elif key == OPTIONS:
        for name, text, place in OptionList(value.text, account.file, *value.inner).pairs():
            put_factory(found, draft, name, text, account, value, place)
    elif not put_factory(found, draft, key, value.text, account, value):
        return
    account.take(item.child(NAME))
