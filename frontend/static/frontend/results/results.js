// Repaints a run while it goes on; when it is over the page is another one, with other actions, and loads itself again.

import { asker } from "../site/poll.js";
import { repaint } from "../site/repaint.js";

const board = document.getElementById("results");
const state = document.querySelector("h1 .state");
const PAUSE = 1000;

function liveAddress() {
  const address = new URL(board.dataset.live, location.href);
  address.search = location.search;
  address.searchParams.set("seen", board.dataset.seen);
  return address;
}

const refresh = asker(liveAddress, (body) => {
  if (body.final || !repaint("result", body)) return location.reload();
  board.dataset.seen = body.seen;
  state.textContent = body.word;
  state.className = `state ${body.status}`;
});

setInterval(refresh, PAUSE);
