// A play head runs along the timeline of the throttle and along every chart over the same course; what holds at its time
// is written below. By hand the slider moves it; whoever asked for less motion has the slider alone.

const SECONDS = 12;
const STEPS = 400;
const still = matchMedia("(prefers-reduced-motion: reduce)");
const number = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });
const figures = new Map();
const players = new Map();

document.addEventListener("sluice:drawn", ({ detail: { place, figure } }) => {
  if (!figures.has(place)) place.on("plotly_afterplot", () => players.forEach((player) => player.at !== null && show(player)));
  figures.set(place, figure);
  if (place.closest('figure[data-chart="throttle"]')) equip(place);
});

function equip(place) {
  const player = players.get(place) ?? made(place);
  const [start, end] = ends(place);
  stop(player);
  Object.assign(player.slider, { min: start, max: end, step: (end - start) / STEPS });
  if (player.at !== null) go(player, Math.min(Math.max(player.at, start), end));
}

const ends = (place) => {
  const { x } = figures.get(place).data[0];
  return [x[0], x.at(-1)];
};

function made(place) {
  const bar = document.createElement("div");
  bar.className = "player";
  const button = Object.assign(document.createElement("button"), { type: "button", className: "button", hidden: still.matches });
  const slider = Object.assign(document.createElement("input"), { type: "range", value: 0, autocomplete: "off" });
  slider.setAttribute("aria-label", "Time of the play head");
  const words = Object.assign(document.createElement("p"), { className: "reading" });
  words.setAttribute("role", "status");
  bar.append(button, slider);
  place.after(bar, words);
  const player = { place, button, slider, words, at: null, frame: 0 };
  players.set(place, player);
  button.addEventListener("click", () => (player.frame ? stop(player) : play(player)));
  slider.addEventListener("input", () => {
    stop(player);
    go(player, Number(slider.value));
  });
  return player;
}

// From where the head is, or again from the start, over what the axis shows.
function play(player) {
  const [left, right] = player.place._fullLayout.xaxis.range;
  const [start, end] = ends(player.place);
  const [from, to] = [Math.max(left, start), Math.min(right, end)];
  const begin = player.at === null || player.at >= to || player.at < from ? from : player.at;
  let first = null;
  player.words.setAttribute("aria-live", "off");
  player.button.textContent = "❚❚ Stop";
  const step = (now) => {
    first ??= now;
    go(player, Math.min(begin + ((now - first) / 1000 / SECONDS) * (to - from), to));
    if (player.at < to) player.frame = requestAnimationFrame(step);
    else stop(player);
  };
  player.frame = requestAnimationFrame(step);
}

function stop(player) {
  cancelAnimationFrame(player.frame);
  player.frame = 0;
  player.button.textContent = "▶ Play";
  player.words.removeAttribute("aria-live");
}

function go(player, at) {
  player.at = at;
  player.slider.value = at;
  show(player);
}

// The heads of all charts that are joined to this one, each in the unit of its axis.
function show({ place, words, slider, at }) {
  const { meta } = figures.get(place).layout;
  for (const [other, { layout }] of figures) {
    const joined = other === place || (meta?.link && layout.meta?.link === meta.link);
    if (joined && other.isConnected) put(other, other === place ? at : (at * meta.unit) / layout.meta.unit);
  }
  words.textContent = reading(place, at);
  slider.setAttribute("aria-valuetext", words.textContent);
}

function put(place, at) {
  const head = place.querySelector(".playhead") ?? place.appendChild(Object.assign(document.createElement("div"), { className: "playhead" }));
  const { xaxis, _size: size } = place._fullLayout;
  const [left, right] = xaxis.range;
  head.hidden = at < left || at > right;
  head.style.transform = `translateX(${xaxis._offset + xaxis.l2p(at)}px)`;
  head.style.top = `${size.t}px`;
  head.style.height = `${size.h}px`;
}

const unitOf = (place) => /\[([^\]]*)\]$/.exec(place.layout.xaxis.title?.text ?? "")?.[1] ?? "";

// The lines are steps: what holds is the last value before.
function reading(place, at) {
  const { data } = figures.get(place);
  const value = ({ x, y }) => y[Math.max(0, x.findLastIndex((time) => time <= at))];
  const lines = data.filter((trace) => trace.hoverinfo !== "skip").map((trace) => `${trace.name} ${number.format(value(trace))}`);
  const blocked = data.find((trace) => trace.name === "throttle blocked");
  const state = blocked ? [value(blocked) > 0 ? "throttle blocked" : "throttle open"] : [];
  return `At ${number.format(at)} ${unitOf(place)}: ${[...lines, ...state].join(", ")}.`;
}
