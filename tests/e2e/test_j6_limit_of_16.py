"""J6: from the descriptor to the limit of 16, past it, and back into the descriptor and a WLST script."""

import ast
from pathlib import Path

import pytest
from playwright.sync_api import Page

from planner.api.examples import DESCRIPTOR
from tests.e2e.expecting import expect
from tests.e2e.watch import done_after, enter, formula, open_preset, simulated

pytestmark = [pytest.mark.browser, pytest.mark.spark, pytest.mark.redis, pytest.mark.slow]
OPENED = [{"name": "Orders-work", "fair_share": 50, "max_threads": 40}]


def imported(page: Page) -> None:
    """Paste the descriptor, read the account, and open the workbench."""
    page.goto("/imports/new/")
    page.get_by_label("Or text").fill(DESCRIPTOR)
    page.get_by_label("File name of the text").fill("weblogic-ejb-jar.xml")
    page.get_by_label("Name of the scenario").fill("Orders")
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("heading", name="What became of the files")).to_be_visible()
    beans = page.get_by_role("row", name="queues.Orders.settings.max_beans_in_free_pool")
    expect(beans.locator(".place")).to_have_text("weblogic-ejb-jar.xml:5")
    expect(page.locator('[data-status="unresolved"]')).to_contain_text("jms/orders")
    page.get_by_role("link", name="Open in the workbench").click()
    simulated(page)


def downloaded(page: Page, button: str) -> str:
    """Download a file by its button and return its text."""
    with page.expect_download() as caught:
        page.get_by_role("button", name=button, exact=True).click()
    return Path(caught.value.path()).read_text()


def test_from_the_descriptor_and_back(page: Page) -> None:
    imported(page)
    assert formula(page, "max_concurrency") == "16"
    rule = page.locator('#live-findings [data-rule="weblogic.limit-of-16"]')
    expect(rule).to_contain_text("16 of 100 beans run")
    expect(rule.locator(".source")).to_contain_text("Tuning Message-Driven Beans")
    expect(rule).to_contain_text("is not offered: it changes nothing that this simulation can tell")
    enter(page, {"servers.0.settings.work_managers": OPENED, "queues.0.settings.work_manager": "Orders-work"})
    assert formula(page, "max_concurrency") == "40"
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved as version 2.")).to_be_visible()
    page.get_by_role("link", name="Export v2", exact=True).click()
    page.get_by_role("button", name="Patched file").click()
    patched, original = downloaded(page, "Download weblogic-ejb-jar.xml"), page.locator('pre[data-part="undo"]')
    assert original.text_content() == DESCRIPTOR
    added = [line.strip() for line in patched.splitlines() if line not in DESCRIPTOR.splitlines()]
    assert added[0].startswith("<!-- Patched by Sluice for the scenario ")
    assert "".join(added[1:]) == (
        "<dispatch-policy>Orders-work</dispatch-policy>"
        "<work-manager><name>Orders-work</name>"
        "<fair-share-request-class><name>Orders-work-share</name><fair-share>50</fair-share></fair-share-request-class>"
        "<max-threads-constraint><name>Orders-work-max-threads-constraint</name><count>40</count>"
        "</max-threads-constraint></work-manager>"
    )
    assert not set(DESCRIPTOR.splitlines()) - set(patched.splitlines())
    page.get_by_role("button", name="WLST script").click()
    script, undo = downloaded(page, "Download apply.py"), downloaded(page, "Download the undo part of apply.py")
    steps, undone = (ast.unparse(ast.parse(text)).partition("STEPS = [")[2] for text in (script, undo))
    assert ", (None,), 40)" in steps
    assert "'WorkManager', 'Orders-work'" in undone


@pytest.mark.nightly
def test_a_burst_drains_as_fast_as_threads_and_connections_allow(page: Page) -> None:
    """400 requests of 200 ms: 25 rounds of 16, ten of 40, and 16 of the 25 that a pool of connections lets through."""
    open_preset(page, "The limit of 16 (WebLogic)")
    assert done_after(page) == "5 s"
    enter(page, {"queues.0.settings.work_manager": "orders"})
    assert (formula(page, "max_concurrency"), done_after(page)) == ("40", "2 s")
    enter(page, {"queues.0.settings.downstream": {"name": "DB pool", "limit": 25}})
    rule = page.locator('#live-findings [data-rule="weblogic.downstream-covers-threads"]')
    expect(rule).to_contain_text("40 threads queue for 25 of DB pool: 25 is the useful maximum")
    assert done_after(page) == "3.2 s"


def test_without_a_script_the_import_answers_with_lines(page: Page) -> None:
    """Keys alone: choose the text, paste, submit; what is wrong is said with its line and the text stays."""
    page.goto("/imports/new/")
    page.get_by_label("Or text").focus()
    page.keyboard.insert_text("<weblogic-ejb-jar>\n<a></weblogic-ejb-jar>")
    page.get_by_label("Name of the scenario").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#problems")).to_contain_text("pasted.xml:2")
    assert page.get_by_label("Or text").input_value().startswith("<weblogic-ejb-jar>")
