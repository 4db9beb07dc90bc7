"""Every page in every state: axe finds nothing in light and dark, keys reach it, it can be read without scripts."""

import re
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.axe import violations
from tests.e2e.conftest import Site, signed_in
from tests.e2e.pictures import picture, wrong_to_see
from tests.e2e.test_explore import search
from tests.e2e.watch import PATIENCE, change, choose, run_in_full, simulated

pytestmark = [pytest.mark.browser, pytest.mark.spark, pytest.mark.redis, pytest.mark.slow]
LIGHT: dict[str, Any] = {"color_scheme": "light"}
DARK: dict[str, Any] = {"color_scheme": "dark"}
PHONE = {"viewport": {"width": 390, "height": 844}}
LOOKS = {"light": LIGHT, "dark": DARK, "phone": PHONE}
PRESET = "Keep the order of arrival (z/OS)"


@dataclass(frozen=True)
class Made:
    """Addresses of what was made through the pages before the tests look at it."""

    scenario: str
    run: str
    compared: str
    search: str
    report: str
    server: str
    queue: str


@pytest.fixture(scope="module")
def made(browser: Browser, site: Site) -> Iterator[Made]:
    """A scenario of two versions with a run each, a search, a report, and the stored server and queue."""
    context = signed_in(browser, site)
    page = context.new_page()
    page.goto("/")
    page.get_by_role("button", name=f"Open {PRESET}").click()
    simulated(page)
    scenario = page.url
    run_in_full(page)
    run = page.url
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
    expect(page.get_by_text("Saved as version 2.")).to_be_visible()
    run_in_full(page)
    compared = f"/compare/?id={run.split('/')[-2]}&id={page.url.split('/')[-2]}"
    page.goto("/inventory/")
    stored = [page.locator(f'a[href^="/inventory/{key}"]').first for key in ("servers/srv_", "queues/que_")]
    server, queue = (link.get_attribute("href") or "" for link in stored)
    yield Made(scenario, run, compared, found, report, server, queue)
    context.close()


def archived(page: Page, made: Made) -> None:
    page.goto("/?archived=1")


def kept_view(page: Page, made: Made) -> None:
    """The table by a view of one's own, everything about views open."""
    page.goto("/?group=platform&slo=none&col=answer&col=trend")
    page.locator(".keep > summary").click()
    page.get_by_label("Name of the view").fill(f"View {secrets.token_hex(4)}")
    page.get_by_role("button", name="Keep", exact=True).click()
    expect(page.get_by_text("is kept. Its address")).to_be_visible()
    page.locator(".keep > summary").click()


def empty_search(page: Page, made: Made) -> None:
    page.goto("/?q=nothing-like-it")


def workbench(page: Page, made: Made) -> None:
    page.goto(made.scenario)
    simulated(page)


def opened_fields(page: Page, made: Made) -> None:
    """Every folded part of the workbench that is shown is open."""
    page.evaluate(UNFOLD)


UNFOLD = """document.querySelectorAll('main details:not([open])').forEach((part) => {
  part.open = true;
  part.dataset.unfolded = "";
})"""
FOLD = "document.querySelectorAll('[data-unfolded]').forEach((part) => { part.open = false })"


def invalid_value(page: Page, made: Made) -> None:
    """A wrong value in the same workbench, folded again."""
    page.evaluate(FOLD)
    page.get_by_label("Maximum sessions", exact=True).fill("-5")
    expect(page.locator("#live")).to_have_attribute("data-stale", "")


def refused_form(page: Page, made: Made) -> None:
    """What the server answers when that is saved."""
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("[aria-invalid]")).to_have_count(1)
    page.wait_for_load_state()


def old_version(page: Page, made: Made) -> None:
    page.goto(f"{made.scenario}?version=1")
    simulated(page)


def stale_run(page: Page, made: Made) -> None:
    page.goto(made.run)
    expect(page.locator("#stale")).to_be_visible()
    expect(page.locator("figure .main-svg").first).to_be_visible(timeout=PATIENCE)
    page.evaluate(UNFOLD)


def drawn(address: Callable[[Made], str]) -> Callable[[Page, Made], None]:
    """A state that is one address, once its first chart is drawn."""

    def show(page: Page, made: Made) -> None:
        page.goto(address(made))
        expect(page.locator("figure .main-svg").first).to_be_visible(timeout=PATIENCE)

    return show


def key_help(page: Page, made: Made) -> None:
    page.goto("/")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()


def open_drawer(page: Page, made: Made) -> None:
    page.goto("/")
    expect(page.locator("#run-count")).not_to_have_text("…")
    page.locator("details.drawer > summary").click()
    expect(page.locator("#drawer a").first).to_be_visible()


def refused_server(page: Page, made: Made) -> None:
    page.goto(made.server)
    page.get_by_label("CPUs", exact=True).fill("0")
    page.get_by_role("button", name="Save").first.click()
    expect(page.locator("[aria-invalid]")).to_have_count(1)


def at(address: Callable[[Made], str]) -> Callable[[Page, Made], None]:
    """A state that is one address."""

    def show(page: Page, made: Made) -> None:
        page.goto(address(made))

    return show


# Some states of the workbench begin where the one before ended: opening it costs a simulation.
STATES: dict[str, Callable[[Page, Made], None]] = {
    "scenarios": at(lambda made: "/"),
    "scenarios, filters and groups": at(lambda made: "/?group=platform&made=me"),
    "scenarios, a kept view": kept_view,
    "archive": archived,
    "empty search": empty_search,
    "workbench": workbench,
    "workbench, everything open": opened_fields,
    "workbench, invalid value": invalid_value,
    "workbench, refused": refused_form,
    "workbench, old version": old_version,
    "versions": at(lambda made: f"{made.scenario}versions/?from=1&to=2"),
    "run, older than the scenario": stale_run,
    "runs": at(lambda made: "/runs/"),
    "drawer": open_drawer,
    "compare, empty": at(lambda made: "/compare/"),
    "compare, two runs": drawn(lambda made: made.compared),
    "explore, nothing asked": at(lambda made: f"{made.scenario}explore/?tab=sensitivity"),
    "explore, a search": drawn(lambda made: f"{made.search}&cell=2"),
    "explore, front": drawn(lambda made: made.search.replace("tab=map", "tab=front")),
    "explore, all runs": drawn(lambda made: made.search.replace("tab=map", "tab=all")),
    "explorations": at(lambda made: "/experiments/"),
    "telemetry": at(lambda made: "/telemetry/"),
    "import": at(lambda made: "/imports/new/"),
    "export of a run": at(lambda made: f"{made.run}export/"),
    "export of a scenario": at(lambda made: f"{made.scenario}export/"),
    "inventory": at(lambda made: "/inventory/"),
    "archived inventory": at(lambda made: "/inventory/?archived=1"),
    "new server": at(lambda made: "/inventory/servers/new/?platform=weblogic"),
    "server": at(lambda made: made.server),
    "server, refused": refused_server,
    "queue": at(lambda made: made.queue),
    "reports": at(lambda made: "/reports/"),
    "report": drawn(lambda made: made.report),
    "tokens": at(lambda made: "/account/tokens/"),
    "keys": key_help,
}


@pytest.mark.parametrize("context", LOOKS.values(), indirect=True, ids=LOOKS)
def test_every_state_is_accessible_and_fit_to_be_seen(page: Page, made: Made, request: pytest.FixtureRequest) -> None:
    look = next(name for name in LOOKS if name in request.node.callspec.id)
    wrong = {}
    for name, show in STATES.items():
        show(page, made)
        found = [*violations(page), *wrong_to_see(page)]
        picture(page, look, name)
        if found:
            wrong[name] = found
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
    """Focus goes through all controls once, in reading order, and can always be seen."""
    workbench(page, made)
    wanted = page.evaluate(CONTROLS)
    page.locator("#scenario-form [name=name]").focus()
    reached = []
    for _ in range(len(wanted)):
        reached.append(page.evaluate("document.activeElement.id || document.activeElement.dataset.for || ''"))
        shown = "getComputedStyle(document.activeElement).outlineStyle !== 'none'"
        assert page.evaluate(shown), reached[-1]
        page.keyboard.press("Tab")
    assert reached == wanted


CONTROLS = """[...document.querySelectorAll('#fields :is(input, select, textarea, summary):not([type=hidden])')]
  .filter((control) => control.checkVisibility()).map((control) => control.id || control.dataset.for || '')"""


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
    expect(page.locator("#sentences")).to_contain_text(re.compile(r"± \d"))
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


def test_what_was_typed_survives_a_server_that_is_away(context: BrowserContext, made: Made) -> None:
    page = context.new_page()
    page.goto(made.scenario)
    simulated(page)
    saved = page.get_by_label("Maximum sessions", exact=True).input_value()
    context.set_offline(True)
    page.get_by_label("Maximum sessions", exact=True).fill("7")
    expect(page.get_by_text("The server does not answer.")).to_be_visible(timeout=PATIENCE)
    context.set_offline(False)
    expect(page.get_by_text("The server does not answer.")).to_have_count(0, timeout=PATIENCE)
    simulated(page)
    expect(page.locator("#live")).not_to_have_attribute("data-stale", "")
    page.reload()
    simulated(page)
    page.get_by_role("button", name="Bring them back").click()
    simulated(page)
    expect(page.get_by_label("Maximum sessions", exact=True)).to_have_value("7")
    page.get_by_role("button", name="Undo").click()
    simulated(page)
    expect(page.get_by_label("Maximum sessions", exact=True)).to_have_value(saved)
