// Downloads of a chart: the picture, always light as on paper, and the numbers behind it.

const WIDTH = 1200;
const held = new Map();
const axisOf = (layout, name, letter) => layout[`${letter}axis${(name ?? letter).slice(1)}`]?.title?.text ?? "";

document.addEventListener("sluice:drawn", ({ detail }) => {
  held.set(detail.place, detail);
  const buttons = detail.place.closest("figure")?.querySelector(".take");
  if (buttons) buttons.hidden = false;
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-take]");
  if (!button) return;
  const view = button.closest("figure");
  const detail = held.get(view.querySelector(".plot"));
  const title = view.querySelector("h3").textContent.trim();
  const lines = () => (detail.figure.layout.meta?.rows ? rowsOf(view) : series(detail.figure));
  if (button.dataset.take === "csv") save(new Blob([csv(lines())], { type: "text/csv" }), `${title}.csv`);
  else picture(detail, title);
});

async function picture(detail, title) {
  const { data, layout } = detail.printed();
  const headed = { ...layout, title: { text: title, x: 0.01, xanchor: "left", y: 0.98 }, margin: { ...layout.margin, t: 84 } };
  const size = { format: "png", width: WIDTH, height: 80 + detail.place.clientHeight * (WIDTH / 900), scale: 2 };
  const address = await window.Plotly.toImage({ data, layout: headed }, size);
  offer(address, `${title}.png`);
}

const csv = (lines) => lines.map((line) => line.map(quoted).join(",")).join("\n");

// Where the picture's numbers are places, not values, the table has the values.
function rowsOf(view) {
  const rows = view.querySelectorAll(".table table tr:not([hidden])");
  return [...rows].map((row) => [...row.cells].map((cell) => cell.textContent));
}

function series(figure) {
  const lines = [["series", "x", "y", "low", "high", "x axis", "y axis"]];
  for (const trace of figure.data) {
    const border = trace.fill === "tonexty" ? "high" : "low";
    const name = trace.name ?? `${trace.legendgroup} 95 % ${border}`;
    const axes = [axisOf(figure.layout, trace.xaxis, "x"), axisOf(figure.layout, trace.yaxis, "y")];
    const bars = trace.error_y ?? trace.error_x;
    const middle = trace.error_y ? trace.y : trace.x;
    trace.x.forEach((x, place) => {
      const ends = bars ? [middle[place] - bars.arrayminus[place], middle[place] + bars.array[place]] : ["", ""];
      lines.push([name, x, trace.y[place] ?? "", ...ends, ...axes]);
    });
  }
  return lines;
}

// A text that begins like a formula is kept a text by spreadsheets when an apostrophe leads it.
function quoted(value) {
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@]/.test(value) ? `'${value}` : value;
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function save(blob, name) {
  const address = URL.createObjectURL(blob);
  offer(address, name);
  URL.revokeObjectURL(address);
}

function offer(address, name) {
  const link = document.createElement("a");
  link.href = address;
  link.download = name.replaceAll(/[\\/:*?"<>|]+/g, " ");
  link.click();
}
