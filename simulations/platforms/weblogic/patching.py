"""Patches an uploaded weblogic-ejb-jar.xml: the chosen settings change, every other byte stays as it is."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape

from simulations.platforms.base import Script
from simulations.platforms.changes import Change
from simulations.platforms.common import settings_of
from simulations.platforms.formats.drafts import safe_name
from simulations.platforms.formats.limits import refuse
from simulations.platforms.formats.tree import Element
from simulations.platforms.formats.xml_file import load
from simulations.platforms.weblogic.parameters import ServerSettings, SharedConstraint, WorkManager

BEAN: dict[str, tuple[tuple[str, ...], str]] = {
    "max_beans_in_free_pool": (("message-driven-descriptor", "pool"), "max-beans-in-free-pool"),
    "max_messages_in_transaction": (("message-driven-descriptor",), "max-messages-in-transaction"),
    "use_81_style_polling": (("message-driven-descriptor",), "use81-style-polling"),
    "transaction_timeout": (("transaction-descriptor",), "trans-timeout-seconds"),
    "work_manager": ((), "dispatch-policy"),
}
"""Setting -> elements around it below the bean, and its own element."""


ORDER = {
    "weblogic-enterprise-bean": (
        "ejb-name",
        "message-driven-descriptor",
        "transaction-descriptor",
        "iiop-security-descriptor",
        "enable-call-by-reference",
        "network-access-point",
        "clients-on-same-server",
        "run-as-principal-name",
        "create-as-principal-name",
        "remove-as-principal-name",
        "passivate-as-principal-name",
        "jndi-name",
        "local-jndi-name",
        "dispatch-policy",
    ),
    "message-driven-descriptor": (
        "pool",
        "timer-descriptor",
        "resource-adapter-jndi-name",
        "destination-jndi-name",
        "initial-context-factory",
        "provider-url",
        "connection-factory-jndi-name",
        "destination-resource-link",
        "connection-factory-resource-link",
        "jms-polling-interval-seconds",
        "jms-client-id",
        "generate-unique-jms-client-id",
        "durable-subscription-deletion",
        "max-messages-in-transaction",
        "distributed-destination-connection",
        "use81-style-polling",
    ),
}
"""The schema's order of children, as far as new elements need it."""


@dataclass(frozen=True)
class Splice:
    """Bytes ``start`` to ``end`` become ``text``."""

    start: int
    end: int
    text: str


def patch_descriptor(content: bytes, file: str, changes: tuple[Change, ...], scenario_hash: str) -> Script:
    """Return the patched file, and as undo the file as it was; a comment behind the root's tag names the hash.

    Work managers are written with their constraints inside. Raises InvalidInput when a bean is not in the file.
    """
    root = load(content, file)
    if root.name != "weblogic-ejb-jar":
        raise refuse(file, root.line, f"<{root.name}> cannot be patched, only <weblogic-ejb-jar>")
    encoding = "windows-1252" if b"windows-1252" in content[:200].lower() else "utf-8"
    note = Splice(root.inner[0], root.inner[0], f"\n<!-- Patched by Sluice for the scenario {scenario_hash} -->")
    patched = _applied(content, [note], encoding)
    for change in changes:
        root = load(patched, file)
        if change.setting in BEAN:
            patched = _applied(patched, [_bean(root, patched, file, change)], encoding)
        elif change.setting == "work_managers":
            patched = _applied(patched, list(_managers(root, change)), encoding)
    return Script("xml", file, patched.decode(encoding), content.decode(encoding))


def _applied(content: bytes, splices: list[Splice], encoding: str) -> bytes:
    """The last place first, so that earlier positions stay right; texts for one place keep their order."""
    ordered = sorted(splices, key=lambda item: (item.start, item.end))
    for splice in ordered[::-1]:
        text = splice.text.encode(encoding, errors="xmlcharrefreplace")
        content = content[: splice.start] + text + content[splice.end :]
    return content


def _bean(root: Element, content: bytes, file: str, change: Change) -> Splice:
    around, name = BEAN[change.setting]
    bean = next(
        (
            item
            for item in root.all("weblogic-enterprise-bean")
            if safe_name(item.value("ejb-name")) == change.entity.name
        ),
        None,
    )
    if bean is None:
        raise refuse(file, root.line, f"no bean is named {change.entity.name!r}")
    text = _text(change.after)
    found = bean.child(*around, name)
    if found is not None:
        return Splice(*found.span, f"<{name}>{text}</{name}>")
    return _inserted(bean, content, list(around), f"<{name}>{text}</{name}>")


def _inserted(parent: Element, content: bytes, around: list[str], text: str) -> Splice:
    """Put ``text`` into the deepest element around it that exists and is not empty; write the missing ones."""
    while around:
        inside = parent.child(around[0])
        if inside is None:
            break
        if content[inside.span[1] - 2 : inside.span[1]] == b"/>":
            return Splice(*inside.span, _wrapped(around, text))
        parent = inside
        around = around[1:]
    text = _wrapped(around, text)
    place = _place(parent, text)
    return Splice(place, place, f"\n    {text}")


def _wrapped(around: list[str], text: str) -> str:
    for name in reversed(around):
        text = f"<{name}>{text}</{name}>"
    return text


def _place(parent: Element, text: str) -> int:
    """Behind the last child that the schema wants before the new element."""
    order = ORDER.get(parent.name, ())
    name = text[1 : text.index(">")]
    earlier = order[: order.index(name)] if name in order else ()
    known = [item for item in parent.children if item.name in earlier]
    return known[-1].span[1] if known else parent.inner[0]


def _managers(root: Element, change: Change) -> Iterator[Splice]:
    """Work managers that are new or differ; those that are in the file are replaced where they stand."""
    before = {item.name: item for item in change.before}
    counts = {item.name: item for item in settings_of(change.entity, ServerSettings).constraints}
    for manager in change.after:
        if before.get(manager.name) == manager:
            continue
        text = _manager(manager, counts)
        found = next((item for item in root.all("work-manager") if item.value("name") == manager.name), None)
        if found is not None:
            yield Splice(*found.span, text)
        else:
            yield Splice(root.inner[1], root.inner[1], f"  {text}\n")


def _manager(manager: WorkManager, shared: dict[str, SharedConstraint]) -> str:
    name = escape(manager.name)
    parts = [f"<name>{name}</name>"]
    if manager.response_time_goal is not None:
        goal = round(manager.response_time_goal * 1000)
        parts.append(_object("response-time-request-class", f"{name}-goal", "goal-ms", goal))
    if manager.fair_share is not None:
        parts.append(_object("fair-share-request-class", f"{name}-share", "fair-share", manager.fair_share))
    for kind, element in (
        ("min_threads", "min-threads-constraint"),
        ("max_threads", "max-threads-constraint"),
        ("capacity", "capacity"),
    ):
        value = getattr(manager, kind)
        if isinstance(value, str):
            parts.append(_object(element, escape(value), "count", shared[value].count))
        elif value is not None:
            parts.append(_object(element, f"{name}-{element}", "count", value))
    return f"<work-manager>{''.join(parts)}</work-manager>"


def _object(element: str, name: str, key: str, value: int) -> str:
    return f"<{element}><name>{name}</name><{key}>{value}</{key}></{element}>"


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return escape(f"{value:.10g}" if isinstance(value, int | float) else str(value))
