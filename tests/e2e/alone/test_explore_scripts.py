"""The map of a search by key, by pointer and as CSV; the lines of all runs by key."""

from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page

from tests.e2e.axe import violations
from tests.e2e.expecting import expect
from tests.e2e.watch import open_preset

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.nightly
def test_a_map_is_read_by_key_and_pointer_and_taken_as_csv(
    page: Page, computed: Callable[[str], None], tmp_path: Path
) -> None:
    open_preset(page, "Surge backlog (z/OS)")
    page.get_by_role("button", name="Find best").click()
    page.wait_for_url("**/explore/**")
    page.locator("#values0").fill("30, 36, 50")
    page.locator("#path1").select_option(label="Arrival rate [/s] (orders)")
    page.locator("#values1").fill("40, 50")
    page.locator("#search").click()
    page.wait_for_url("**experiment=exp_**")
    expect(page.get_by_text("Pausing keeps every finished point")).to_be_visible()
    computed(parse_qs(urlsplit(page.url).query)["experiment"][0])
    expect(page.locator("#progress .state")).to_have_text("succeeded")
    figure = page.locator('figure[data-chart="map"]')
    expect(figure.locator(".main-svg").first).to_be_visible()
    cells_are_read_by_key(page)
    cells_are_opened(page)
    with page.expect_download() as caught:
        figure.get_by_role("button", name="CSV").click()
    caught.value.save_as(tmp_path / "map.csv")
    lines = (tmp_path / "map.csv").read_text().splitlines()
    assert len(lines) == 3
    assert lines[0].endswith("30,36,50")
    page.get_by_role("link", name="All runs").click()
    runs_are_read_by_key(page)


@pytest.mark.parametrize("tab", [pytest.param("Sensitivity", marks=pytest.mark.nightly), "Headroom"])
def test_the_button_of_a_tab_asks_for_what_the_tab_shows(page: Page, tab: str) -> None:
    open_preset(page, "Surge backlog (z/OS)")
    page.get_by_role("button", name="Find best").click()
    page.get_by_role("link", name=tab, exact=True).click()
    page.get_by_role("button", name=f"Measure the {tab.lower()}").click()
    page.wait_for_url("**experiment=exp_**")
    expect(page.get_by_role("link", name=tab, exact=True)).to_have_attribute("aria-current", "page")
    expect(page.get_by_text("waiting for a worker")).to_be_visible()
    expect(page.get_by_role("button", name=f"Measure the {tab.lower()}")).to_have_count(0)


def cells_are_read_by_key(page: Page) -> None:
    """The arrow keys write the point under the map, Tab goes on."""
    grid = page.get_by_role("grid")
    grid.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    cell = page.get_by_role("gridcell")
    expect(cell).to_contain_text("Maximum sessions [messages] 36, Arrival rate")
    expect(cell).to_contain_text("50: ")
    assert page.evaluate("document.activeElement.getAttribute('aria-activedescendant')") == cell.get_attribute("id")
    assert violations(page) == []
    page.keyboard.press("Enter")
    expect(page.locator("#point h2")).to_contain_text("Maximum sessions 36")
    page.keyboard.press("Tab")
    expect(grid).not_to_be_focused()


def cells_are_opened(page: Page) -> None:
    """A click opens a point though the focus is in the panel of the one before."""
    page.locator("#point").get_by_text("All metrics").focus()
    box = page.locator('figure[data-chart="map"] .nsewdrag').first.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] * 5 / 6, box["y"] + box["height"] / 4)
    expect(page.locator("#point h2")).to_contain_text("Maximum sessions 50")
    expect(page.locator("#point h2")).to_contain_text("50")


def runs_are_read_by_key(page: Page) -> None:
    """Each arrow reads one run with all its numbers."""
    figure = page.locator('figure[data-chart="runs"]')
    expect(figure.locator(".main-svg").first).to_be_visible()
    figure.locator(".plot").focus()
    page.keyboard.press("ArrowRight")
    expect(figure.locator(".reading")).to_contain_text("0: Maximum sessions ")
    expect(figure.locator(".reading")).to_contain_text("Verdict ")
