"""The adapter's ``options``: ``key=value`` pairs with commas in one text, in which a backslash keeps a comma."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from simulations.platforms.shared.spots import VALUE, Addition, Place, Raw

OPTIONS = "options"
_OPTION = re.compile(r"(?:\\.|[^,\\])+")


@dataclass(frozen=True)
class OptionList:
    """The list as text, and the bytes ``first`` to ``last`` of the file where it stands."""

    text: str
    file: str
    first: int
    last: int

    def pairs(self) -> Iterator[tuple[str, str, Place | None]]:
        """Yield key, value and its place, which is unknown where characters are not bytes."""
        exact = self.last - self.first == len(self.text)
        for option in _OPTION.finditer(self.text):
            key, _, value = option[0].partition("=")
            start, end = self.first + option.end() - len(value), self.first + option.end()
            yield key.strip(), value, Place(self.file, start, end) if exact and value else None

    def further(self, key: str) -> Addition:
        """A key that the list lacks, behind those that it has."""
        return Addition(self.file, self.last, Raw(f"{',' if self.text.strip() else ''}{key}={VALUE}"))
