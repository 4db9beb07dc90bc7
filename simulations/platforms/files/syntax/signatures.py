"""What a file looks like before anything parses it: enough to tell whose it is."""

import re

LOOKED_AT = 10_000
"""Bytes from the start that are looked at for the root element: a licence may stand before it."""
_PROLOGUE = re.compile(rb"<!--.*?-->|<\?.*?\?>", re.DOTALL)
_ROOT = re.compile(rb"<(?:[\w.-]+:)?([A-Za-z_][\w.-]*)([^<>]*)")
BEAN = re.compile(rb"^@(?:\w+\.)*MessageDriven\b", re.MULTILINE)
ANNOTATED = "@MessageDriven"
"""What a Java source has in place of the attributes of a root element."""

CONVERT = "convert it to UTF-8 (iconv does), also in its first line where that names the encoding"
FOREIGN = (
    ((b"\xff\xfe\0\0", b"\0\0\xfe\xff"), "UTF-32"),
    ((b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<"), "UTF-16"),
    ((b"\x4c\x6f\xa7\x94\x93", b"\x4c\x5a\x60\x60"), "EBCDIC"),
)
"""How XML begins in encodings in which a letter is not one byte, or not that of ASCII."""


def other_encoding(content: bytes) -> str:
    """Return a sentence about a file in an encoding that is not read; empty for all others."""
    name = next((name for starts, name in FOREIGN if content.startswith(starts)), "")
    return f"the file is written in {name}; {CONVERT}" if name else ""


def root_of(content: bytes) -> tuple[str, str]:
    """Return local name and attributes of the first element, as text; both empty when the file is no XML. A Java source
    with a message-driven bean says the same as an ejb-jar.xml."""
    start = content[:LOOKED_AT].lstrip(b"\xef\xbb\xbf \t\r\n")
    found = _ROOT.search(_PROLOGUE.sub(b"", start)) if start.startswith(b"<") else None
    if found is None:
        return ("", "") if start.startswith(b"<") or not BEAN.search(content) else ("ejb-jar", ANNOTATED)
    return found[1].decode("ascii", "replace"), found[2].decode("utf-8", "replace")


def is_yaml(file: str) -> bool:
    """Whether a file is YAML, by its name."""
    return file.lower().endswith((".yaml", ".yml"))


def has_line(content: bytes, *beginnings: bytes) -> bool:
    """True when a line begins with one of these, blanks before it left out."""
    return any(line.strip().startswith(beginnings) for line in content.splitlines())
