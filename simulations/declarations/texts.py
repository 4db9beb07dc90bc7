"""What names and other texts may hold, and the remedy where one does not."""

import re

PLAIN_NAME = r"^[A-Za-z0-9_][A-Za-z0-9_ -]*$"
"""No dot, so that a name can stand in a path, and nothing that a script or a file would have to quote."""
ONE_LINE = r"^[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]*$"
"""No character that ends a line in any language, for scripts name such texts in their comments, and none that turns the
text around it: a reader would see another script than the one that runs."""

REMEDIES = {
    PLAIN_NAME: "use the letters A to Z, digits, blanks, hyphens and underscores, and begin with a letter, digit or "
    "underscore",
    ONE_LINE: "use one line of text without control characters",
}
"""Pattern -> what to write instead."""


def is_one_line(text: str) -> bool:
    """Whether ``text`` is what ONE_LINE asks for."""
    return re.fullmatch(ONE_LINE, text) is not None
