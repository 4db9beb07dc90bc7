"""J8: what a batch does for a thread, seen before any run, and why many threads need none.

What the settings give in simulation is compared where the search shows them all, in test_explore.py.
"""

import pytest
from playwright.sync_api import Page

from tests.e2e.expecting import expect
from tests.e2e.watch import agrees, enter, listed, open_preset

pytestmark = [pytest.mark.browser, pytest.mark.spark, pytest.mark.redis, pytest.mark.slow]
BATCH, COMMIT = "queues.0.settings.max_messages_in_transaction", "queues.0.settings.commit_time"
MANAGERS = "servers.0.settings.work_managers"
CEILINGS = {1: 40.0, 2: 66.67, 5: 111.1, 10: 142.9}
"""Messages per second of one thread by the size of the batch: b / (20 ms + b x 5 ms)."""


def ceiling(page: Page) -> float:
    return float(listed(page, "Ceiling of one thread").removesuffix("/s"))


@pytest.mark.nightly
def test_batches_raise_the_ceiling_of_a_thread_unless_there_are_too_many_threads(page: Page) -> None:
    open_preset(page, "Messages in one transaction (WebLogic)")
    enter(page, {BATCH: "1", COMMIT: "8 ms"})
    unbatched = ceiling(page)
    assert unbatched == pytest.approx(76.92, abs=0.01)
    for size, carried in CEILINGS.items():
        enter(page, {BATCH: str(size), COMMIT: "20 ms"})
        assert ceiling(page) == pytest.approx(carried, abs=0.05), size
    assert CEILINGS[2] < unbatched < CEILINGS[5], "two phases with a batch of 5 beat one phase without"
    enter(page, {BATCH: "10", MANAGERS: [{"name": "postings", "fair_share": 50, "max_threads": 16}]})
    verdict = page.locator("#live-verdict")
    held = verdict.inner_text().split("A transaction holds")[1]
    assert "messages on average, at most 10." in held
    assert agrees(held, 1.017)
    assert agrees(verdict.inner_text().split("p95 latency of")[1], 35, also=0.02)
    rule = page.locator('#live-findings [data-rule="weblogic.batches-form"]')
    expect(rule).to_contain_text("messages run in parallel instead of in batches")
