"""What a browser complains about while a test uses a page, and the steps that several walks share."""

import re
from collections.abc import Mapping
from typing import Any

from playwright.sync_api import ConsoleMessage, Locator, Page, Response

from planner.presets.files import presets
from tests import waiting
from tests.e2e.expecting import expect

LONG = 1000 * waiting.LONG
"""Milliseconds for a whole run; what takes a moment has the time that the tests' profile gives it."""

_EXPECTED = re.compile(r"Failed to load resource: .*(422|ERR_INTERNET_DISCONNECTED)|htmx:(afterRequest|sendError), ")
_MEASURED = re.compile(r"([\d.]+)\s±\s([\d.]+)")


class Watched:
    """Collects console errors, uncaught exceptions and answers that are no success."""

    def __init__(self, page: Page) -> None:
        self.complaints: list[str] = []
        self.expected: tuple[int, ...] = ()
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.complaints.append(f"exception: {error}"))
        page.on("response", self._response)

    def _console(self, message: ConsoleMessage) -> None:
        # What cannot be loaded while a test has taken the network away is what it wanted to see.
        if message.type == "error" and not _EXPECTED.match(message.text):
            self.complaints.append(f"console: {message.text}")

    def _response(self, response: Response) -> None:
        # 422 is how the live panel learns that a value cannot be used.
        if response.status >= 400 and response.status != 422:
            self.complaints.append(f"{response.status} {response.url}")


def open_preset(page: Page, title: str) -> None:
    """Open a worked question as the button on its card does, and wait for its simulated answer.

    The page of all questions, which asks for fifteen answers, is left out: walks and its own tests press the button.
    """
    (preset,) = (item.key for item in presets() if item.title == title)
    (token,) = (item["value"] for item in page.context.cookies() if item["name"] == "csrftoken")
    sent: dict[str, str | float | bool] = {"preset": preset, "csrfmiddlewaretoken": token}
    answer = page.request.post("/scenarios/new/", form=sent, max_redirects=0)
    page.goto(answer.headers["location"])
    simulated(page)


def simulated(page: Page) -> None:
    """Wait until the live panel shows the simulation's answer to what the form says now."""
    page.locator("#live[data-settled=true]").wait_for(state="attached")


def change(page: Page, label: str, value: str) -> None:
    """Type a value into a field of the workbench and wait for the answer to it."""
    page.get_by_label(label, exact=True).fill(value)
    page.keyboard.press("Tab")
    simulated(page)


def enter(page: Page, values: Mapping[str, Any]) -> None:
    """Type values into the fields of their paths, however deep they are folded in, and wait for the answer to all."""
    for path, value in values.items():
        if isinstance(value, list | dict):
            _make_rows(page, path, value)
        else:
            _enter_one(page.locator(f'[id="f-{path}"]'), value)
            page.keyboard.press("Tab")
    simulated(page)


def _enter_one(field: Locator, value: Any) -> None:
    field.evaluate("(it) => { for (let at = it; at; at = at.parentElement) if (at.matches('details')) at.open = true }")
    if isinstance(value, bool):
        field.set_checked(value)
    elif field.evaluate("(it) => it.matches('select')"):
        field.select_option(value)
    else:
        field.fill(str(value))


def _make_rows(page: Page, path: str, items: list[dict[str, Any]] | dict[str, Any]) -> None:
    """Remove the rows of a list, or what it has of a part, and enter these by the form's buttons."""
    for at in reversed(range(page.locator(f'[data-row^="{path}."]').count())):
        press(page, f"remove {path}.{at}")
    for at, item in enumerate(items if isinstance(items, list) else [items]):
        press(page, f"add {path}")
        place = f"{path}.{at}" if isinstance(items, list) else path
        for name in ("fair_share",) if isinstance(items, list) and "fair_share" not in item else ():
            _enter_one(page.locator(f'[id="f-{place}.{name}"]'), "")
        for name, value in item.items():
            _enter_one(page.locator(f'[id="f-{place}.{name}"]'), value)
            page.keyboard.press("Tab")


def press(page: Page, deed: str) -> None:
    """Press a button of the rows by what it does, and wait for the fields and the answer to them."""
    with page.expect_response(re.compile("/fields/$")):
        page.locator(f'button[name="do"][value="{deed}"]').click()
    expect(page.locator(".htmx-request")).to_have_count(0)
    simulated(page)


def choose(page: Page, label: str, value: str) -> None:
    """Choose from a list of the workbench and wait for the answer."""
    page.get_by_label(label, exact=True).select_option(value)
    simulated(page)


def formula(page: Page, name: str) -> str:
    """Return the number of a formula answer, as shown."""
    return page.locator(f'#live [data-derived="{name}"] .big').inner_text().split()[0]


def listed(page: Page, title: str) -> str:
    """Return a formula answer from the table of all of them, its number as shown."""
    row = page.locator("#live .findings-rest tbody tr", has=page.locator("th", has_text=re.compile(f"^{title}")))
    return (row.first.locator("td.num").text_content() or "").split()[0]


def measured(text: str) -> tuple[float, float]:
    """Return value and half-width of the first number with an interval."""
    found = _MEASURED.search(text)
    assert found, text
    return float(found[1]), float(found[2])


def agrees(text: str, reference: float, *, also: float = 0.0) -> bool:
    """Return whether the first number of ``text`` is within twice its half-width of the reference.

    ``also``: what the reference itself is uncertain by, relative.
    """
    value, half = measured(text)
    return abs(value - reference) <= 2 * half + also * reference


def done_after(page: Page) -> str:
    """Return what the live panel says of the time until everything is done, as its objective where it has that."""
    verdict = page.locator("#live-verdict").inner_text()
    found = re.search(r"After (.+?) everything is done|Drain time of \S+: (.+?), which", verdict)
    assert found
    return found[1] or found[2]


def import_text(page: Page, text: str, file: str) -> None:
    """Paste a file on the page of imports and open what it makes in the workbench."""
    page.goto("/imports/new/")
    page.get_by_label("Or text").fill(text)
    page.get_by_label("File name of the text").fill(file)
    page.get_by_role("button", name="Import").click()
    page.get_by_role("link", name="Open in the workbench").click()
    simulated(page)


def column(page: Page, heading: str) -> dict[str, str]:
    """Return a column of the table of all points: the row's own heading -> the cell."""
    headings = page.locator("#points thead th").all_inner_texts()
    place = next(at for at, text in enumerate(headings) if heading in text)
    rows = [row.locator("th, td").all_inner_texts() for row in page.locator("#points tbody tr").all()]
    return {cells[0]: cells[place] for cells in rows}


def run_in_full(page: Page) -> None:
    """Start the run and wait for its final answer."""
    page.get_by_role("button", name="Run full").click()
    page.wait_for_url("**/runs/**")
    expect(page.locator("h1 .state")).to_have_text("final", timeout=LONG)
    expect(page.locator("figure .main-svg").first).to_be_visible()


def p95_column(page: Page) -> int:
    """Return the place of the p95 latency in the table of all points."""
    headings = page.locator("#points thead th").all_inner_texts()
    return next(place for place, heading in enumerate(headings) if "p95" in heading)


def difference(page: Page, metric: str, column: int) -> tuple[float, float]:
    """Return a difference on the Compare page and its half-width, in the unit shown."""
    cell = page.locator(f'#kpis [data-metric-row="{metric}"] td').nth(column).locator(".change")
    found = re.match(r"([+−]?[\d.,]+)\s±\s([\d.,]+)", cell.inner_text())
    assert found, cell.inner_text()
    value, half = (float(part.replace(",", "").replace("−", "-")) for part in found.groups())
    return value, half
