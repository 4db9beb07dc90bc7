"""Answers that a browser saves as files."""

from django.utils.http import content_disposition_header


def saved_as(name: str) -> dict[str, str]:
    """Return the header that gives the file its name."""
    return {"Content-Disposition": content_disposition_header(as_attachment=True, filename=name)}
