"""Configuration that a form sends: chosen files and pasted text, and what is wrong with them."""

from collections.abc import Sequence

from django.http import HttpRequest

from planner.configuration.uploads import size_check
from simulations.declarations.problems import Problem
from simulations.platforms.files.syntax.signatures import ANNOTATED, root_of


def uploads_sent(request: HttpRequest) -> list[tuple[str, bytes]]:
    """Return name and content of the chosen files and of the pasted text; raises InvalidInput for too large ones. It
    does so before more is read than may be imported."""
    chosen = request.FILES.getlist("files")
    size_check(sum(file.size or 0 for file in chosen))
    sent = [(file.name or "", file.read()) for file in chosen]
    text = request.POST.get("text", "").replace("\r\n", "\n")  # browsers send lines of a text with both
    if text.strip():
        sent.append((request.POST.get("text_name", "").strip() or _likely_name(text), text.encode()))
    return sent


def problem_lines(problems: Sequence[Problem]) -> list[tuple[str, str]]:
    """Return place and message of each problem: a field of the form, or where it is in a scenario file."""
    places = (item.path if "." in item.path else item.path.replace("_", " ").capitalize() for item in problems)
    return [(place, item.message) for place, item in zip(places, problems, strict=True)]


def _likely_name(text: str) -> str:
    """A name with the ending that tells the kinds of file apart."""
    if text.lstrip().startswith("<"):
        return "pasted.xml"
    if root_of(text.encode())[1] == ANNOTATED:
        return "pasted.java"
    return "pasted.txt" if "imq" in text or "Destination Name" in text else "pasted.yaml"
