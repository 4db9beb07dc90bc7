// A map of two settings from their curves: one row for each value of the second, asked for one after another. A cell takes
// both values.

import { textOf } from "./sliders.js";

const part = document.getElementById("pair");
const [across, down] = part ? part.querySelectorAll("select") : [];
const place = part?.querySelector(".map");
const made = (name, more, ...inner) => {
  const item = Object.assign(document.createElement(name), more);
  item.append(...inner);
  return item;
};
const textAt = (slider, value) => textOf(slider, "decades" in slider.dataset ? Math.log10(value) : value);
let curves = new Map();
let asking = null;
let drawn = null;

// All that the form says besides the two settings of the map.
const besides = ({ one, other }) =>
  String(new URLSearchParams([...new FormData(document.getElementById("scenario-form"))].filter(([name]) => name !== one && name !== other)));

// What can be chosen: the settings that have a curve, the first two that have different ones before all others.
export function offer(known) {
  curves = known;
  const names = [...known.keys()];
  part.hidden = names.length < 2;
  if (part.hidden) return;
  [across, down].forEach((choice, turn) => {
    const held = names.includes(choice.value) ? choice.value : names[turn];
    choice.replaceChildren(...names.map((name) => made("option", { value: name, textContent: known.get(name).answer.title, selected: name === held })));
  });
}

// Ends the drawing; a map that was drawn for other values says so.
export function forget() {
  asking?.abort();
  if (drawn) place.toggleAttribute("data-old", besides(drawn) !== drawn.besides);
}

async function draw(ask) {
  const [one, other] = [across.value, down.value];
  if (one === other) return place.replaceChildren(made("p", { textContent: "Choose two different settings." }));
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  drawn = { one, other, besides: besides({ one, other }) };
  place.removeAttribute("data-old");
  const { slider, answer } = curves.get(other);
  const table = made("table", { className: "data" }, heading(one), made("tbody", {}));
  place.replaceChildren(caption(one, other), made("div", { className: "scroll", tabIndex: 0 }, table));
  place.lastChild.setAttribute("role", "region");
  place.lastChild.setAttribute("aria-label", "Map of two settings");
  for (const [value] of answer.points) {
    const text = textAt(slider, value);
    const found = await ask(one, signal, { [other]: text }).catch(() => null);
    if (signal.aborted) return;
    table.tBodies[0].append(row(one, other, text, found));
    shade(table);
  }
}

function caption(one, other) {
  const { metric, title, judged } = curves.get(one).answer;
  const legend = judged.length ? "✓ objectives met. " : "";
  return made("p", { textContent: `Map of the ${metric}: ${title} across, ${curves.get(other).answer.title} down. ${legend}▲ messages pile up. Press a cell to take both values.` });
}

function heading(one) {
  const { slider, answer } = curves.get(one);
  const cells = answer.points.map(([value]) => made("th", { scope: "col", textContent: textAt(slider, value) }));
  return made("thead", {}, made("tr", {}, made("td", {}), ...cells));
}

function row(one, other, text, found) {
  const { slider, answer } = curves.get(one);
  const cells = answer.points.map(([value]) => {
    const at = found?.points?.findIndex(([there]) => there === value) ?? -1;
    return at < 0 ? made("td", { textContent: "–" }) : cell(found.points[at], found.judged[at], { [one]: textAt(slider, value), [other]: text });
  });
  return made("tr", {}, made("th", { scope: "row", textContent: text }), ...cells);
}

function cell([, , estimate, , written], judgment, values) {
  const lost = written === undefined;
  const button = made("button", { type: "button", textContent: lost ? "▲" : `${judgment === "met" ? "✓ " : ""}${written}` });
  button.setAttribute("aria-label", `${lost ? "messages pile up" : button.textContent}: take ${Object.values(values).join(" and ")}`);
  button.addEventListener("click", () => take(values));
  const item = made("td", { className: lost ? "lost" : judgment ?? "" }, button);
  if (!lost) item.dataset.value = estimate;
  return item;
}

// The fields speak as if somebody had typed.
function take(values) {
  for (const [name, text] of Object.entries(values)) {
    const field = document.querySelector(`#scenario-form [name="${CSS.escape(name)}"]`);
    field.value = text;
    for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
  }
}

// The darker the larger, over decades.
function shade(table) {
  const cells = [...table.querySelectorAll("[data-value]")];
  const sizes = cells.map((item) => Math.log(Math.max(Number(item.dataset.value), 1e-9)));
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  cells.forEach((item, at) => item.style.setProperty("--share", `${Math.round((36 * (sizes[at] - least)) / (most - least || 1))}%`));
}

export function connectPair(ask) {
  part?.querySelector("button").addEventListener("click", () => draw(ask));
}
