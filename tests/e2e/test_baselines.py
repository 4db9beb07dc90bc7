"""A version is pinned, the live panel says what the values on the left change, and a run is paused and goes on."""

import pytest
from playwright.sync_api import Page

from tests.e2e.axe import violations
from tests.e2e.expecting import expect
from tests.e2e.pictures import FOLDER, wrong_to_see
from tests.e2e.watch import LONG, enter, open_preset

pytestmark = [pytest.mark.browser, pytest.mark.spark, pytest.mark.redis, pytest.mark.slow]


def seen(page: Page, name: str) -> None:
    """The state can be read by everybody, nothing lies on anything else; its picture is kept where that is asked."""
    assert [*violations(page), *wrong_to_see(page)] == []
    if FOLDER:
        page.screenshot(path=f"{FOLDER}/{name}.png", full_page=True)


def test_a_change_is_told_against_the_baseline_while_it_is_made(page: Page) -> None:
    open_preset(page, "Surge backlog (z/OS)")
    page.get_by_role("button", name="Pin as baseline").click()
    expect(page.locator("#baseline")).to_contain_text("is the baseline of")
    strip = page.locator("#live-versus")
    expect(strip).to_contain_text("vs v1 (baseline)")
    expect(strip).to_contain_text("same")
    enter(page, {"queues.0.service.mean": "190ms"})
    expect(strip).to_contain_text("better")
    expect(strip).to_contain_text("±")
    seen(page, "versus")
    page.locator("#baseline").get_by_role("button", name="Unpin").click()
    expect(page.get_by_role("button", name="Pin as baseline")).to_be_visible()


def test_webhooks_are_seen_behind_the_avatar(page: Page) -> None:
    page.goto("/")
    page.get_by_label("Account of").click()
    page.get_by_role("link", name="Webhooks").click()
    page.get_by_label("Address, https").fill("https://93.184.215.14/hook")
    page.get_by_role("button", name="Create a webhook").click()
    expect(page.locator("#secret")).to_contain_text("whs_")
    seen(page, "webhooks")
    page.locator("summary", has_text="Delete").click()
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_text("Nothing is told to that address any more.")).to_be_visible()


@pytest.mark.nightly
def test_a_run_is_paused_from_its_page_and_goes_on_from_the_drawer(page: Page) -> None:
    open_preset(page, "Surge backlog (z/OS)")
    page.locator('[name="run.precision.relative"]').evaluate("field => field.value = '0.05 %'")
    page.get_by_role("button", name="Run full").click()
    page.wait_for_url("**/runs/**")
    page.locator("#result-progress").get_by_role("button", name="Pause").click()
    progress = page.locator("#result-progress")
    expect(progress).to_contain_text("Paused. What is computed so far is kept", timeout=LONG)
    seen(page, "paused")
    page.locator("details.drawer > summary").click()
    with page.expect_navigation():  # the drawer may tell the new state before the page that answers the form has come
        page.locator("#drawer").get_by_role("button", name="Resume").first.click()
    expect(page.locator("#drawer .state").first).not_to_have_text("paused")
    page.get_by_role("button", name="Cancel the run").click()
    expect(page.locator("h1 .state")).to_have_text("canceled", timeout=LONG)
