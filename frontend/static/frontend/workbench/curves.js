// Curves below the sliders: asked for in the background when the hand rests, the touched slider first, one while the last
// is drawn. Then what each setting can gain, the most promising first. Whatever moves next ends the asking.

import { held } from "../site/held.js";
import { caption, picture, ticks, zones } from "./curve.js";
import { textOf } from "./sliders.js";
import { shade } from "./mechanism.js";
import { connectPair, forget, offer } from "./pair.js";

const form = document.getElementById("scenario-form");
const live = document.getElementById("live");
const gains = document.getElementById("live-gains");
const MOST = 16;
const PAUSE = 2000;
const CHOSEN = /\.(settings\.|cpus$|instances$)/;
// Fields of the settings that describe what takes place, so nobody can choose them.
const ASSUMED = /\.(queue_agent_time|servant_start_time|restart_time|selection_time|unsuitable_messages|round_trip)$/;
let touched = null;
let asking = null;
let helpful = [];
let known = new Map();

const nameOf = (slider) => slider.dataset.for.slice(2);

// Sliders that can be seen, the touched one and those of the picture first.
function wanted() {
  const drawn = [...document.querySelectorAll(".knob[data-path]")].map((knob) => knob.dataset.path);
  const turn = (slider) => (nameOf(slider) === touched ? -1 : (drawn.indexOf(slider.closest("[data-path]")?.dataset.path) + 99) % 99);
  const there = [...form.querySelectorAll("input[type=range][data-for]")].filter(
    (slider) => /^(servers|queues)\./.test(nameOf(slider)) && (drawn.includes(slider.closest("[data-path]")?.dataset.path) || slider.checkVisibility()),
  );
  return there.sort((one, other) => turn(one) - turn(other)).slice(0, MOST);
}

async function start() {
  stop();
  if ("stale" in live.dataset) return;
  asking = new AbortController();
  const { signal } = asking;
  helpful = [];
  known = new Map();
  const curveOf = (slider) => ask(nameOf(slider), signal, cureOf(slider) === null ? {} : { cure: cureOf(slider) });
  await inTurn(wanted(), curveOf, signal, (slider, answer) => answer?.points && show(slider, answer));
  const promising = [...known.values()].filter(({ answer }) => answer.promising).sort((one, other) => other.answer.promising.rank - one.answer.promising.rank);
  const gainOf = ({ slider, answer }) => ask(nameOf(slider), signal, { take: JSON.stringify(Object.values(answer.promising.fix)[0]) });
  await inTurn(promising, gainOf, signal, ({ slider, answer }, gain) => gain && show(slider, { ...answer, best: gain.best ?? null }));
  if (signal.aborted) return;
  list(true);
  live.dataset.curves = "told";
}

// Answers in the order of the items; the next is on its way while one is drawn.
async function inTurn(items, question, signal, use) {
  const answers = [];
  const send = (at) => at < items.length && (answers[at] = question(items[at]).catch(() => null));
  send(0);
  for (const [at, item] of items.entries()) {
    send(at + 1);
    const answer = await answers[at];
    if (signal.aborted) return;
    use(item, answer);
  }
}

// The cure that the page offers for this setting alone: its value.
function cureOf(slider) {
  const { path } = slider.closest("[data-path]").dataset;
  for (const button of document.querySelectorAll("#live-findings [data-fix]")) {
    const fix = JSON.parse(button.dataset.fix);
    if (Object.keys(fix).length === 1 && Number.isInteger(fix[path])) return fix[path];
  }
  return null;
}

// One setting has one advice: the cure where the curve cannot tell another value from it, else both, with what the other is better in.
function besideCure({ best, metric, points }, slider) {
  const cure = cureOf(slider);
  const [value] = Object.values(best.fix);
  if (cure === null || cure === value) return best;
  const [own, other] = [cure, value].map((wanted) => points.findIndex(([at]) => Math.abs(at - wanted) <= 1e-9 * Math.abs(wanted)));
  const [held, taken] = [points[own], points[other]];
  if (!held || !taken) return best;
  const shown = textOf(slider, "decades" in slider.dataset ? Math.log10(cure) : cure);
  if (held.length === 1) return { ...best, note: `${shown}, the cure below, may not be enough: messages pile up there in this short simulation` };
  return { ...best, note: `${shown}, the cure below, is enough for its rule; ${best.shown} has ${metric} ${taken[4]} instead of ${held[4]}` };
}

// `changed`: values by name that differ from those of the form.
async function ask(knob, signal, changed = {}) {
  const body = new URLSearchParams(new FormData(form));
  for (const [name, value] of Object.entries({ ...changed, knob, page: live.dataset.page })) body.set(name, value);
  const answer = await fetch(`${form.dataset.curve}${"take" in changed ? "?gain" : ""}`, { method: "POST", body, headers: { Accept: "application/json" }, signal });
  if (answer.status === 202 || answer.status === 429) {
    await new Promise((done) => setTimeout(done, PAUSE));
    return signal.aborted ? null : ask(knob, signal, changed);
  }
  return answer.ok ? answer.json() : null;
}

function show(slider, answer) {
  const row = slider.closest("[data-path]");
  const place = row.querySelector(".knob-curve") ?? row.appendChild(Object.assign(document.createElement("div"), { className: "knob-curve" }));
  if (answer.best) answer.best = besideCure(answer, slider);
  const drawn = picture(answer, slider);
  const shown = Object.assign(document.createElement("div"), { className: "drawn" });
  shown.append(drawn, ticks(slider));
  place.replaceChildren(held(document.createElement("p"), caption(answer)), shown);
  delete place.dataset.old;
  if (slider.offsetWidth) shown.style.width = `${slider.offsetWidth}px`;
  shade(row.dataset.path, zones(answer, slider));
  known.set(nameOf(slider), { slider, answer });
  offer(known);
  // The work is as it is; what can be chosen is offered.
  if (answer.best && CHOSEN.test(nameOf(slider)) && !ASSUMED.test(nameOf(slider))) helpful.push({ ...answer.best, title: answer.title });
  list(false);
}

// What gains most, relative to the value now, stands first.
function list(whole) {
  if (!helpful.length && !whole) return;
  const rows = [...helpful].sort((one, other) => other.rank - one.rank).slice(0, 4).map(line);
  const nothing = Object.assign(document.createElement("li"), { textContent: "No slider that is shown gains more than the interval on its own." });
  gains.querySelector("ul").replaceChildren(...(rows.length ? rows : [nothing]));
  gains.hidden = false;
  delete gains.dataset.old;
}

function line({ title, shown, changes, note, fix }) {
  const [first, ...others] = note ? [changes[0], note, ...changes.slice(1)] : changes;
  const item = document.createElement("li");
  const words = document.createElement("p");
  const made = (name, text) => held(document.createElement(name), text);
  // "CPUs: 3", not "CPUs: 3 CPUs".
  const wanted = `${title}: ${shown.endsWith(` ${title}`) ? shown.slice(0, -title.length - 1) : shown}`;
  words.append(made("strong", wanted), made("span", first), ...(others.length ? [made("small", others.join(" · "))] : []));
  const button = Object.assign(document.createElement("button"), { className: "button", type: "button", textContent: "Apply" });
  button.dataset.fix = JSON.stringify(fix);
  button.setAttribute("aria-label", `Apply ${wanted}`);
  item.append(words, button);
  return item;
}

// What the other curves showed held for the value that moves now; that of the touched slider still does.
function stop() {
  asking?.abort();
  delete live.dataset.curves;
  forget();
  shade.keep(form.querySelector(`[name="${CSS.escape(touched ?? "")}"]`)?.closest("[data-path]")?.dataset.path);
  for (const place of [gains, ...form.querySelectorAll(".knob-curve")]) place.dataset.old = "";
}

form?.addEventListener("input", (event) => {
  touched = event.target.name ?? touched;
  stop();
});
form?.addEventListener("toggle", () => live.dataset.settled === "true" && start(), true);
if (gains) new MutationObserver(() => (live.dataset.settled === "true" ? start() : stop())).observe(live, { attributeFilter: ["data-settled"] });
connectPair(ask);
