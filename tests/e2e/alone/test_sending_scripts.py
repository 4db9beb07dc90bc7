"""The import form while files are sent and read: it says so, it can be left, and too much is not sent at all."""

import re

import pytest
from playwright.sync_api import CDPSession, Page, Route, expect

from planner.configuration.uploads import MAX_TOTAL_BYTES
from tests.waiting import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.slow]
STATUS = "#sending [role=status]"


def chosen(page: Page, size: int) -> None:
    """Open the form and choose a file of so many bytes."""
    page.goto("/imports/new/")
    content = b"<weblogic-ejb-jar/>".ljust(size)
    page.locator("#files").set_input_files({"name": "a.xml", "mimeType": "text/xml", "buffer": content})


def seen(session: CDPSession, script: str) -> str:
    """Evaluate a script while the page is being left: Playwright itself would wait for the next one."""
    return str(session.send("Runtime.evaluate", {"expression": script})["result"].get("value", ""))


def test_who_waits_sees_for_how_long_and_can_stop(page: Page) -> None:
    chosen(page, 2_000_000)
    held: list[Route] = []

    def hold(route: Route) -> None:
        """Answer nothing that is posted."""
        if route.request.method == "POST":
            held.append(route)
        else:
            route.continue_()

    page.route("**/imports/new/", hold)
    session = page.context.new_cdp_session(page)
    seen(session, "document.querySelector('form[data-most] button.primary').click()")
    said = re.compile(r"Sending and reading 2\.0 MB: [1-9]\d* s so far\.")
    text = f"document.querySelector('{STATUS}').textContent"
    wait_until(lambda: said.fullmatch(seen(session, text)), "the form says for how long it has waited")
    disabled = "document.querySelector('form[data-most] button.primary').disabled"
    assert seen(session, disabled) == "True"
    seen(session, "document.querySelector('#sending button').click()")
    assert seen(session, text) == "You stopped waiting. What had arrived by then may still be read."
    assert seen(session, disabled) == "False"
    held[0].abort()


def test_what_is_too_large_is_not_sent(page: Page) -> None:
    chosen(page, MAX_TOTAL_BYTES + 100_000)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.locator(STATUS)).to_contain_text("20.1 MB together, at most 20.0 MB are read")
    assert "POST" not in sent
