"""Which object of which JMS module a reference means: a module's names are its own, JNDI names count everywhere."""

from collections.abc import Mapping
from pathlib import PurePosixPath

from simulations.platforms.files.importing.drafts import Draft
from simulations.platforms.shared.family import Understood
from simulations.platforms.weblogic.files.domain_contents import Key, Link


def resolved(
    link: Link, known: Mapping[Key, Draft], names: Mapping[str, Key], what: str, lines: list[Understood]
) -> Key | None:
    """Return what a bean's reference leads to: by JNDI name, else by name; the first of several counts, which is said.

    None when no file describes it.
    """
    if link.jndi in names and not link.module:
        return names[link.jndi]
    same = [key for key in known if key[1] == link.jndi]
    same = [key for key in same if link.module and is_module(key[0], link.module)] or same
    if not same:
        return names.get(link.jndi)
    if len(same) > 1:
        first, *others = (f"{known[key].file}:{known[key].line}" for key in same)
        message = f"{len(same)} modules have a {what} {link.jndi!r}: that of {first} counts, not {', '.join(others)}"
        line = link.element.line
        lines.append(Understood("unresolved", f"queues.{link.bean}", message, link.account.file, line))
    return same[0]


def is_module(module: str, name: str) -> bool:
    """Whether a module is the one of this name: a file is called after it, mostly in small letters."""
    stem = PurePosixPath(module.replace("\\", "/")).name.lower().removesuffix(".xml").removesuffix("-jms")
    return name == module or name.lower() == stem
