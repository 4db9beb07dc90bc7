"""Playwright's ``expect`` for a part of a page, without the price of waiting with it.

At each look that fails, Playwright 1.65 writes down the whole page as a screen reader has it, for its message: of a
workbench a tenth to a third of a second of processor time, several times for each wait. So what is not there yet is
waited for first, which costs nothing; then Playwright judges, and words what is wrong.
"""

from collections.abc import Callable
from typing import Any, cast

from playwright.sync_api import Locator
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from playwright.sync_api import expect as judged
from playwright.sync_api._generated import LocatorAssertions

from tests.waiting import PATIENCE

WAITED = {"to_be_visible": "visible", "to_be_hidden": "hidden"}
"""For which state of the part an assertion waits; the others wait until it is there."""
AT_ONCE = 1
"""Milliseconds for the judgment after a wait in vain."""


def expect(part: Locator) -> LocatorAssertions:
    """Say what is expected of a part of a page; each assertion waits as long as Playwright's own."""
    return cast("LocatorAssertions", _Waiting(part))


class _Waiting:
    def __init__(self, part: Locator) -> None:
        self._part = part

    def __getattr__(self, name: str) -> Callable[..., None]:
        judge = getattr(judged(self._part), name)
        # How many there are, and what must not be, can be so before anything is there.
        if name == "to_have_count" or name.startswith("not_"):
            return cast("Callable[..., None]", judge)

        def wait_and_judge(*given: Any, timeout: float = 1000 * PATIENCE, **more: Any) -> None:
            has_text = given and isinstance(given[0], str) and name in {"to_have_text", "to_contain_text"}
            awaited = self._part.filter(has_text=given[0]) if has_text else self._part
            try:
                awaited.wait_for(state=WAITED.get(name, "attached"), timeout=timeout)  # type: ignore[arg-type]
            except PlaywrightTimeout:
                timeout = AT_ONCE
            judge(*given, timeout=timeout, **more)

        return wait_and_judge
