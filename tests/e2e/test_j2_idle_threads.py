"""J2: find the threads that idle behind a blocked throttle, and cure it with one click."""

import pytest
from playwright.sync_api import Page

from tests.e2e.expecting import expect
from tests.e2e.watch import agrees, change, choose, formula, listed, open_preset, p95_column, run_in_full, simulated

pytestmark = [pytest.mark.browser, pytest.mark.spark, pytest.mark.redis, pytest.mark.slow]
RULE = '#live-findings [data-rule="websphere-zos.low-covers-threads"]'


def test_the_loss_is_shown_and_one_click_cures_it(page: Page) -> None:
    open_preset(page, "Idle threads behind the throttle (z/OS)")
    verdict = page.locator("#live-verdict")
    assert agrees(verdict.inner_text(), 67.5534)
    expect(verdict).to_contain_text("of 18 threads have nothing to do")
    expect(verdict).to_contain_text("The low threshold 9 is below the 18 threads.")
    expect(page.locator(RULE)).to_contain_text("With Maximum sessions = 36 messages: Throughput")
    cure(page)
    assert agrees(verdict.inner_text(), 90.0)
    expect(verdict).not_to_contain_text("have nothing to do")
    page.get_by_role("button", name="Undo").click()
    simulated(page)
    expect(page.get_by_label("Maximum sessions", exact=True)).to_have_value("18")
    too_many_arrive(page)


def cure(page: Page) -> None:
    """Apply the cure of the rule."""
    page.locator(RULE).get_by_role("button", name="Apply and re-run").click()
    simulated(page)
    expect(page.get_by_label("Maximum sessions", exact=True)).to_have_value("36")
    expect(page.locator(RULE)).to_have_class("finding ok")


def too_many_arrive(page: Page) -> None:
    """81/s are unstable and have no percentile; with the cure they are those of M/M/18."""
    choose(page, "Arrivals", "poisson")
    change(page, "Arrival rate", "81/s")
    verdict = page.locator("#live-verdict")
    expect(verdict).to_contain_text("Unstable: orders grows by")
    expect(verdict).to_contain_text("carry at most 67.55/s")
    expect(verdict).not_to_contain_text("p95")
    assert formula(page, "worker_threads") == "18"
    cure(page)
    assert agrees(verdict.inner_text(), 701.7)
    answers = ("Mean latency", "p95 latency", "p99 latency")
    assert [listed(page, answer) for answer in answers] == ["263.4", "701.7", "1.027"]


@pytest.mark.nightly
def test_at_60_per_second_the_threshold_costs_a_tenth_of_a_second(page: Page) -> None:
    open_preset(page, "Idle threads behind the throttle (z/OS)")
    choose(page, "Arrivals", "poisson")
    change(page, "Arrival rate", "60/s")
    page.get_by_role("textbox", name="Objective: p95 latency at most").fill("800 ms")
    page.get_by_role("textbox", name="Swept values").fill("18, 36")
    run_in_full(page)
    rows = page.locator("#points tbody tr")
    shown = dict(zip(("18", "36"), rows.all_inner_texts(), strict=True))
    column = p95_column(page)
    p95 = {key: text.split("\t")[column] for key, text in shown.items()}
    for key, reference in (("18", 717.0), ("36", 602.0)):
        assert agrees(p95[key], reference), (key, p95[key])
    expect(page.locator("#sentences")).to_contain_text("meets the objective of at most 800 ms")
