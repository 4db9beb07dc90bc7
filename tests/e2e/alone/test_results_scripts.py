"""A run's page while its points come: repainted in place, and the drawer that keeps the focus."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.e2e.expecting import expect
from tests.e2e.watch import change, choose, open_preset

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.nightly
def test_the_drawer_keeps_the_focus_while_it_is_asked_again(page: Page) -> None:
    open_preset(page, "Surge backlog (z/OS)")
    page.get_by_role("button", name="Run full").click()
    page.wait_for_url("**/runs/**")
    page.locator("details.drawer > summary").click()
    entry = page.locator(f"#entry-{page.url.split('/')[-2]}")
    entry.focus()
    for _ in range(2):
        with page.expect_response(lambda answer: answer.url.endswith("/runs/")):
            pass
    expect(entry).to_be_focused()


def test_a_run_that_ends_shows_its_final_answer(page: Page, computed: Callable[[str], None]) -> None:
    open_preset(page, "Keep the order of arrival (z/OS)")
    choose(page, "Swept setting", "")
    change(page, "Maximum sessions", "2")
    page.get_by_role("button", name="Run full").click()
    page.wait_for_url("**/runs/**")
    expect(page.locator("#progress .state")).to_have_text("queued")
    computed(page.url.split("/")[-2])
    expect(page.locator("h1 .state")).to_have_text("final")
    expect(page.locator("figure .main-svg").first).to_be_visible()
    a_zoom_outlives_a_repaint(page)


def a_zoom_outlives_a_repaint(page: Page) -> None:
    """What was zoomed into is shown by the next picture too, until a double click asks for the whole."""
    figure = page.locator('figure[data-chart="latency"]')
    figure.scroll_into_view_if_needed()
    box = figure.locator(".nsewdrag").first.bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 0.3 * box["width"], middle)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.6 * box["width"], middle, steps=5)
    page.mouse.up()
    shown = "[...document.querySelector('figure[data-chart=latency] .plot').layout.xaxis.range]"
    page.wait_for_function(
        "document.querySelector('figure[data-chart=latency] .plot').layout.xaxis.autorange === false"
    )
    zoomed = page.evaluate(shown)
    page.get_by_role("button", name="Switch between light and dark").click()
    assert page.evaluate(shown) == zoomed
    page.mouse.dblclick(box["x"] + 0.5 * box["width"], middle)
    page.wait_for_function("document.querySelector('figure[data-chart=latency] .plot').layout.xaxis.autorange === true")
    page.get_by_role("button", name="Switch between light and dark").click()
    assert page.evaluate(shown) != zoomed
