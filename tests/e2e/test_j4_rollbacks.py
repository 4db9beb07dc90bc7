"""J4: a receive timeout that lets transactions grow too old, seen before any run."""

import re

import pytest
from playwright.sync_api import Page

from tests.e2e.expecting import expect
from tests.e2e.watch import change, choose, enter, formula, listed, open_preset

pytestmark = [pytest.mark.browser, pytest.mark.spark, pytest.mark.redis, pytest.mark.slow]


def test_the_oldest_transaction_is_said_at_once(page: Page) -> None:
    open_preset(page, "Rollbacks of a port that polls (WebSphere)")
    assert (formula(page, "worst_case"), formula(page, "max_receive_timeout")) == ("125", "105")
    finding = page.locator('#live [data-rule="websphere.transaction-timeout"]')
    expect(finding).to_contain_text("Worst case 110 + 15 = 125 s > 120 s")
    expect(page.locator('#live [data-rule="websphere.quiet-time-rollbacks"]')).to_contain_text("1.654 %")
    bar = finding.get_by_role("img")
    expect(bar).to_have_attribute("aria-label", re.compile("waits up to 110 s, onMessage 15 s, ends at 120 s"))
    assert listed(page, "Threads held while idle") == "10"
    assert listed(page, "Conversations with IBM MQ") == "10"
    assert listed(page, "TCP connections") == "1"
    arrivals_decide_how_often(page)
    a_variable_bean_asks_for_a_shorter_wait(page)


def arrivals_decide_how_often(page: Page) -> None:
    """The share of messages that are rolled back, by the arrivals of the ten sessions, and none from 104 s on."""
    for rate, share in (("1/min", 4.16), ("10/min", 1.654), ("60/min", 0.001)):
        change(page, "Arrival rate", rate)
        assert float(formula(page, "rollback_probability")) == pytest.approx(share, abs=0.005), rate
    enter(page, {"queues.0.settings.receive_timeout": "104 s"})
    assert float(formula(page, "rollback_probability")) == 0
    expect(page.locator('#live-findings [data-rule="websphere.transaction-timeout"]')).to_have_class("finding ok")


def a_variable_bean_asks_for_a_shorter_wait(page: Page) -> None:
    """An exponential onMessage of 3.619 s takes more than 25 s once in a thousand calls."""
    choose(page, "Service time", "exponential")
    change(page, "Mean service time", "3.619 s")
    assert float(formula(page, "max_receive_timeout")) == pytest.approx(95, abs=0.02)
