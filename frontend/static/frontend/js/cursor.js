// A cursor for the keyboard: arrow keys walk along a chart, its values are written below it and spoken.

const number = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });
const places = new Map();
const voice = document.createElement("p");
voice.className = "reading";
voice.setAttribute("role", "status");
const hint = document.createElement("p");
hint.hidden = true;
hint.id = "cursor-hint";
hint.textContent = "The left and right arrow keys read the values.";
document.body.append(voice, hint);

document.addEventListener("sluice:drawn", ({ detail: { place } }) => {
  if (places.has(place)) return;
  places.set(place, -1);
  place.tabIndex = 0;
  place.setAttribute("role", "application");
  place.setAttribute("aria-roledescription", "chart");
  place.setAttribute("aria-describedby", hint.id);
  place.addEventListener("keydown", (event) => walk(event, place));
  place.addEventListener("blur", () => {
    voice.textContent = "";
  });
});

function walk(event, place) {
  const traces = readable(place);
  const stops = stopsOf(traces);
  const now = places.get(place);
  const next = {
    ArrowLeft: Math.max(now - 1, 0),
    ArrowRight: Math.min(now + 1, stops.length - 1),
    Home: 0,
    End: stops.length - 1,
  }[event.key];
  if (next === undefined || !stops.length) return;
  event.preventDefault();
  places.set(place, next);
  tell(place, traces, stops[next]);
}

const keyOf = (trace) => (trace.orientation === "h" ? "y" : "x");
const valueOf = (trace) => (trace.orientation === "h" ? "x" : "y");

function readable(place) {
  return place.data.filter((trace) => trace.visible !== false && trace.visible !== "legendonly" && trace.hoverinfo !== "skip");
}

function stopsOf(traces) {
  return traces.reduce((best, trace) => (trace.x.length > best.length ? trace[keyOf(trace)] : best), []);
}

function tell(place, traces, stop) {
  const found = traces
    .map((trace) => ({ trace, at: trace[keyOf(trace)].indexOf(stop) }))
    .filter(({ at, trace }) => at >= 0 && trace[valueOf(trace)][at] !== null);
  const values = found.map(({ trace, at }) => `${trace.name} ${text(trace[valueOf(trace)][at])} ${unit(place, trace)}`);
  const lead = traces.length ? `${text(stop)} ${traces[0].orientation === "h" ? "" : unitOf(place.layout.xaxis)}` : "";
  if (place.nextElementSibling !== voice) place.after(voice);
  voice.textContent = `${lead.trim()}: ${values.join("; ") || "no value"}`;
}

const text = (value) => (typeof value === "number" ? number.format(value) : value);
const unitOf = (axis) => /\[([^\]]*)\]$/.exec(axis?.title?.text ?? "")?.[1] ?? "";

function unit(place, trace) {
  const letter = valueOf(trace);
  return unitOf(place.layout[`${letter}axis${(trace[`${letter}axis`] ?? letter).slice(1)}`]);
}
