// The live panel: every change asks for the formula answer and the simulation; only the newest answer is shown.

import { Draft } from "./drafts.js";
import { History, read } from "./history.js";
import { connectSliders, moveSliders } from "./sliders.js";

const form = document.getElementById("scenario-form");
const live = document.getElementById("live");
const byId = (id) => document.getElementById(id);
const tell = (what, detail) => document.dispatchEvent(new CustomEvent(`sluice:${what}`, { detail }));
const figures = new Map();
const newest = { formula: 0, simulated: 0 };
let sequence = 0;
let busy = false;
let waiting = false;
let timer = 0;
let lost = false;

async function ask(part, number) {
  const body = new FormData(form);
  body.set("part", part);
  body.set("sequence", String(number));
  body.set("queue", byId("live-queue")?.value ?? "");
  const answer = await fetch(form.dataset.answer, { method: "POST", body, headers: { Accept: "application/json" } });
  if (answer.status !== 200 && answer.status !== 422) throw new Error(`status ${answer.status}`);
  const read = await answer.json();
  // An answer to an older question than the one already shown is dropped.
  if (Number(read.sequence) < newest[part]) return;
  newest[part] = Number(read.sequence);
  if (answer.status === 422) showProblems(read);
  else if (part === "formula") showFormula(read);
  else showSimulated(read);
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

function showSimulated(read) {
  valid();
  put("live-verdict", read.html.verdict);
  put("live-findings", read.html.findings);
  const present = new Set(read.charts.map((chart) => chart.key));
  document.querySelectorAll(".live figure[data-chart]").forEach((view) => {
    view.hidden = !present.has(view.dataset.chart);
  });
  read.charts.forEach(showChart);
}

function showChart(chart) {
  const view = document.querySelector(`.live figure[data-chart="${chart.key}"]`);
  view.querySelector(".sentence").textContent = chart.sentence;
  view.querySelector(".table").innerHTML = chart.table;
  const place = view.querySelector(".plot");
  place.setAttribute("aria-label", `${view.querySelector("h3").textContent}. ${chart.sentence}`);
  tell("draw", { place, figure: chart.figure, before: figures.get(chart.key) ?? null });
  figures.set(chart.key, chart.figure);
}

// One simulation at a time: while one is on its way the latest wish waits, those in between are never sent.
async function simulate() {
  if (busy) {
    waiting = true;
    return;
  }
  busy = true;
  do {
    waiting = false;
    await ask("simulated", sequence).catch(away);
  } while (waiting);
  busy = false;
  live.dataset.settled = "true";
}

function away() {
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
  live.dataset.settled = "false";
  byId("draft").hidden = false;
  draft.keep(read(form));
  ask("formula", sequence).catch(away);
  clearTimeout(timer);
  timer = setTimeout(simulate, 0);
}

// Another queue is no older answer: it leaves no ghost.
byId("live-queue")?.addEventListener("change", () => {
  figures.clear();
  sequence += 1;
  live.dataset.settled = "false";
  simulate();
});
byId("live-queues")?.removeAttribute("hidden");

const history = new History(form, byId("undo"), {
  restored() {
    moveSliders(form);
    changed();
  },
  redraw(values) {
    live.dataset.settled = "false";
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
  if (event.target.matches("[data-redraws]")) live.dataset.settled = "false";
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
