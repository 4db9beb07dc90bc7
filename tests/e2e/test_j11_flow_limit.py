"""J11: a pool of 32 beans behind a consumer flow limit of 16, seen before any run."""

import pytest
from playwright.sync_api import Page

from tests.e2e.expecting import expect
from tests.e2e.watch import enter, formula, open_preset, simulated

pytestmark = [pytest.mark.browser, pytest.mark.spark, pytest.mark.redis, pytest.mark.slow]
CONNECTION = "servers.0.settings.connection_flow_limit"
LIMIT = "queues.0.settings.consumer_flow_limit"
METERING = "servers.0.settings.connection_flow_count"


def test_the_beans_that_work_are_said_at_once(page: Page) -> None:
    open_preset(page, "A pool behind a flow limit (Open MQ)")
    assert formula(page, "max_concurrency") == "16"
    assert formula(page, "min_limit_for_full_pool") == "64"
    expect(page.locator("#live")).to_contain_text("on average 12.07 of 32 beans work (37.7 %)")
    lost = page.locator('#live-findings [data-rule="openmq.lower-limit-counts"]')
    expect(lost.locator("s")).to_have_text("limit 1,000")
    expect(lost).to_contain_text("not effective")
    the_slider_shows_what_each_limit_is_worth(page)
    a_connection_has_a_limit_of_its_own(page)


def the_slider_shows_what_each_limit_is_worth(page: Page) -> None:
    """Mean busy beans by the limit, from the closed form."""
    slider = page.get_by_role("slider", name="Consumer flow limit of the factory, slider")
    for limit, busy in (("16", 12.07), ("32", 23.61), ("63", 32.0), ("64", 32.0)):
        slider.fill(limit)
        expect(page.locator(f'[id="f-{LIMIT}"]')).to_have_value(limit)
        simulated(page)
        assert float(formula(page, "mean_concurrency_saturated")) == pytest.approx(busy, abs=0.01), limit


def a_connection_has_a_limit_of_its_own(page: Page) -> None:
    """At 64 nothing but the connection's limit, once it is enabled, keeps beans from work.

    With metering the broker looks at it after each batch only, and a batch of 100 passes it.
    """
    assert formula(page, "max_concurrency") == "32"
    enter(page, {f"{CONNECTION}_enabled": True, CONNECTION: "16"})
    rule = page.locator('#live-findings [data-rule="openmq.connection-covers-pool"]')
    expect(rule).to_contain_text("takes the next 100 messages only when 15 are left")
    enter(page, {METERING: "0"})
    assert formula(page, "max_concurrency") == "16"
    expect(rule).to_contain_text("At most 16 of 32 beans can work")
