"""Somebody who knows the platform and not the product: reads what is in sight, and decides right within six deeds."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page

from tests.e2e.expecting import expect
from tests.e2e.watch import measured, simulated

pytestmark = [pytest.mark.browser, pytest.mark.slow]
DESK = {"viewport": {"width": 1440, "height": 900}}
PHONE = {"has_touch": True, "viewport": {"width": 390, "height": 844}}
MOST = 6
DECISIONS = {
    "Surge backlog (z/OS)": ("Maximum sessions", "36"),
    "Idle threads behind the throttle (z/OS)": ("Maximum sessions", "36"),
    "The limit of 16 (WebLogic)": ("Work manager", "orders"),
    "Bursts beside steady work (WebLogic)": ("Fair share of mdb", "320"),
    "Balance of a cluster (Open MQ)": ("Consumer flow limit of the factory", "64"),
    "A pool behind a flow limit (Open MQ)": ("Consumer flow limit of the factory", "64"),
}
"""The walks J1, J2, J6, J7, J10 and J11: the setting and the value that is right."""
EACH_RUN = {("Bursts beside steady work (WebLogic)", "phone")} | {
    (title, "desk") for title in ("Surge backlog (z/OS)", "Balance of a cluster (Open MQ)")
}
"""The decisions of each run, one for each platform, of which one on a phone; the others wait for the night."""
OF_THE_BEAN = {"Fair share of mdb": ("Fair share", 1)}
"""Label and place of a field that several rows have: the bean's work manager, mdb, is the second one."""
SAID = re.compile(r"(?:Keep|Set) (?P<setting>.+?) (?:at|to) (?P<value>\S+): (?P<outcome>[^(;]*)")


class Newcomer:
    """Counts what is done; ``text`` is what can be read."""

    def __init__(self, page: Page) -> None:
        self.page, self.deeds = page, 0

    def does(self, deed: Callable[[], object]) -> None:
        """Do one thing, and wait until the page has answered."""
        deed()
        self.deeds += 1

    def finds(self, label: str) -> Locator:
        """The field of that name, unfolding what it lies in."""
        name, place = OF_THE_BEAN.get(label, (label, 0))
        field = self.page.get_by_label(name, exact=True).nth(place)
        while not field.is_visible():
            self.does(self.page.locator("details:not([open])", has=field).first.locator("> summary").click)
        return field

    def takes(self, label: str, value: str) -> None:
        """Give a setting its value where it is not there already."""
        field = self.finds(label)
        if field.evaluate("(it) => it.matches('select')"):
            self.does(lambda: field.select_option(value))
        elif field.input_value() != value:
            field.fill(value)
            self.does(lambda: field.press("Tab"))
        simulated(self.page)


@pytest.mark.parametrize(
    ("title", "context"),
    [
        pytest.param(
            title,
            context,
            id=f"{title}-{place}",
            marks=() if (title, place) in EACH_RUN else pytest.mark.nightly,
        )
        for place, context in (("desk", DESK), ("phone", PHONE))
        for title in DECISIONS
    ],
    indirect=["context"],
)
def test_the_right_decision_takes_at_most_six_deeds(page: Page, title: str) -> None:
    page.goto("/questions/")
    somebody, card = (
        Newcomer(page),
        page.locator("article.preset", has=page.get_by_role("button", name=f"Open {title}")),
    )
    expect(card.locator(".worked .tags")).to_be_visible()
    said = SAID.search(card.inner_text())
    assert said
    assert (said["setting"], said["value"]) == DECISIONS[title]
    somebody.does(card.get_by_role("button", name=f"Open {title}").click)
    simulated(page)
    somebody.takes(said["setting"], said["value"])
    answer = page.locator("#live-verdict")
    expect(answer).to_be_in_viewport()
    sentence = answer.locator(".sentence").first
    assert sentence.evaluate("(it) => it.clientHeight") > 10  # in sight on a phone too
    assert_same(sentence.inner_text(), said["outcome"])
    assert somebody.deeds <= MOST


def assert_same(answer: str, promised: str) -> None:
    """The workbench confirms what the card promised: the number within both intervals, and the verdict."""
    assert ("which meets the objective" in answer) == ("which meets the objective" in promised)
    if "±" in promised and "±" in answer:
        (value, half), (other, more) = measured(promised), measured(answer)
        assert abs(value - other) <= 2 * (half + more)
