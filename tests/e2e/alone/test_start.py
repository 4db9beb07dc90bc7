"""A scenario from nothing: where the defaults let messages pile up, the first answer says what helps."""

import pytest
from playwright.sync_api import Page

from tests.e2e.expecting import expect
from tests.e2e.watch import simulated

pytestmark = [pytest.mark.browser, pytest.mark.slow]
PHONE = {"has_touch": True, "viewport": {"width": 390, "height": 844}}


@pytest.mark.parametrize(
    "context", [{}, pytest.param(PHONE, marks=pytest.mark.nightly)], indirect=True, ids=["desk", "phone"]
)
def test_what_piles_up_is_cured_with_one_press(page: Page) -> None:
    page.goto("/scenarios/start/?platform=websphere-zos")
    page.get_by_role("button", name="Open the workbench").click()
    simulated(page)
    verdict = page.locator("#live-verdict")
    expect(verdict.locator(".hero .title")).to_have_text("Growth of the backlog")
    expect(verdict).to_contain_text("messages no longer pile up")
    verdict.get_by_role("button", name="Apply").click()
    simulated(page)
    expect(verdict.locator(".hero .title")).to_have_text("p95 latency")
    expect(page.locator('[id="f-queues.0.settings.maximum_sessions"]')).to_have_value("10")
    expect(verdict.get_by_role("button", name="Apply")).to_have_count(0)
