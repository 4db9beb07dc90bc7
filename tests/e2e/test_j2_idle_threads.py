"""J2: find the threads that idle behind a blocked throttle, and cure it with one click."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.watch import change, choose, formula, open_preset, p95_column, run_in_full, simulated

pytestmark = [pytest.mark.browser, pytest.mark.spark, pytest.mark.redis, pytest.mark.slow]
NUMBER = re.compile(r"([\d.]+) ± ([\d.]+)")


def measured(text: str) -> tuple[float, float]:
    """Return value and half-width of the first number with an interval."""
    found = NUMBER.search(text)
    assert found, text
    return float(found[1]), float(found[2])


def test_the_loss_is_shown_and_one_click_cures_it(page: Page) -> None:
    open_preset(page, "Idle threads behind the throttle (z/OS)")
    verdict = page.locator("#live-verdict")
    value, half = measured(verdict.inner_text())
    assert abs(value - 67.5534) <= 2 * half
    expect(verdict).to_contain_text("on average 4.5 of 18 threads had nothing to do")
    rule = page.locator('#live-findings [data-rule="websphere-zos.low-covers-threads"]')
    expect(rule).to_contain_text("24.94 % of the throughput is lost")
    rule.get_by_role("button", name="Apply and re-run").click()
    simulated(page)
    expect(page.get_by_label("Maximum sessions", exact=True)).to_have_value("36")
    value, half = measured(verdict.inner_text())
    assert abs(value - 90.0) <= 2 * half
    expect(page.locator('#live-findings [data-rule="websphere-zos.low-covers-threads"]')).to_have_class("finding ok")
    page.get_by_role("button", name="Undo").click()
    simulated(page)
    expect(page.get_by_label("Maximum sessions", exact=True)).to_have_value("18")


def test_too_many_arrivals_are_called_unstable_without_a_percentile(page: Page) -> None:
    open_preset(page, "Idle threads behind the throttle (z/OS)")
    choose(page, "Arrivals", "poisson")
    change(page, "Rate", "81/s")
    verdict = page.locator("#live-verdict")
    expect(verdict).to_contain_text("Unstable: orders grows by")
    expect(verdict).to_contain_text("carry at most 67.55/s")
    expect(verdict).not_to_contain_text("95 %")
    assert formula(page, "worker_threads") == "18"


def test_at_60_per_second_the_threshold_costs_a_tenth_of_a_second(page: Page) -> None:
    open_preset(page, "Idle threads behind the throttle (z/OS)")
    choose(page, "Arrivals", "poisson")
    change(page, "Rate", "60/s")
    page.get_by_role("textbox", name="Objective: 95 % latency at most").fill("800 ms")
    page.get_by_role("textbox", name="Swept values").fill("18, 36")
    run_in_full(page)
    rows = page.locator("#points tbody tr")
    shown = dict(zip(("18", "36"), rows.all_inner_texts(), strict=True))
    column = p95_column(page)
    p95 = {key: measured(text.split("\t")[column]) for key, text in shown.items()}
    for key, reference in (("18", 717.0), ("36", 602.0)):
        value, half = p95[key]
        assert abs(value - reference) <= 2 * half, (key, value, half)
    expect(page.locator("#sentences")).to_contain_text("meets the objective of at most 800 ms")
