"""The licenses of the packages that run Sluice, as they state them themselves."""

import re
from importlib.metadata import metadata
from pathlib import Path

REQUIREMENTS = Path(__file__).parents[1] / "requirements.txt"
LONGEST = 80


def licenses_page(header: str) -> str:
    """Return the page; raises importlib.metadata.PackageNotFoundError where a package is not installed here."""
    pins = re.findall(r"^([\w.-]+)==(\S+)", REQUIREMENTS.read_text(encoding="utf-8"), re.MULTILINE)
    rows = [f"| {name} | {version} | {_license(name)} |" for name, version in sorted(pins)]
    about = "What `requirements.txt` installs, and the license that each package states of itself."
    table = "\n".join(["| Package | Version | License |", "|---|---|---|", *rows])
    return "\n\n".join([header, "# Licenses", about, table]) + "\n"


def _license(name: str) -> str:
    stated = metadata(name).json
    classifiers = [text.rpartition(" :: ")[2] for text in stated.get("classifier", ()) if "License ::" in text]
    text = stated.get("license_expression") or "; ".join(classifiers) or stated.get("license", "")
    return str(text).partition("\n")[0][:LONGEST] or "not stated"
