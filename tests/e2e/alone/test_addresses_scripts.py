"""The address holds what is shown and typed: kept, sent, gone back to; and what is put aside is counted in the bar."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.e2e.expecting import expect
from tests.e2e.watch import change, choose, open_preset, simulated

pytestmark = [pytest.mark.browser, pytest.mark.slow]
PRESET = "Surge backlog (z/OS)"
SESSIONS = "Maximum sessions"
KNOB = "queues.0.settings.maximum_sessions"


def sessions(page: Page, value: str) -> None:
    expect(page.get_by_label(SESSIONS, exact=True)).to_have_value(value)


def test_what_is_typed_is_in_the_address_and_comes_back_with_it(page: Page) -> None:
    open_preset(page, PRESET)
    address = page.url
    change(page, SESSIONS, "41")
    page.wait_for_url(re.compile(rf"\?version=1&{re.escape(KNOB)}=41$"))
    choose(page, "Arrivals", "surge")
    page.wait_for_url(re.compile(r"queues\.0\.arrivals\.kind=surge"))
    kept = page.url
    page.goto("/reports/")
    page.go_back()
    simulated(page)
    assert page.url == kept
    sessions(page, "41")
    expect(page.get_by_label("Arrivals", exact=True)).to_have_value("surge")
    expect(page.locator("#draft")).to_be_visible()
    expect(page.locator("#draft-offer")).to_be_hidden()
    page.go_forward()
    page.wait_for_url("**/reports/")
    page.goto(kept)
    simulated(page)
    choose(page, "Arrivals", "poisson")
    change(page, SESSIONS, "36")
    page.wait_for_url(re.compile(r"scenarios/[^?]*(\?version=1)?$"))
    assert page.url.split("?")[0] == address


@pytest.mark.nightly
def test_an_address_never_replaces_a_draft_unasked(page: Page) -> None:
    open_preset(page, PRESET)
    address = page.url
    change(page, SESSIONS, "41")
    page.goto(f"{address}?{KNOB}=50")
    simulated(page)
    sessions(page, "50")
    expect(page.locator("#draft-offer")).to_be_visible()
    change(page, SESSIONS, "51")
    page.goto(address)
    simulated(page)
    sessions(page, "36")
    page.get_by_role("button", name="Bring them back").click()
    simulated(page)
    sessions(page, "41")
    page.wait_for_url(re.compile(rf"{re.escape(KNOB)}=41"))


@pytest.mark.nightly
def test_a_logarithmic_axis_is_part_of_the_address(page: Page) -> None:
    open_preset(page, PRESET)
    change(page, SESSIONS, "41")
    page.wait_for_url(re.compile(KNOB))
    box = page.locator('figure[data-chart="latency"] [data-log]')
    box.check()
    assert "log=latency" in page.url
    page.reload()
    simulated(page)
    expect(box).to_be_checked()
    assert page.evaluate("document.querySelector('figure[data-chart=latency] .plot').layout.yaxis.type") == "log"


@pytest.mark.nightly
def test_an_answer_is_put_aside_by_key_and_opened_by_compare(page: Page, computed: Callable[[str], None]) -> None:
    open_preset(page, "Keep the order of arrival (z/OS)")
    page.get_by_role("button", name="Run full").click()
    page.wait_for_url("**/runs/**")
    computed(page.url.split("/")[-2])
    expect(page.locator("h1 .state")).to_have_text("final")
    first = page.url
    for place in (0, 1):
        page.goto(f"{first}?point={place}")
        page.keyboard.press("c")
        expect(page.locator("#basket-count")).to_contain_text(f"({place + 1}")
        expect(page.locator("#basket-toggle")).to_have_text("Remove from comparison")
    page.locator("header").get_by_role("link", name="Compare").click()
    page.wait_for_url(re.compile(r"/compare/\?id=run_\w+%3A0&id=run_\w+%3A1$"))
    page.locator("#basket > summary").click()
    page.get_by_role("button", name=re.compile("^Remove Keep the order")).first.click()
    expect(page.locator("#basket-count")).to_contain_text("(1")
    a_keyboard_alone_takes_it_out(page, f"{first}?point=1")


def a_keyboard_alone_takes_it_out(page: Page, address: str) -> None:
    page.goto(address)
    page.locator("#basket-toggle").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#basket-toggle")).to_have_text("Add to comparison")
    expect(page.locator("#basket-toggle")).to_be_focused()
    expect(page.locator("#basket-count")).to_have_text("")


def test_an_import_tells_that_files_are_read_and_can_be_left(page: Page) -> None:
    page.goto("/imports/new/")
    # Playwright waits while a page is on its way to the next one, so nothing is sent here.
    page.locator("form.import").evaluate("(form) => form.addEventListener('submit', (event) => event.preventDefault())")
    page.get_by_label("Or text").fill("imq.autocreate.queue.maxNumMsgs=1000\n")
    button, told = page.get_by_role("button", name="Import", exact=True), page.locator("#sending [role=status]")
    button.click()
    expect(told).to_have_text(re.compile(r"^Sending and reading the text: [1-9]\d* s so far\.$"))
    expect(button).to_be_disabled()
    page.get_by_role("button", name="Stop waiting").click()
    expect(told).to_have_text("You stopped waiting. What had arrived by then may still be read.")
    expect(button).to_be_enabled()
