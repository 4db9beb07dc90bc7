"""Several files of a vendor read as one configuration, each with the account of its elements."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from simulations.platforms.files.foreign_files import stranger
from simulations.platforms.files.importing.drafts import unpatched, without_choice
from simulations.platforms.files.importing.ejb_jar import ROOT as EJB_JAR
from simulations.platforms.files.importing.scenario_body import is_scenario, read_scenario
from simulations.platforms.files.syntax.signatures import ANNOTATED, root_of
from simulations.platforms.files.syntax.tree import Account, Element, refuse
from simulations.platforms.files.syntax.xml_file import load
from simulations.platforms.shared.family import Reading

DEPLOYMENT_PLAN = "deployment-plan"
"""Root of a file that says what became of its values when all others have been read."""
Found = TypeVar("Found")


def scenario_alone(files: Mapping[str, bytes], platform: str) -> Reading | None:
    """Return what the files say when they are one scenario file; raises InvalidInput for one of another platform."""
    given = without_choice(files)
    if len(given) != 1:
        return None
    file, content = next(iter(given.items()))
    return read_scenario(content, file, platform) if is_scenario(content) else None


def read_together(
    files: Mapping[str, bytes],
    found: Found,
    read_file: Callable[[str, bytes, Found, Account], Element],
    assembled: Callable[[Found], Reading],
) -> Reading:
    """Read each file into ``found``; return what that makes, with an account of every element of every file.

    Descriptors are read last, as what they name is known then, the standard's after the vendor's and annotations after
    both: what is read first counts where they differ.
    """
    files, accounts = without_choice(files), {}
    for file in sorted(files, key=lambda name: _rank(files[name])):
        account = Account(file)
        accounts[file] = (account, read_file(file, files[file], found, account))
    reading = assembled(found)
    lines = [line for file in files for line in accounts[file][0].finish(accounts[file][1])]
    printed = {file for file, (account, _) in accounts.items() if account.printed}
    return Reading(reading.scenario, (*lines, *reading.account), unpatched(reading.spots, printed))


def _rank(content: bytes) -> int:
    root, attributes = root_of(content)
    if root == DEPLOYMENT_PLAN:
        return 4
    return 2 + (attributes == ANNOTATED) if root == EJB_JAR else int(root.endswith(EJB_JAR))


def read_xml(
    file: str,
    content: bytes,
    found: Found,
    account: Account,
    readers: Mapping[str, Callable[[Element, Found, Account], None]],
    adjust: Callable[[str, Element], None] | None = None,
) -> Element:
    """Let the reader of the root's name read an XML file; raises InvalidInput where there is none, naming all.
    ``adjust``: gets file and root before, to change what other files override."""
    root = load(content, file)
    reader = None if stranger(content) else readers.get(root.name)
    if reader is None:
        known = f"<{root.name}> is none of {', '.join(f'<{name}>' for name in readers)}"
        raise refuse(file, root.line, stranger(content) or known)
    if adjust is not None:
        adjust(file, root)
    reader(root, found, account)
    return root
