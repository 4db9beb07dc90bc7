"""Several files of a vendor read as one configuration, each with the account of its elements."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from simulations.platforms.base import Reading
from simulations.platforms.formats.limits import refuse
from simulations.platforms.formats.scenario_file import is_scenario, read_scenario
from simulations.platforms.formats.tree import Account, Element
from simulations.platforms.formats.xml_file import load

Found = TypeVar("Found")


def scenario_alone(files: Mapping[str, bytes], platform: str) -> Reading | None:
    """Return what the files say when they are one scenario file; raises InvalidInput for one of another platform."""
    if len(files) != 1:
        return None
    file, content = next(iter(files.items()))
    return read_scenario(content, file, platform) if is_scenario(content) else None


def read_together(
    files: Mapping[str, bytes],
    found: Found,
    read_file: Callable[[str, bytes, Found, Account], Element],
    assembled: Callable[[Found], Reading],
) -> Reading:
    """Read each file into ``found``; return what that makes, with an account of every element of every file."""
    accounts = []
    for file, content in files.items():
        account = Account(file)
        accounts.append((account, read_file(file, content, found, account)))
    reading = assembled(found)
    lines = [line for account, root in accounts for line in account.finish(root)]
    return Reading(reading.scenario, (*lines, *reading.account), reading.spots)


def read_xml(
    file: str,
    content: bytes,
    found: Found,
    account: Account,
    readers: Mapping[str, Callable[[Element, Found, Account], None]],
) -> Element:
    """Let the reader of the root's name read an XML file; raises InvalidInput where there is none, naming all."""
    root = load(content, file)
    reader = readers.get(root.name)
    if reader is None:
        raise refuse(file, root.line, f"<{root.name}> is none of {', '.join(f'<{name}>' for name in readers)}")
    reader(root, found, account)
    return root
