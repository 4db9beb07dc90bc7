"""What holds on several pages: a phone, the theme, keys, bad input, several queues, a report without a network."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.e2e.expecting import expect
from tests.e2e.pictures import settled
from tests.e2e.watch import LONG, Watched, change, choose, import_text, open_preset, simulated
from tests.scenarios import listener_port

pytestmark = [pytest.mark.browser, pytest.mark.spark, pytest.mark.redis, pytest.mark.slow]
PHONE = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}


def sideways(page: Page) -> int:
    """Return by how many pixels the page is wider than the window."""
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


@pytest.mark.parametrize("context", [PHONE], indirect=True)
def test_a_phone_in_the_dark_shows_the_answer_first(page: Page) -> None:
    open_preset(page, "Surge backlog (z/OS)")
    assert sideways(page) == 0
    verdict, field = page.locator("#live-verdict").bounding_box(), page.get_by_label("Name", exact=True).bounding_box()
    assert verdict is not None
    assert field is not None
    assert verdict["y"] < field["y"]
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(14, 19, 23)"
    the_answer_stays_above_folded_groups(page)


def the_answer_stays_above_folded_groups(page: Page) -> None:
    """Groups are opened one at a time, and what is typed is answered in sight."""
    expect(page.get_by_label("CPUs", exact=True)).to_be_hidden()
    page.locator("summary", has_text="Server").click()
    page.get_by_label("CPUs", exact=True).fill("4")
    simulated(page)
    expect(page.locator("#live-verdict")).to_be_in_viewport()
    expect(page.locator('.live figure[data-chart="latency"] .plot')).to_be_in_viewport()
    expect(page.locator('.live figure[data-chart="throttle"] .main-svg').first).to_be_visible()
    settled(page)
    assert sideways(page) == 0


def test_the_theme_is_kept_without_a_flash(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Switch between light and dark").click()
    chosen = page.evaluate("document.documentElement.dataset.theme")
    page.reload(wait_until="commit")
    page.wait_for_selector("body", state="attached")
    assert page.evaluate("document.documentElement.dataset.theme") == chosen == "dark"


def test_keys_reach_everything(page: Page) -> None:
    page.goto("/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    page.wait_for_url("**/scenarios/start/")
    page.goto("/questions/")
    page.get_by_role("button", name="Open Surge backlog (z/OS)").focus()
    page.keyboard.press("Enter")
    simulated(page)
    slider = page.get_by_role("slider", name="Maximum sessions, slider")
    slider.focus()
    page.keyboard.press("]")
    page.keyboard.press("Shift+]")
    expect(page.get_by_label("Maximum sessions", exact=True)).to_have_value("47")
    page.keyboard.press("Control+z")
    expect(page.get_by_label("Maximum sessions", exact=True)).to_have_value("37")


def test_bad_input_is_named_and_the_last_answer_stays(page: Page) -> None:
    open_preset(page, "Surge backlog (z/OS)")
    before = page.locator("#live-verdict").inner_text()
    page.get_by_label("Maximum sessions", exact=True).fill("-5")
    expect(page.locator('[id="p-queues.0.settings.maximum_sessions"]')).to_contain_text("must be at least 1")
    expect(page.locator("#live")).to_have_attribute("data-stale", "")
    assert page.locator("#live-verdict").inner_text() == before
    change(page, "Maximum sessions", "36")
    expect(page.locator("#live")).not_to_have_attribute("data-stale", "")


@pytest.mark.nightly
def test_of_two_queues_each_has_its_charts(page: Page) -> None:
    body = listener_port("Two queues", rate="40/s")
    body["queues"].append({**body["queues"][0], "name": "bills", "service": {"kind": "constant", "mean": "20ms"}})
    import_text(page, json.dumps(body), "two.yaml")
    tail = page.locator('figure[data-chart="tail"] .sentence')
    before = tail.inner_text()
    choose(page, "Charts of the queue", "bills")
    expect(tail).not_to_have_text(before)
    expect(tail).to_contain_text("ms")
    choose(page, "Charts of the queue", "orders")
    expect(tail).to_have_text(before)


def test_a_page_says_itself_as_curl_python_and_yaml(page: Page, context: BrowserContext) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_preset(page, "Surge backlog (z/OS)")
    page.get_by_label("The same as curl, Python and YAML").click()
    expect(page.get_by_role("heading", name="YAML", exact=True)).to_be_visible()
    page.get_by_role("button", name="Copy curl").click()
    expect(page.get_by_role("button", name="Copied curl")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").startswith("curl -X POST")
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name="YAML", exact=True)).to_be_hidden()


def test_a_report_opens_from_disk_with_its_charts(page: Page, context: BrowserContext, tmp_path: Path) -> None:
    open_preset(page, "A queue behind a queue (WebSphere)")
    page.get_by_role("button", name="Run full").click()
    page.locator("#report-form > summary").click(timeout=LONG)
    page.get_by_role("button", name="Save as report").click()
    results = page.locator("section#results")
    results.locator("summary", has_text="Comment").click()
    results.get_by_role("textbox", name="Comment on results").fill("Which week?")
    results.get_by_role("button", name="Add the comment").click()
    expect(results.locator(".said")).to_have_text("Which week?")
    with page.expect_download() as caught:
        page.locator("summary", has_text="Download").click()
        page.get_by_role("link", name="Download HTML").click()
    file = tmp_path / "report.html"
    caught.value.save_as(file)
    assert file.stat().st_size <= 2_500_000
    assert "Which week?" not in file.read_text()
    opened = context.new_page()
    watched = Watched(opened)
    page.goto("about:blank")  # the page on the server asks for news now and then
    context.set_offline(True)
    opened.goto(file.as_uri())
    expect(opened.locator("figure .main-svg").first).to_be_visible(timeout=30_000)
    assert watched.complaints == []
    # What is wider than A4 between its margins prints the whole report smaller.
    opened.set_viewport_size({"width": 688, "height": 1000})
    opened.emulate_media(media="print")
    assert opened.evaluate("document.documentElement.scrollWidth") == 688
