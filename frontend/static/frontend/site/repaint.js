// Puts what the server says now into the page as it stands: pieces of HTML and charts, each in its place. A piece with the
// focus waits, folded parts stay as they were left, charts keep their zoom.

import { held } from "./held.js";

const written = new Map();
// The mask of the token differs in every answer.
const bare = (html) => html.replaceAll(/name="csrfmiddlewaretoken" value="[^"]*"/g, "");

// `force` names pieces that are replaced even where the focus is. Returns false when the page lacks a chart.
export function repaint(prefix, { html, charts }, force = []) {
  for (const [name, text] of Object.entries(html)) piece(document.getElementById(`${prefix}-${name}`), text, force.includes(name));
  return charts.every((item, at) => chart(item, charts.slice(0, at).filter(({ key }) => key === item.key).length));
}

function piece(place, html, force) {
  if (!place || written.get(place) === bare(html)) return;
  const focused = place.contains(document.activeElement);
  if (focused && !force) return;
  written.set(place, bare(html));
  const folds = [...place.querySelectorAll("details")].map((part) => part.open);
  place.innerHTML = html;
  if (folds.length) place.querySelectorAll("details").forEach((part, at) => (part.open = folds[at] ?? part.open));
  if (!focused) return;
  place.tabIndex = -1;
  place.focus({ preventScroll: true });
}

// Charts of one name, as of the sweep and of a point, come in the page's order.
function chart({ key, sentence, table, figure }, turn) {
  const view = document.querySelectorAll(`figure[data-chart="${key}"]`)[turn];
  if (!view) return false;
  held(view.querySelector(".sentence"), sentence);
  view.querySelector(".table").innerHTML = table;
  const place = view.querySelector(".plot");
  document.dispatchEvent(new CustomEvent("sluice:draw", { detail: { place, figure, before: null, keep: true } }));
  return true;
}
