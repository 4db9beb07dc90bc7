"""axe-core from its Python package: judges a page as it stands, without any network."""

from functools import cache
from importlib.resources import files

from playwright.sync_api import Page


@cache
def _source() -> str:
    return (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


def violations(page: Page) -> list[str]:
    """Return what axe finds wrong, all its rules and best practices: rule, element, reason."""
    found = page.evaluate(f"{_source()}\n;axe.run(document, {{resultTypes: ['violations']}})")
    return [
        f"{item['id']}: {' '.join(map(str, node['target']))}: {node['failureSummary']}"
        for item in found["violations"]
        for node in item["nodes"]
    ]
