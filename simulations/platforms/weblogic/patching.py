"""Patches an uploaded weblogic-ejb-jar.xml: the chosen settings change, every other byte stays as it is."""

from collections.abc import Iterator, Mapping
from typing import Any
from xml.sax.saxutils import escape

from simulations.platforms.base import Script
from simulations.platforms.changes import Change
from simulations.platforms.formats.drafts import safe_name
from simulations.platforms.formats.shell import plain
from simulations.platforms.formats.splices import Splice, encoding_of, place_for, spliced
from simulations.platforms.formats.tree import Element
from simulations.platforms.formats.xml_file import load
from simulations.platforms.weblogic.patched_managers import patched_constraints, patched_managers

ENTERPRISE_BEAN = "weblogic-enterprise-bean"
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


def patch_descriptors(
    files: Mapping[str, bytes], changes: tuple[Change, ...], scenario_hash: str
) -> tuple[Script, ...]:
    """Return the patched files, each with the file as it was as undo; a comment behind the root's tag names the hash.

    A bean is changed in the file that describes it; a work manager in the file that declares it, a new one in the
    file of the bean that uses it. Every script names the changes that no file has a place for. Raises InvalidInput
    for an encoding in which the other bytes cannot be kept.
    """
    roots = {file: load(content, file) for file, content in files.items()}
    mine = {file: [item for item in changes if _belongs(root, item, changes)] for file, root in roots.items()}
    placed = [change for found in mine.values() for change in found]
    left_out = tuple(change.path for change in changes if change not in placed)
    return tuple(_patched(files[file], file, found, scenario_hash, left_out) for file, found in mine.items() if found)


def _belongs(root: Element, change: Change, changes: tuple[Change, ...]) -> bool:
    """Whether the file with this root is the place of the change."""
    if change.setting in BEAN:
        return any(safe_name(item.value("ejb-name")) == change.entity.name for item in root.all(ENTERPRISE_BEAN))
    return any(_of_work(root, change, changes))


def _of_work(root: Element, change: Change, changes: tuple[Change, ...]) -> Iterator[Splice]:
    if change.setting == "work_managers":
        yield from patched_managers(root, change, changes)
    elif change.setting == "constraints":
        yield from patched_constraints(root, change)


def _patched(content: bytes, file: str, changes: list[Change], scenario_hash: str, left_out: tuple[str, ...]) -> Script:
    encoding, root = encoding_of(content, file), load(content, file)
    note = Splice(root.inner[0], root.inner[0], f"\n<!-- Patched by Sluice for the scenario {scenario_hash} -->")
    patched = spliced(content, [note], encoding)
    for change in changes:
        root = load(patched, file)
        if change.setting in BEAN:
            patched = spliced(patched, [_bean(root, patched, change)], encoding)
        else:
            patched = spliced(patched, list(_of_work(root, change, tuple(changes))), encoding)
    return Script("xml", file, patched.decode(encoding), content.decode(encoding), left_out, encoding)


def _bean(root: Element, content: bytes, change: Change) -> Splice:
    around, name = BEAN[change.setting]
    beans = {safe_name(item.value("ejb-name")): item for item in root.all(ENTERPRISE_BEAN)}
    text = f"<{name}>{_text(change.after)}</{name}>"
    found = beans[change.entity.name].child(*around, name)
    if found is not None:
        return Splice(*found.span, text)
    return _inserted(beans[change.entity.name], content, list(around), text)


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
    place = place_for(parent, text[1 : text.index(">")], ORDER.get(parent.name, ()))
    return Splice(place, place, f"\n    {text}")


def _wrapped(around: list[str], text: str) -> str:
    for name in reversed(around):
        text = f"<{name}>{text}</{name}>"
    return text


def _text(value: Any) -> str:
    return escape(plain(value))
