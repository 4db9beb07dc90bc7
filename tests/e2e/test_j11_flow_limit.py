"""J11: a pool of 32 beans behind a consumer flow limit of 16, seen before any run."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.watch import formula, open_preset

pytestmark = [pytest.mark.browser, pytest.mark.spark, pytest.mark.redis, pytest.mark.slow]


def test_the_beans_that_work_on_average_are_said_at_once(page: Page) -> None:
    open_preset(page, "A pool behind a flow limit (Open MQ)")
    assert formula(page, "max_concurrency") == "16"
    assert formula(page, "min_limit_for_full_pool") == "64"
    expect(page.locator("#live")).to_contain_text("on average 12.07 of 32 beans work (37.7 %)")
