"""The workbench's scripts: one question per move, undo, drafts, keys, and a server that refuses."""

from itertools import pairwise

import pytest
from playwright.sync_api import BrowserContext, Page, Request, Route

from tests.e2e.expecting import expect
from tests.e2e.watch import change, enter, open_preset, simulated

pytestmark = [pytest.mark.browser, pytest.mark.slow]
PRESET = "Surge backlog (z/OS)"
SESSIONS = "Maximum sessions"
MOVE = """(value) => {
  const slider = document.querySelector('input[type=range][aria-label="Maximum sessions, slider"]');
  slider.value = value;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
}"""


def asked_for_runs(page: Page) -> None:
    """Wait until the page has asked twice more for the runs of the drawer, as it does every few seconds."""
    for _ in range(2):
        with page.expect_response("**/runs/"):
            pass


def test_a_move_of_a_slider_is_asked_once(page: Page) -> None:
    open_preset(page, PRESET)
    asked: list[str] = []

    def note(request: Request) -> None:
        if request.url.endswith("/answer/") and request.post_data:
            asked.append(request.post_data.split("sequence=")[1].split("&")[0])

    page.on("request", note)
    before = int(page.locator("#live").get_attribute("data-shown") or 0)
    page.evaluate(MOVE, "40")
    simulated(page)
    assert set(asked) == {str(before + 1)}
    expect(page.get_by_label(SESSIONS, exact=True)).to_have_value("40")


@pytest.mark.nightly
def test_typed_values_outlive_a_look_at_an_old_version(page: Page) -> None:
    open_preset(page, PRESET)
    address = page.url
    change(page, SESSIONS, "41")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved as version 2.")).to_be_visible()
    simulated(page)
    expect(page.locator("#draft")).to_be_hidden()
    change(page, SESSIONS, "43")
    expect(page.locator("#draft")).to_be_visible()
    page.goto(f"{address}?version=1")
    simulated(page)
    expect(page.locator("#draft-offer")).to_be_hidden()
    page.goto(address)
    simulated(page)
    page.get_by_role("button", name="Bring them back").click()
    simulated(page)
    expect(page.get_by_label(SESSIONS, exact=True)).to_have_value("43")
    page.get_by_role("button", name="Undo", exact=True).first.click()
    simulated(page)
    expect(page.locator("#draft")).to_be_hidden()
    page.reload()
    simulated(page)
    expect(page.locator("#draft-offer")).to_be_hidden()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Nothing has changed.")).to_be_visible()


@pytest.mark.nightly
def test_what_was_saved_is_offered_no_more(page: Page) -> None:
    open_preset(page, PRESET)
    address = page.url
    change(page, SESSIONS, "44")
    page.get_by_role("button", name="Run full").click()
    page.wait_for_url("**/runs/**")
    page.goto(f"{address}?version=1")
    simulated(page)
    expect(page.locator("#draft-offer")).to_be_hidden()


@pytest.mark.nightly
def test_one_undo_takes_a_choice_back_that_changed_the_fields(page: Page) -> None:
    open_preset(page, PRESET)
    kind = page.locator('[id="f-queues.0.arrivals.kind"]')
    first = kind.input_value()
    kind.select_option("surge" if first != "surge" else "poisson")
    simulated(page)
    undo = page.get_by_role("button", name="Undo", exact=True)
    undo.click()
    simulated(page)
    expect(kind).to_have_value(first)
    expect(undo).to_be_disabled()
    expect(page.locator("#draft")).to_be_hidden()


@pytest.mark.nightly
def test_undo_by_key_is_the_browsers_own_outside_the_form(page: Page) -> None:
    open_preset(page, PRESET)
    change(page, SESSIONS, "45")
    tags = page.get_by_label("Tags, with commas between them")
    tags.press_sequentially("x")
    page.keyboard.press("Control+z")
    expect(tags).not_to_have_value("x")
    expect(page.get_by_label(SESSIONS, exact=True)).to_have_value("45")
    page.locator("h1").click()
    page.keyboard.press("Control+z")
    expect(page.get_by_label(SESSIONS, exact=True)).to_have_value("36")


def test_enter_in_a_field_calculates_and_saves_nothing(page: Page) -> None:
    open_preset(page, PRESET)
    address = page.url
    page.get_by_label(SESSIONS, exact=True).fill("46")
    page.keyboard.press("Enter")
    simulated(page)
    assert page.url.split("?")[0] == address
    expect(page.locator("#draft")).to_be_visible()


def test_whoever_is_signed_out_is_told_and_keeps_page_and_values(context: BrowserContext) -> None:
    page = context.new_page()
    open_preset(page, PRESET)
    kept = context.cookies()
    context.clear_cookies(name="sessionid")
    page.get_by_label(SESSIONS, exact=True).fill("47")
    expect(page.get_by_text("You are signed out.")).to_be_visible()
    expect(page.get_by_text("The server does not answer.")).to_have_count(0)
    asked_for_runs(page)
    expect(page.locator("#drawer input[name=password]")).to_have_count(0)
    context.add_cookies(kept)  # type: ignore[arg-type]
    expect(page.get_by_text("You are signed out.")).to_have_count(0)
    change(page, SESSIONS, "48")
    expect(page.locator("#live")).not_to_have_attribute("data-stale", "")


@pytest.mark.nightly
def test_an_answer_that_fails_is_not_asked_for_again_and_again(context: BrowserContext) -> None:
    page = context.new_page()
    open_preset(page, PRESET)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/answer/") else None)
    page.route("**/answer/", lambda route: route.fulfill(status=500, body="broken"))
    page.get_by_label(SESSIONS, exact=True).fill("49")
    expect(page.get_by_text("Something went wrong on the server.")).to_be_visible()
    expect(page.locator("#live-problem")).to_contain_text("an old one")
    asked_for_runs(page)
    assert len(asked) <= 3


def test_why_a_run_was_refused_is_said_until_something_changes(page: Page) -> None:
    open_preset(page, PRESET)
    enter(page, {"run.horizon.messages": "1000000000", "run.replications.max": "10000"})
    page.get_by_role("button", name="Run full").click()
    told = page.locator("#told")
    expect(told).to_contain_text("Most replications: 4 points × 10,000 replications × 1,000,000,000 messages may take")
    simulated(page)
    expect(told).to_be_visible()
    expect(page.locator('[id="p-run.replications.max"]')).to_contain_text("MAX_RUN_CPU_SECONDS")
    change(page, SESSIONS, "40")
    expect(told).to_have_count(0)
    expect(page.locator('[id="p-run.replications.max"]')).to_be_hidden()


@pytest.mark.nightly
@pytest.mark.parametrize("status", [202, 429])
def test_a_panel_that_is_told_to_wait_fills_itself(context: BrowserContext, status: int) -> None:
    """While the engine is being compiled, and where somebody asks for too many answers at once."""
    page = context.new_page()
    page.route("**/answer/", lambda route: route.fulfill(status=status, json={"reason": "Not yet."}), times=2)
    page.goto("/questions/")
    page.get_by_role("button", name=f"Open {PRESET}").click()
    expect(page.locator("#live-problem")).to_have_text("Not yet.")
    simulated(page)
    expect(page.locator("#live-problem")).to_be_hidden()


@pytest.mark.parametrize("context", [{"has_touch": True, "viewport": {"width": 390, "height": 844}}], indirect=True)
def test_a_finger_on_a_chart_scrolls_the_page(page: Page) -> None:
    open_preset(page, PRESET)
    stopped = page.locator(".live .plot .nsewdrag").first.evaluate("""(drag) => {
      const box = drag.getBoundingClientRect();
      const touch = new Touch({ identifier: 1, target: drag, clientX: box.x + 9, clientY: box.y + 9 });
      const touched = { touches: [touch], changedTouches: [touch], targetTouches: [touch] };
      return !drag.dispatchEvent(new TouchEvent("touchstart", { ...touched, bubbles: true, cancelable: true }));
    }""")
    assert stopped is False


def test_single_keys_can_be_switched_off(page: Page) -> None:
    page.goto("/?view=")
    page.keyboard.press("?")
    page.get_by_label("Single keys act as shortcuts").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    expect(page.locator("#q")).not_to_be_focused()
    page.reload()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_hidden()


@pytest.mark.parametrize("width", [1280, 390])
def test_scenarios_are_found_from_everywhere(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto("/reports/")
    held: list[Route] = []
    page.route("**/api/v1/scenarios?*", lambda route: held.append(route))
    page.keyboard.press("/")
    expect(page.locator("#palette-input")).to_be_focused()
    page.keyboard.type("balance of")
    expect(page.locator("#palette-list")).to_have_text("Looking through your scenarios …")
    held.pop().continue_()
    expect(page.get_by_role("option", name="Balance of a cluster").first).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    page.wait_for_url("**/scenarios/scn_*/")


def test_the_palette_leads_to_settings_and_help(page: Page) -> None:
    open_preset(page, PRESET)
    page.keyboard.press("Control+k")
    page.keyboard.type("maximum sessions")
    option = page.locator("#palette-list [role=option]").first
    assert option.evaluate("(it) => it.firstChild.textContent") == "Maximum sessions · Queue · orders: 36"
    page.keyboard.press("Enter")
    expect(page.locator('[id="f-queues.0.settings.maximum_sessions"]')).to_be_focused()
    page.keyboard.press("Control+k")
    page.keyboard.type("leaves out")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="What the model leaves out")).to_be_visible()
    page.keyboard.press("Control+k")
    page.keyboard.type("runs")  # the page, before what is named alike
    page.keyboard.press("Enter")
    page.wait_for_url("**/runs/")


def test_keys_of_actions_lead_to_their_pages_elsewhere(page: Page) -> None:
    for key, address in (("c", "**/compare/"), ("e", "**/experiments/")):
        page.goto("/reports/")
        page.keyboard.press(key)
        page.wait_for_url(address)


def test_what_is_too_long_for_a_live_answer_has_no_problem(page: Page) -> None:
    open_preset(page, "A thousand messages at once (z/OS)")
    enter(page, {"queues.0.arrivals.count": "1000000"})
    verdict = page.locator("#live-verdict")
    expect(verdict).to_contain_text("too many for a quick answer; a full run of these settings simulates it")
    expect(page.locator("#live-problem")).to_be_hidden()
    expect(page.locator("#wrong")).to_have_text("")
    expect(page.locator("[aria-invalid=true]")).to_have_count(0)
    expect(page.locator(".live figure[data-chart]:visible")).to_have_count(0)
    expect(page.locator("#picture-player")).to_be_hidden()
    enter(page, {"queues.0.arrivals.count": "1000"})
    expect(page.locator('.live figure[data-chart="throttle"]')).to_be_visible()


def test_marks_of_large_counts_do_not_run_together(page: Page) -> None:
    page.goto("/scenarios/start/?platform=openmq")
    page.get_by_role("button", name="Open the workbench").click()
    page.goto(f"{page.url}?queues.0.settings.max_num_msgs=100000")
    simulated(page)
    marks = page.locator('.field[data-path$="max_num_msgs"] .ticks')
    expect(marks).to_have_text("1001k10k100k10M")
    boxes = [mark.bounding_box() for mark in marks.locator("span").all()]
    ends = [(box["x"], box["x"] + box["width"]) for box in boxes if box]
    assert all(end < start for (_, end), (start, _) in pairwise(ends))


def test_a_field_with_the_focus_is_never_under_the_verdict(page: Page) -> None:
    page.set_viewport_size({"width": 1440, "height": 700})
    open_preset(page, PRESET)
    page.get_by_label("Tags, with commas between them").focus()
    for _ in range(12):
        page.keyboard.press("Shift+Tab")
        # While curves arrive above, a layout may be asked for before the browser has scrolled along.
        page.wait_for_function("""() => {
          const [at, over] = [document.activeElement, document.getElementById("live-verdict")];
          if (!at.closest(".live") || over.contains(at)) return true;
          return at.getBoundingClientRect().top >= over.getBoundingClientRect().bottom - 1;
        }""")
