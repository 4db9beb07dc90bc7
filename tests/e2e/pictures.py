"""What a picture of a page must show whatever it looks like, and the pictures themselves for people to look at.

With `SCREENSHOTS=folder` in the environment every state of every page is saved there in each of the looks.
"""

import os
import re
from contextlib import suppress
from pathlib import Path

from playwright.sync_api import Page
from playwright.sync_api import TimeoutError as PlaywrightTimeout

FOLDER = os.environ.get("SCREENSHOTS", "")
LAYOUT = 15_000
"""Milliseconds for a page to follow another width or theme; what has not followed by then is told as wrong."""
LEAST_TEXT = 60
"""Letters that even the emptiest page has."""
JUDGE = r"""(least) => {
  const wrong = [];
  const root = document.documentElement;
  const wider = root.scrollWidth - root.clientWidth;
  if (wider > 0) wrong.push(`the page is ${wider} pixels wider than the window`);
  const text = document.querySelector("main").innerText.trim();
  if (text.length < least) wrong.push(`the page is as good as empty: ${text}`);
  for (const place of document.querySelectorAll("figure[data-chart] .plot")) {
    const view = place.closest("figure");
    if (!view.checkVisibility()) continue;
    const drawn = place.querySelectorAll(".cartesianlayer .trace path, .cartesianlayer image").length;
    if (!drawn) wrong.push(`nothing is painted in the chart ${view.dataset.chart}`);
  }
  const main = [...document.querySelectorAll(".button.primary")].filter(
    (button) => !button.closest(".sheet, dialog") && button.checkVisibility(),
  );
  if (main.length > 1) wrong.push(`two main buttons: ${main.map((button) => button.innerText).join(", ")}`);
  const layer = document.querySelector("dialog[open]") ?? document.querySelector("details.popup[open] > .sheet");
  wrong.push(...overlaps(layer ?? document.querySelector("main")));
  return wrong;

  // Lines of text of different elements that lie on each other, each cut to what its frames let through.
  function overlaps(within) {
    const lines = [];
    const walker = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const owner = node.parentElement;
      if (!node.data.trim() || owner.closest("svg, option, script, .visually-hidden, .plot, noscript")) continue;
      if (!owner.checkVisibility({ visibilityProperty: true })) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const rect of range.getClientRects()) {
        const box = cut(rect, owner);
        if (box && !shrunk(owner)) lines.push({ ...box, owner, text: node.data.trim().slice(0, 40) });
      }
    }
    lines.sort((one, other) => one.top - other.top);
    const found = new Set();
    lines.forEach((one, place) => {
      for (const other of lines.slice(place + 1)) {
        if (other.top > one.bottom - 3) break;
        if (one.owner === other.owner || one.owner.contains(other.owner) || other.owner.contains(one.owner)) continue;
        const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        const down = Math.min(one.bottom, other.bottom) - other.top;
        if (across > 3 && down > 4) found.add(`“${one.text}” and “${other.text}” lie on each other`);
      }
    });
    return [...found].slice(0, 5);
  }

  function cut({ left, right, top, bottom }, element) {
    let box = { left, right, top, bottom };
    for (let frame = element; frame && frame !== document.body; frame = frame.parentElement) {
      if (getComputedStyle(frame).overflow === "visible") continue;
      const edge = frame.getBoundingClientRect();
      box = {
        left: Math.max(box.left, edge.left), right: Math.min(box.right, edge.right),
        top: Math.max(box.top, edge.top), bottom: Math.min(box.bottom, edge.bottom),
      };
    }
    return box.right > box.left && box.bottom > box.top ? box : null;
  }

  function shrunk(element) {
    const { width, height } = element.getBoundingClientRect();
    return width <= 1 || height <= 1;
  }
}"""


PAINTED = """() => [...document.querySelectorAll("figure[data-chart] .plot")]
  .filter((place) => place.closest("figure").checkVisibility())
  .every((place) => place.querySelector(".cartesianlayer .trace path, .cartesianlayer image"))"""


AT_REST = """async () => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const moving = document.getAnimations().filter((part) => part instanceof CSSTransition);
  const over = Promise.allSettled(moving.map((part) => part.finished));
  // What is folded away stands still until it is seen again.
  await Promise.race([over, new Promise((done) => setTimeout(done, 400))]);
}"""


def settled(page: Page) -> None:
    """Wait until the page, its charts above all, has followed another width or theme."""
    with suppress(PlaywrightTimeout):
        page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth", timeout=LAYOUT)
    page.evaluate(AT_REST)


def wrong_to_see(page: Page) -> list[str]:
    """Return what no look may have: too wide, empty, unpainted charts, text upon text, two main buttons."""
    page.evaluate("scrollTo(0, 0)")
    with suppress(PlaywrightTimeout):
        page.wait_for_function(PAINTED, timeout=LAYOUT)
    found: list[str] = page.evaluate(JUDGE, LEAST_TEXT)
    return found


def picture(page: Page, look: str, name: str) -> None:
    """Save the whole page where SCREENSHOTS says."""
    if FOLDER:
        file = Path(FOLDER) / f"{re.sub(r'[^a-z0-9]+', '-', name)}-{look}.png"
        file.parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=file, full_page=True)
