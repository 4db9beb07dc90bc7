"""One file that declares work managers while it is patched: objects inside objects, or beside each other by name."""

from collections.abc import Iterator

from simulations.declarations.tables import table_beside
from simulations.declarations.texts import as_name
from simulations.platforms.files.patching.patched_files import encoding_in
from simulations.platforms.files.patching.rewriting import spelled
from simulations.platforms.files.syntax.signatures import is_yaml, root_of
from simulations.platforms.files.syntax.splices import Order, Splice, spliced
from simulations.platforms.files.syntax.text_files import load_tree
from simulations.platforms.files.syntax.tree import Element, refuse
from simulations.platforms.files.syntax.xml_file import load as load_xml
from simulations.platforms.shared.spots import VALUE, Addition, New, Place, Spot

ORDER: Order = table_beside(__file__, "schema.yaml")
"""The schemas' order of children, as far as new elements need it."""
INLINE = ("weblogic-ejb-jar", "weblogic-application", "weblogic-web-app")
"""Roots of descriptors: a work manager holds its constraints. In a domain it names them."""
MANAGER = "work-manager"


def new_targets(work: Element | None, root: Element) -> set[str]:
    """Return what a new work manager may be for: the targets of those there are, else the clusters or servers."""
    known = {item.text for item in (work.walk() if work else ()) if item.name == "target" and item.text}
    topology = root.child("topology") or root
    for kind in ("cluster", "server"):
        known = known or {name for name, item in topology.named(kind) if item.children or item.keyed}
    return known


class WorkFile:
    """The file and what is done to it. Elements are found anew after each step, as bytes move."""

    def __init__(self, file: str, content: bytes) -> None:
        self.file, self.content = file, content
        self.kind = "model" if is_yaml(file) else root_of(content)[0]

    @property
    def declares(self) -> bool:
        """Whether a file of this kind can declare work managers."""
        return self.kind in (*INLINE, "domain", "model")

    @property
    def is_inline(self) -> bool:
        """Whether a work manager holds its constraints."""
        return self.kind in INLINE

    def root(self) -> Element:
        """The file as elements."""
        if self.kind == "model":
            return load_tree(self.content, self.file)
        return load_xml(self.content, self.file)

    def managers(self) -> dict[str, Element]:
        """The work managers that the file declares."""
        holder = self._holder()
        return {} if holder is None else dict(holder.named(MANAGER))

    def objects(self, kind: str, name: str) -> list[Element]:
        """Constraints or request classes of this kind and name, wherever they are declared."""
        named = [(key, item) for element in self.root().walk() for key, item in element.named(kind)]
        return [item for key, item in named if key == name and item.children]

    def users(self) -> Iterator[tuple[str, str]]:
        """Bean and dispatch policy of each bean in the file."""
        for item in self.root().all("weblogic-enterprise-bean"):
            yield as_name(item.value("ejb-name")), item.value("dispatch-policy")

    def write(self, element: Element, text: str) -> None:
        """Give an element another text."""
        self._apply(Spot((Place(self.file, *element.inner),)), text)

    def add(self, parent: Element, new: New, *around: str) -> None:
        """Put a new child into an element, inside the elements that belong ``around`` it."""
        self._apply(Spot((), (Addition(self.file, parent.span[0], new, around),)), VALUE)

    def declare(self, kind: str, name: str, *children: New) -> None:
        """Put a new object where the file declares such objects; in a domain with its target. That is the target of
        those there are, else the only cluster or server."""
        if self.is_inline:
            self.add(self.root(), New(kind, children=(New("name", name), *children)))
            return
        known = new_targets(self._holder(), self.root())
        if len(known) != 1:
            raise refuse(self.file, 1, "it is not clear which server or cluster a new work manager is for")
        target = New("target", known.pop())
        if self.kind == "model":
            new = New(kind, attributes=(("name", name),), children=(target, *children))
            self.add(self.root(), new, "resources", "self-tuning")
        else:
            self.add(self.root(), New(kind, children=(New("name", name), target, *children)), "self-tuning")

    def remove(self, element: Element) -> None:
        """Take an element out, with its line where it has lines of its own."""
        start, end = element.span
        before = self.content.rfind(b"\n", 0, start)
        alone = not self.content[before + 1 : start].strip()
        if self.kind == "model" and not alone:
            raise refuse(self.file, element.line, "an entry within a line is not taken out")
        if alone and before >= 0:
            start = before - 1 if self.content[before - 1 : before] == b"\r" else before
        if self.kind == "model":
            end = len(self.content[:end].rstrip())
        self.content = spliced(self.content, [Splice(start, end, "")], encoding_in(self.content, self.file))

    def _holder(self) -> Element | None:
        root = self.root()
        if self.is_inline:
            return root
        return root.child("self-tuning") or root.child("resources", "self-tuning")

    def _apply(self, spot: Spot, text: str) -> None:
        self.content = spelled(self.content, self.file, spot, text, ORDER)
