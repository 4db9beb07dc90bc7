"""J12, first half: a day's log becomes a scenario that says by itself whether it can be trusted."""

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page

from tests import waiting
from tests.e2e.axe import violations
from tests.e2e.conftest import Site
from tests.e2e.expecting import expect
from tests.e2e.test_pages import sideways
from tests.e2e.watch import LONG, simulated
from tests.sampled import write_bad_samples
from tests.telemetry import TRUTH, write_bad_log, write_served
from tests.waiting import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.spark, pytest.mark.redis, pytest.mark.slow]


@pytest.mark.nightly
def test_a_log_is_uploaded_judged_and_made_a_scenario(page: Page, tmp_path: Path) -> None:
    log = tmp_path / "orders-of-may.csv"
    write_bad_log(log)
    page.goto("/telemetry/")
    assert sideways(page) == 0
    page.get_by_label("File", exact=False).first.set_input_files(log)
    page.get_by_label("Name of the scenario").fill("Orders of May")
    page.get_by_role("button", name="Calibrate").click()
    page.wait_for_url("**/telemetry/cal_*/")
    expect(page.locator("h1 .state")).to_have_text("succeeded", timeout=LONG)
    verdict = page.locator("#verdict")
    expect(verdict).to_contain_text("Validated")
    expect(verdict).to_contain_text("predicted p95")
    expect(verdict).to_contain_text("observed")
    expect(page.locator('#quarantine tr[data-reason="duplicate"] td').first).to_have_text("1")
    expect(page.locator('figure[data-chart="service"]')).to_contain_text("fit of lognormal: good")
    expect(page.locator('figure[data-chart="checks"] .main-svg').first).to_be_visible()
    expect(page.locator("main")).to_contain_text(f"{TRUTH.threads} (")
    assert sideways(page) == 0
    page.get_by_role("button", name="Make this a scenario").click()
    page.wait_for_url("**/scenarios/scn_*/")
    simulated(page)
    expect(page.locator("#messages")).to_contain_text("Orders of May holds the fitted work")


@pytest.mark.nightly
def test_samples_of_counters_are_uploaded_judged_by_their_means_and_say_what_is_assumed(
    page: Page, tmp_path: Path
) -> None:
    log = tmp_path / "orders.csv"
    write_bad_samples(log)
    page.goto("/telemetry/")
    page.locator('details[data-layout="wldf"] summary').click()
    expect(page.get_by_text("BeansInUseCurrentCount")).to_be_visible()
    assert violations(page) == []
    page.get_by_label("File", exact=False).first.set_input_files(log)
    page.get_by_role("button", name="Calibrate").click()
    page.wait_for_url("**/telemetry/cal_*/")
    expect(page.locator("h1 .state")).to_have_text("succeeded", timeout=LONG)
    expect(page.locator("#verdict")).to_contain_text("Validated: predicted mean time in the system")
    expect(page.locator("#assumed")).to_contain_text("exponential ones are assumed")
    expect(page.locator('figure[data-chart="course"] .main-svg').first).to_be_visible()
    expect(page.locator('figure[data-chart="checks"]')).to_contain_text("mean time on threads")
    expect(page.locator('figure[data-chart="service"]')).to_have_count(0)
    assert "p95" not in page.locator("main").inner_text()
    assert sideways(page) == 0
    assert violations(page) == []
    page.get_by_role("button", name="Make this a scenario").click()
    page.wait_for_url("**/scenarios/scn_*/")
    simulated(page)


@pytest.mark.nightly
def test_the_worker_calibrates_a_location_again_and_says_what_has_changed(
    page: Page, site: Site, tmp_path: Path
) -> None:
    arrivals = np.random.default_rng(5).exponential(1 / 30, 24_000).cumsum()
    log = site.folder / "incoming" / f"{tmp_path.name}.parquet"
    log.parent.mkdir(exist_ok=True)
    write_served(log, arrivals, 0.2, 12)
    page.goto("/telemetry/")
    page.get_by_label("Or its location").fill(str(log))
    page.get_by_label("Calibrate again").select_option("every day")
    page.get_by_role("button", name="Calibrate").click()
    page.wait_for_url("**/telemetry/cal_*/")
    expect(page.locator("h1 .state")).to_have_text("succeeded", timeout=LONG)
    expect(page.locator("#series")).to_contain_text("then every 24 h")
    assert sideways(page) == 0
    assert violations(page) == []
    first = page.url.rstrip("/").rpartition("/")[2]
    write_served(log, arrivals, 0.24, 12)
    with closing(sqlite3.connect(site.folder / "sluice.sqlite3", timeout=20)) as database:

        def series() -> list[str]:
            return [
                row[0] for row in database.execute("SELECT id FROM planner_calibration WHERE location = ?", [str(log)])
            ]

        with database:
            earlier = "UPDATE planner_calibration SET created_at = datetime(created_at, '-25 hours') WHERE id = ?"
            database.execute(earlier, [first])
        wait_until(lambda: len(series()) == 2, "the worker begins what is due", seconds=waiting.LONG)
        (again,) = {*series()} - {first}
    page.goto(f"/telemetry/{again}/")
    expect(page.locator("h1 .state")).to_have_text("succeeded", timeout=LONG)
    expect(page.locator("#changes")).to_contain_text("orders: mean time of one delivery: 198 ms, now 237.6 ms, +20 %")
    expect(page.locator("#series")).to_contain_text("Only files that have changed since")
    assert sideways(page) == 0
    page.screenshot(path=site.folder / "series.png", full_page=True)
    page.get_by_role("button", name="Stop repeating").click()
    expect(page.get_by_role("button", name="Stop repeating")).to_have_count(0)
