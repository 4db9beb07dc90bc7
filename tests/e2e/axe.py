"""axe-core from its Python package: judges a page as it stands, without any network."""

from functools import cache
from importlib.resources import files
from typing import Literal

from playwright.sync_api import Page

from tests.examples import NIGHTLY

Look = Literal["light", "dark", "phone"]


@cache
def _source() -> str:
    return (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


RUN = """async ({ look, whole }) => {
  const repeated = ".reference :is(.operation, .model):nth-of-type(n + 11)";
  const away = whole ? [] : [...document.querySelectorAll(repeated)];
  const marks = away.map(() => document.createComment(""));
  away.forEach((part, at) => part.replaceWith(marks[at]));
  const seen = (part) => part.checkVisibility({ visibilityProperty: true });
  const visible = [...document.body.querySelectorAll("*")].filter(seen);
  if (look === "light") window.seenByAxe = new WeakSet(visible);

  // What is behind a part, and how much of it shows through.
  const behind = new Map([[null, ""]]);
  const ground = (part) => {
    if (!behind.has(part)) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(part);
      const own = [backgroundColor, backgroundImage, opacity].join(" ");
      behind.set(part, ground(part.parentElement) + (own === "rgba(0, 0, 0, 0) none 1" ? "" : `; ${own}`));
    }
    return behind.get(part);
  };
  const counted = new Map(), controls = /^(a|button|input|select|textarea)$/;
  const stands = (part) => {
    const { color, fontSize, fontWeight, textShadow, textDecorationLine } = getComputedStyle(part);
    const role = controls.test(part.localName) ? part.localName + getComputedStyle(part.parentElement).color : "";
    const kind = [ground(part), role, color, fontSize, fontWeight, textShadow, textDecorationLine].join();
    counted.set(kind, (counted.get(kind) ?? 0) + 1);
    return whole || counted.get(kind) <= 2;
  };
  const worded = (part) => controls.test(part.localName)
    || [...part.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const changed = visible.filter((part) => look !== "phone" || !window.seenByAxe.has(part));
  const judged = changed.filter(worded).filter(stands);

  judged.forEach((part) => part.setAttribute("data-judged", ""));
  const contrast = { id: "color-contrast", selector: "[data-judged]" };
  axe.configure({ rules: [contrast, { id: "link-in-text-block", selector: "a[href][data-judged]" }] });
  const only = look === "dark" ? { runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } } : {};
  const context = look === "light" ? document : { exclude: [".plot .svg-container"] };
  try {
    return (await axe.run(context, { resultTypes: ["violations"], preload: false, ...only })).violations;
  } finally {
    judged.forEach((part) => part.removeAttribute("data-judged"));
    marks.forEach((mark, at) => mark.replaceWith(away[at]));
  }
}"""
"""Each rule where its verdict can change. The contrast of colors, nine tenths of what axe costs, is judged for two of
all texts that have equal colors, size and weight upon equal backgrounds, and so are links among words; that changes
with the theme, and with the width only where something is seen that was hidden before. All other rules follow the width
alone. What Plotly drew is looked at once, and of the reference's hundred operations and bodies, which one template
writes, ten stand for all: the others are taken out of the page meanwhile. By night all texts and operations are judged.
Nothing here plays sound, for which axe would load all style sheets and media once more."""


def violations(page: Page, look: Look = "light") -> list[str]:
    """Return what axe finds wrong: rule, element, reason.

    ``light`` applies all rules and best practices; ``dark`` and then ``phone`` what these can change on the same page.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(_source())
    found = page.evaluate(RUN, {"look": look, "whole": NIGHTLY})
    return [
        f"{item['id']}: {' '.join(map(str, node['target']))}: {node['failureSummary']}"
        for item in found
        for node in item["nodes"]
    ]
