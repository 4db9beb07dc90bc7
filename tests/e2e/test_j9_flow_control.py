"""J9: producers are slowed down step by step, and recover."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.watch import choose, open_preset, run_in_full

pytestmark = [pytest.mark.browser, pytest.mark.spark, pytest.mark.redis, pytest.mark.slow]


def test_the_limit_decays_in_steps_and_climbs_again(page: Page) -> None:
    open_preset(page, "Producers slowed down (WebLogic)")
    choose(page, "Swept setting", "")
    run_in_full(page)
    flow = page.locator('figure[data-chart="flow"]')
    expect(flow).to_contain_text("FlowMaximum 500")
    expect(flow).to_contain_text("FlowMinimum 50")
    expect(flow).to_contain_text("condition on")
    flow.get_by_text("Data", exact=True).click()
    rows = [row.inner_text().split("\t") for row in flow.locator("tbody tr").all()]
    limits = [float(text.removesuffix("/s")) for _, text in rows if text.endswith("/s")]
    assert limits[:11] == pytest.approx(
        [500, 397.2, 315.5, 250.6, 199.1, 158.1, 125.6, 99.8, 79.2, 62.9, 50.0], abs=0.1
    )
    assert limits[11] == pytest.approx(95, abs=0.1)
    began = [float(at.split()[0]) for at, text in rows if text.endswith("/s")]
    for step in range(1, 11):
        assert began[step] - began[0] == pytest.approx(6 * step, abs=0.6)


def test_the_cursor_reads_the_limit_aloud(page: Page) -> None:
    open_preset(page, "Producers slowed down (WebLogic)")
    choose(page, "Swept setting", "")
    run_in_full(page)
    plot = page.locator('figure[data-chart="flow"] .plot')
    plot.focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("status").filter(has_text="messages inside")).to_have_count(1)
    with page.expect_download() as caught:
        page.locator('figure[data-chart="flow"]').get_by_role("button", name="CSV").click()
    assert "limit of a producer" in Path(caught.value.path()).read_text(encoding="utf-8")
