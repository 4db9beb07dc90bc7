"""J7: bursts beside steady work: what a high fair share does for them."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.watch import change, choose, open_preset, p95_column, run_in_full

pytestmark = [pytest.mark.browser, pytest.mark.spark, pytest.mark.redis, pytest.mark.slow]
REFERENCE = {"20": 19.3, "320": 5.0}
"""p95 in seconds of a burst of 400 by the fair share of the bean beside 80, from an independent simulation."""


def test_a_high_fair_share_answers_bursts(page: Page) -> None:
    open_preset(page, "Bursts beside steady work (WebLogic)")
    run_in_full(page)
    place = p95_column(page)
    rows = [row.locator("th, td").all_inner_texts() for row in page.locator("#points tbody tr").all()]
    found = {cells[0]: float(cells[place].split()[0]) for cells in rows if cells[0] in REFERENCE}
    assert found == pytest.approx(REFERENCE, rel=0.05)


def test_a_steady_stream_is_too_much_for_a_low_share(page: Page) -> None:
    open_preset(page, "Bursts beside steady work (WebLogic)")
    choose(page, "Arrivals", "poisson")
    change(page, "Rate", "25/s")
    expect(page.locator("#live-verdict")).to_contain_text("Unstable")
    expect(page.locator("#live-verdict")).not_to_contain_text("95 %")
