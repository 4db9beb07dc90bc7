// One curve as a small picture: line with band, the objective, the value now, where the objectives are met, and where
// messages pile up.

import { textOf } from "./sliders.js";

const HEIGHT = 44;
const TOP = 8;
const BOTTOM = 3;
// From this factor between its ends on a curve is drawn over decades.
const DECADES = 10;
const SVG = "http://www.w3.org/2000/svg";
const node = (name, attributes) => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

// The place of a value on the slider, in percent.
function scaleOf(slider) {
  const [low, high] = [Number(slider.min), Number(slider.max)];
  return (value) => Math.min(100, Math.max(0, (100 * (("decades" in slider.dataset ? Math.log10(value) : value) - low)) / (high - low || 1)));
}

// Stretches of the slider, each around the values of the curve that are judged alike: where it starts, its width, the judgment.
export function zones({ points, judged }, slider) {
  const x = scaleOf(slider);
  const places = points.map(([value]) => x(value));
  const ends = [0, ...places.slice(1).map((place, at) => (place + places[at]) / 2), 100];
  const parts = [];
  points.forEach((point, at) => {
    const look = point.length === 1 ? "lost" : judged[at];
    const last = parts.at(-1);
    if (last?.look === look) last.width = ends[at + 1] - last.start;
    else parts.push({ look, start: ends[at], width: ends[at + 1] - ends[at] });
  });
  return parts.filter(({ look }) => look);
}

export function zoneBars(parts, y, height) {
  return parts.map(({ look, start, width }) => node("rect", { class: `zone ${look}`, x: `${start}%`, width: `${width}%`, y, height }));
}

export function picture(answer, slider) {
  const { metric, title, points, bound, best } = answer;
  const x = scaleOf(slider);
  const known = points.filter((point) => point.length > 1);
  const most = Math.max(...known.map((point) => point[3]), 0) || 1;
  const least = Math.min(...known.map((point) => point[1]));
  const decades = least > 0 && most > DECADES * least;
  const share = (value) => (decades ? Math.log(Math.max(value, least) / least) / Math.log(most / least) : Math.max(value, 0) / most);
  const y = (value) => HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * Math.min(share(value), 1);
  const path = (list, row) => list.map((point) => `${x(point[0])},${y(point[row])}`).join(" ");
  const drawn = node("svg", { viewBox: `0 0 100 ${HEIGHT}`, preserveAspectRatio: "none", role: "img" });
  drawn.setAttribute("aria-label", `${metric} over ${title}${best ? `. ${best.shown}: ${best.changes.join("; ")}` : ""}`);
  drawn.append(...zoneBars(zones(answer, slider), 0, 4), ...zoneBars(zones(answer, slider), 4, HEIGHT - 4));
  drawn.append(node("polygon", { class: "band", points: `${path(known, 3)} ${path([...known].reverse(), 1)}` }));
  drawn.append(node("polyline", { class: "line", points: path(known, 2) }));
  if (bound !== null && bound <= most && (!decades || bound >= least)) drawn.append(node("line", { class: "bound", x1: 0, x2: 100, y1: y(bound), y2: y(bound) }));
  const at = (100 * (Number(slider.value) - Number(slider.min))) / (Number(slider.max) - Number(slider.min) || 1);
  drawn.append(node("line", { class: "at", x1: at, x2: at, y1: 0, y2: HEIGHT }));
  return drawn;
}

// Counts of many digits would run into each other: 10k, 100k, 10M.
function shortened(texts) {
  if (!/^\d{5,}$/.test(texts.at(-1))) return texts;
  const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });
  return texts.map((text) => compact.format(text).replace("K", "k"));
}

// The ends of the slider, and of one over decades the powers of ten between them.
export function ticks(slider) {
  const [low, high] = [Number(slider.min), Number(slider.max)];
  const inner = "decades" in slider.dataset ? [...Array(Math.ceil(high) - Math.floor(low)).keys()].map((step) => Math.floor(low) + 1 + step) : [];
  const room = (high - low) / 6;
  const places = [low, ...inner.filter((place) => place > low + room && place < high - 1.5 * room), high];
  const line = Object.assign(document.createElement("div"), { className: "ticks" });
  line.setAttribute("aria-hidden", "true");
  const texts = shortened(places.map((place) => textOf(slider, place)));
  line.append(...texts.map((textContent) => Object.assign(document.createElement("span"), { textContent })));
  [...line.children].forEach((text, at) => (text.style.left = `${(100 * (places[at] - low)) / (high - low || 1)}%`));
  return line;
}

// What the promising value gains is known a little later: till then nothing is said of it.
export function caption({ metric, points, promising, best, judged }) {
  const known = points.filter((point) => point.length > 1);
  const nothing = promising && best === undefined ? "" : " · no value gains more than the interval";
  const words = best ? ` · best: ${best.shown}` : nothing;
  if (!known.length) return `${metric}: messages pile up at every value`;
  const [least, most] = [known.reduce((a, b) => (a[2] <= b[2] ? a : b)), known.reduce((a, b) => (a[2] >= b[2] ? a : b))];
  const notes = [judged.includes("met") ? "green: objectives met" : "", known.length < points.length ? "red: messages pile up" : ""];
  return [`${metric} ${least[4] === most[4] ? least[4] : `${least[4]} to ${most[4]}`}${words}`, ...notes.filter(Boolean)].join("; ");
}
