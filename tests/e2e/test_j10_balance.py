"""J10: how far the broker sends messages ahead decides how a cluster shares them, with the full run of the preset."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.watch import column, open_preset, run_in_full

pytestmark = [pytest.mark.browser, pytest.mark.spark, pytest.mark.redis, pytest.mark.slow]
DRAINED = {"1000": 34.5, "500": 19.5, "64": 19.3, "48": 20.0, "32": 24.7, "16": 44.5}
"""Seconds until 1000 messages are worked off, by the consumer flow limit, from an independent simulation."""


def test_too_little_and_too_much_sent_ahead_both_cost_time(page: Page) -> None:
    open_preset(page, "Balance of a cluster (Open MQ)")
    expect(page.locator('#live-findings [data-rule="openmq.cluster-hoarding"]')).to_contain_text("while others idle")
    run_in_full(page)
    drained = {key: float(text.split()[0]) for key, text in column(page, "Drain time").items()}
    assert {key: drained[key] for key in DRAINED} == pytest.approx(DRAINED, rel=0.05)
    balance = page.locator('figure[data-chart="balance"]')
    expect(balance).to_contain_text("the busiest of 2 instances completed 100 % of the messages")
    page.get_by_role("navigation", name="Point shown below").get_by_role("link", name="64", exact=True).click()
    expect(page.locator('figure[data-chart="balance"] .sentence')).not_to_contain_text("completed 100 %")
