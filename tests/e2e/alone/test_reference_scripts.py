"""The API reference's scripts: an operation is found, and what to do is said where the document cannot be read."""

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.e2e.expecting import expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]
DOCUMENT = "**/api/v1/openapi.json"


def test_an_operation_is_looked_for_again_where_the_document_could_not_be_read(context: BrowserContext) -> None:
    page = context.new_page()
    page.route(DOCUMENT, lambda route: route.fulfill(status=503, body="away"))
    page.goto("/help/api/")
    page.get_by_label("Find an operation").fill("redeliver")
    expect(page.get_by_role("alert")).to_contain_text("The list of operations cannot be read")
    page.unroute(DOCUMENT)
    page.route(DOCUMENT, lambda route: route.abort())
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("alert")).to_contain_text("The list of operations cannot be read")
    page.unroute(DOCUMENT)
    page.get_by_role("button", name="Try again").click()
    page.get_by_role("link", name="webhook_redeliver").click()
    page.wait_for_url("**/help/api/webhooks/#webhook_redeliver")


def test_the_palette_leads_to_a_resource_of_the_reference(page: Page) -> None:
    page.goto("/reports/")
    page.keyboard.press("Control+k")
    page.keyboard.type("hand-overs")
    page.keyboard.press("Enter")
    page.wait_for_url("**/help/api/hand-overs/")
