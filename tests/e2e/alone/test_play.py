"""The play head along the timeline: by button, by hand, by key, and for people who asked for less motion."""

import json
import re

import pytest
from playwright.sync_api import Page

from tests.e2e.expecting import expect
from tests.e2e.watch import change, choose, import_text, open_preset
from tests.scenarios import listener_port

pytestmark = [pytest.mark.browser, pytest.mark.slow]
TIMELINE = 'figure[data-chart="throttle"]'
AT = """([wanted]) => {
  const place = document.querySelector('figure[data-chart="throttle"] .plot');
  const { xaxis } = place._fullLayout;
  const head = place.querySelector(".playhead").getBoundingClientRect();
  return head.left - place.getBoundingClientRect().left - xaxis._offset - xaxis.l2p(wanted);
}"""
WITHOUT_ZONES = """picture => {
  const still = picture.cloneNode(true);
  still.querySelectorAll(".zone").forEach(bar => bar.remove());
  return still.innerHTML;
}"""
"""The ranges on the knobs come later, each with its curve."""
WATCHED = """() => {
  const { arc, clearRect } = CanvasRenderingContext2D.prototype;
  window.dots = [];
  CanvasRenderingContext2D.prototype.clearRect = function (...where) {
    window.dots = [];
    return clearRect.apply(this, where);
  };
  CanvasRenderingContext2D.prototype.arc = function (x, y, radius, ...angles) {
    window.dots.push({ left: x - radius, right: x + radius, fill: this.fillStyle });
    return arc.call(this, x, y, radius, ...angles);
  };
}"""
"""From now on ``dots`` are those of the newest frame, in pixels of their canvas."""
BETWEEN = """() => {
  const canvas = document.querySelector("canvas.messages").getBoundingClientRect();
  const boxes = [...document.querySelectorAll(".lane:has(.messages) .box")].map((box) => box.getBoundingClientRect());
  const sides = boxes.map((box) => [box.left - canvas.left, box.right - canvas.left]);
  return window.dots.some((dot) => sides.every(([left, right]) => dot.right < left || dot.left > right));
}"""
"""A message is on its way from one station to the next."""
RED = """() => {
  const { color } = getComputedStyle(document.querySelector("canvas.messages"));
  const parts = color.match(/[\\d.]+/g).map(Number);
  const written = `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
  return window.dots.filter(({ fill }) => fill === written).length;
}"""


def test_the_head_tells_what_holds_at_its_time(page: Page) -> None:
    open_preset(page, "Surge backlog (z/OS)")
    said, slider = page.locator(f"{TIMELINE} .reading").first, page.get_by_label("Time of the play head")
    slider.focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(said).to_have_text(re.compile(r"^At [\d.]+ m?s: .*in flight [\d.]+.*throttle (open|blocked)\.$"))
    assert abs(page.evaluate(AT, [float(slider.input_value())])) <= 2
    first = said.inner_text()
    button = page.get_by_role("button", name="▶ Play", exact=True)
    button.click()
    expect(page.get_by_role("button", name="❚❚ Stop")).to_be_visible()
    expect(said).not_to_have_text(first)
    page.get_by_role("button", name="❚❚ Stop").click()
    expect(button).to_be_visible()
    assert abs(page.evaluate(AT, [float(slider.input_value())])) <= 2
    change(page, "Maximum sessions", "50")
    assert abs(page.evaluate(AT, [float(slider.input_value())])) <= 2


@pytest.mark.nightly
def test_heads_of_joined_charts_stand_at_the_same_instant(page: Page) -> None:
    open_preset(page, "A thousand messages at once (z/OS)")
    slider = page.get_by_label("Time of the play head")
    slider.focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    heads = page.locator(".live .playhead:visible")
    expect(heads).to_have_count(2)
    times = page.evaluate("""() => [...document.querySelectorAll(".live .playhead")].map((head) => {
      const { xaxis, _size } = head.parentElement._fullLayout;
      const left = head.getBoundingClientRect().left - head.parentElement.getBoundingClientRect().left;
      return xaxis.p2l(left + 1 - xaxis._offset) * head.parentElement.layout.meta.unit;
    })""")
    assert times[0] == pytest.approx(times[1], rel=0.05)


def test_the_picture_follows_the_simulated_path(page: Page) -> None:
    open_preset(page, "Surge backlog (z/OS)")
    player, now = page.locator("#picture-player"), page.locator("#live-mechanism .threads .now")
    means = page.locator("#live-mechanism").evaluate(WITHOUT_ZONES)
    player.get_by_role("button", name="Next moment").click()
    expect(player.get_by_role("status")).to_contain_text(
        re.compile(r"^(The throttle|The slowest|Most).*\. At [\d.]+ m?s: .*in flight")
    )
    expect(now).to_contain_text(re.compile(r"now \d+"))
    moment = player.get_by_role("status").inner_text()
    player.get_by_role("button", name="Step").click()
    expect(player.get_by_role("status")).not_to_have_text(moment)
    player.get_by_role("button", name="▶ Play the picture").click()
    player.get_by_role("button", name="❚❚ Pause the picture").click()
    expect(player.get_by_role("button", name="▶ Play the picture")).to_be_visible()
    player.get_by_role("button", name="Back to the means").click()
    expect(now).to_have_count(0)
    assert page.locator("#live-mechanism").evaluate(WITHOUT_ZONES) == means


@pytest.mark.parametrize("context", [{"reduced_motion": "reduce"}], indirect=True)
def test_with_less_motion_charts_have_the_slider_alone_and_the_picture_goes_by_steps(page: Page) -> None:
    open_preset(page, "Surge backlog (z/OS)")
    expect(page.get_by_label("Time of the play head")).to_be_visible()
    expect(page.get_by_role("button", name="▶ Play", exact=True)).to_be_hidden()
    expect(page.get_by_role("button", name="Next moment")).to_be_visible()
    expect(page.get_by_role("button", name="▶ Play the picture")).to_be_hidden()


@pytest.mark.nightly
@pytest.mark.parametrize("context", [{"has_touch": True, "viewport": {"width": 390, "height": 844}}], indirect=True)
def test_a_phone_plays_the_picture(page: Page) -> None:
    open_preset(page, "Surge backlog (z/OS)")
    page.get_by_role("button", name="Next moment").click()
    expect(page.locator("#picture-player").get_by_role("status")).to_contain_text("in flight")


@pytest.mark.parametrize(
    "title",
    [
        pytest.param("Surge backlog (z/OS)", marks=pytest.mark.nightly),
        pytest.param("A queue behind a queue (WebSphere)", marks=pytest.mark.nightly),
        "The limit of 16 (WebLogic)",
        pytest.param("Balance of a cluster (Open MQ)", marks=pytest.mark.nightly),
    ],
)
def test_single_messages_move_along_the_picture_of_every_platform(page: Page, title: str) -> None:
    open_preset(page, title)
    player, dots = page.locator("#picture-player"), page.locator("canvas.messages")
    expect(dots).to_have_count(0)
    page.evaluate(WATCHED)
    moments = set()
    for _ in range(6):
        player.get_by_role("button", name="Next moment").click()
        moments.add(player.get_by_role("status").inner_text().partition(".")[0].partition(";")[0])
    assert "The slowest of the messages drawn arrives" in moments
    assert len(moments) > 1
    dot = r"Each dot is a message(, one of every \d+,)? on its way to the next box; what a box holds fills it"
    expect(player.locator(".key")).to_contain_text(re.compile(dot))
    player.get_by_role("button", name="▶ Play the picture").click()
    page.wait_for_function(BETWEEN)
    player.get_by_role("button", name="❚❚ Pause the picture").click()
    assert 0 < page.evaluate("window.dots.length") <= 200
    player.get_by_role("button", name="Back to the means").click()
    expect(dots).to_have_count(0)


def test_messages_that_time_out_come_back_in_red(page: Page) -> None:
    open_preset(page, "Timeouts of a slow bean (z/OS)")
    player = page.locator("#picture-player")
    next_moment = player.get_by_role("button", name="Next moment")
    page.evaluate(WATCHED)
    for _ in range(8):
        next_moment.click()
        if "fails and comes back" in player.get_by_role("status").inner_text():
            break
    assert page.evaluate(RED) > 0
    expect(player.locator(".key")).to_contain_text("Red: it failed and comes back.")


@pytest.mark.nightly
def test_of_many_queues_the_one_of_the_charts_is_played(page: Page) -> None:
    body = listener_port("Six queues", rate="1/s")
    queue = body["queues"][0]
    body["queues"] = [{**queue, "name": f"queue-{number}"} for number in range(1, 7)]
    import_text(page, json.dumps(body), "six.yaml")
    for name in ("queue-1", "queue-6"):
        choose(page, "Charts of the queue", name)
        page.get_by_role("button", name="Next moment").click()
        lane = page.locator("#live-mechanism .lane:visible")
        expect(lane).to_have_count(1)
        expect(lane).to_have_attribute("data-queue", name)
        expect(lane.locator(".now").first).to_be_visible()
