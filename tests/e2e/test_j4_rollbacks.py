"""J4: a receive timeout that lets transactions grow too old, seen before any run."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.watch import formula, open_preset

pytestmark = [pytest.mark.browser, pytest.mark.spark, pytest.mark.redis, pytest.mark.slow]


def test_the_oldest_transaction_is_said_at_once(page: Page) -> None:
    open_preset(page, "Rollbacks of a port that polls (WebSphere)")
    assert (formula(page, "worst_case"), formula(page, "max_receive_timeout")) == ("125", "105")
    finding = page.locator('#live [data-rule="websphere.transaction-timeout"]')
    expect(finding).to_contain_text("Worst case 110 + 15 = 125 s > 120 s")
    expect(page.locator('#live [data-rule="websphere.quiet-time-rollbacks"]')).to_contain_text("1.654 %")
