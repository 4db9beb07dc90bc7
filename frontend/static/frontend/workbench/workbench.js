// The live panel: every change asks for a glance, a short simulation, and for the whole one when the hand rests; only the
// newest answer is shown. Where even a glance is slow the formulas answer first.

import { setInAddress, tellAddress } from "./address.js";
import { Draft } from "./drafts.js";
import { foldGroups } from "./folds.js";
import { asServed, History, read } from "./history.js";
import { drawn, forgetFigures, forgetTold, outdated, showFormula, showProblems, showSimulated, unseen } from "./panel.js";
import { connectRows } from "./rows.js";
import { same } from "../site/same.js";
import { connectSliders, moveSliders } from "./sliders.js";

const form = document.getElementById("scenario-form");
const live = document.getElementById("live");
const byId = (id) => document.getElementById(id);
const tell = (what, detail) => document.dispatchEvent(new CustomEvent(`sluice:${what}`, { detail }));
const SLOW = 150;
const REST = 250;
const LONGEST_REST = 1000;
const AGAIN = 2000;
const newest = { formula: 0, simulated: 0 };
// The server ends what this page asked before its newest glance; other pages of the same person go on.
live.dataset.page = String(1 + Math.floor(Math.random() * 999_999_998));
let sequence = 0;
let busy = false;
let waiting = false;
let timer = 0;
let took = Infinity;
let quicker = true;
let whole = null;
let lost = false;

class Refused extends Error {}
class Away extends Error {}

// Resolves to what shows the answer; to nothing where it is dropped.
async function ask(part, number, signal) {
  const body = new URLSearchParams(new FormData(form));
  body.set("part", part);
  body.set("sequence", String(number));
  body.set("page", live.dataset.page);
  if (part === "glance") body.set("unseen", unseen().map((view) => view.dataset.chart).join(" "));
  body.set("queue", byId("live-queue")?.value ?? "");
  const answer = await fetch(form.dataset.answer, { method: "POST", body, headers: { Accept: "application/json" }, signal }).catch(gone);
  if (![200, 202, 422, 429].includes(answer.status)) throw new Refused(answer.status);
  const read = await answer.json().catch(() => { throw new Refused(answer.status); });
  if (answer.status === 202 || answer.status === 429) return later(read.reason, part, number, signal);
  // An answer to an older question than the one already shown is dropped.
  const kind = part === "formula" ? "formula" : "simulated";
  // So is what the formulas say of a question that the simulation has answered: a later one may be shown by now.
  if (number < newest[kind] || (kind === "formula" && number <= newest.simulated)) return;
  newest[kind] = number;
  if (answer.status === 422) return () => showProblems(read);
  if (kind === "formula") return () => showFormula(read, newest.simulated < number);
  tell("answered");
  return () => showSimulated(read, number, part === "glance");
}

// The answer comes later, while the engine is being compiled or where a person asks for too much at once: the page says so, and asks again unless something newer is asked.
async function later(reason, part, number, signal) {
  outdated(reason);
  await new Promise((done) => setTimeout(done, AGAIN));
  return number === sequence && !signal?.aborted ? ask(part, number, signal) : undefined;
}

function gone(error) {
  throw error.name === "AbortError" ? error : new Away();
}

// One simulation at a time: while one is on its way the latest wish waits, those in between are never sent. It is sent
// before the answer that came is drawn.
async function simulate() {
  if (busy) {
    waiting = true;
    whole?.abort();
    return;
  }
  busy = true;
  clearTimeout(timer);
  for (let next = glance(); next; ) {
    const show = await next;
    next = waiting ? glance() : null;
    present(show);
  }
  busy = false;
  live.dataset.shown = String(sequence);
  // Where the server is slow the whole answer waits for longer: most of them would be given up for the next change.
  timer = setTimeout(refine, Math.min(Math.max(REST, 2 * took), LONGEST_REST));
}

async function glance() {
  waiting = false;
  const began = performance.now();
  const show = await ask("glance", sequence).catch(failed);
  took = performance.now() - began;
  quicker ||= took <= SLOW;
  return show;
}

function present(show) {
  try {
    show?.();
  } catch (error) {
    reportError(error);
  }
}

async function refine() {
  busy = true;
  whole = new AbortController();
  const asked = sequence;
  present(await ask("simulated", asked, whole.signal).catch(failed));
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

// Only a network that is away is asked again when it is back; an answer that refuses would refuse again.
function failed(error) {
  if (error.name === "AbortError") return;
  lost = error instanceof Away;
  outdated(lost ? "" : "The answer below is an old one: the server has none for these values.");
  if (lost) tell("away");
  else if (error instanceof Refused) tell("refused", { status: Number(error.message) });
  else reportError(error);
}

// The server is back: the newest values get their answer.
document.addEventListener("sluice:back", () => {
  if (lost) changed();
  lost = false;
});

function changed() {
  forgetTold();
  sequence += 1;
  settle(false);
  if (took > SLOW && quicker) formulas();
  simulate();
  keep();
}

// Formulas that are as slow as a glance are not asked again before a glance is quick: it is the server that has much to do.
async function formulas() {
  const began = performance.now();
  present(await ask("formula", sequence).catch(failed));
  quicker = performance.now() - began <= SLOW;
}

// Another queue is no older answer: it leaves no ghost.
byId("live-queue")?.addEventListener("change", () => {
  setInAddress("queue", byId("live-queue").value);
  forgetFigures();
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
// Where the form came with other values than the saved ones, from the address or refused, the page tells those too.
const served = byId("saved-values");
const saved = served ? JSON.parse(served.textContent) : asServed(form);
const draft = new Draft(form, { bring: (values) => history.replace(values), shown: read(form), guarded: Boolean(served) });

// What differs from the saved version is marked, kept in this browser, and told in the address.
function keep() {
  const values = read(form);
  const unsaved = !same(values, saved);
  byId("draft").hidden = !unsaved;
  tellAddress(values, saved, fixed().version);
  if (unsaved) draft.keep(values);
  else draft.forget();
}

// Version and revision, which belong to the form and not to what a person typed.
function fixed() {
  return Object.fromEntries([...form.querySelectorAll(":scope > input[type=hidden]")].map((field) => [field.name, field.value]));
}

// A choice that changes which fields there are is a step, and asks, after the fields have been drawn again.
const redraws = (event) => event.target.matches("[data-redraws]");
form.addEventListener("input", (event) => {
  history.note();
  if (redraws(event)) settle(false);
  else changed();
});
form.addEventListener("change", (event) => {
  if (!redraws(event)) history.settle();
});
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.target.id !== "fields") return;
  connectSliders(form);
  if (event.detail.requestConfig.elt.id === "undo") history.redrawn();
  else history.settle();
  changed();
});

// A cure that adds rows is a step too: the server draws the fields with it. Beside values that have no answer it is sent with the form, whose page says why.
function drawWith(fix) {
  if ("stale" in live.dataset) return false;
  settle(false);
  window.htmx.ajax("POST", form.dataset.fields, { source: form, target: "#fields", swap: "innerHTML", values: { fix: JSON.stringify(fix) } });
  return true;
}

function apply(fix) {
  history.settle();
  for (const [path, value] of Object.entries(fix)) {
    const field = form.querySelector(`.field[data-path="${CSS.escape(path)}"]`);
    const input = field?.querySelector("[name]:not([type=hidden])");
    if (!input) return drawWith(fix);
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

byId("draft").hidden = same(read(form), saved);
foldGroups(form);
connectRows(form);
connectSliders(form);
simulate();
