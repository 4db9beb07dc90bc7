"""axe-core from its Python package: judges a page as it stands, without any network."""

from functools import cache
from importlib.resources import files

from playwright.sync_api import Page


@cache
def _source() -> str:
    return (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
"""The rules whose verdict another theme can change."""


DRAWN = {"exclude": [[".plot .svg-container"]]}
"""All but what Plotly drew: most of a page's elements, equal in every width; their colours are tested by the theme."""


def violations(page: Page, *, colours_only: bool = False, drawings: bool = True) -> list[str]:
    """Return what axe finds wrong, all its rules and best practices or those of colours: rule, element, reason.

    Without ``drawings`` the inside of charts is left out.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(_source())
    options = {"resultTypes": ["violations"], **(COLOURS if colours_only else {})}
    asked = [None if drawings else DRAWN, options]
    found = page.evaluate("([context, options]) => axe.run(context ?? document, options)", asked)
    return [
        f"{item['id']}: {' '.join(map(str, node['target']))}: {node['failureSummary']}"
        for item in found["violations"]
        for node in item["nodes"]
    ]
