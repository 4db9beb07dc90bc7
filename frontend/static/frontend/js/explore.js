// Repaints a search while it goes on, and shows the cell that is clicked or reached by key.

const board = document.getElementById("explore");
const PAUSE = 1000;
const wired = new WeakSet();
let waiting = false;

const cellOfAddress = () => new URL(location.href).searchParams.get("cell");

function liveAddress(cell) {
  const address = new URL(board.dataset.live, location.href);
  address.searchParams.set("tab", new URL(location.href).searchParams.get("tab") ?? "map");
  if (cell !== null) address.searchParams.set("cell", cell);
  return address;
}

async function refresh() {
  if (waiting) return;
  waiting = true;
  try {
    const answer = await fetch(liveAddress(cellOfAddress()), { headers: { Accept: "application/json" } });
    if (answer.ok) show(await answer.json());
  } catch {
    document.dispatchEvent(new CustomEvent("sluice:away"));
  } finally {
    waiting = false;
  }
}

function show(body) {
  for (const name of ["progress", "sentences", "cell"]) {
    const place = document.getElementById(`explore-${name}`);
    if (place && place.innerHTML !== body.html[name] && !place.contains(document.activeElement)) place.innerHTML = body.html[name];
  }
  for (const chart of body.charts) {
    const view = document.querySelector(`figure[data-chart="${chart.key}"]`);
    if (!view) return location.reload();
    view.querySelector(".sentence").textContent = chart.sentence;
    view.querySelector(".table").innerHTML = chart.table;
    const place = view.querySelector(".plot");
    document.dispatchEvent(new CustomEvent("sluice:draw", { detail: { place, figure: chart.figure, before: null } }));
  }
  if (body.final) board.dataset.final = "";
}

function choose(index) {
  const address = new URL(location.href);
  address.searchParams.set("cell", index);
  history.replaceState(null, "", address);
  refresh();
}

// A heatmap's cells: arrow keys move a frame, Enter opens the cell, and so does a click.
function wire(place, cells) {
  if (wired.has(place)) return;
  wired.add(place);
  place.on("plotly_click", ({ points: [point] }) => {
    if (point.curveNumber !== 0) return;
    const index = place.layout.meta.cells[Math.round(point.y)]?.[Math.round(point.x)];
    if (index !== null && index !== undefined) choose(index);
  });
  const at = { x: 0, y: 0 };
  place.addEventListener(
    "keydown",
    (event) => {
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
      if (step) {
        at.x = Math.min(Math.max(at.x + step[0], 0), cells[0].length - 1);
        at.y = Math.min(Math.max(at.y + step[1], 0), cells.length - 1);
        window.Plotly.Fx.hover(place, [{ curveNumber: 0, pointNumber: [at.y, at.x] }]);
      } else if (event.key === "Enter" && place.layout.meta.cells[at.y][at.x] !== null) {
        choose(place.layout.meta.cells[at.y][at.x]);
      } else {
        return;
      }
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true,
  );
}

document.addEventListener("sluice:drawn", ({ detail: { place, figure } }) => {
  if (figure.layout.meta?.cells) wire(place, figure.layout.meta.cells);
});

if (board?.dataset.live && board.dataset.final === undefined) {
  const timer = setInterval(() => (board.dataset.final === undefined ? refresh() : clearInterval(timer)), PAUSE);
  refresh();
}
