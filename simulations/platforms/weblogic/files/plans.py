"""Deployment plans: the values that a plan.xml puts in place of those of an application's descriptors."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from simulations.platforms.files.importing.vendor_files import DEPLOYMENT_PLAN
from simulations.platforms.files.syntax.signatures import root_of
from simulations.platforms.files.syntax.tree import Account, Element, refuse
from simulations.platforms.files.syntax.xml_file import load

ARCHIVE = "/"
"""What stands between an archive and what is inside, in the names of files."""
MOST = 2_000
"""Assignments of all plans together."""
PARTS = frozenset(
    {"application-name", "module-name", "module-type", "root-element", "uri"}
    | {"description", "name", "operation", "origin", "value", "xpath"}
)
"""What names the parts of a plan, and what its variables and assignments are made of."""
_STEP = re.compile(r"/([\w:.-]+)((?:/?\[[^\]]*\])*)")
_KEY = re.compile(r"\[\s*([\w:.-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\]\"']*))\s*\]")


@dataclass(frozen=True)
class Assignment:
    """A variable that a plan writes into a descriptor: at a path, with what to do there."""

    module: str
    descriptor: str
    """Root element of the descriptor."""
    variable: str
    value: str
    path: str
    removes: bool


@dataclass
class Plans:
    """The assignments of all plans among the files, and how often each was made."""

    assignments: Sequence[Assignment] = ()
    made: dict[Assignment, int] = field(default_factory=dict)

    def apply(self, file: str, root: Element) -> None:
        """Change the elements of a descriptor as the plans say; the file itself stays as it is.

        A module counts where the descriptor lies in an archive that is called so or not; files that are given by
        themselves belong to any module.
        """
        around = [part for part in file.split(ARCHIVE)[:-1] if part.endswith((".ear", ".jar", ".war"))]
        for item in self.assignments:
            may_be_here = not around or not item.module or item.module in around
            if item.descriptor == root.name and may_be_here:
                self.made[item] = self.made.get(item, 0) + _assign(root, item)


def plans_in(files: Mapping[str, bytes]) -> Plans:
    """Return what the deployment plans among the files assign; raises InvalidInput for one that is no XML."""
    roots = [load(content, file) for file, content in files.items() if root_of(content)[0] == DEPLOYMENT_PLAN]
    found = tuple(item for root in roots for _, item in _assignments(root) if item is not None)
    if len(found) > MOST:
        raise refuse(DEPLOYMENT_PLAN, 0, f"the plans make {len(found):,} assignments, at most {MOST:,} are read")
    return Plans(found)


def read_plan(root: Element, plans: Plans, account: Account) -> None:
    """Say of each variable of a plan what it replaced; what found no place is unresolved."""
    for element, item in _assignments(root):
        path = element.child("xpath") or element
        if item is None:
            account.note("unresolved", path, element.value("name"), "the plan gives this variable no value")
            continue
        place = f"{item.descriptor}{item.path.removeprefix(f'/{item.descriptor}')}"
        if plans.made.get(item):
            what = "taken away" if item.removes else repr(item.value)
            account.note("understood", path, place, f"{what}: the plan's {item.variable}")
        else:
            message = f"no descriptor among the files has a place for {item.value!r} of {item.variable}"
            account.note("unresolved", path, place, message)
    for element in root.walk():
        if element.name in PARTS:
            account.take(element)


def _assignments(root: Element) -> Iterator[tuple[Element, Assignment | None]]:
    """Each element that assigns a variable, and what it assigns; a variable without a value changes nothing."""
    variables = root.all("variable-definition", "variable")
    values = {item.value("name"): item.value("value") for item in variables if item.child("value") is not None}
    for module in root.all("module-override"):
        for descriptor in module.all("module-descriptor"):
            place = (module.value("module-name"), descriptor.value("root-element"))
            for element in descriptor.all("variable-assignment"):
                name, removes = element.value("name"), element.value("operation") == "remove"
                item = Assignment(*place, name, values.get(name, ""), element.value("xpath"), removes)
                yield element, item if name in values or removes else None


def _assign(root: Element, item: Assignment) -> int:
    """Change one place, which is made where it is missing; 0 where its path leads to nothing."""
    steps = list(_steps(item.path))
    if not steps or steps[0][0] != root.name:
        return 0
    here = root
    for name, keys in steps[1:]:
        alike = (child for child in here.all(name) if all(child.value(key) == text for key, text in keys.items()))
        found = next(alike, None)
        if found is None and (keys or item.removes):
            return 0
        if found is None:
            found = Element(name, here.line)
            here.children.append(found)
        parent, here = here, found
    if here is root:
        return 0
    if item.removes:
        parent.children.remove(here)
    else:
        here.text, here.inner, here.children = item.value, (0, 0), []
    return 1


def _steps(path: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Names on the way with the values that choose among elements, which may stand behind a slash of their own."""
    for name, keys in _STEP.findall(path):
        chosen = {_local(key): double or single or bare for key, double, single, bare in _KEY.findall(keys)}
        yield _local(name), chosen


def _local(name: str) -> str:
    return name.rpartition(":")[2]
