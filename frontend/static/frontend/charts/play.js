// A play head runs along the timeline of the throttle and along every chart over the same course; what holds at its time
// is written below. By hand the slider moves it; whoever asked for less motion has the slider alone. The workbench's picture
// follows the head (sluice:at), and its buttons move it (sluice:play).

import { BACK, slowestOf, span } from "./ways.js";

const SECONDS = 12;
const STEPS = 400;
// While it runs the words change only so often (ms): nobody reads faster, and each change is a layout of the page.
const WORDS = 100;
const still = matchMedia("(prefers-reduced-motion: reduce)");
const number = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });
const figures = new Map();
const players = new Map();

document.addEventListener("sluice:drawn", ({ detail: { place, figure } }) => {
  if (!figures.has(place)) place.on("plotly_afterplot", () => players.forEach((player) => player.at !== null && show(player)));
  figures.set(place, figure);
  if (place.closest('figure[data-chart="throttle"]')) equip(place);
});

// The picture's buttons: run or hold, a step onwards, the next telling moment.
document.addEventListener("sluice:play", ({ detail }) => {
  const player = [...players.values()].find(({ place }) => place.isConnected);
  if (!player) return;
  if (detail === "play" && !still.matches) return player.frame ? stop(player) : play(player);
  stop(player);
  if (detail === "hold") return;
  const [start, end] = ends(player.place);
  const at = player.at ?? start;
  const moments = momentsOf(player.place);
  const next = moments.find((moment) => moment.at > at) ?? moments[0];
  if (detail === "next" && next) go(player, next.at, next.words);
  else go(player, Math.min(at + (end - start) / STEPS, end));
});

// The steps of single messages, at times of the axis.
const waysOf = (place) => figures.get(place).layout.meta?.ways;

// Where single messages are worth looking at: the slowest arrives, the first one comes back.
function momentsOfMessages(place) {
  const ways = waysOf(place);
  const slowest = ways && slowestOf(ways);
  const back = ways?.step.findIndex((code) => BACK.includes(code)) ?? -1;
  return [
    ...(slowest ? [{ at: slowest.begun, words: `the slowest of the messages drawn arrives; it takes ${span(slowest.took, unitOf(place))}` }] : []),
    ...(back < 0 ? [] : [{ at: ways.time[back], words: "a message fails and comes back" }]),
  ];
}

// Where it is worth looking: the gate closes, most threads idle behind it, most messages wait.
function momentsOf(place) {
  const { data } = figures.get(place);
  const named = (name) => data.find((trace) => trace.name === name);
  const most = (trace) => trace.y.reduce((best, value, at) => (value > (trace.y[best] ?? -1) ? at : best), 0);
  const peak = (name, words) => {
    const trace = named(name);
    return trace?.y.some((value) => value > 0) ? [{ at: trace.x[most(trace)], words }] : [];
  };
  const gate = named("throttle blocked");
  const closes = gate ? gate.y.findIndex((value) => value > 0) : -1;
  return [
    ...(closes < 0 ? [] : [{ at: gate.x[closes], words: "the throttle closes" }]),
    ...peak("idle while blocked", "most threads idle while messages are held back"),
    ...peak("on the destination", "most messages wait on the destination"),
    ...peak("prepared", "most messages are prepared"),
    ...momentsOfMessages(place),
  ].sort((one, other) => one.at - other.at);
}

function equip(place) {
  const player = players.get(place) ?? made(place);
  const [start, end] = ends(place);
  stop(player);
  Object.assign(player.slider, { min: start, max: end, step: (end - start) / STEPS });
  if (player.at !== null) go(player, Math.min(Math.max(player.at, start), end));
}

const ends = (place) => {
  const { x } = figures.get(place).data[0];
  return [x[0], x.at(-1)];
};

function made(place) {
  const bar = document.createElement("div");
  bar.className = "player";
  const button = Object.assign(document.createElement("button"), { type: "button", className: "button", hidden: still.matches });
  const slider = Object.assign(document.createElement("input"), { type: "range", value: 0, autocomplete: "off" });
  slider.setAttribute("aria-label", "Time of the play head");
  const words = Object.assign(document.createElement("p"), { className: "reading" });
  words.setAttribute("role", "status");
  bar.append(button, slider);
  place.after(bar, words);
  const player = { place, button, slider, words, at: null, frame: 0, told: 0 };
  players.set(place, player);
  button.addEventListener("click", () => (player.frame ? stop(player) : play(player)));
  slider.addEventListener("input", () => {
    stop(player);
    go(player, Number(slider.value));
  });
  return player;
}

// From where the head is, or again from the start, over what the axis shows.
function play(player) {
  const [left, right] = player.place._fullLayout.xaxis.range;
  const [start, end] = ends(player.place);
  const [from, to] = [Math.max(left, start), Math.min(right, end)];
  const begin = player.at === null || player.at >= to || player.at < from ? from : player.at;
  let first = null;
  player.words.setAttribute("aria-live", "off");
  player.button.textContent = "❚❚ Stop";
  player.pace = ((to - from) / SECONDS) * Number(document.querySelector("[data-speed]")?.value ?? 1);
  const step = (now) => {
    first ??= now;
    go(player, Math.min(begin + ((now - first) / 1000) * player.pace, to));
    if (player.at < to) player.frame = requestAnimationFrame(step);
    else stop(player);
  };
  player.frame = requestAnimationFrame(step);
}

// What ran says where it ended: its words lag behind its head by up to WORDS.
function stop(player) {
  const ran = player.frame;
  cancelAnimationFrame(ran);
  player.frame = 0;
  player.button.textContent = "▶ Play";
  player.words.removeAttribute("aria-live");
  if (ran) show(player);
  document.dispatchEvent(new CustomEvent("sluice:held"));
}

function go(player, at, moment = "") {
  player.at = at;
  player.moment = moment;
  show(player);
}

// The heads of all charts that are joined to this one, each in the unit of its axis.
function show(player) {
  const { place, at, frame, pace } = player;
  const { meta } = figures.get(place).layout;
  for (const [other, { layout }] of figures) {
    const joined = other === place || (meta?.link && layout.meta?.link === meta.link);
    if (joined && other.isConnected) put(other, other === place ? at : (at * meta.unit) / layout.meta.unit);
  }
  const values = valuesAt(place, at);
  const [start, end] = ends(place);
  const detail = { values, words: tell(player, values), playing: frame !== 0, at, pace: pace ?? (end - start) / SECONDS, ways: waysOf(place), unit: unitOf(place) };
  document.dispatchEvent(new CustomEvent("sluice:at", { detail }));
}

// Writes what holds, and returns it with the moment's words; nothing where the last words are still to be read.
function tell(player, values) {
  const now = performance.now();
  if (player.frame && now - player.told < WORDS) return "";
  player.told = now;
  player.words.textContent = reading(player.place, player.at, values);
  player.slider.value = player.at;
  player.slider.setAttribute("aria-valuetext", player.words.textContent);
  const { moment } = player;
  return `${moment ? `${moment[0].toUpperCase()}${moment.slice(1)}. ` : ""}${player.words.textContent}`;
}

function put(place, at) {
  const head = place.querySelector(".playhead") ?? place.appendChild(Object.assign(document.createElement("div"), { className: "playhead" }));
  const { xaxis, _size: size } = place._fullLayout;
  const [left, right] = xaxis.range;
  head.hidden = at < left || at > right;
  head.style.transform = `translateX(${xaxis._offset + xaxis.l2p(at)}px)`;
  head.style.top = `${size.t}px`;
  head.style.height = `${size.h}px`;
}

const unitOf = (place) => /\[([^\]]*)\]$/.exec(place.layout.xaxis.title?.text ?? "")?.[1] ?? "";

// The lines are steps: what holds is the last value before.
function valuesAt(place, at) {
  const value = ({ x, y }) => y[Math.max(0, x.findLastIndex((time) => time <= at))] ?? 0;
  return Object.fromEntries(figures.get(place).data.map((trace) => [trace.name, value(trace)]));
}

function reading(place, at, values) {
  const { data } = figures.get(place);
  const lines = data.filter((trace) => trace.hoverinfo !== "skip").map(({ name }) => `${name} ${number.format(values[name])}`);
  const blocked = values["throttle blocked"];
  const state = blocked === undefined ? [] : [blocked > 0 ? "throttle blocked" : "throttle open"];
  return `At ${number.format(at)} ${unitOf(place)}: ${[...lines, ...state].join(", ")}.`;
}
