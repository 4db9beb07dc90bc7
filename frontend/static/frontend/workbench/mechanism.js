// The picture of the messages' way: painted anew with every answer. Its knobs move the sliders of the form.

import { zoneBars } from "./curve.js";
import { connectPlayed, forgetPlayed } from "./played.js";

const form = document.getElementById("scenario-form");
const place = document.getElementById("live-mechanism");
const SPAN = [2, 92];
const shaded = new Map();
let held = null;
let painted = "";

// The stretches of a knob's range where the objectives are met, as its curve has them.
export function shade(path, parts) {
  shaded.set(path, parts);
  place.querySelectorAll(`.knob[data-path="${CSS.escape(path)}"]`).forEach(drawZones);
}
shade.keep = (path) => {
  for (const other of [...shaded.keys()].filter((item) => item !== path)) shade(other, []);
};

function drawZones(knob) {
  knob.querySelectorAll(".zone").forEach((bar) => bar.remove());
  const parts = (shaded.get(knob.dataset.path) ?? []).map(({ look, start, width }) => ({ look, start: SPAN[0] + (start * SPAN[1]) / 100, width: (width * SPAN[1]) / 100 }));
  knob.querySelector(".track")?.after(...zoneBars(parts, 8, 4));
}

const rowOf = (knob) => form.querySelector(`[data-path="${CSS.escape(knob.dataset.path)}"]`);
const sliderOf = (knob) => rowOf(knob)?.querySelector("input[type=range]");

export function paint(html) {
  const played = forgetPlayed();
  if (html === painted && !played) return;
  painted = html;
  const path = document.activeElement.closest("#live-mechanism .knob")?.dataset.path;
  place.innerHTML = html;
  equip();
  const knob = path && place.querySelector(`.knob[data-path="${CSS.escape(path)}"]`);
  if (knob) (knob.querySelector("select") ?? knob).focus({ preventScroll: true });
}

// A knob whose field the form does not show stays a label.
function equip() {
  place.querySelectorAll(".knob").forEach((knob) => {
    const slider = sliderOf(knob);
    if (!slider) return choose(knob);
    knob.setAttribute("tabindex", "0");
    knob.setAttribute("role", "slider");
    knob.setAttribute("aria-label", `${knob.dataset.title} in the picture`);
    follow(knob, slider);
    drawZones(knob);
  });
}

// A name is chosen on the picture as in the form.
function choose(knob) {
  const field = rowOf(knob)?.querySelector("select");
  if (!field || knob.querySelector("select")) return;
  const select = document.createElement("select");
  select.setAttribute("aria-label", `${knob.dataset.title} in the picture`);
  select.append(...[...field.options].map(({ text, value }) => new Option(text, value, false, value === field.value)));
  select.addEventListener("change", () => {
    field.value = select.value;
    for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
  });
  knob.querySelector("svg").remove();
  knob.querySelector("b").replaceWith(select);
}

function follow(knob, slider) {
  const [low, high, value] = [slider.min, slider.max, slider.value].map(Number);
  const unit = slider.closest(".control").querySelector(".unit")?.textContent ?? "";
  const text = `${document.getElementById(slider.dataset.for)?.value ?? slider.value}${unit.startsWith("/") ? unit : ""}`;
  knob.querySelector("b").textContent = text;
  knob.querySelector(".thumb").setAttribute("cx", `${SPAN[0] + (SPAN[1] * (value - low)) / (high - low || 1)}%`);
  for (const [name, item] of [["min", low], ["max", high], ["now", value], ["text", text]]) knob.setAttribute(`aria-value${name}`, item);
}

// The form is the truth: the slider there moves, and tells its field, as if it had been moved by hand.
function move(slider, value, type = "input") {
  slider.value = String(value);
  slider.dispatchEvent(new Event(type, { bubbles: true }));
}

place?.addEventListener("pointerdown", (event) => {
  const knob = event.target.closest(".knob[tabindex]");
  if (!knob || event.button) return;
  event.preventDefault();
  knob.focus({ preventScroll: true });
  const { left, width } = knob.querySelector(".track").getBoundingClientRect();
  held = { slider: sliderOf(knob), left, width };
  place.setPointerCapture(event.pointerId);
  drag(event);
});

function drag({ clientX }) {
  const { slider, left, width } = held;
  const share = Math.min(1, Math.max(0, (clientX - left) / width));
  move(slider, Number(slider.min) + share * (Number(slider.max) - Number(slider.min)));
}

place?.addEventListener("pointermove", (event) => held && drag(event));
for (const end of ["pointerup", "pointercancel"]) {
  place?.addEventListener(end, () => {
    if (held) move(held.slider, held.slider.value, "change");
    held = null;
  });
}

const STEPS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 };
place?.addEventListener("keydown", (event) => {
  const slider = event.target.matches(".knob[tabindex]") && sliderOf(event.target);
  const steps = (STEPS[event.key] ?? 0) * (event.shiftKey ? 10 : 1);
  if (!slider || !(steps || ["Home", "End"].includes(event.key))) return;
  event.preventDefault();
  const value = steps ? Number(slider.value) + steps * Number(slider.step) : { Home: slider.min, End: slider.max }[event.key];
  move(slider, value);
  move(slider, slider.value, "change");
});

form?.addEventListener("input", () => {
  place.querySelectorAll(".knob[tabindex]").forEach((knob) => {
    const slider = sliderOf(knob);
    if (slider) follow(knob, slider);
  });
});
connectPlayed((html) => {
  place.innerHTML = html;
  equip();
});
document.addEventListener("htmx:afterSwap", ({ target }) => target.id === "fields" && equip());
equip();
