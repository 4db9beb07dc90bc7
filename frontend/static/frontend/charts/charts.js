// Draws the figures that the server describes: lays the theme under them, names become colours.

const themes = JSON.parse(document.getElementById("chart-themes").textContent);
const TOKEN = /@([a-z]+)(?:\/(\d+))?/g;
const drawn = new Map();
const waiting = new Map();
// A picture that stays in sight above the form of a phone has no room for the title of its time.
const LOW = 180;
let printing = false;

function themeName() {
  const chosen = document.documentElement.dataset.theme;
  if (printing) return "light";
  return chosen || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

function shade(name, opacity, colours) {
  const colour = colours[name];
  if (opacity === undefined) return colour;
  const parts = [1, 3, 5].map((place) => parseInt(colour.slice(place, place + 2), 16));
  return `rgba(${parts.join(",")},${Number(opacity) / 100})`;
}

function painted(node, colours) {
  if (typeof node === "string") {
    return node.startsWith("@") ? node.replace(TOKEN, (_, name, opacity) => shade(name, opacity, colours)) : node;
  }
  if (Array.isArray(node)) return node.some(named) ? node.map((item) => painted(item, colours)) : node;
  if (node === null || typeof node !== "object") return node;
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, painted(value, colours)]));
}

const named = (item) => typeof item === "string" || (item !== null && typeof item === "object");
const isPlain = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

function merged(base, over) {
  const result = { ...base };
  for (const [key, value] of Object.entries(over)) {
    result[key] = isPlain(result[key]) && isPlain(value) ? merged(result[key], value) : value;
  }
  return result;
}

// The figure's own lines once more in grey, so that the eye sees what the change did.
function ghosts(figure) {
  const lines = (figure?.data ?? []).filter((trace) => trace.mode === "lines" && trace.hoverinfo !== "skip");
  return lines.filter((trace) => trace.meta === "ghost").map((trace) => ({
    ...trace,
    name: "before",
    fill: "none",
    line: { color: "@grey/70", width: 1.5, dash: "dot" },
    showlegend: true,
    hoverinfo: "skip",
    hovertemplate: undefined,
    meta: undefined,
  }));
}

// With `keep` the part that was zoomed into stays.
function draw(place, figure, before = null, keep = false) {
  if (leftOut(place.closest("figure"))) {
    waiting.set(place, { figure, before });
    return Promise.resolve();
  }
  waiting.delete(place);
  const { data, layout } = seen(place, figure, before, themeName());
  const own = rangesOf(layout);
  if (keep) zoom(place, layout);
  drawn.set(place, { figure, before, own, log: isLog(place) });
  // A finger that draws on a chart scrolls the page.
  if (coarse()) layout.dragmode = false;
  if (place.clientHeight && place.clientHeight < LOW) lower(layout);
  if (narrow()) layout.margin = { ...layout.margin, l: 48, r: Math.min(layout.margin.r ?? 20, 52) };
  return window.Plotly.react(place, data, layout, themes.config).then(() => {
    const printed = () => seen(place, figure, null, "light", { paper_bgcolor: "@surface", plot_bgcolor: "@surface" });
    document.dispatchEvent(new CustomEvent("sluice:drawn", { detail: { place, figure, printed } }));
  });
}

// The legend has one row: of the lines those across are named, which are bounds, and briefly.
function lower(layout) {
  layout.margin = { ...layout.margin, t: 4, b: 24 };
  layout.xaxis = { ...layout.xaxis, title: "" };
  layout.legend = { ...layout.legend, font: { ...layout.legend.font, size: 11 } };
  layout.shapes = (layout.shapes ?? []).map((shape) => ({ ...shape, showlegend: shape.showlegend && shape.yref !== "paper", name: shape.name?.replace("objective ", "≤ ") }));
}

const axesOf = (layout) => Object.keys(layout).filter((name) => /^[xy]axis/.test(name));
const rangesOf = (layout) => Object.fromEntries(axesOf(layout).map((name) => [name, String(layout[name].range ?? "")]));
const isLog = (place) => Boolean(place.closest("figure")?.querySelector("[data-log]")?.checked);

// A range that neither the figure asked for nor Plotly chose is one that somebody zoomed to.
function zoom(place, layout) {
  const held = drawn.get(place);
  if (!held || !place.layout || held.log !== isLog(place)) return;
  for (const name of axesOf(layout)) {
    const was = place.layout[name];
    if (!was?.range || was.autorange === true || String(was.range) === held.own[name]) continue;
    layout[name] = { ...layout[name], range: [...was.range], autorange: false };
  }
}

// The figure as the controls beside it ask for it, painted in the colours of a theme.
function seen(place, figure, before, theme, more = {}) {
  const view = place.closest("figure");
  const layout = { ...merged(themes.layout, figure.layout), ...more };
  const boxes = [...(view?.querySelectorAll("[data-metric]") ?? [])];
  const shown = new Set(boxes.filter((box) => box.checked).map((box) => box.dataset.metric));
  const chosen = boxes.length ? figure.data.map((trace) => ({ ...trace, visible: shown.has(trace.meta) })) : figure.data;
  if (isLog(place)) {
    layout.yaxis = { ...layout.yaxis, type: "log", rangemode: "normal", autorange: true };
  }
  for (const name of axesOf(layout)) if (layout[name].type === "log" && !layout[name].tickvals) layout[name] = { ...layout[name], ...decades(chosen, name[0]) };
  const colours = themes.colours[theme];
  return { data: painted([...ghosts(before), ...chosen], colours), layout: painted(layout, colours) };
}

// Labels of one size, no more than can be read: powers of ten, with 2 and 5 between them where few decades are shown.
function decades(traces, side) {
  const values = traces.filter(({ visible }) => visible !== false).flatMap((trace) => trace[side] ?? []).filter((value) => value > 0);
  const span = Math.log10(values.reduce((a, b) => Math.max(a, b), 0) / values.reduce((a, b) => Math.min(a, b), Infinity));
  return { tickformat: ",~g", nticks: 0, dtick: span > 2.5 ? 1 : span > 0.7 ? "D2" : "D1" };
}

const coarse = () => matchMedia("(pointer: coarse)").matches;
const narrow = () => matchMedia("(max-width: 720px)").matches;

function redrawAll() {
  for (const [place, { figure, before }] of drawn) if (place.isConnected) draw(place, figure, before, true);
}

function start() {
  const asked = new URL(location.href).searchParams.getAll("log");
  document.querySelectorAll("[data-log]").forEach((box) => (box.checked = asked.includes(keyOf(box))));
  document.querySelectorAll("figure[data-chart]").forEach((view) => {
    const source = view.querySelector("script.figure");
    if (source) draw(view.querySelector(".plot"), JSON.parse(source.textContent));
  });
}

// A phone shows the charts that matter most; the others are drawn when they are asked for.
function drawAll() {
  for (const [place, { figure, before }] of waiting) draw(place, figure, before);
}

// A style leaves it out, not the page: that hides what has no answer.
const leftOut = (view) => Boolean(view) && !view.hidden && getComputedStyle(view).display === "none";

document.addEventListener("change", (event) => {
  if (event.target.matches("[data-all-charts]")) drawAll();
  if (!event.target.matches("[data-metric], [data-log]")) return;
  const place = event.target.closest("figure").querySelector(".plot");
  const held = drawn.get(place);
  if (held) draw(place, held.figure, held.before, true);
  const boxes = event.target.closest("figure").querySelectorAll("[data-metric]:checked");
  if (event.target.matches("[data-log]")) keepInAddress("log", logged());
  else keepInAddress("p", [...boxes].map((box) => box.dataset.metric.replace("latency.", "")));
});

const keyOf = (box) => box.closest("figure").dataset.chart;
const logged = () => new Set([...document.querySelectorAll("[data-log]:checked")].map(keyOf));

function keepInAddress(name, values) {
  const address = new URL(location.href);
  if (address.protocol === "file:") return;
  address.searchParams.delete(name);
  for (const value of values) address.searchParams.append(name, value);
  history.replaceState(null, "", address);
}

document.addEventListener("sluice:theme", redrawAll);
document.addEventListener("sluice:draw", ({ detail }) => draw(detail.place, detail.figure, detail.before, detail.keep));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawAll);
matchMedia("(max-width: 720px)").addEventListener("change", () => {
  drawAll();
  redrawAll();
});
addEventListener("beforeprint", () => {
  printing = true;
  redrawAll();
});
addEventListener("afterprint", () => {
  printing = false;
  redrawAll();
});

if (window.Plotly) start();
else document.addEventListener("sluice:plotly", start);
