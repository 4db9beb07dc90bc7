"""The picture in motion: frames of *Play the picture*, a knob dragged on it, and the curves once the hand rests.

Run it with `python -m benchmarks.motion [--drags 100] [--rests 2]`. It starts a server of its own in a new folder.
Times of the main thread are processor time, so that what else runs on the machine counts less; a frame is the task that
holds the animation's callback, with style, layout and paint; script is the callback's part. Without a graphics card
Chromium composes the frames on the same cores, which limits how many there are, not what the main thread does. A drag
begins with the pointer's event and ends when picture and first chart are painted. When a slider rests, the page waits a
quarter of a second, asks for the whole answer, draws it, and then asks for the curves, and at last for what the best
values gain: the first curve, all curves and all gains are timed from the first curve's request; how long after the last
move that begins is told, too.
"""

import argparse
import json
import os
import statistics
import sys
from bisect import bisect_left
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Browser, Page

from benchmarks.pages import PRESET, laptop, report

FRAMES, FRAME_BAR, DRAG_BAR, FIRST_BAR, CURVES_BAR = 60, 8.0, 120.0, 300.0, 1000.0
"""Frames a second, milliseconds of the main thread for a frame, for a drag, the first curve and all curves."""
SESSIONS, FAST = "125", "3"
"""So many sessions, at this speed of the player, bring about 200 messages onto the picture at once."""
PLAYED = 3_400
"""Milliseconds of the four that the whole course takes at that speed."""
TRACED = ("devtools.timeline", "disabled-by-default-devtools.timeline")
SETTLED = '#live[data-settled="true"]'
COUNT = """() => {
  window.counted = { frames: [], dots: [] };
  const frame = (now) => window.counted.frames.push(now) && requestAnimationFrame(frame);
  requestAnimationFrame(frame);
  const { arc, clearRect } = CanvasRenderingContext2D.prototype;
  let dots = 0;
  CanvasRenderingContext2D.prototype.clearRect = function (...where) {
    window.counted.dots.push(dots);
    dots = 0;
    return clearRect.apply(this, where);
  };
  CanvasRenderingContext2D.prototype.arc = function (...dot) {
    dots += 1;
    return arc.apply(this, dot);
  };
}"""
WATCH = """() => {
  const live = document.getElementById("live");
  window.drags = [];
  let began = null;
  document.getElementById("live-mechanism").addEventListener("pointermove", () => (began = performance.now()), true);
  new MutationObserver(() => requestAnimationFrame(() => scheduler.postTask(() => {
    if (began) window.drags.push(performance.now() - began);
    began = null;
  }, { priority: "user-blocking" }))).observe(live, { attributeFilter: ["data-shown"] });
}"""
MOVE = """([path, sign]) => {
  const slider = document.querySelector(`#scenario-form [data-path="${CSS.escape(path)}"] input[type=range]`);
  performance.clearResourceTimings();
  window.moved = performance.now();
  slider.value = Number(slider.value) + sign * Math.max(Number(slider.step), (slider.max - slider.min) / 50);
  slider.dispatchEvent(new Event("input", { bubbles: true }));
}"""
ASKED = """(end) => performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(end))
  .map(({ startTime, responseEnd }) => [startTime - window.moved, responseEnd - window.moved])"""
TOLD = '#live[data-curves="told"]'


def opened(page: Page, preset: str) -> None:
    """Open a worked question and wait until its answer and its curves are drawn."""
    page.goto("/questions/")
    page.get_by_role("button", name=f"Open {preset}").click()
    page.wait_for_selector(SETTLED, timeout=300_000)
    all_curves(page)


def all_curves(page: Page) -> tuple[list[tuple[float, float]], float]:
    """Wait until all curves and gains are told; return when each curve was asked for and answered, and the last gain.

    All in milliseconds after the move; without any gain that of the last curve.
    """
    page.wait_for_selector(TOLD, timeout=300_000)
    curves, gains = page.evaluate(ASKED, "/curve/"), page.evaluate(ASKED, "/curve/?gain")
    return curves, [*curves, *gains][-1][1]


def frames(browser: Browser, page: Page) -> None:
    """Play the picture with about 200 messages on it; print frames a second and what one takes of the main thread."""
    page.get_by_label("Maximum sessions", exact=True).fill(SESSIONS)
    page.keyboard.press("Tab")
    page.wait_for_timeout(500)
    page.wait_for_selector(SETTLED)
    all_curves(page)
    page.locator("[data-speed]").select_option(FAST)
    browser.start_tracing(page=page, categories=list(TRACED))
    page.get_by_role("button", name="Play the picture").click()
    page.evaluate(COUNT)
    page.wait_for_timeout(PLAYED)
    counted = page.evaluate("window.counted")
    events = json.loads(browser.stop_tracing())["traceEvents"]
    times = counted["frames"]
    rate = 1e3 * (len(times) - 1) / (times[-1] - times[0])
    print(f"Messages on the picture: {statistics.median(counted['dots']):.0f}, at most {max(counted['dots'])}")
    print(f"Frames a second: {rate:.1f}, {'within' if rate >= 0.98 * FRAMES else 'BELOW'} {FRAMES}")
    tasks = _frame_tasks(events, (times[-1] - times[0]) * 1e3)
    report("Main thread of a frame", [task["tdur"] / 1e3 for task, _ in tasks], "ms", FRAME_BAR)
    report("of this our script", [script / 1e3 for _, script in tasks], "ms", FRAME_BAR)


def drags(page: Page, count: int) -> list[float]:
    """Drag the knob of the maximum sessions by one step after the other; return how long each takes (ms)."""
    knob = page.locator("#live-mechanism .knob", has_text="Maximum sessions").first
    track = knob.locator(".track").bounding_box() or sys.exit("The picture has no knob for the maximum sessions.")
    page.evaluate(WATCH)
    y = track["y"] + track["height"] / 2
    page.mouse.move(track["x"] + track["width"] * 0.1, y)
    page.mouse.down()
    for number in range(count):
        page.mouse.move(track["x"] + track["width"] * (0.12 + 0.4 * (number % 40) / 40), y)
        page.wait_for_function("(count) => window.drags.length > count", arg=number)
    page.mouse.up()
    return list(page.evaluate("window.drags"))[:count]


def rests(page: Page, count: int) -> list[tuple[list[tuple[float, float]], float]]:
    """Let the first knob of the picture rest ``count`` times; return for each when curves and gains came."""
    path = page.locator("#live-mechanism .knob[tabindex]").first.get_attribute("data-path")
    found = []
    for number in range(count):
        page.evaluate(MOVE, [path, 1 - 2 * (number % 2)])
        found.append(all_curves(page))
    return found


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--drags", type=int, default=100)
    options.add_argument("--rests", type=int, default=2)
    asked = options.parse_args()
    with laptop(0) as (browser, page):
        page.goto("/questions/")
        buttons = page.get_by_role("button", name="Open ").all_text_contents()
        names = [text.strip().removeprefix("Open ") for text in buttons]
        opened(page, PRESET)
        print(f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores")
        report("Drag on the picture", drags(page, asked.drags), "ms", DRAG_BAR)
        frames(browser, page)
        every = []
        for name in names:
            opened(page, name)
            every += (found := rests(page, asked.rests))
            ends = " ".join(f"{times[-1][1] - times[0][0]:.0f}" for times, _ in found)
            print(f"  {name}: {len(found[0][0])} curves, all after {ends} ms")
        report("Curves asked for after the last move", [times[0][0] for times, _ in every], "ms", float("inf"))
        report("First curve", [times[0][1] - times[0][0] for times, _ in every], "ms", FIRST_BAR)
        report("All curves", [times[-1][1] - times[0][0] for times, _ in every], "ms", CURVES_BAR)
        report("All gains", [gained - times[0][0] for times, gained in every], "ms", float("inf"))
        print(f"load {os.getloadavg()[0]:.1f} at the end")


def _frame_tasks(events: Sequence[dict[str, Any]], microseconds: float) -> list[tuple[dict[str, Any], float]]:
    """The tasks that hold an animation's callback while the picture plays, each with the callbacks' processor time."""
    calls = sorted((item for item in events if item["name"] == "FireAnimationFrame"), key=lambda item: item["ts"])
    starts, begin = [item["ts"] for item in calls], calls[0]["ts"]
    thread = calls[0]["pid"], calls[0]["tid"]
    found = []
    for task in events:
        if task["name"] != "RunTask" or (task["pid"], task["tid"]) != thread or task["ts"] > begin + microseconds:
            continue
        inside = calls[bisect_left(starts, task["ts"]) : bisect_left(starts, task["ts"] + task["dur"])]
        if inside:
            found.append((task, sum(item["tdur"] for item in inside)))
    return found


if __name__ == "__main__":
    main()
