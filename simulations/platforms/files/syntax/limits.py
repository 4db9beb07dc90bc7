"""How much an uploaded file may hold, and the one way to refuse it."""

from simulations.declarations.problems import InvalidInput, Problem

MAX_BYTES = 5_000_000
MAX_DEPTH = 60
MAX_ELEMENTS = 100_000
"""Elements, entries or lines of one file, and of all files of an import together."""


def element_count(content: bytes) -> int:
    """Return how many elements, entries or lines a file has at most, without parsing it."""
    return max(content.count(b"<") - content.count(b"</"), content.count(b"\n"), content.count(b": "))


def check_size(content: bytes, file: str) -> None:
    """Raise InvalidInput for a file that is too large."""
    if len(content) > MAX_BYTES:
        raise refuse(file, 0, f"the file has {len(content)} bytes, at most {MAX_BYTES} are read")


def refuse(file: str, line: int, message: str) -> InvalidInput:
    """Return the error that refuses a file, with its name and line; the caller raises it."""
    place = f"{file}:{line}" if line else file
    return InvalidInput([Problem(pointer="", path=place, code="unreadable_file", message=message)])
