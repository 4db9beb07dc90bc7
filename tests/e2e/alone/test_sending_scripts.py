"""The import form: what is more than is read is not sent at all."""

import pytest
from playwright.sync_api import Page

from planner.configuration.uploads import MAX_TOTAL_BYTES
from tests.e2e.expecting import expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]
STATUS = "#sending [role=status]"


def chosen(page: Page, size: int) -> None:
    """Open the form and choose a file of so many bytes."""
    page.goto("/imports/new/")
    content = b"<weblogic-ejb-jar/>".ljust(size)
    page.locator("#files").set_input_files({"name": "a.xml", "mimeType": "text/xml", "buffer": content})


@pytest.mark.nightly
def test_what_is_too_large_is_not_sent(page: Page) -> None:
    chosen(page, MAX_TOTAL_BYTES + 100_000)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.locator(STATUS)).to_contain_text("20.1 MB together, at most 20.0 MB are read")
    assert "POST" not in sent
