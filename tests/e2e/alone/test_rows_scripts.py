"""Rows instead of JSON: a newcomer makes two work managers with fair shares, and a queue that uses one of them."""

import re

import pytest
from playwright.sync_api import Locator, Page

from tests.e2e.axe import violations
from tests.e2e.expecting import expect
from tests.e2e.watch import change, choose, enter, open_preset, simulated

pytestmark = [pytest.mark.browser, pytest.mark.slow]
MANAGERS = "servers.0.settings.work_managers"


def press(page: Page, name: str) -> None:
    """Press a button of the form that draws the fields again, and wait for the answer to them."""
    with page.expect_response(re.compile("/fields/$")):
        page.locator("#fields").get_by_role("button", name=name, exact=True).click()
    expect(page.locator(".htmx-request")).to_have_count(0)
    simulated(page)


def cell(page: Page, row: int, name: str) -> Locator:
    return page.locator(f'[id="f-{MANAGERS}.{row}.{name}"]')


def fill(page: Page, row: int, **texts: str) -> None:
    for name, text in texts.items():
        cell(page, row, name).fill(text)
        page.keyboard.press("Tab")
    simulated(page)


def managers(page: Page) -> list[tuple[str, str]]:
    """Return name and fair share of every row."""
    rows = page.locator(f'[data-row^="{MANAGERS}."]').count()
    return [(cell(page, row, "name").input_value(), cell(page, row, "fair_share").input_value()) for row in range(rows)]


def test_two_work_managers_with_fair_shares_without_json_and_no_name_typed_twice(page: Page) -> None:
    open_preset(page, "The limit of 16 (WebLogic)")
    press(page, "Remove orders (work manager)")
    assert managers(page) == []
    press(page, "Add work manager")
    expect(cell(page, 0, "name")).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("bursts")
    fill(page, 0, fair_share="80", max_threads="40")
    choose(page, "Work manager", "bursts")
    press(page, "Add work manager")
    fill(page, 1, name="web", fair_share="20")
    assert managers(page) == [("bursts", "80"), ("web", "20")]
    expect(page.get_by_role("group", name="web", exact=True)).to_be_visible()
    expect(page.locator("#live [data-derived='max_concurrency'] .big")).to_contain_text("40")
    assert violations(page) == []
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved as version 2.")).to_be_visible()
    simulated(page)
    assert managers(page) == [("bursts", "80"), ("web", "20")]
    expect(page.get_by_label("Work manager", exact=True)).to_have_value("bursts")
    assert page.locator("textarea").count() == 0


@pytest.mark.nightly
def test_rows_are_copied_moved_undone_and_kept_in_the_address(page: Page) -> None:
    open_preset(page, "Bursts beside steady work (WebLogic)")
    address = page.url
    press(page, "Copy mdb (work manager)")
    assert managers(page) == [("http", "80"), ("mdb", "20"), ("mdb-2", "20")]
    press(page, "Up mdb (work manager)")
    assert managers(page) == [("mdb", "20"), ("http", "80"), ("mdb-2", "20")]
    page.wait_for_url(re.compile(r"work_managers\.rows=1%2C0%2C1"))
    kept = page.url
    page.get_by_role("button", name="Undo").click()
    simulated(page)
    assert managers(page) == [("http", "80"), ("mdb", "20"), ("mdb-2", "20")]
    page.goto(kept)
    simulated(page)
    assert managers(page) == [("mdb", "20"), ("http", "80"), ("mdb-2", "20")]
    fill(page, 0, name="feeds")
    expect(page.locator('[id="f-servers.0.background.0.settings.work_manager"]')).to_have_value("http")
    expect(page.locator('[id="f-queues.0.settings.work_manager"]')).to_have_value("feeds")
    page.goto(address)
    page.get_by_role("button", name="Bring them back").click()
    simulated(page)
    assert managers(page)[2] == ("mdb-2", "20")


def test_a_cure_that_adds_a_row_is_one_step_that_undo_takes_back(page: Page) -> None:
    open_preset(page, "The limit of 16 (WebLogic)")
    before = managers(page)
    beans = page.locator('[id="f-queues.0.settings.max_beans_in_free_pool"]')
    enter(page, {"queues.0.settings.max_beans_in_free_pool": "90"})
    cure = page.locator('#live-findings [data-rule="weblogic.limit-of-16"]').get_by_role(
        "button", name="Apply and re-run"
    )
    with page.expect_response(re.compile("/fields/$")):
        cure.click()
    simulated(page)
    assert [name for name, _ in managers(page)] == [*[name for name, _ in before], "orders-work"]
    expect(page.get_by_label("Work manager", exact=True)).to_have_value("orders-work")
    undo = page.get_by_role("button", name="Undo", exact=True)
    undo.click()
    simulated(page)
    assert managers(page) == before
    expect(beans).to_have_value("90")
    undo.click()
    simulated(page)
    expect(page.locator("#draft")).to_be_hidden()
    expect(undo).to_be_disabled()


@pytest.mark.nightly
def test_queues_are_added_copied_found_and_folded(page: Page) -> None:
    open_preset(page, "Surge backlog (z/OS)")
    press(page, "Add queue")
    expect(page.locator('[id="f-queues.1.name"]')).to_be_focused()
    press(page, "Copy orders (queue)")
    press(page, "Copy orders (queue)")
    names = [page.locator(f'[id="f-queues.{at}.name"]').input_value() for at in range(4)]
    assert names == ["orders", "orders-3", "orders-2", "queue"]
    assert page.locator("details[data-group][open]").count() < 6
    page.get_by_label("Find a queue or server").fill("orders-3")
    expect(page.locator("details[data-group^='queues.']:visible")).to_have_count(1)
    press(page, "Remove orders-3 (queue)")
    expect(page.locator("details[data-group^='queues.']")).to_have_count(3)


def test_problems_stand_at_their_fields_and_the_button_that_saves_counts_them(page: Page) -> None:
    open_preset(page, "Rollbacks of a port that polls (WebSphere)")
    change_to_nothing(page)
    expect(page.locator("#save")).to_have_text(re.compile(r"Save\s+· 2 problems"))
    problem = page.locator('[id="p-queues.0.settings.receive_timeout"]')
    expect(problem).to_contain_text("needs a")
    expect(problem).not_to_contain_text("receive_timeout")
    expect(page.locator("#p-name")).to_contain_text("must not be empty")
    page.locator("#f-name").fill("Claims")
    change(page, "Arrival rate", "1,5/s")
    shown = page.locator('[id="f-queues.0.settings.receive_timeout"]')
    shown.fill("104,5 s")
    page.keyboard.press("Tab")
    simulated(page)
    expect(page.locator("#save")).to_have_text(re.compile(r"Save\s*$"))


def change_to_nothing(page: Page) -> None:
    page.locator('[id="f-queues.0.settings.receive_timeout"]').fill("0")
    page.locator("#f-name").fill("")
    page.keyboard.press("Tab")


@pytest.mark.parametrize("context", [{"java_script_enabled": False}], indirect=True)
def test_without_a_script_rows_are_added_by_a_button(page: Page) -> None:
    page.goto("/questions/")
    page.get_by_role("button", name="Open Bursts beside steady work (WebLogic)").click()
    page.get_by_role("button", name="Add work manager").click()
    assert managers(page)[2][0] == "work-manager"
    cell(page, 2, "fair_share").fill("5")
    page.locator(f'[data-row="{MANAGERS}.0"]').get_by_role("button", name="Remove http").click()
    assert managers(page) == [("mdb", "20"), ("work-manager", "5")]


@pytest.mark.nightly
def test_several_objectives_are_rows_and_each_is_told_as_met_or_missed(page: Page) -> None:
    open_preset(page, "The limit of 16 (WebLogic)")
    expect(page.get_by_label("Objective: metric", exact=True)).to_have_count(1)
    expect(page.locator('[data-row^="objectives."]')).to_have_count(0)
    press(page, "Add objective")
    added = page.get_by_role("group", name="p95 latency", exact=True)
    expect(added.get_by_label("Objective: metric", exact=True)).to_be_focused()
    expect(page.locator("#live-problem")).to_contain_text("Objective: p95 latency at most")
    expect(added.locator(".problem:visible")).to_have_count(1)
    added.get_by_label("Objective: p95 latency at most", exact=True).fill("10 s")
    page.keyboard.press("Tab")
    simulated(page)
    expect(page.locator("#live-verdict")).to_contain_text(re.compile("Missed:.*at most 2 s.*Met:.*at most 10 s", re.S))
    assert violations(page) == []
    page.reload()
    simulated(page)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved as version 2.")).to_be_visible()
    press(page, "Remove Drain time of orders (objective)")
    expect(page.get_by_label("Objective: p95 latency at most", exact=True)).to_have_value("10 s")
    expect(page.locator("#live-verdict")).not_to_contain_text("at most 2 s")
