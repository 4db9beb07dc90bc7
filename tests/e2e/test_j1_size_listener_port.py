"""J1: size a z/OS listener port from the vendor's rule, on the page and with a full run."""

import pytest
from playwright.sync_api import Locator, Page

from tests.e2e.expecting import expect
from tests.e2e.watch import change, choose, formula, listed, open_preset, run_in_full, simulated

pytestmark = [pytest.mark.browser, pytest.mark.spark, pytest.mark.redis, pytest.mark.slow]
PROFILE = "Workload profile unverified"


def test_the_rule_answers_at_once_and_works_both_ways(page: Page) -> None:
    open_preset(page, "Surge backlog (z/OS)")
    change(page, "Maximum sessions", "100")
    assert {name: formula(page, name) for name in ("threads_per_servant", "worker_threads", "baseline_sessions")} == {
        "threads_per_servant": "6",
        "worker_threads": "18",
        "baseline_sessions": "36",
    }
    assert (formula(page, "low_threshold"), formula(page, "backlog")) == ("50", "32")
    assert listed(page, "Sessions for this backlog") == "100"
    source = page.locator('#live-findings [data-rule="websphere-zos.2xwt"] .source')
    expect(source).to_contain_text("MDB throttle settings for message-driven beans")
    change(page, "Maximum sessions", "99")
    assert (formula(page, "low_threshold"), formula(page, "backlog")) == ("49", "31")
    change(page, "Maximum sessions", "100")
    page.get_by_role("checkbox", name="Low threshold equals high").check()
    simulated(page)
    assert formula(page, "low_threshold") == "100"
    for profile, cpus, threads in (("IOBOUND", "1", "5"), ("IOBOUND", "16", "30"), ("CPUBOUND", "2", "3")):
        choose(page, PROFILE, profile)
        change(page, "CPUs", cpus)
        assert formula(page, "threads_per_servant") == threads, (profile, cpus)
    for profile, threads in (("LONGWAIT", "40"), ("ISOLATE", "1")):
        choose(page, PROFILE, profile)
        assert formula(page, "threads_per_servant") == threads, profile


@pytest.mark.nightly
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
    expect(numbers.get_by_role("row", name="Idle, held back").locator(".num")).to_have_text("0 threads")
    throttle = page.locator('figure[data-chart="throttle"]')
    expect(throttle).to_contain_text("high threshold 100")
    expect(throttle).to_contain_text("low threshold 50")
    expect(throttle).to_contain_text("no thread idled behind it")
    flight = in_flight(throttle)[1:]
    assert 50 <= min(flight) < 60, "the saw-tooth begins to rise where the throttle opens"
    assert 90 < max(flight) <= 100, "and ends where it closes"


def in_flight(throttle: Locator) -> list[float]:
    """Return the messages in flight, prepared and running, from the table of the throttle's course."""
    rows = [row.locator("th, td").all_text_contents() for row in throttle.locator("tbody tr").all()]
    return [sum(float(cell.split()[0].replace(",", "")) for cell in cells[2:4]) for cells in rows]
