"""Every worked question: what it asks is a knob in sight, and with a number changed the answer begins with its own."""

from typing import Any

import pytest
from playwright.sync_api import Page

from frontend.answers.hero import objective_title
from frontend.wording.numbers import metric_title
from planner.answers.choice import asked_metric
from planner.presets.files import Preset, presets
from tests.e2e.watch import enter, open_preset

pytestmark = [pytest.mark.browser, pytest.mark.slow]
CHANGED = {
    "surge-backlog": {"arrivals.rate": "70/s"},
    "saturated": {"service.mean": "100ms"},
    "surge": {"arrivals.count": "3000"},
    "slow-mdb": {"service.mean": "5s"},
    "order": {"arrivals.rate": "12/s"},
    "outage": {"arrivals.rate": "10/s"},
    "member": {"arrivals.rate": "18/s"},
    "non-asf": {"service.mean": "10s"},
    "chain": {"arrivals.count": "800"},
    "limit-of-16": {"arrivals.count": "800"},
    "bursts": {"arrivals.count": "600"},
    "batches": {"arrivals.rate": "300/s"},
    "flow-control": {"service.mean": "120ms"},
    "balance": {"arrivals.count": "800"},
    "flow-limit": {"service.mean": "50ms"},
}
"""By preset: what is changed of its first queue."""
SCREEN = 900
"""Pixels of the window's height, as all browser tests have it."""
EACH_RUN = {"surge-backlog", "bursts", "flow-limit"}
"""One of each platform; the others are asked by night."""


def asked_when(preset: Preset) -> Any:
    marks = () if preset.key in EACH_RUN else pytest.mark.nightly
    return pytest.param(preset, id=preset.key, marks=marks)


@pytest.mark.parametrize("preset", [asked_when(item) for item in presets()])
def test_the_answer_begins_with_what_was_asked(page: Page, preset: Preset) -> None:
    spec = preset.spec
    open_preset(page, preset.title)
    before = page.locator("#live-verdict").inner_text()
    for axis in spec.sweep:
        knob = page.locator(f'#live-mechanism .knob[data-path="{axis.path}"]').locator("select, .thumb")
        box = knob.bounding_box()
        assert box is not None, axis.path
        assert box["y"] + box["height"] <= SCREEN, axis.path
    enter(page, {f"queues.0.{path}": value for path, value in CHANGED[preset.key].items()})
    answer = page.locator("#live-verdict").inner_text()
    assert answer != before
    asked = objective_title(spec.objectives[0], spec) if spec.objectives else metric_title(asked_metric(spec))
    hero = page.locator("#live-verdict .hero").first
    assert hero.locator(".title").inner_text() == asked
    number = (hero.locator(".number").text_content() or "").split()[0].split("/")[0]
    assert number in page.locator("#live-verdict .sentence").first.inner_text()
