// What the live panel shows: verdict, formula answers, findings, charts, and what is wrong with a value.

import { held } from "../site/held.js";
import { unfold } from "./folds.js";
import { paint } from "./mechanism.js";

const form = document.getElementById("scenario-form");
const live = document.getElementById("live");
const byId = (id) => document.getElementById(id);
const figures = new Map();
const written = new Map();
let pending = [];
let drawing = null;
// What the server said when it was sent the form, which an answer without problems does not unsay: a run may be too much work.
let told = Object.fromEntries([...form.querySelectorAll(".problem:not([hidden])")].map((line) => [line.id.slice(2), line.textContent]));

export function showProblems(read) {
  const [name, why] = Object.entries(read.problems)[0] ?? [];
  const label = form.querySelector(`label[for="f-${CSS.escape(name ?? "")}"]`)?.firstChild.textContent.trim();
  outdated(`The answer below is the last valid one. ${[...read.other, why && `${label}: ${why}`].filter(Boolean).join(" ")}`);
  mark(read.problems);
  count(Object.keys(read.problems).length + read.other.length);
}

// The answer below is an old one, and why.
export function outdated(why) {
  live.dataset.stale = "";
  byId("live-problem").hidden = !why;
  byId("live-problem").textContent = why;
}

// The button that saves says how many problems there are.
function count(number) {
  byId("wrong").textContent = number ? `· ${number} problem${number > 1 ? "s" : ""}` : "";
}

function mark(problems) {
  form.querySelectorAll(".problem").forEach((line) => {
    const name = line.id.slice(2);
    const text = problems[name] ?? "";
    line.textContent = text;
    line.hidden = !text;
    const input = byId(`f-${name}`);
    if (text) {
      input?.setAttribute("aria-invalid", "true");
      if (input) unfold(input);
    } else input?.removeAttribute("aria-invalid");
  });
}

function valid() {
  delete live.dataset.stale;
  byId("live-problem").hidden = true;
  mark(told);
  if (!byId("told")) count(0);
}

// Somebody has changed a value: what the server said of the old ones may hold no more.
export function forgetTold() {
  told = {};
  byId("told")?.remove();
}

function put(id, html) {
  if (written.get(id) === html) return;
  written.set(id, html);
  byId(id).innerHTML = html;
}

// What the formulas say; findings and verdict of a simulation that is as new stay.
export function showFormula(read, alone) {
  valid();
  put("live-derived", read.html.derived);
  if (!alone) return;
  put("live-findings", read.html.findings);
  if (!figures.size) put("live-verdict", read.html.verdict);
}

export function showSimulated(read, number, brief) {
  const shown = read.charts.map((chart) => document.querySelector(`.live figure[data-chart="${chart.key}"]`));
  // Where things lie is asked before anything is written, or the browser would lay the page out twice.
  const later = brief ? unseen() : [];
  valid();
  put("live-verdict", read.html.verdict);
  put("live-derived", read.html.derived);
  put("live-findings", read.html.findings);
  paint(read.html.mechanism);
  showVersus(read.html.versus);
  document.querySelectorAll(".live figure[data-chart]").forEach((view) => {
    view.hidden = !shown.includes(view) && !later.includes(view);
  });
  const [first, ...others] = read.charts.map((chart, place) => ({ chart, view: shown[place], number }));
  if (read.status === "too_long") {
    // Nothing was simulated: there is no path to play.
    document.dispatchEvent(new CustomEvent("sluice:play", { detail: "hold" }));
    byId("picture-player").hidden = true;
  }
  pending = others.filter((item) => !later.includes(item.view));
  if (first && !later.includes(first.view)) showChart(first);
  drawn();
}

// A glance has no differences to the baseline: the last ones stay, faded, until the whole answer comes.
function showVersus(html) {
  byId("live-versus").toggleAttribute("data-old", html === undefined);
  if (html !== undefined) put("live-versus", html);
}

// One chart in a frame, the first at once, so that a slider shows its effect before all charts are drawn. Charts of a newer
// answer take the place of those that still wait.
export function drawn() {
  live.toggleAttribute("data-drawing", pending.length > 0);
  if (pending.length && !drawing) {
    drawing = new Promise((done) => requestAnimationFrame(() => setTimeout(done))).then(() => {
      drawing = null;
      const next = pending.shift();
      if (next) showChart(next);
      return drawn();
    });
  }
  return drawing;
}

// While a slider moves, what nobody sees waits for the whole answer, and so do the tables.
function showChart({ chart, view, number }) {
  held(view.querySelector(".sentence"), chart.sentence);
  if (chart.table) view.querySelector(".table").innerHTML = chart.table;
  const place = view.querySelector(".plot");
  place.setAttribute("aria-label", `${view.querySelector("h3").textContent}. ${chart.sentence}`);
  const last = figures.get(chart.key);
  const before = (last?.number === number ? last.before : last?.figure) ?? null;
  document.dispatchEvent(new CustomEvent("sluice:draw", { detail: { place, figure: chart.figure, before } }));
  figures.set(chart.key, { number, figure: chart.figure, before });
}

export function unseen() {
  const drawn = [...document.querySelectorAll(".live figure[data-chart]:not([hidden])")];
  return drawn.filter((view) => {
    const { top, bottom } = view.getBoundingClientRect();
    return bottom <= 0 || top >= innerHeight;
  });
}

// The next charts are no older answers' successors: they leave no ghost.
export function forgetFigures() {
  figures.clear();
}

// The verdict stays in sight above what is focused, so the page scrolls further by its height, and again where what comes
// above has pushed that below it.
const verdict = byId("live-verdict");
const shifted = new ResizeObserver(() => {
  const [at, over] = [document.activeElement, verdict.getBoundingClientRect()];
  const { top, bottom } = at.getBoundingClientRect();
  // After the measuring, so that the browser lays the page out once.
  document.documentElement.style.setProperty("--covered", `${over.height + 8}px`);
  const covered = live.contains(at) && !verdict.contains(at) && top < over.bottom && bottom > over.top;
  if (covered && at.matches(":focus-visible")) at.scrollIntoView({ block: "nearest" });
});
[verdict, live, form].forEach((part) => shifted.observe(part));
