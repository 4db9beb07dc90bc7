"""A report on a phone: its tables are read by scrolling the page, and nothing inside it."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.e2e.expecting import expect
from tests.e2e.watch import open_preset

pytestmark = [pytest.mark.browser, pytest.mark.slow]
SIDEWAYS = """() => [...document.querySelectorAll(".report .scroll")]
  .filter((part) => part.scrollWidth > part.clientWidth)
  .map((part) => part.getAttribute("aria-label"))"""


@pytest.mark.nightly
@pytest.mark.parametrize("context", [{"has_touch": True, "viewport": {"width": 390, "height": 844}}], indirect=True)
def test_no_table_of_a_report_scrolls_sideways(page: Page, computed: Callable[[str], None]) -> None:
    open_preset(page, "Keep the order of arrival (z/OS)")
    page.get_by_role("button", name="Run full").click()
    page.wait_for_url("**/runs/**")
    computed(page.url.split("/")[-2])
    page.locator("#report-form > summary").click()
    page.get_by_role("button", name="Save as report").click()
    expect(page.locator("#points")).to_be_visible()
    page.evaluate("document.querySelectorAll('.report details').forEach((part) => { part.open = true })")
    assert page.evaluate(SIDEWAYS) == []
    expect(page.locator("#points td[data-label^='p95']").first).to_contain_text("ms")
