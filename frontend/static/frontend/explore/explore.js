// Repaints a search while it goes on, and shows the point that is clicked or reached by key.

import { asker } from "../site/poll.js";
import { repaint } from "../site/repaint.js";

const board = document.getElementById("explore");
const PAUSE = 1000;
const wired = new WeakSet();
let chosen = false;

function liveAddress() {
  const shown = new URL(location.href).searchParams;
  const address = new URL(board.dataset.live, location.href);
  address.searchParams.set("tab", shown.get("tab") ?? "map");
  if (shown.has("point")) address.searchParams.set("point", shown.get("point"));
  return address;
}

const refresh = asker(liveAddress, (body) => {
  const force = [...(chosen ? ["point"] : []), ...(body.final ? ["progress", "sentences", "point"] : [])];
  chosen = false;
  if (!repaint("explore", body, force)) return location.reload();
  if (body.final) board.dataset.final = "";
});

function choose(index) {
  const address = new URL(location.href);
  address.searchParams.set("point", index);
  history.replaceState(null, "", address);
  chosen = true;
  refresh();
}

// Plotly keeps a press from moving the focus, which would stay in the panel of the point before.
function wire(place) {
  if (wired.has(place)) return;
  wired.add(place);
  place.on("plotly_click", ({ points: [point] }) => {
    if (point.curveNumber !== 0) return;
    const index = place.layout.meta.cells[Math.round(point.y)]?.[Math.round(point.x)];
    if (index === null || index === undefined) return;
    place.focus({ preventScroll: true });
    choose(index);
  });
}

document.addEventListener("sluice:cell", ({ detail: { index } }) => choose(index));
document.addEventListener("sluice:drawn", ({ detail: { place, figure } }) => {
  if (figure.layout.meta?.cells) wire(place);
});

if (board?.dataset.live && board.dataset.final === undefined) {
  const timer = setInterval(() => (board.dataset.final === undefined ? refresh() : clearInterval(timer)), PAUSE);
  refresh();
}
