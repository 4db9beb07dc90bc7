"""Every page in every state: axe finds nothing in light and dark, keys reach it, it can be read without scripts."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.e2e.axe import Look, violations
from tests.e2e.conftest import Site, signed_in
from tests.e2e.expecting import expect
from tests.e2e.pictures import picture, settled, wrong_to_see
from tests.e2e.staged import staged
from tests.e2e.states import BY_NIGHT, STATES, Made, workbench
from tests.e2e.test_explore import search
from tests.e2e.watch import Watched, change, choose, open_preset, run_in_full, simulated

pytestmark = [pytest.mark.browser, pytest.mark.spark, pytest.mark.redis, pytest.mark.slow]
LIGHT: dict[str, Any] = {"color_scheme": "light"}
DARK: dict[str, Any] = {"color_scheme": "dark"}
DESK, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
LOOKS: dict[Look, tuple[dict[str, Any], dict[str, int]]] = {
    "light": (LIGHT, DESK),
    "dark": (DARK, DESK),
    "phone": (LIGHT, PHONE),
}
"""Each page is opened once and looked at in all of them: another theme or width is an event, no other page."""
PRESET = "Keep the order of arrival (z/OS)"


@pytest.fixture(scope="module")
def made(browser: Browser, site: Site) -> Iterator[Made]:
    """A scenario of two versions with a run each, a search, a report, and the stored server and queue."""
    context = signed_in(browser, site)
    page = context.new_page()
    open_preset(page, PRESET)
    scenario = page.url
    page.goto(f"{scenario}?run.seed=7")  # otherwise another test's run of the same content may be the answer
    simulated(page)
    run_in_full(page)
    run = page.url
    page.locator("#report-form > summary").click()
    page.get_by_role("button", name="Save as report").click()
    page.wait_for_url("**/reports/**")
    report = page.url
    page.goto(scenario)
    simulated(page)
    search(page)
    found = page.url
    page.goto(scenario)
    simulated(page)
    choose(page, "Swept setting", "")
    change(page, "Maximum sessions", "2")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved as version 3.")).to_be_visible()
    run_in_full(page)
    runs = staged(str(site.folder), site.address, page.url.split("/")[-2])
    compared = f"/compare/?id={run.split('/')[-2]}&id={page.url.split('/')[-2]}"
    page.goto("/inventory/")
    stored = [page.locator(f'a[href^="/inventory/{key}"]').first for key in ("servers/srv_", "queues/que_")]
    server, queue = (link.get_attribute("href") or "" for link in stored)
    yield Made(runs, scenario, run, compared, found, report, server, queue)
    context.close()


@pytest.fixture(scope="module")
def walk(browser: Browser, site: Site) -> Iterator[Page]:
    """One page for all states: some begin where the one before them ends."""
    context = signed_in(browser, site)
    page = context.new_page()
    watched = Watched(page)
    yield page
    assert watched.complaints == []
    context.close()


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.nightly) if name in BY_NIGHT else name for name in STATES]
)
def test_every_state_is_accessible_and_fit_to_be_seen(walk: Page, made: Made, name: str) -> None:
    wrong = {}
    STATES[name](walk, made)
    for look, (theme, size) in LOOKS.items():
        walk.emulate_media(**theme)
        walk.set_viewport_size(size)  # type: ignore[arg-type]
        settled(walk)
        told = violations(walk, look)
        found = [*told, *wrong_to_see(walk)]
        picture(walk, look, name)
        if found:
            wrong[look] = found
    walk.context.set_offline(False)
    walk.set_viewport_size(DESK)  # type: ignore[arg-type]
    walk.emulate_media(**LIGHT)
    assert wrong == {}


def test_axe_finds_nothing_before_signing_in(browser: Browser, site: Site) -> None:
    for scheme in (LIGHT, DARK):
        context = browser.new_context(base_url=site.address, **scheme)
        page = context.new_page()
        page.goto("/login/")
        assert violations(page) == []
        page.get_by_label("Name").fill("nobody")
        page.get_by_label("Password").fill("wrong")
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("alert")).to_be_visible()
        assert violations(page) == []
        context.close()


def test_axe_finds_nothing_where_nothing_is(context: BrowserContext) -> None:
    page = context.new_page()
    page.goto("/scenarios/scn_0000000000000000/")
    expect(page.locator(".fault")).to_contain_text("404")
    assert violations(page) == []


def test_the_keys_of_the_help_work(page: Page, made: Made) -> None:
    workbench(page, made)
    page.keyboard.press("w")
    expect(page.locator("#live-findings")).to_be_focused()
    for key, address in (("i", "/inventory/"), ("r", "/reports/"), ("s", "/")):
        page.keyboard.press("g")
        page.keyboard.press(key)
        page.wait_for_url(f"**{address}")
        expect(page.locator("#run-count")).not_to_have_text("…")
    page.keyboard.press("/")
    expect(page.locator("#q")).to_be_focused()


def test_every_control_of_the_workbench_is_reached_by_tab(page: Page, made: Made) -> None:
    """Focus goes through all controls once, in reading order, and can always be seen; buttons lie between them."""
    workbench(page, made)
    wanted = page.evaluate(f"({CONTROLS}).map(({NAME}))")
    page.evaluate(f"({CONTROLS})[0].focus()")
    reached: list[str] = []
    for _ in range(4 * len(wanted)):
        at, shown = page.evaluate(FOCUSED)
        assert shown, reached[-3:]
        reached += [] if at is None else [at]
        if len(reached) == len(wanted):
            break
        page.keyboard.press("Tab")
    assert reached == wanted


NAME = "(control) => control.id || control.dataset.for || ''"
KIND = "input, select, textarea, summary"
CONTROLS = f"""[...document.querySelectorAll('#fields :is({KIND}):not([type=hidden])')]
  .filter((control) => control.checkVisibility())"""
FOCUSED = f"""() => {{
  const at = document.activeElement;
  const control = at.matches('#fields :is({KIND})');
  return [control ? ({NAME})(at) : null, getComputedStyle(at).outlineStyle !== 'none'];
}}"""


@pytest.mark.parametrize("context", [{"reduced_motion": "reduce"}], indirect=True)
def test_nothing_moves_for_people_who_asked_for_that(page: Page, made: Made) -> None:
    workbench(page, made)
    moving = page.evaluate("""[...document.querySelectorAll('*')].filter((part) => {
      const style = getComputedStyle(part);
      return style.transitionDuration !== '0s' || style.animationName !== 'none';
    }).map((part) => part.className)""")
    assert moving == []


@pytest.mark.parametrize("context", [{"java_script_enabled": False}], indirect=True)
def test_everything_can_be_read_and_calculated_without_scripts(page: Page, made: Made) -> None:
    page.goto(made.run)
    expect(page.locator("#points tbody tr").first).to_be_visible()
    expect(page.locator("#sentences")).to_contain_text(re.compile(r"±\s\d"))
    expect(page.locator("figure noscript, figure p").first).to_be_visible()
    page.goto(made.report)
    expect(page.get_by_role("heading", name="Summary")).to_be_visible()
    expect(page.get_by_role("table").first).to_be_visible()
    page.goto(made.scenario)
    page.get_by_label("Maximum sessions", exact=True).fill("3")
    page.get_by_role("button", name="Calculate").last.click()
    expect(page.get_by_label("Maximum sessions", exact=True)).to_have_value("3")
    expect(page.locator("#live-verdict")).to_contain_text("simulated")
    page.goto("/runs/")
    expect(page.get_by_role("heading", name="Runs")).to_be_visible()


@pytest.mark.nightly
def test_what_was_typed_survives_a_server_that_is_away(context: BrowserContext, made: Made) -> None:
    page = context.new_page()
    page.goto(made.scenario)
    simulated(page)
    saved = page.get_by_label("Maximum sessions", exact=True).input_value()
    context.set_offline(True)
    page.get_by_label("Maximum sessions", exact=True).fill("7")
    expect(page.get_by_text("The server does not answer.")).to_be_visible()
    context.set_offline(False)
    expect(page.get_by_text("The server does not answer.")).to_have_count(0)
    simulated(page)
    expect(page.locator("#live")).not_to_have_attribute("data-stale", "")
    page.reload()
    simulated(page)
    expect(page.get_by_label("Maximum sessions", exact=True)).to_have_value("7")
    page.goto(made.scenario)
    simulated(page)
    page.get_by_role("button", name="Bring them back").click()
    simulated(page)
    expect(page.get_by_label("Maximum sessions", exact=True)).to_have_value("7")
    page.get_by_role("button", name="Undo").click()
    simulated(page)
    expect(page.get_by_label("Maximum sessions", exact=True)).to_have_value(saved)
