"""J10: how far the broker sends messages ahead decides how a cluster shares them, with the full run of the preset."""

import re

import pytest
from playwright.sync_api import Page

from tests.e2e.expecting import expect
from tests.e2e.pictures import picture
from tests.e2e.watch import agrees, column, done_after, enter, listed, measured, open_preset, run_in_full

pytestmark = [pytest.mark.browser, pytest.mark.spark, pytest.mark.redis, pytest.mark.slow]
LIMIT = "queues.0.settings.consumer_flow_limit"
METERING = "servers.0.settings.connection_flow_count"
DRAINED = {"1,000": 34.5, "500": 19.5, "64": 19.3, "48": 20.0, "32": 24.7, "16": 44.5}
"""Seconds until 1000 messages are worked off, by the consumer flow limit, from an independent simulation."""


def test_too_little_and_too_much_sent_ahead_both_cost_time(page: Page) -> None:
    open_preset(page, "Balance of a cluster (Open MQ)")
    expect(page.locator('#live-findings [data-rule="openmq.cluster-hoarding"]')).to_contain_text("while others idle")
    run_in_full(page)
    drained = {key: float(text.split()[0]) for key, text in column(page, "Drain time").items()}
    assert {key: drained[key] for key in DRAINED} == pytest.approx(DRAINED, rel=0.05)
    the_best_limits_are_shaded(page)
    balance = page.locator('figure[data-chart="balance"]')
    expect(balance).to_contain_text("the busiest of 2 instances completed 100 % of the messages")
    page.get_by_role("navigation", name="Point shown below").get_by_role("link", name="64", exact=True).click()
    expect(page.locator('figure[data-chart="balance"] .sentence')).not_to_contain_text("completed 100 %")


def the_best_limits_are_shaded(page: Page) -> None:
    """One shade, the objective, and three lines: from the pool on, from twice the pool on, and up to where one hoards.

    Where the objective is surely met there is a lighter shade, too.
    """
    drain = page.locator('figure[data-chart="drain"]')
    expect(page.locator("figure[data-chart]").first).to_have_attribute("data-chart", "drain")
    best = re.compile(r"Best \((shaded|deeper shade)\): Consumer flow limit of the factory 64 to 250")
    expect(drain.locator(".sentence")).to_contain_text(best)
    for reach, rule in (
        ("from 32 on", "the consumer flow limit is not below the pool"),
        ("from 64 on", "the messages left at a top-up cover the pool"),
        ("up to 250", "no instance of a cluster takes far more messages than it needs"),
    ):
        expect(drain.locator(".sentence")).to_contain_text(f"kept {reach}: {rule}")
    met = re.search(r"Objectives met \(shaded\): (.+?)\.", drain.locator(".sentence").inner_text())
    stretches = len(met[1].split(" and ")) if met else 0
    expect(drain.locator(".shapelayer path")).to_have_count(5 + stretches)
    picture(page, "light", "run with a best zone")


@pytest.mark.nightly
def test_short_messages_need_a_larger_limit(page: Page) -> None:
    """20,000 messages of 5 ms and a round trip as long: the reference has 2.34 s at 64 and 1.65 s at 250.

    It is slower by 7 % and by 4 %. Asking one message later explains 0.02 s of it at 64. A round trip that varies
    would explain most: here it is always 5 ms; exponential ones of that mean give 2.38 s at 64 and 1.59 s at 250,
    those of two exponential legs 2.27 s and 1.59 s. The reference knows no metering of the connection, which is
    switched off here: at 64 an answer after every 100 messages costs 13 %.
    """
    open_preset(page, "Balance of a cluster (Open MQ)")
    enter(page, {METERING: "0", "queues.0.service.mean": "5 ms", "queues.0.arrivals.count": "20000", LIMIT: "64"})
    small = done_after(page)
    assert agrees(small, 2.34, also=0.08)
    assert listed(page, "Client memory for messages sent ahead") == "128"
    rule = page.locator('#live-findings [data-rule="openmq.round-trip-covered"]')
    expect(rule).to_contain_text(
        "32 messages are consumed while the broker answers: with a queue that is never empty, "
    )
    expect(rule).to_contain_text("below a limit of 128 the beans run dry")
    enter(page, {LIMIT: "250"})
    assert agrees(done_after(page), 1.65, also=0.05)
    assert measured(small)[0] / measured(done_after(page))[0] == pytest.approx(2.34 / 1.65, rel=0.05)
    assert listed(page, "Client memory for messages sent ahead") == "500"
    the_limit_is_written_for_the_broker(page)


def the_limit_is_written_for_the_broker(page: Page) -> None:
    """The destination's limit, saved and exported."""
    enter(page, {"queues.0.settings.destination_consumer_flow_limit": "64"})
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved as version 2.")).to_be_visible()
    page.get_by_role("link", name="Export v2", exact=True).click()
    page.get_by_role("button", name="imqcmd commands").click()
    script = page.locator('pre[data-part="apply"]')
    expect(script).to_contain_text("q:work consumerFlowLimit 1000 64")
    expect(page.locator('pre[data-part="undo"]')).to_contain_text("consumerFlowLimit 64 1000")
