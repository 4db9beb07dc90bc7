"""J5: what it costs to keep the order of arrival, with the full run of the preset."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.watch import column, formula, listed, open_preset, run_in_full

pytestmark = [pytest.mark.browser, pytest.mark.spark, pytest.mark.redis, pytest.mark.slow]
OVERTAKEN = {"1": 0.0, "2": 18.5, "4": 23.3, "36": 23.5}
"""Percent of the messages that finish after a later one, by sessions, from an independent simulation (± 1 point)."""


def test_only_one_session_keeps_the_order_and_this_is_its_price(page: Page) -> None:
    open_preset(page, "Keep the order of arrival (z/OS)")
    assert listed(page, "Largest throughput") == "20/s"
    assert listed(page, "Load") == "75"
    assert formula(page, "worker_threads") == "18"
    run_in_full(page)
    shown = column(page, "Overtaken")
    assert shown["1"].split()[0] == "0"
    assert {key: float(text.split()[0]) for key, text in shown.items()} == pytest.approx(OVERTAKEN, abs=1.0)
    mean = {key: float(text.split()[0]) for key, text in column(page, "Mean latency").items()}
    assert mean["1"] == pytest.approx(200, rel=0.05)
    assert mean["36"] == pytest.approx(50, rel=0.05)
    expect(page.locator("#sentences")).to_contain_text("Maximum sessions")
