"""A knob on the picture, by key and by pointer: field, chart and numbers follow; a gain is applied; a map of two."""

import pytest
from playwright.sync_api import Page, ViewportSize

from tests.e2e.expecting import expect
from tests.e2e.watch import open_preset, simulated

pytestmark = [pytest.mark.browser, pytest.mark.slow]
KNOB = '.knob[data-path="queues.orders.settings.maximum_sessions"]'


def test_a_knob_moves_the_field_the_chart_and_the_numbers(page: Page) -> None:
    open_preset(page, "Idle threads behind the throttle (z/OS)")
    knob, field = page.locator(KNOB), page.get_by_label("Maximum sessions", exact=True)
    said = page.locator("#live-mechanism .sentence")
    expect(said).to_contain_text("the limit before the threads")
    knob.focus()
    page.keyboard.press("ArrowRight")
    expect(field).to_have_value("19")
    simulated(page)
    expect(knob).to_be_focused()
    expect(page.locator("#live-mechanism")).to_contain_text("closes at 19, opens at 9")
    box = knob.locator("svg").bounding_box()
    assert box
    chart = page.locator('figure[data-chart="throttle"] .sentence').inner_text()
    page.mouse.move(box["x"] + 10, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + 10, steps=5)
    page.mouse.up()
    simulated(page)
    assert 60 <= int(field.input_value()) <= 140
    expect(said).to_contain_text("Bottleneck: the 18 threads for orders")
    expect(page.locator('figure[data-chart="throttle"] .sentence')).not_to_have_text(chart)
    page.get_by_role("button", name="Undo").click()
    expect(field).to_have_value("19")


def test_what_gains_most_is_applied_with_one_press(page: Page) -> None:
    open_preset(page, "Idle threads behind the throttle (z/OS)")
    page.get_by_role("button", name="Apply Maximum sessions").click()
    expect(page.get_by_label("Maximum sessions", exact=True)).not_to_have_value("18")
    expect(page.locator('[data-path="queues.orders.settings.maximum_sessions"] .knob-curve .line')).to_be_visible()


@pytest.mark.parametrize(
    ("preset", "number", "knob"),
    [
        ("Surge backlog (z/OS)", "Met: at most 800 ms", "Maximum sessions in the picture"),
        pytest.param(
            "Bursts beside steady work (WebLogic)",
            "Missed: at most 10 s",
            "Fair share in the picture",
            marks=pytest.mark.nightly,
        ),
        pytest.param(
            "Balance of a cluster (Open MQ)",
            "Missed: at most 20 s",
            "Consumer flow limit of the factory in the picture",
            marks=pytest.mark.nightly,
        ),
    ],
)
def test_the_first_screen_holds_the_answer_and_the_headline_knob(
    page: Page, preset: str, number: str, knob: str
) -> None:
    open_preset(page, preset)
    for size in SIZES:
        page.set_viewport_size(size)
        first_screen_holds(page, size, number, knob)


SIZES: list[ViewportSize] = [{"width": 1440, "height": 900}, {"width": 390, "height": 844}]


def first_screen_holds(page: Page, size: ViewportSize, number: str, knob: str) -> None:
    hero, slider = page.locator(".hero").first, page.get_by_role("slider", name=knob).first
    expect(hero).to_contain_text(number)
    for shown in (hero, slider, page.get_by_role("button", name="Run full")):
        box = shown.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= size["height"], size
    page.evaluate("scrollTo(0, 0)")
    more = page.get_by_role("button", name="More", exact=True)
    if size["width"] < 500:
        more.click()
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_visible()
    assert more.is_visible() == (size["width"] < 500)


def test_the_range_that_meets_the_objectives_is_shaded(page: Page) -> None:
    open_preset(page, "Surge backlog (z/OS)")
    curve = page.locator('[data-path="queues.orders.settings.maximum_sessions"] .knob-curve')
    expect(curve.locator(".zone.met").first).to_be_attached()
    expect(curve.locator(".zone.lost").first).to_be_attached()
    expect(page.locator(f"{KNOB} .zone.met")).to_have_count(1)


def test_two_curves_make_a_map_whose_cells_take_both_values(page: Page) -> None:
    open_preset(page, "Surge backlog (z/OS)")
    across, down = page.get_by_label("Map of"), page.get_by_label("and", exact=True)
    draw = page.get_by_role("button", name="Draw the map")
    expect(across.get_by_role("option", name="Maximum number of instances")).to_be_attached()
    assert across.input_value() != down.input_value()
    down.select_option(across.input_value())
    draw.click()
    expect(page.get_by_text("Choose two different settings.")).to_be_visible()
    across.select_option(label="Maximum sessions")
    down.select_option(label="Maximum number of instances")
    draw.click()
    cells = page.get_by_role("region", name="Map of two settings").get_by_role("button")
    expect(page.locator("#pair tbody tr").nth(4)).to_be_visible()
    expect(page.locator("#pair td.lost button").first).to_have_text("▲")
    cell = cells.last
    words = cell.get_attribute("aria-label")
    assert words
    sessions, servants = words.split(": take ")[1].split(" and ")
    cell.click()
    expect(page.get_by_label("Maximum sessions", exact=True)).to_have_value(sessions)
    expect(page.get_by_role("textbox", name="Maximum number of instances")).to_have_value(servants)
    simulated(page)
    drawn = page.locator("#pair .map")
    expect(drawn).not_to_have_attribute("data-old", "")
    page.get_by_role("textbox", name="Arrival rate").fill("40/s")
    expect(drawn).to_have_attribute("data-old", "")
