// The simulated path on the picture: what each box holds at the time of the play head, in the lane of the charts' queue.

import { drawMessages, put } from "../charts/ways.js";

const controls = document.getElementById("picture-player");
const place = document.getElementById("live-mechanism");
const still = matchMedia("(prefers-reduced-motion: reduce)");
const SVG = "http://www.w3.org/2000/svg";
const number = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const button = (name) => controls.querySelector(`[data-do="${name}"]`);
const figure = () => document.querySelector('.live figure[data-chart="throttle"] .plot');
let means = null;

function lane() {
  const name = document.getElementById("live-queue")?.value;
  const lanes = [...place.querySelectorAll(".lane")];
  return lanes.find((item) => item.dataset.queue === name) ?? (name ? null : lanes[0]);
}

// Messages, or threads, by station: how they look, and how many they are.
function held(values) {
  const [flight, prepared] = [values["in flight"], values.prepared];
  const running = flight - prepared;
  const gated = values["throttle blocked"] !== undefined;
  return {
    destination: [["waiting", values["on the destination"]]],
    limit: [["waiting", gated ? flight : prepared || running]],
    prepared: [["waiting", prepared]],
    threads: [["busy", running], ["blocked", values["idle while blocked"] ?? 0]],
  };
}

function draw(detail) {
  const shown = lane();
  if (!shown) return;
  const { values } = detail;
  place.querySelector(".mechanism").dataset.played = "";
  for (const [kind, parts] of Object.entries(held(values))) {
    const station = shown.querySelector(`.station.${kind}`);
    if (!station) continue;
    const most = Number(station.dataset.full) || Math.max(...(figure()?.data ?? []).filter(({ name }) => name === kind).flatMap(({ y }) => y), 1);
    fill(station, parts, most);
    if (detail.words) count(station, parts[0][1]);
  }
  shown.querySelector(".station.limit")?.classList.toggle("closed", values["throttle blocked"] > 0);
  const key = drawMessages(shown, detail);
  if (detail.words) say(controls.querySelector(".key"), key);
}

// The bars of the means give way to bars of its own, which later frames only stretch.
function fill(station, parts, most) {
  const inside = station.querySelector(".box > svg");
  let bars = [...inside.querySelectorAll("rect.played")];
  if (!bars.length) {
    inside.querySelectorAll("rect").forEach((bar) => bar.remove());
    bars = parts.map(([look]) => {
      const bar = document.createElementNS(SVG, "rect");
      for (const [key, value] of Object.entries({ class: `played ${look}`, height: 34, rx: 3 })) bar.setAttribute(key, value);
      return bar;
    });
    inside.prepend(...bars);
  }
  let start = 0;
  parts.forEach(([, count], at) => {
    const width = Math.min((100 * count) / most, 100 - start);
    put(bars[at], "x", `${start}%`);
    put(bars[at], "width", `${Math.max(width, 0)}%`);
    start += width;
  });
}

function count(station, messages) {
  const now = station.querySelector(".now") ?? station.querySelector("h3").appendChild(Object.assign(document.createElement("b"), { className: "now" }));
  say(now, ` · now ${number.format(messages)}`);
}

// What says the same as in the frame before is left alone: the browser need not lay it out again.
function say(node, words) {
  if (node.textContent !== words) node.textContent = words;
}

// Returns whether the picture shows a time of the path, and not the means.
export function forgetPlayed() {
  const played = means !== null;
  means = null;
  button("means").disabled = true;
  controls.querySelectorAll("p").forEach((words) => (words.textContent = ""));
  return played;
}

document.addEventListener("sluice:drawn", ({ detail }) => {
  if (detail.place.closest('figure[data-chart="throttle"]')) controls.hidden = !lane();
});
document.addEventListener("sluice:at", ({ detail }) => {
  means ??= place.innerHTML;
  draw(detail);
  if (!detail.words) return;
  button("means").disabled = false;
  say(button("play"), detail.playing ? "❚❚ Pause the picture" : "▶ Play the picture");
  controls.querySelector("p").setAttribute("aria-live", detail.playing ? "off" : "polite");
  controls.querySelector("p").textContent = detail.words;
});
document.addEventListener("sluice:held", () => (button("play").textContent = "▶ Play the picture"));

export function connectPlayed(restore) {
  if (!controls) return;
  button("play").hidden = still.matches;
  controls.addEventListener("click", ({ target }) => {
    const what = target.dataset.do;
    if (what === "means") {
      const kept = means;
      document.dispatchEvent(new CustomEvent("sluice:play", { detail: "hold" }));
      forgetPlayed();
      restore(kept);
    } else if (what) document.dispatchEvent(new CustomEvent("sluice:play", { detail: what }));
  });
}
