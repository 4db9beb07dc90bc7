// A cursor for the keyboard: arrow keys walk along a chart, or over the cells of a map; what is there is written below it
// and spoken. Where the picture's numbers are places, not values, the rows of its table are read.

const number = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });
const places = new Map();
const voice = document.createElement("p");
voice.className = "reading";
voice.setAttribute("role", "status");
const hint = hintOf("cursor-hint", "The left and right arrow keys read the values.");
const mapHint = hintOf("map-hint", "The arrow keys move over the points.");
document.body.append(voice, hint, mapHint);

function hintOf(id, text) {
  const line = document.createElement("p");
  Object.assign(line, { hidden: true, id, textContent: text });
  return line;
}

document.addEventListener("sluice:drawn", ({ detail: { place, figure } }) => {
  const known = places.get(place);
  if (known) known.figure = figure;
  else places.set(place, { figure, at: -1, cell: { x: 0, y: 0 } });
  const { cells } = figure.layout.meta ?? {};
  if (!known) prepare(place, cells);
  if (cells) asGrid(place, cells);
});

function prepare(place, cells) {
  place.tabIndex = 0;
  place.addEventListener("keydown", (event) => (cells ? move : walk)(event, place));
  if (cells) return;
  place.setAttribute("role", "application");
  place.setAttribute("aria-roledescription", "chart");
  place.setAttribute("aria-describedby", hint.id);
  place.addEventListener("blur", () => {
    voice.textContent = "";
  });
}

function walk(event, place) {
  const known = places.get(place);
  const stops = known.figure.layout.meta?.rows ? rowsOf(place) : stopsOf(readable(place));
  const next = {
    ArrowLeft: Math.max(known.at - 1, 0),
    ArrowRight: Math.min(known.at + 1, stops.length - 1),
    Home: 0,
    End: stops.length - 1,
  }[event.key];
  if (next === undefined || !stops.length) return;
  event.preventDefault();
  known.at = next;
  if (place.nextElementSibling !== voice) place.after(voice);
  voice.textContent = known.figure.layout.meta?.rows ? rowText(place, stops[next]) : text(place, stops[next]);
}

const tableOf = (place) => place.closest("figure").querySelector(".table table");
const rowsOf = (place) => [...tableOf(place).querySelectorAll("tbody tr:not([hidden])")];
const titlesOf = (place) => [...tableOf(place).querySelectorAll("thead th")].map((cell) => cell.textContent);

function rowText(place, row) {
  const [, ...titles] = titlesOf(place);
  const [head, ...values] = [...row.cells].map((cell) => cell.textContent);
  return `${head}: ${values.map((value, at) => `${titles[at]} ${value}`).join("; ")}`;
}

const keyOf = (trace) => (trace.orientation === "h" ? "y" : "x");
const valueOf = (trace) => (trace.orientation === "h" ? "x" : "y");

function readable(place) {
  const shown = (trace) => trace.visible !== false && trace.visible !== "legendonly" && trace.hoverinfo !== "skip";
  return place.data.filter((trace) => trace.x && trace.y && shown(trace));
}

function stopsOf(traces) {
  return traces.reduce((best, trace) => (trace.x.length > best.length ? trace[keyOf(trace)] : best), []);
}

function text(place, stop) {
  const traces = readable(place);
  const found = traces
    .map((trace) => ({ trace, at: trace[keyOf(trace)].indexOf(stop) }))
    .filter(({ at, trace }) => at >= 0 && trace[valueOf(trace)][at] !== null);
  const values = found.map(({ trace, at }) => `${trace.name} ${plain(trace[valueOf(trace)][at])} ${unit(place, trace)}`);
  const lead = traces.length ? `${plain(stop)} ${traces[0].orientation === "h" ? "" : unitOf(place.layout.xaxis)}` : "";
  return `${lead.trim()}: ${values.join("; ") || "no value"}`;
}

const plain = (value) => (typeof value === "number" ? number.format(value) : value);
const unitOf = (axis) => /\[([^\]]*)\]$/.exec(axis?.title?.text ?? "")?.[1] ?? "";

function unit(place, trace) {
  const letter = valueOf(trace);
  return unitOf(place.layout[`${letter}axis${(trace[`${letter}axis`] ?? letter).slice(1)}`]);
}

// A map is a grid of which one cell, the one under the cursor, is written out.
function asGrid(place, cells) {
  place.setAttribute("role", "grid");
  place.setAttribute("aria-rowcount", String(cells.length));
  place.setAttribute("aria-colcount", String(cells[0].length));
  place.setAttribute("aria-describedby", mapHint.id);
  place.querySelector(".plot-container")?.setAttribute("aria-hidden", "true");
  const known = places.get(place);
  known.row ??= gridRow(place);
  write(place, known);
}

function gridRow(place) {
  const row = document.createElement("p");
  row.id = `row-${place.closest("figure").dataset.chart}`;
  row.className = "reading visually-hidden";
  row.setAttribute("role", "row");
  row.append(document.createElement("span"));
  place.after(row);
  place.setAttribute("aria-owns", row.id);
  return row;
}

function move(event, place) {
  const known = places.get(place);
  const { cells } = known.figure.layout.meta;
  const { x, y } = known.cell;
  const [right, top] = [cells[0].length - 1, cells.length - 1];
  if (event.key === "Enter") return open(event, place, cells[y][x]);
  const next = {
    ArrowLeft: [Math.max(x - 1, 0), y],
    ArrowRight: [Math.min(x + 1, right), y],
    ArrowUp: [x, Math.min(y + 1, top)],
    ArrowDown: [x, Math.max(y - 1, 0)],
    Home: [0, y],
    End: [right, y],
  }[event.key];
  if (!next) return;
  event.preventDefault();
  [known.cell.x, known.cell.y] = next;
  known.row.classList.remove("visually-hidden");
  write(place, known);
  window.Plotly.Fx.hover(place, [{ curveNumber: 0, pointNumber: [next[1], next[0]] }]);
}

function open(event, place, index) {
  if (index === null) return;
  event.preventDefault();
  document.dispatchEvent(new CustomEvent("sluice:cell", { detail: { place, index } }));
}

// A new element for each cell: to readers aloud it is another one.
function write(place, { row, cell, figure }) {
  const { xaxis, yaxis } = figure.layout;
  const line = tableOf(place).querySelectorAll("tbody tr")[cell.y].cells;
  const shown = document.createElement("span");
  shown.id = `${row.id}-${cell.y}-${cell.x}`;
  shown.setAttribute("role", "gridcell");
  shown.setAttribute("aria-colindex", String(cell.x + 1));
  const [across, up] = [titlesOf(place)[cell.x + 1], line[0].textContent];
  shown.textContent = `${xaxis.title.text} ${across}, ${yaxis.title.text} ${up}: ${line[cell.x + 1].textContent}`;
  row.setAttribute("aria-rowindex", String(cell.y + 1));
  row.replaceChildren(shown);
  place.setAttribute("aria-activedescendant", shown.id);
}
