"""JMS modules: destinations with redelivery and thresholds, quotas, and connection factories with flow control."""

from collections.abc import Container

from simulations.declarations.texts import as_name
from simulations.platforms.files.importing.drafts import Draft, is_on, number_of
from simulations.platforms.files.syntax.tree import Account, Element
from simulations.platforms.shared.spots import New
from simulations.platforms.weblogic.files.domain_contents import Imported, Key, Shared
from simulations.platforms.weblogic.files.work_managers import take_targets
from simulations.platforms.weblogic.parameters.mdb import MAX_LONG

DESTINATIONS = {
    "queue": "queue",
    "topic": "topic",
    "uniform-distributed-queue": "queue",
    "uniform-distributed-topic": "topic",
    "distributed-queue": "queue",
    "distributed-topic": "topic",
}
WEIGHTED = ("distributed-queue", "distributed-topic")
"""Destinations that only name others, which have the settings."""
THRESHOLDS = {
    "messages-high": "messages_threshold_high",
    "messages-low": "messages_threshold_low",
    "bytes-high": "bytes_threshold_high",
    "bytes-low": "bytes_threshold_low",
}
FACTORY = {
    ("flow-control-params", "flow-maximum"): ("flow_maximum", 1.0),
    ("flow-control-params", "flow-minimum"): ("flow_minimum", 1.0),
    ("flow-control-params", "flow-interval"): ("flow_interval", 1.0),
    ("flow-control-params", "flow-steps"): ("flow_steps", 1.0),
    ("flow-control-params", "one-way-send-window-size"): ("one_way_send_window", 1.0),
    ("default-delivery-params", "send-timeout"): ("send_timeout", 0.001),
    ("default-delivery-params", "default-redelivery-delay"): ("redelivery_delay", 0.001),
    ("client-params", "messages-maximum"): ("messages_maximum", 1.0),
}
QUOTA = {"messages-maximum": "messages_quota", "bytes-maximum": "bytes_quota"}
JMS_SERVER = {
    "messages-threshold-high": "messages_threshold_high",
    "messages-threshold-low": "messages_threshold_low",
    "bytes-threshold-high": "bytes_threshold_high",
    "bytes-threshold-low": "bytes_threshold_low",
    **QUOTA,
}


def read_module(module: Element, found: Imported, account: Account, home: str = "") -> None:
    """Read the destinations with their templates, the quotas and the connection factories of one module.

    ``home`` is what the module is called; a file that is one is called like the file.
    """
    if not home:
        found.module_files.add(account.file)
    home = home or account.file
    for name, element in module.named("quota"):
        account.take(element, "name")
        quota = found.quotas.setdefault((home, name), Draft("quota", name))
        for item_name, setting in QUOTA.items():
            _bound(element.child(item_name), setting, quota, account)
            quota.room(setting, account, element, item_name)
        quota.room("blocking_send_policy", account, element, "policy")
        policy = element.child("policy")
        if policy is not None:
            quota.put("blocking_send_policy", policy.text, account, policy)
    for name, element in module.named("template"):
        account.take(element, "name")
        _stated(element, found.templates.setdefault((home, name), Draft("template", name)), home, found, account)
    quotas = dict(module.named("quota"))
    for kind_name, kind in DESTINATIONS.items():
        for name, element in module.named(kind_name):
            account.take(element, "name")
            draft = _destination((home, name), kind, element, found, account)
            found.kind_of[home, name] = kind_name
            if kind_name not in WEIGHTED:
                _room(draft, f"{name}-quota", quotas, module, element, account)
                continue
            members = [_member(*item, account) for item in element.named(f"{kind_name}-member")]
            found.members_of[home, name] = [(home, member) for member in members]
    for name, element in module.named("connection-factory"):
        account.take(element, "name")
        _factory((home, name), element, found, account)


def _member(name: str, element: Element, account: Account) -> str:
    """The destination that a member of a distributed one stands for: the one of its own name if it names none."""
    account.take(element, "name")
    physical = element.child("physical-destination-name")
    account.take(physical)
    return name if physical is None else physical.text


def _room(draft: Draft, own: str, quotas: Container[str], module: Element, element: Element, account: Account) -> None:
    """Where a destination would state what it leaves out; a quota would be a new one of its own."""
    for item_name, setting in THRESHOLDS.items():
        draft.room(setting, account, element, "thresholds", item_name)
    draft.room("redelivery_delay", account, element, "delivery-params-overrides", "redelivery-delay")
    draft.room("redelivery_limit", account, element, "delivery-failure-params", "redelivery-limit")
    draft.room("error_destination", account, element, "delivery-failure-params", "error-destination")
    if element.child("quota") is not None or own in quotas:
        return
    for item_name, setting in QUOTA.items():
        quota = New("quota", attributes=(("name", own),), children=(New(item_name),))
        draft.add(setting, account, element, New("quota", own))
        draft.add(setting, account, module, quota)


def _destination(key: Key, kind: str, element: Element, found: Imported, account: Account) -> Draft:
    if key not in found.destinations:
        found.destinations[key] = found.queues.new(key[1])
    draft = found.destinations[key]
    draft.fields["kind"] = kind
    draft.file, draft.line = account.file, element.line
    also = "" if draft.name == as_name(key[1]) else f", {key[1]!r} in its module: another destination has this name"
    account.note("understood", element, draft.path, f"a {kind}{also}", "name")
    _known_as(key, element, found.destinations, found.destination_names, account)
    _stated(element, draft, key[0], found, account)
    home = element.child("sub-deployment-name")
    if home is not None and home.text:
        account.note("understood", home, draft.path, f"sub-deployment {home.text}")
        found.homes[key] = home.text
    template = element.child("template")
    if template is not None and template.text:
        account.take(template)
        found.template_links.append(Shared(draft, (key[0], template.text), template, account))
    return draft


def _stated(element: Element, draft: Draft, home: str, found: Imported, account: Account) -> None:
    """What a destination and a template can state alike."""
    for item_name, setting in THRESHOLDS.items():
        _bound(element.child("thresholds", item_name), setting, draft, account)
    delay = element.child("delivery-params-overrides", "redelivery-delay")
    if delay is not None:
        path = f"{draft.path}.settings.redelivery_delay"
        value = number_of(delay, account, path)
        if value is not None and value >= 0:
            draft.put("redelivery_delay", value / 1000, account, delay)
        elif value is not None:
            account.note("understood", delay, path, f"{value:g}: that of the connection factory counts")
    limit = element.child("delivery-failure-params", "redelivery-limit")
    if limit is not None:
        value = number_of(limit, account, f"{draft.path}.settings.redelivery_limit")
        if value is not None:
            draft.put("redelivery_limit", value, account, limit)
    error = element.child("delivery-failure-params", "error-destination")
    if error is not None and error.text:
        draft.put("error_destination", error.text, account, error)
    quota = element.child("quota")
    if quota is not None:
        account.take(quota)
        found.quota_links.append(Shared(draft, (home, quota.text), quota, account))


def _factory(key: Key, element: Element, found: Imported, account: Account) -> None:
    name = key[1]
    draft = found.factories.setdefault(key, Draft("connection factory", as_name(name)))
    draft.file, draft.line = account.file, element.line
    account.note("understood", element, f"connection factory {name}", "settings of producers and consumers", "name")
    _known_as(key, element, found.factories, found.factory_names, account)
    for path, (setting, factor) in FACTORY.items():
        draft.room(setting, account, element, *path)
        item = element.child(*path)
        value = None if item is None else number_of(item, account, f"connection factory {name}.{setting}")
        if item is not None and value is not None:
            draft.put(setting, value * factor if factor != 1 else value, account, item)
    draft.room("flow_control_enabled", account, element, "flow-control-params", "flow-control-enabled")
    draft.room("one_way_send_mode", account, element, "flow-control-params", "one-way-send-mode")
    enabled = element.child("flow-control-params", "flow-control-enabled")
    if enabled is not None:
        draft.put("flow_control_enabled", is_on(enabled.text), account, enabled)
    mode = element.child("flow-control-params", "one-way-send-mode")
    if mode is not None:
        draft.put("one_way_send_mode", mode.text, account, mode)


def read_jms_server(name: str, element: Element, found: Imported, account: Account) -> None:
    """Read thresholds and quota of a JMS server; they count for destinations without their own."""
    draft = found.jms_servers.setdefault(name, Draft("JMS server", as_name(name)))
    account.take(element.child("name"))
    target = element.child("target")
    if target is not None:
        account.note("understood", target, f"JMS server {name}", f"runs on {take_targets(target, found, account)}")
    for item_name, setting in JMS_SERVER.items():
        _bound(element.child(item_name), setting, draft, account)
        draft.room(setting, account, element, item_name)
    draft.room("blocking_send_policy", account, element, "blocking-send-policy")
    policy = element.child("blocking-send-policy")
    if policy is not None:
        draft.put("blocking_send_policy", policy.text, account, policy)


def _known_as(key: Key, element: Element, known: dict[Key, Draft], names: dict[str, Key], account: Account) -> None:
    """Note the one JNDI name of an object; where two modules give the same one, the first counts."""
    jndi = element.child("jndi-name")
    if jndi is None or not jndi.text:
        return
    if names.get(known[key].jndi) == key:
        del names[known[key].jndi]
    other, known[key].jndi = names.setdefault(jndi.text, key), jndi.text
    if other == key:
        account.take(jndi)
        return
    first, path = known[other], f"{known[key].kind}.{known[key].name}"
    message = f"{jndi.text!r} is also the JNDI name of {other[1]!r} of {first.file}:{first.line}, which counts"
    account.note("unresolved", jndi, path, message)


def _bound(item: Element | None, setting: str, draft: Draft, account: Account) -> None:
    """A count or a size; the largest number the vendor writes means none."""
    value = None if item is None else number_of(item, account, f"{draft.path}.settings.{setting}")
    if item is not None and value is not None:
        draft.put(setting, -1 if value >= MAX_LONG else int(value), account, item)
