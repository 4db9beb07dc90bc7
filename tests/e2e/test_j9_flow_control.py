"""J9: producers are slowed down step by step, and recover."""

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.e2e.expecting import expect
from tests.e2e.watch import choose, enter, listed, open_preset, run_in_full

pytestmark = [pytest.mark.browser, pytest.mark.spark, pytest.mark.redis, pytest.mark.slow]
DOWN = [500, 397.2, 315.5, 250.6, 199.1, 158.1, 125.6, 99.8, 79.2, 62.9, 50.0]
"""Messages per second of one producer, step by step."""
FLOW_MAXIMUM, FLOW_MINIMUM = "queues.0.settings.flow_maximum", "queues.0.settings.flow_minimum"
QUOTA = "queues.0.settings.messages_quota"


@pytest.mark.nightly
def test_the_limit_decays_in_steps_and_climbs_again(page: Page) -> None:
    open_preset(page, "Producers slowed down (WebLogic)")
    choose(page, "Swept setting", "")
    the_steps_are_said_at_once(page)
    run_in_full(page)
    flow = page.locator('figure[data-chart="flow"]')
    expect(flow).to_contain_text("FlowMaximum 500")
    expect(flow).to_contain_text("FlowMinimum 50")
    expect(flow).to_contain_text("condition on")
    flow.get_by_text("Data", exact=True).click()
    rows = [row.inner_text().split("\t") for row in flow.locator("tbody tr").all()]
    limits = [float(text.removesuffix("/s")) for _, text in rows if text.endswith("/s")]
    assert limits[:11] == pytest.approx(DOWN, abs=0.1)
    assert limits[11:16] == pytest.approx([95, 140, 185, 230, 275], abs=0.1)
    began = [float(at.split()[0]) for at, text in rows if text.endswith("/s")]
    for step in range(1, 11):
        assert began[step] - began[0] == pytest.approx(6 * step, abs=0.6)
    for text in ("high threshold 1000", "low threshold 500"):
        expect(flow).to_contain_text(text)
    the_cursor_reads_the_limit_aloud(page)


def the_steps_are_said_at_once(page: Page) -> None:
    """The table of the limits, what may still be sent, a table of three steps, and senders that find no room."""
    steps = [listed(page, f"Limit after {step} steps") for step in range(11)]
    assert [float(step.removesuffix("/s")) for step in steps] == pytest.approx(DOWN, abs=0.1)
    admits = page.locator('#live-findings [data-rule="weblogic.flow-admits"]')
    expect(admits).to_contain_text("may still send 13128 messages in the first 60 s")
    expect(admits).to_contain_text("Changed values reach new connections only")
    enter(page, {"queues.0.settings.flow_steps": "3", FLOW_MINIMUM: "100", FLOW_MAXIMUM: "800", QUOTA: "1200"})
    assert [listed(page, f"Limit after {step} steps") for step in range(4)] == ["800/s", "400/s", "200/s", "100/s"]
    senders = page.locator('#live-findings [data-rule="weblogic.send-timeout"]')
    expect(senders).to_contain_text("A sender waits up to 0.01 s for room")
    expect(page.locator("#live-verdict")).to_contain_text("messages per replication were refused for want of room")
    enter(page, {"queues.0.settings.flow_steps": "10", FLOW_MINIMUM: "50", FLOW_MAXIMUM: "500", QUOTA: "-1"})


def the_cursor_reads_the_limit_aloud(page: Page) -> None:
    """Keys move along the chart, and its numbers can be taken."""
    plot = page.locator('figure[data-chart="flow"] .plot')
    plot.focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("status").filter(has_text="messages inside")).to_have_count(1)
    with page.expect_download() as caught:
        page.locator('figure[data-chart="flow"]').get_by_role("button", name="CSV").click()
    assert "limit of a producer" in Path(caught.value.path()).read_text(encoding="utf-8")
