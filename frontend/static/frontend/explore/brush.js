// All runs: a range on an axis, drawn on the picture or typed, leaves the runs inside it in picture and table.

const ADDRESS = "range";
const digits = (value) => Number(value.toPrecision(4));
const share = (value, [low, high]) => (value === null ? null : high === low ? 0.5 : (value - low) / (high - low));
const views = new Map();

document.addEventListener("sluice:drawn", ({ detail: { place, figure } }) => {
  if (!figure.layout.meta?.brush || figure.layout.meta.narrowed) return;
  const fresh = !views.has(place);
  views.set(place, figure);
  if (fresh) prepare(place);
  if (ranges(place).some(Boolean)) show(place);
});

function prepare(place) {
  const form = formOf(place);
  form.hidden = false;
  for (const asked of new URL(location.href).searchParams.getAll(ADDRESS)) {
    const [axis, from, to] = asked.split(":");
    if (field(form, "from", axis)) write(form, axis, from, to);
  }
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => show(place));
  form.addEventListener("reset", () => setTimeout(() => show(place)));
  place.on("plotly_selected", (event) => event?.range && drawn(place, event.range));
}

// A drawn box: its height is the range, its width chooses the axes; a narrow one means the axis next to it.
function drawn(place, { x, y }) {
  const { brush } = views.get(place).layout.meta;
  const [left, right] = [Math.min(...x), Math.max(...x)];
  const inside = brush.map((_, axis) => axis).filter((axis) => axis >= left && axis <= right);
  const near = Math.round((left + right) / 2);
  const [bottom, top] = [Math.min(...y), Math.max(...y)];
  for (const axis of inside.length ? inside : [near]) {
    if (!brush[axis]) continue;
    const { ends: [low, high] } = brush[axis];
    const value = (part) => digits(low + (high - low) * part);
    const choices = field(formOf(place), "from", axis).matches("select");
    const [from, to] = choices ? [Math.ceil(value(bottom)), Math.floor(value(top))] : [value(bottom), value(top)];
    write(formOf(place), axis, bottom <= 0 ? "" : from, top >= 1 ? "" : to);
  }
  show(place);
}

const formOf = (place) => place.closest("figure").querySelector(".ranges");
const field = (form, end, axis) => form.querySelector(`[data-${end}="${CSS.escape(axis)}"]`);

function write(form, axis, from, to) {
  field(form, "from", axis).value = from;
  field(form, "to", axis).value = to;
}

function ranges(place) {
  const form = formOf(place);
  return views.get(place).layout.meta.brush.map((_, axis) => {
    const [from, to] = [field(form, "from", axis).value, field(form, "to", axis).value];
    if (from === "" && to === "") return null;
    return [from === "" ? -Infinity : Number(from), to === "" ? Infinity : Number(to)];
  });
}

function show(place) {
  const { meta } = views.get(place).layout;
  const asked = ranges(place);
  const fits = meta.verdicts.map((_, run) =>
    asked.every((range, axis) => {
      const value = meta.brush[axis].values[run];
      return !range || (value !== null && value >= range[0] && value <= range[1]);
    }),
  );
  const view = place.closest("figure");
  view.querySelectorAll("tbody tr").forEach((row, run) => (row.hidden = !fits[run]));
  const left = fits.filter(Boolean).length;
  formOf(place).querySelector(".note").textContent = `${left} of ${fits.length} runs are shown.`;
  keep(asked);
  const figure = asked.some(Boolean) ? narrowed(views.get(place), fits, asked) : { ...views.get(place) };
  document.dispatchEvent(new CustomEvent("sluice:draw", { detail: { place, figure, before: null } }));
}

function keep(asked) {
  const address = new URL(location.href);
  address.searchParams.delete(ADDRESS);
  const written = (value) => (Number.isFinite(value) ? value : "");
  asked.forEach((range, axis) => range && address.searchParams.append(ADDRESS, [axis, ...range.map(written)].join(":")));
  history.replaceState(null, "", address);
}

function narrowed(figure, fits, asked) {
  const { meta } = figure.layout;
  const line = (run) => [...meta.brush.map(({ values, ends }) => share(values[run], ends)), null];
  const lines = (chosen) => {
    const runs = [...fits.keys()].filter(chosen).slice(0, meta.most);
    return { x: runs.flatMap(() => [...meta.brush.keys(), null]), y: runs.flatMap(line) };
  };
  const faint = { color: "@grey/15", width: 1 };
  const rest = { ...figure.data[0], ...lines((run) => !fits[run]), name: "left out", meta: undefined, line: faint };
  const data = figure.data.map((trace) => ({ ...trace, ...lines((run) => fits[run] && meta.verdicts[run] === trace.meta) }));
  const shapes = asked.flatMap((range, axis) => (range ? [bar(axis, range, meta.brush[axis].ends)] : []));
  return { data: [rest, ...data], layout: { ...figure.layout, shapes, selections: [], meta: { ...meta, narrowed: true } } };
}

function bar(axis, range, ends) {
  const [y0, y1] = range.map((value) => Math.min(Math.max(share(value, ends), -0.02), 1.02));
  const line = { color: "@blue", width: 1.5 };
  return { type: "rect", x0: axis - 0.04, x1: axis + 0.04, y0, y1, line, fillcolor: "@blue/25" };
}
