"""J3: how many sessions answer a surge of a thousand messages best, and what a slow bean makes of them."""

import pytest
from playwright.sync_api import Page

from tests.e2e.expecting import expect
from tests.e2e.watch import difference, open_preset, p95_column, run_in_full

pytestmark = [pytest.mark.browser, pytest.mark.spark, pytest.mark.redis, pytest.mark.slow]
REFERENCE = {"18": 2.97, "36": 2.188, "50": 2.162, "100": 2.159}
"""p95 of the time to completion in seconds, from an independent simulation."""


def test_the_sweep_names_50_sessions_and_tells_close_ones_apart(page: Page) -> None:
    open_preset(page, "A thousand messages at once (z/OS)")
    run_in_full(page)
    heading = p95_column(page)
    for row in page.locator("#points tbody tr").all():
        cells = [*row.locator("th, td").all_inner_texts()]
        if cells[0] in REFERENCE:
            value, half = (float(part) for part in cells[heading].removesuffix(" s").split(" ± "))
            assert abs(value - REFERENCE[cells[0]]) <= 4 * half, cells
    sentences = page.locator("#sentences")
    expect(sentences).to_contain_text("Keep Maximum sessions at 100: drain time")
    expect(sentences).to_contain_text("compared in pairs")
    expect(page.locator('figure[data-chart="throttle"]')).to_contain_text("throttle blocked")
    differences_are_paired(page)


def differences_are_paired(page: Page) -> None:
    """The baseline, what differs, and differences far smaller than the intervals of either."""
    page.get_by_role("link", name="Compare the points").click()
    expect(page.get_by_text("baseline", exact=True)).to_have_count(1)
    expect(page.locator(".side.baseline")).to_contain_text("Maximum sessions 100")
    for column, (reference, half) in {1: (28.5, 3.1), 2: (2.8, 1.1)}.items():
        value, own = difference(page, "latency.p95", column)
        assert abs(value - reference) <= half + own, column
    worse = page.locator('#kpis [data-metric-row="latency.p95"] td').nth(1)
    expect(worse.locator("[data-verdict]")).to_have_attribute("data-verdict", "worse")
    expect(page.locator("#settings tbody tr")).to_have_count(1)
    page.locator("#only-differing").click()
    expect(page.locator('#settings [data-path="run.seed"]')).to_contain_text("42")
    expect(page.locator('figure[data-chart="differences"] .main-svg').first).to_be_visible()


@pytest.mark.nightly
def test_more_sessions_make_a_slow_bean_time_out(page: Page) -> None:
    open_preset(page, "Timeouts of a slow bean (z/OS)")
    run_in_full(page)
    risk = page.locator('figure[data-chart="risk"]')
    expect(page.locator("figure[data-chart]").first).to_have_attribute("data-chart", "risk")
    expect(risk.locator(".sentence")).to_contain_text("Queue timeouts: lowest 0 messages at 36")
    risk.get_by_text("Data", exact=True).click()
    rows = [row.inner_text().split() for row in risk.locator("tbody tr").all()]
    timeouts = {label: float(value.replace(",", "")) for label, value, *_ in rows}
    assert timeouts["36"] == 0
    assert timeouts["60"] < 0.001 * 2000 < timeouts["80"]
    for sessions, reference in {"80": 49, "100": 357, "200": 2747}.items():
        assert timeouts[sessions] == pytest.approx(reference, rel=0.15), sessions
