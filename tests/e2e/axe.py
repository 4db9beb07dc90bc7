"""axe-core from its Python package: judges a page as it stands, without any network."""

from functools import cache
from importlib.resources import files

from playwright.sync_api import Page


@cache
def _source() -> str:
    return (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
"""The rules whose verdict another theme can change."""


def violations(page: Page, *, colours_only: bool = False) -> list[str]:
    """Return what axe finds wrong, all its rules and best practices or those of colours: rule, element, reason."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_source())
    options = {"resultTypes": ["violations"], **(COLOURS if colours_only else {})}
    found = page.evaluate("(options) => axe.run(document, options)", options)
    return [
        f"{item['id']}: {' '.join(map(str, node['target']))}: {node['failureSummary']}"
        for item in found["violations"]
        for node in item["nodes"]
    ]
