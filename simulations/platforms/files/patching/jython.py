"""Scripts in Jython: a plan that looks everything up, then all changes or none, read back afterwards.

The consoles have Jython 2.1 or later: no conditional expressions, no ``except … as``, no generators, no closures.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from simulations.declarations.tables import part

HEAD = part(__file__, "head.jy")
RUNNER = "\n\n" + part(__file__, "runner.jy") + "\n"


@dataclass(frozen=True)
class Step:
    """One value of one object: ``kind`` is the script's class for it and ``at`` what finds it."""

    path: str
    kind: str
    at: tuple[Any, ...]
    before: tuple[Any, ...]
    """The values that all mean the expected one; None where nothing is set."""
    after: Any

    @property
    def line(self) -> str:
        """The step as the script has it."""
        values = ", ".join(literal(item) for item in (self.at, self.before, self.after))
        return f"    ({literal(self.path)}, {self.kind}, {values}),"


def jython_script(comments: Iterable[str], head: Iterable[str], helpers: str, steps: Iterable[Step]) -> str:
    """Return the script for the steps; ``head`` are the lines with further variables that somebody may fill in."""
    said = [f"# {line}".encode("ascii", "backslashreplace").decode() for line in comments]
    return "\n".join([*said, "", HEAD, *head, helpers, "STEPS = [", *(step.line for step in steps), "]", RUNNER])


def literal(value: Any) -> str:
    """A value in the script, which is ASCII: Jython takes other bytes of a plain text for Latin-1."""
    if isinstance(value, tuple):
        return f"({''.join(f'{literal(item)}, ' for item in value).rstrip(' ')})"
    return f"u{value!a}" if isinstance(value, str) and not value.isascii() else repr(value)
