"""The pictures of the guide and of the README show the product as it is: this test takes them.

``PICTURES=docs/guide/pictures .venv/bin/pytest tests/e2e/alone/test_guide_pictures.py`` writes them anew.
"""

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.e2e.expecting import expect
from tests.e2e.pictures import settled, wrong_to_see
from tests.e2e.watch import open_preset

pytestmark = [pytest.mark.browser, pytest.mark.slow]
WORKBENCHES = {
    "workbench": "Surge backlog (z/OS)",
    "fair-share": "Bursts beside steady work (WebLogic)",
    "flow-limit": "Balance of a cluster (Open MQ)",
}


def take(page: Page, folder: Path, name: str) -> None:
    settled(page)
    assert wrong_to_see(page) == []
    picture = page.screenshot(path=Path(os.environ.get("PICTURES", folder)) / f"{name}.png")
    assert len(picture) > 20_000


@pytest.mark.parametrize(
    "name", [name if name == "workbench" else pytest.param(name, marks=pytest.mark.nightly) for name in WORKBENCHES]
)
def test_a_workbench_is_pictured(page: Page, tmp_path: Path, name: str) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    open_preset(page, WORKBENCHES[name])
    take(page, tmp_path, name)


@pytest.mark.nightly
def test_the_questions_and_the_telemetry_are_pictured(page: Page, tmp_path: Path) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto("/questions/")
    expect(page.get_by_text("The answer is being simulated")).to_have_count(0)
    take(page, tmp_path, "questions")
    page.goto("/telemetry/")
    take(page, tmp_path, "telemetry")
