"""What the domain calls the objects that the scripts change: by the imported files, else for somebody to fill in."""

import re


class Label(str):
    """A part of an edit's path that stands for a name in the domain, such as ``factory of orders``."""

    __slots__ = ()

    @property
    def assumed(self) -> str:
        """The scenario's name where it may be that of the domain, which a script looks up; else nothing."""
        what, _, name = self.partition(" of ")
        return name if what in ("server", "target", "destination") else ""

    @property
    def variable(self) -> str:
        """The variable of a Deploy Tooling model, which the tool refuses to do without."""
        return f"@@PROP:{re.sub(r'[^0-9A-Za-z]+', '.', self)}@@"
