// The live panel: every change asks for a glance, a short simulation, and for the whole one when the hand rests; only the
// newest answer is shown. Where even a glance is slow the formulas answer first.

import { Draft } from "./drafts.js";
import { History, read } from "./history.js";
import { connectSliders, moveSliders } from "./sliders.js";

const form = document.getElementById("scenario-form");
const live = document.getElementById("live");
const byId = (id) => document.getElementById(id);
const tell = (what, detail) => document.dispatchEvent(new CustomEvent(`sluice:${what}`, { detail }));
const figures = new Map();
const written = new Map();
const SLOW = 150;
const REST = 250;
const newest = { formula: 0, simulated: 0 };
let sequence = 0;
let busy = false;
let waiting = false;
let timer = 0;
let took = Infinity;
let whole = null;
let lost = false;
let pending = [];
let drawing = null;

async function ask(part, number, signal) {
  const body = new URLSearchParams(new FormData(form));
  body.set("part", part);
  body.set("sequence", String(number));
  if (part === "glance") body.set("unseen", unseen().map((view) => view.dataset.chart).join(" "));
  body.set("queue", byId("live-queue")?.value ?? "");
  const answer = await fetch(form.dataset.answer, { method: "POST", body, headers: { Accept: "application/json" }, signal });
  if (answer.status !== 200 && answer.status !== 422) throw new Error(`status ${answer.status}`);
  const read = await answer.json();
  // An answer to an older question than the one already shown is dropped.
  const kind = part === "formula" ? "formula" : "simulated";
  // So is what the formulas say of a question that the simulation has answered: a later one may be shown by now.
  if (number < newest[kind] || (kind === "formula" && number <= newest.simulated)) return;
  newest[kind] = number;
  if (answer.status === 422) showProblems(read);
  else if (kind === "formula") showFormula(read);
  else showSimulated(read, number, part === "glance");
}

function showProblems(read) {
  live.dataset.stale = "";
  mark(read.problems);
  const other = read.other.join(" ");
  byId("live-problem").hidden = false;
  byId("live-problem").textContent = other || "The answer below is the last valid one: a value on the left cannot be used.";
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
      input?.closest("details:not(.about)")?.setAttribute("open", "");
    } else input?.removeAttribute("aria-invalid");
  });
}

function valid() {
  delete live.dataset.stale;
  byId("live-problem").hidden = true;
  mark({});
}

function put(id, html) {
  if (written.get(id) === html) return;
  written.set(id, html);
  byId(id).innerHTML = html;
}

function showFormula(read) {
  valid();
  put("live-derived", read.html.derived);
  if (newest.simulated < newest.formula) {
    put("live-findings", read.html.findings);
    if (!figures.size) put("live-verdict", read.html.verdict);
  }
}

function showSimulated(read, number, brief) {
  const shown = read.charts.map((chart) => document.querySelector(`.live figure[data-chart="${chart.key}"]`));
  // Where things lie is asked before anything is written, or the browser would lay the page out twice.
  const later = brief ? unseen() : [];
  valid();
  put("live-verdict", read.html.verdict);
  put("live-derived", read.html.derived);
  put("live-findings", read.html.findings);
  document.querySelectorAll(".live figure[data-chart]").forEach((view) => {
    view.hidden = !shown.includes(view) && !later.includes(view);
  });
  const [first, ...others] = read.charts.map((chart, place) => ({ chart, view: shown[place], number }));
  pending = others.filter((item) => !later.includes(item.view));
  if (first && !later.includes(first.view)) showChart(first);
  drawn();
}

// One chart in a frame, the first at once, so that a slider shows its effect before all charts are drawn. Charts of a newer
// answer take the place of those that still wait.
function drawn() {
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
  view.querySelector(".sentence").textContent = chart.sentence;
  if (chart.table) view.querySelector(".table").innerHTML = chart.table;
  const place = view.querySelector(".plot");
  place.setAttribute("aria-label", `${view.querySelector("h3").textContent}. ${chart.sentence}`);
  const last = figures.get(chart.key);
  const before = (last?.number === number ? last.before : last?.figure) ?? null;
  tell("draw", { place, figure: chart.figure, before });
  figures.set(chart.key, { number, figure: chart.figure, before });
}

function unseen() {
  const drawn = [...document.querySelectorAll(".live figure[data-chart]:not([hidden])")];
  return drawn.filter((view) => {
    const { top, bottom } = view.getBoundingClientRect();
    return bottom <= 0 || top >= innerHeight;
  });
}

// One simulation at a time: while one is on its way the latest wish waits, those in between are never sent.
async function simulate() {
  if (busy) {
    waiting = true;
    whole?.abort();
    return;
  }
  busy = true;
  clearTimeout(timer);
  do {
    waiting = false;
    const began = performance.now();
    await ask("glance", sequence).catch(away);
    took = performance.now() - began;
  } while (waiting);
  busy = false;
  live.dataset.shown = String(sequence);
  timer = setTimeout(refine, REST);
}

async function refine() {
  busy = true;
  whole = new AbortController();
  const asked = sequence;
  await ask("simulated", asked, whole.signal).catch(away);
  whole = null;
  busy = false;
  if (waiting) return simulate();
  await drawn();
  if (asked === sequence) settle(true);
}

function settle(settled) {
  live.dataset.settled = String(settled);
  live.setAttribute("aria-busy", String(!settled));
}

function away(error) {
  if (error.name === "AbortError") return;
  live.dataset.stale = "";
  lost = true;
  tell("away");
}

// The server is back: the newest values get their answer.
document.addEventListener("sluice:back", () => {
  if (lost) changed();
  lost = false;
});

function changed() {
  sequence += 1;
  settle(false);
  byId("draft").hidden = false;
  draft.keep(read(form));
  if (took > SLOW) ask("formula", sequence).catch(away);
  simulate();
}

// Another queue is no older answer: it leaves no ghost.
byId("live-queue")?.addEventListener("change", () => {
  figures.clear();
  sequence += 1;
  settle(false);
  simulate();
});
byId("live-queues")?.removeAttribute("hidden");

const history = new History(form, byId("undo"), {
  restored() {
    moveSliders(form);
    changed();
  },
  redraw(values) {
    settle(false);
    window.htmx.ajax("POST", form.dataset.fields, { source: "#undo", target: "#fields", swap: "innerHTML", values: { ...fixed(), ...values } });
  },
});
const draft = new Draft(form, (values) => history.replace(values));

// Version and revision, which belong to the form and not to what a person typed.
function fixed() {
  return Object.fromEntries([...form.querySelectorAll(":scope > input[type=hidden]")].map((field) => [field.name, field.value]));
}

form.addEventListener("input", (event) => {
  history.note();
  // A choice that changes which fields there are asks after the fields have been drawn again.
  if (event.target.matches("[data-redraws]")) settle(false);
  else changed();
});
form.addEventListener("change", () => history.settle());
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.target.id !== "fields") return;
  connectSliders(form);
  history.settle();
  changed();
});

function apply(fix) {
  history.settle();
  for (const [path, value] of Object.entries(fix)) {
    const field = form.querySelector(`.field[data-path="${CSS.escape(path)}"]`);
    const input = field?.querySelector("[name]:not([type=hidden])");
    if (!input) return false;
    if (input.type === "checkbox") input.checked = Boolean(value);
    else input.value = typeof value === "object" ? JSON.stringify(value) : String(value);
  }
  moveSliders(form);
  history.settle();
  changed();
  return true;
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-fix]");
  if (button && apply(JSON.parse(button.dataset.fix))) event.preventDefault();
});
form.addEventListener("submit", (event) => {
  if (event.submitter?.value === "show") {
    event.preventDefault();
    changed();
  }
});

connectSliders(form);
simulate();
