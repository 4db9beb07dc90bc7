"""What names and other texts may hold, and the remedy where one does not."""

import re
from collections.abc import Mapping

from simulations.declarations.tables import table_beside

_CONTROL = r"\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069"
"""Characters that end a line in any language, for scripts name such texts in their comments, and those that turn the
text around them: a reader would see another script than the one that runs."""
_UNSEEN = rf"{_CONTROL}\u00ad\u200b\u200e\u200f\ufeff"
"""These, and characters that nobody sees, of which two names would look alike."""
VENDOR_NAME = rf"^[^{_UNSEEN}\s](?:[^{_UNSEEN}]*[^{_UNSEEN}\s])?$"
"""Any printable text without blanks at its ends: what the vendors call their objects."""
ONE_LINE = rf"^[^{_CONTROL}]*$"
"""One line of any text."""
LONGEST_NAME = 200
"""Characters of a name of a server, a queue, or an object of the vendor's."""

REMEDIES = {
    VENDOR_NAME: "use printable characters in one line, and no blanks at the beginning or the end",
    ONE_LINE: "use one line of text without control characters",
}
"""Pattern -> what to write instead."""
WORDS: Mapping[str, str] = table_beside(__file__, "pydantic_words.yaml")
"""Code of an error of pydantic's -> what we say instead, with what pydantic knows about it."""


def is_one_line(text: str) -> bool:
    """Whether ``text`` is what ONE_LINE asks for."""
    return re.fullmatch(ONE_LINE, text) is not None


def as_name(text: str) -> str:
    """Return a text of a file as a name: what it is called there, without what no name may hold."""
    printable = re.sub(f"[{_UNSEEN}]+", " ", text).strip()
    return printable[:LONGEST_NAME].strip() or "unnamed"
