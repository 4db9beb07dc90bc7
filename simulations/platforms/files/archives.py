"""Archives: the configuration inside an EAR, JAR, WAR, RAR or ZIP, within limits; nothing is written to a disk."""

import io
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import NamedTuple

from simulations.declarations.problems import InvalidInput
from simulations.platforms.files.syntax.tree import MAX_BYTES, refuse

START = (b"PK\x03\x04", b"PK\x05\x06")
"""How an archive begins, the second one when it is empty."""
ENTRY = b"PK\x01\x02"
"""What stands before each entry of an archive's directory."""
MAX_ENTRIES = 50_000
MAX_FILES = 5_000
"""Files that are looked at."""
MAX_UNPACKED = 64_000_000
"""Bytes of all entries together that are looked at, those of archives inside included."""
MAX_NESTED = 20_000_000
"""Bytes of an archive inside another one."""
MAX_DEPTH = 2
"""Archives inside archives: a JAR in an EAR in a ZIP."""
MAX_RATIO = 200
"""Times that an entry of more than ``RATIO_FROM`` bytes may grow; descriptors grow less than 50 times."""
RATIO_FROM = 1_000_000
NESTED = (".ear", ".jar", ".rar", ".war", ".zip")
TEXTS = (".env", ".properties", ".txt", ".xmi", ".xml", ".yaml", ".yml")
"""Endings of files that may be configuration."""
PASSED_OVER = frozenset(
    {"backup", "backups", "cache", "config_prev", "configCache", "generated", "lib", "logs", "osgi-cache", "pending"}
    | {"temp", "templates", "tmp", "wstemp"}
)
"""Folders with libraries, former configuration and copies."""
BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, RuntimeError, ValueError)
"""What the library raises for archives that are damaged or use what it does not know."""


class Member(NamedTuple):
    """A file: its path, beginning with the archive or folder that it was in, and its content."""

    path: str
    content: bytes
    inside: bool = True
    """Whether it was found in an archive or a folder, and not given by itself."""


@dataclass
class Budget:
    """What may still be unpacked: bytes, and files."""

    left: int = MAX_UNPACKED
    files: int = MAX_FILES

    def spend(self, size: int, path: str) -> None:
        """Count the bytes of a file; raises InvalidInput when there were too many, or too many files."""
        self.left -= size
        self.files -= 1
        if self.files < 0:
            raise refuse(path, 0, f"more than {MAX_FILES:,} files in it may be configuration; pack fewer of them")
        if self.left < 0:
            raise refuse(path, 0, f"the archive holds more than {MAX_UNPACKED:,} bytes of files; pack fewer of them")


def is_archive(content: bytes) -> bool:
    """Whether a file is an archive, by its first bytes."""
    return content.startswith(START)


def is_worth_reading(path: str) -> bool:
    """Whether a path below an archive or folder may be configuration or an archive with some."""
    whole = PurePosixPath(path)
    return whole.suffix.lower() in (*TEXTS, *NESTED) and not PASSED_OVER.intersection(whole.parts[:-1])


def members(path: str, content: bytes, budget: Budget, depth: int = 0) -> Iterator[Member]:
    """Yield the files of an archive that may be configuration, also those of archives inside. Raises InvalidInput for
    an archive that is damaged, encrypted or larger than the limits when it is unpacked."""
    if content.count(ENTRY) > MAX_ENTRIES:
        raise refuse(path, 0, f"the archive has more than {MAX_ENTRIES:,} entries; pack fewer files")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for entry in archive.infolist():
                yield from _entry(archive, entry, path, budget, depth)
    except InvalidInput:
        raise
    except BROKEN as error:
        raise refuse(path, 0, f"the archive cannot be read: {error}") from error


def _entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, path: str, budget: Budget, depth: int) -> Iterator[Member]:
    inner = clean_path(entry.filename)
    if entry.is_dir() or not is_worth_reading(inner):
        return
    nested = inner.lower().endswith(NESTED)
    if nested and depth >= MAX_DEPTH:
        return
    whole = f"{path}/{inner}"
    content = _content(archive, entry, whole, MAX_NESTED if nested else MAX_BYTES)
    budget.spend(len(content), path)
    if not nested:
        yield Member(whole, content)
    elif is_archive(content):
        yield from members(whole, content, budget, depth + 1)


def _content(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, path: str, most: int) -> bytes:
    """What an entry holds; what the directory says of its size is not believed."""
    if entry.flag_bits & 1:
        raise refuse(path, 0, "the file is encrypted; pack it without a password")
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise refuse(path, 0, "the file is packed in a way that is not read; use plain ZIP")
    with archive.open(entry) as stream:
        content = stream.read(most + 1)
    if len(content) > most:
        raise refuse(path, 0, f"the file has more than {most:,} bytes")
    if len(content) > max(RATIO_FROM, MAX_RATIO * entry.compress_size):
        raise refuse(path, 0, f"the file grows more than {MAX_RATIO} times when it is unpacked; it is not read")
    return content


def clean_path(text: str) -> str:
    """Return a path without what leads out of its folder."""
    return "/".join(part for part in text.replace("\\", "/").split("/") if part not in ("", ".", ".."))
