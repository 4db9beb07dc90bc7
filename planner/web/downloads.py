"""Answers that a browser saves as files."""

import csv
import io
from collections.abc import Iterable

from django.utils.http import content_disposition_header

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What spreadsheets take for the beginning of a formula."""


def saved_as(name: str) -> dict[str, str]:
    """Return the header that gives the file its name."""
    return {"Content-Disposition": content_disposition_header(as_attachment=True, filename=name)}


def csv_text(rows: Iterable[Iterable[object]], *, line_end: str = "\r\n") -> str:
    """Return the rows as CSV; texts that a spreadsheet would compute get an apostrophe in front, numbers none."""
    text = io.StringIO()
    csv.writer(text, lineterminator=line_end).writerows([_defused(cell) for cell in row] for row in rows)
    return text.getvalue()


def _defused(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) and not _is_number(cell) else cell


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
