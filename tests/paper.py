"""What tests read of a PDF that Chromium printed, and an installation without any Chromium."""

import re

from django.conf import settings
from django.test import override_settings

from planner.models import Report


def pages_of(pdf: bytes) -> int:
    """Return the number of pages."""
    return len(re.findall(rb"/Type /Page\b", pdf))


def headings_of(pdf: bytes) -> list[str]:
    """Return the titles of the bookmarks in their order in the file."""
    return [_text(title) for title in re.findall(rb"/Title (\((?:[^()\\]|\\.)*\)|<[0-9A-Fa-f]+>)\s*/Dest", pdf)]


def plain_file(report: Report) -> bytes:
    """A report's file that needs no numbers, for settings.REPORT_FILE."""
    return f"<title>{report.title}</title>".encode()


def no_browser() -> override_settings:
    """The installation as if CHROMIUM_PATH named nothing."""
    return override_settings(ENVIRONMENT=settings.ENVIRONMENT.model_copy(update={"chromium_path": "/no/browser"}))


def _text(written: bytes) -> str:
    if written.startswith(b"("):
        return re.sub(rb"\\(.)", rb"\1", written[1:-1]).decode("latin-1")
    return bytes.fromhex(written[1:-1].decode()).decode("utf-16")
