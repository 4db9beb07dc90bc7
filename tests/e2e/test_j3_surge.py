"""J3, first half: how many sessions answer a surge of a thousand messages best."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.watch import open_preset, p95_column, run_in_full

pytestmark = [pytest.mark.browser, pytest.mark.spark, pytest.mark.redis, pytest.mark.slow]
REFERENCE = {"18": 2.97, "36": 2.188, "50": 2.162, "100": 2.159}
"""p95 of the time to completion in seconds, from an independent simulation."""


def test_the_sweep_names_50_sessions(page: Page) -> None:
    open_preset(page, "A thousand messages at once (z/OS)")
    run_in_full(page)
    heading = p95_column(page)
    for row in page.locator("#points tbody tr").all():
        cells = [*row.locator("th, td").all_inner_texts()]
        if cells[0] in REFERENCE:
            value, half = (float(part) for part in cells[heading].removesuffix(" s").split(" ± "))
            assert abs(value - REFERENCE[cells[0]]) <= 4 * half, cells
    sentences = page.locator("#sentences")
    expect(sentences).to_contain_text("Maximum sessions 50 is enough")
    expect(sentences).to_contain_text("compared message by message")
    expect(page.locator('figure[data-chart="throttle"]')).to_contain_text("throttle blocked")
