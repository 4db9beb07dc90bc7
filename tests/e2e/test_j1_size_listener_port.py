"""J1: size a z/OS listener port from the vendor's rule, on the page and with a full run."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.watch import change, choose, formula, open_preset, run_in_full, simulated

pytestmark = [pytest.mark.browser, pytest.mark.spark, pytest.mark.redis, pytest.mark.slow]


def test_the_rule_answers_at_once_and_works_both_ways(page: Page) -> None:
    open_preset(page, "Surge backlog (z/OS)")
    change(page, "Maximum sessions", "100")
    assert {name: formula(page, name) for name in ("threads_per_servant", "worker_threads", "baseline_sessions")} == {
        "threads_per_servant": "6",
        "worker_threads": "18",
        "baseline_sessions": "36",
    }
    assert (formula(page, "low_threshold"), formula(page, "backlog")) == ("50", "32")
    change(page, "Maximum sessions", "99")
    assert (formula(page, "low_threshold"), formula(page, "backlog")) == ("49", "31")
    change(page, "Maximum sessions", "100")
    page.get_by_role("checkbox", name="Low threshold equals high").check()
    simulated(page)
    assert formula(page, "low_threshold") == "100"
    change(page, "CPUs", "16")
    assert formula(page, "threads_per_servant") == "30"
    choose(page, "Workload profile unverified", "LONGWAIT")
    assert formula(page, "threads_per_servant") == "40"


def test_a_full_run_leaves_a_backlog_of_32_at_every_release(page: Page) -> None:
    open_preset(page, "Surge backlog (z/OS)")
    change(page, "Maximum sessions", "100")
    choose(page, "Arrivals", "saturated")
    choose(page, "Swept setting", "")
    run_in_full(page)
    page.get_by_text("All numbers of this point").click()
    numbers = page.locator("details", has_text="All numbers of this point")
    for title in ("Smallest backlog at release", "Largest backlog at release"):
        expect(numbers.get_by_role("row", name=title).locator(".num")).to_have_text("32 messages")
    expect(numbers.get_by_role("row", name="Idle behind a gate").locator(".num")).to_have_text("0 threads")
    throttle = page.locator('figure[data-chart="throttle"]')
    expect(throttle).to_contain_text("high threshold 100")
    expect(throttle).to_contain_text("low threshold 50")
    expect(throttle).to_contain_text("no thread idled behind it")
