"""J5: what it costs to keep the order of arrival, with the full run of the preset."""

import json

import pytest
from playwright.sync_api import Page

from planner.presets.files import presets
from tests.e2e.expecting import expect
from tests.e2e.watch import column, enter, formula, import_text, listed, open_preset, run_in_full

pytestmark = [pytest.mark.browser, pytest.mark.spark, pytest.mark.redis, pytest.mark.slow]
BADGE = "concurrency 1"
OVERTAKEN = {"1": 0.0, "2": 18.5, "4": 23.3, "36": 23.5}
"""Percent of the messages that finish after a later one, by sessions, from an independent simulation (± 1 point)."""

TOPIC = {"kind": "topic", "settings": {"max_beans_in_free_pool": 20, "unit_of_order": True}}


def test_only_one_session_keeps_the_order_and_this_is_its_price(page: Page) -> None:
    open_preset(page, "Keep the order of arrival (z/OS)")
    assert listed(page, "Largest throughput") == "20/s"
    assert listed(page, "Load") == "75"
    assert formula(page, "worker_threads") == "18"
    expect(page.locator('#live-findings [data-rule="websphere-zos.order-needs-one-session"]')).to_contain_text(BADGE)
    run_in_full(page)
    shown = column(page, "Overtaken")
    assert shown["1"].split()[0] == "0"
    assert {key: float(text.split()[0]) for key, text in shown.items()} == pytest.approx(OVERTAKEN, abs=1.0)
    mean = {key: float(text.split()[0]) for key, text in column(page, "Mean latency").items()}
    assert mean["1"] == pytest.approx(200, rel=0.05)
    assert mean["36"] == pytest.approx(50, rel=0.05)
    expect(page.locator("#sentences")).to_contain_text("Maximum sessions")
    first = page.locator("figure[data-chart]").first
    expect(first).to_contain_text("Overtaken over Maximum sessions")
    expect(first.locator(".legendtext").last).to_have_text("objective 0 %")


@pytest.mark.nightly
def test_weblogic_topics_that_keep_the_order_have_the_same_badge(page: Page) -> None:
    """The preset's bean on a topic with a unit of order: transactional in Compatibility mode, or with one bean."""
    body = next(preset.spec for preset in presets() if preset.key == "limit-of-16").body()
    import_text(page, json.dumps({**body, "queues": [{**body["queues"][0], **TOPIC}]}), "topic.yaml")
    found = page.locator('#live-findings [data-rule="weblogic.compatibility-topic"]')
    expect(found).to_contain_text(BADGE)
    expect(found.locator(".source")).to_contain_text("transactional MDBs on topics")
    enter(page, {"queues.0.settings.transactional": False, "queues.0.settings.max_beans_in_free_pool": "1"})
    found = page.locator('#live-findings [data-rule="weblogic.unit-of-order"]')
    expect(found).to_contain_text(BADGE)
    expect(found.locator(".source")).to_contain_text("caution on unit of order")
