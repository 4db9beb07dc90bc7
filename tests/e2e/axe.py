"""axe-core from its Python package: judges a page as it stands, without any network."""

from functools import cache
from importlib.resources import files
from typing import Literal

from playwright.sync_api import Page

Look = Literal["light", "dark", "phone"]


@cache
def _source() -> str:
    return (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


RUN = """async (look) => {
  const drawn = [".plot .svg-container"], repeated = [".reference .operation:nth-of-type(n + 21)"];
  const colours = ["color-contrast", "link-in-text-block"];
  const onlyColours = { runOnly: { type: "rule", values: colours } };
  const noColours = { rules: Object.fromEntries(colours.map((rule) => [rule, { enabled: false }])) };
  const run = async (context, options) =>
    (await axe.run(context, { resultTypes: ["violations"], preload: false, ...options })).violations;
  const seen = (part) => part.checkVisibility({ visibilityProperty: true });
  const visible = () => [...document.body.querySelectorAll("*")].filter(seen);

  if (look === "dark") return run({ exclude: [drawn, repeated] }, onlyColours);
  if (look === "phone") {
    const found = await run({ exclude: [drawn, repeated] }, noColours);
    const others = visible().filter((part) => !window.seenByAxe.has(part) && !part.closest(drawn[0]));
    const tops = others.filter((part) => !others.includes(part.parentElement));
    return tops.length ? [...found, ...await run({ include: tops }, onlyColours)] : found;
  }
  window.seenByAxe = new WeakSet(visible());
  if (!document.querySelector(repeated[0])) return run(document, {});
  return [...await run(document, noColours), ...await run({ exclude: [repeated] }, onlyColours)];
}"""
"""Each rule where its verdict can change. The contrast of colors, the dearest, changes with the theme, and with the
width only where something is seen that was hidden before; all other rules follow the width alone. What Plotly drew and
what the reference of the API repeats for its hundred operations is most of a page's elements: in other looks, and for
colors, the first twenty operations stand for all; the colors of drawings are tested by the theme. Nothing here plays
sound, for which axe would load all style sheets and media once more."""


def violations(page: Page, look: Look = "light") -> list[str]:
    """Return what axe finds wrong: rule, element, reason.

    ``light`` applies all rules and best practices; ``dark`` and then ``phone`` what these can change on the same page.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(_source())
    found = page.evaluate(RUN, look)
    return [
        f"{item['id']}: {' '.join(map(str, node['target']))}: {node['failureSummary']}"
        for item in found
        for node in item["nodes"]
    ]
