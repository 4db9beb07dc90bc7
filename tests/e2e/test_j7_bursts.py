"""J7: bursts and steady streams beside other work: what a high fair share and reserved threads do for them."""

import re

import pytest
from playwright.sync_api import Locator, Page

from tests.e2e.expecting import expect
from tests.e2e.watch import agrees, enter, open_preset, p95_column, run_in_full

pytestmark = [pytest.mark.browser, pytest.mark.spark, pytest.mark.redis, pytest.mark.slow]
REFERENCE = {"20": 19.3, "320": 5.0}
"""p95 in seconds of a burst of 400 by the fair share of the bean beside 80, from an independent simulation."""


RESERVED = {6: 12.8, 16: 4.9}
"""The same with a share of 20 beside 80 and that many threads reserved."""
SHARES = "#live-findings [data-rule='weblogic.share-for-bursts']"
STEADY = "#live-findings [data-rule='weblogic.reserve-for-steady-work']"


def test_a_high_fair_share_answers_bursts(page: Page) -> None:
    open_preset(page, "Bursts beside steady work (WebLogic)")
    run_in_full(page)
    place = p95_column(page)
    rows = [row.locator("th, td").all_inner_texts() for row in page.locator("#points tbody tr").all()]
    found = {cells[0]: float(cells[place].split()[0]) for cells in rows if cells[0] in REFERENCE}
    assert found == pytest.approx(REFERENCE, rel=0.05)


@pytest.mark.nightly
def test_reserved_threads_help_bursts_no_more_than_a_share_and_a_steady_stream_needs_them(page: Page) -> None:
    open_preset(page, "Bursts beside steady work (WebLogic)")
    verdict = page.locator("#live-verdict")
    expect(page.locator(SHARES)).to_contain_text("use a fair share and give the threads back in between")
    for threads, p95 in RESERVED.items():
        reserve(page, threads)
        assert agrees(verdict.inner_text().split("p95 latency of")[1], p95), threads
    expect(page.locator(SHARES)).to_contain_text("Bursts reserve threads all the time")
    reserve(page, None)
    enter(page, {"queues.0.arrivals.kind": "poisson"})
    enter(page, {"queues.0.arrivals.rate": "25/s"})
    a_steady_stream_needs_six_threads(page)


def a_steady_stream_needs_six_threads(page: Page) -> None:
    """Unstable at 19.9/s without them; with them 25/s are carried, and what that costs the HTTP requests is said."""
    verdict = page.locator("#live-verdict")
    expect(verdict).to_contain_text("Unstable")
    expect(verdict).not_to_contain_text("p95")
    carried = re.search(r"it completes ([\d.]+)\s±\s[\d.]+/s", verdict.inner_text())
    assert carried
    assert float(carried[1]) == pytest.approx(19.9, rel=0.02)
    assert agrees(beside(verdict), 159.8)
    expect(page.locator(STEADY)).to_contain_text("reserve 6 by a min-threads-constraint")
    reserve(page, 6)
    assert agrees(verdict.inner_text().split("p95 latency of")[1], 0.82)
    assert agrees(beside(verdict), 149.5)
    expect(page.locator(STEADY)).to_contain_text("6 threads are reserved for a steady stream that needs 6")


def reserve(page: Page, threads: int | None) -> None:
    """Reserve that many threads for the bean, which has a fair share of 20 beside 80."""
    enter(page, {"servers.0.settings.work_managers.1.min_threads": "" if threads is None else threads})


def beside(verdict: Locator) -> str:
    """Return what is said of the HTTP requests."""
    return verdict.inner_text().split("Meanwhile http completes")[1]
