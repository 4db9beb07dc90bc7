"""Which object of which JMS module a reference means: a module's names are its own, JNDI names count everywhere."""

from collections.abc import Mapping
from itertools import islice
from pathlib import PurePosixPath

from simulations.declarations.texts import path_of
from simulations.platforms.files.importing.drafts import Draft
from simulations.platforms.weblogic.files.domain.contents import Imported, Key, Link

MOST_NAMED = 10
"""Places that a message names."""
Places = dict[Key, dict[Key, str]]
"""A module (none, its name or that of its file) and an object's name -> keys of such objects, and where they stand."""


def by_reference(known: Mapping[Key, Draft]) -> Places:
    """Return all objects by what a reference may call them."""
    found: Places = {}
    for key, draft in known.items():
        for module in ("", key[0], _stem(key[0])):
            found.setdefault((module, key[1]), {})[key] = f"{draft.file}:{draft.line}"
    return found


def resolved(link: Link, known: Places, names: Mapping[str, Key], what: str) -> Key | None:
    """Return what a bean's reference leads to: by JNDI name, else by name; the first of several counts, which is said.

    None when no file describes it.
    """
    if link.jndi in names and not link.module:
        return names[link.jndi]
    modules = (link.module, link.module.lower(), "")
    same = next((known[module, link.jndi] for module in modules if (module, link.jndi) in known), None)
    if same is None:
        return names.get(link.jndi)
    if len(same) > 1:
        first, *others = islice(same.values(), MOST_NAMED)
        more = ", …" if len(same) > MOST_NAMED else ""
        said = f"that of {first} counts, not {', '.join(others)}{more}"
        message = f"{len(same)} modules have a {what} {link.jndi!r}: {said}"
        link.account.note("unresolved", link.element, path_of("queues", link.bean), message)
    return next(iter(same))


def missing_modules(found: Imported) -> None:
    """Say of each file of a JMS module that the domain names whether it was given."""
    given = {PurePosixPath(file).name.lower() for file in found.module_files}
    for module, file, account in found.module_links:
        name = PurePosixPath(file.text.replace("\\", "/")).name.lower()
        if name in given or any(is_module(item, module) for item in found.module_files):
            account.note("understood", file, f"JMS module {module}", f"its file {file.text} was read")
        else:
            message = f"its file {file.text} is missing: add it, destinations and connection factories stand in it"
            account.note("unresolved", file, f"JMS module {module}", message)


def is_module(module: str, name: str) -> bool:
    """Whether a module is the one of this name: a file is called after it, mostly in small letters."""
    return name == module or name.lower() == _stem(module)


def _stem(module: str) -> str:
    return PurePosixPath(module.replace("\\", "/")).name.lower().removesuffix(".xml").removesuffix("-jms")
