"""Where a log may be read from. Nothing is allowed unless a root says so."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

from simulations.pipeline.telemetry.reading.layouts import TelemetryRefused

FORMATS = {".csv": "csv", ".json": "jsonl", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}
"""Suffix of a log's name -> format."""
PATTERNS = re.compile(r"[*?\[\]{}\\]")
"""Hadoop reads these as patterns, and a pattern can reach out of a root."""


@dataclass(frozen=True)
class Source:
    """A log that may be read: absolute path or Hadoop URL, format, and options of Spark's reader of files."""

    location: str
    format: str
    options: Mapping[str, str] = field(default_factory=dict)


def allowed_source(location: str, roots: Iterable[str | Path]) -> Source:
    """Return the source; raises TelemetryRefused when no root holds it or its format is unknown.

    A root is an absolute folder or a URL such as ``s3a://bucket/logs``. Links out of a local root are refused.
    """
    if PATTERNS.search(location) or any(not letter.isprintable() for letter in location):
        raise TelemetryRefused("the location holds a letter that is a pattern or cannot be printed; name one log")
    suffix = PurePosixPath(location.rstrip("/")).suffix.lower()
    if suffix not in FORMATS:
        raise TelemetryRefused(f"the name must end with {', '.join(FORMATS)}; compressed text is not read")
    within = _url(location, roots) if "://" in location else _path(location, roots)
    if within is None:
        raise TelemetryRefused("no folder that this installation allows holds that location; ask for TELEMETRY_ROOTS")
    return Source(within, FORMATS[suffix])


def _url(location: str, roots: Iterable[str | Path]) -> str | None:
    asked = urlsplit(location)
    parts = PurePosixPath(asked.path).parts
    if ".." in parts or asked.query or asked.fragment or asked.username or "%" in location:
        return None
    for root in (urlsplit(str(item)) for item in roots if "://" in str(item)):
        same = (root.scheme, root.netloc) == (asked.scheme, asked.netloc)
        if same and parts[: len(PurePosixPath(root.path).parts)] == PurePosixPath(root.path).parts:
            return location
    return None


def _path(location: str, roots: Iterable[str | Path]) -> str | None:
    asked = Path(location)
    if not asked.is_absolute():
        return None
    real = asked.resolve()
    locals_ = (Path(item).resolve() for item in roots if "://" not in str(item))
    return f"file://{real}" if any(real.is_relative_to(root) for root in locals_) else None
