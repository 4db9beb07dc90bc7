// Single messages on the picture: a dot for each move of a message from station to station, at the time of the play head. The
// slowest of these messages is also drawn where it rests. Steps have the codes of the engine's trace.

export const BACK = [4, 5, 6];
const AFTER = ["destination", "prepared", "threads", "outcomes", "destination", "destination", "destination", "outcomes", "outcomes"];
const SECONDS = 0.5;
const MOST_DOTS = 200;
const number = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const moves = new WeakMap();
const slowest = new WeakMap();
const layers = new WeakMap();

// The message that takes longest among those that arrive and are done in the stretch: its number, when it begins, how long it takes.
export function slowestOf(ways) {
  if (slowest.has(ways)) return slowest.get(ways);
  const begun = new Map();
  let most = null;
  ways.step.forEach((code, place) => {
    const message = ways.message[place];
    if (code === 0) begun.set(message, ways.time[place]);
    const took = ways.time[place] - begun.get(message);
    if (code === 3 && took > (most?.took ?? -1)) most = { message, begun: begun.get(message), took };
  });
  slowest.set(ways, most);
  return most;
}

// The numbers of the messages, and how many messages one of them stands for.
function numbersOf({ message }) {
  const numbers = [...new Set(message)].sort((one, other) => one - other);
  return { numbers, each: numbers.slice(1).reduce((least, item, place) => Math.min(least, item - numbers[place]), Infinity) };
}

// The moves to draw where each lasts so long, and what the legend says of them: of every so many messages one, where more than MOST_DOTS would move at once.
function thinned(ways, lane, lasts, unit) {
  const all = movesOf(ways, lane);
  if (all.lasts === lasts) return all.thinned;
  let [first, most] = [0, 1];
  all.forEach(({ at }, place) => {
    while (all[first].at <= at - lasts) first += 1;
    most = Math.max(most, place - first + 1);
  });
  const { numbers, each } = numbersOf(ways);
  const every = Math.ceil(most / MOST_DOTS);
  // The first that comes back and the slowest are moments of their own.
  const named = [all.find(({ back }) => back)?.number, slowestOf(ways)?.message];
  const kept = new Set([...numbers.filter((_, place) => place % every === 0), ...named]);
  all.lasts = lasts;
  const drawn = all.filter(({ number }) => kept.has(number));
  all.thinned = { moves: drawn, legend: legend(drawn, every * each, slowestOf(ways), unit) };
  return all.thinned;
}

// Each move: when, from where, to where, and whether it is one of the slowest message.
function movesOf(ways, lane) {
  if (moves.has(ways)) return moves.get(ways);
  const last = new Map();
  const buffered = !ways.step.includes(1) && lane.querySelector(".station.prepared");
  const list = ways.time.map((time, place) => {
    const [number, to] = [ways.message[place], AFTER[ways.step[place]]];
    const before = last.get(number) ?? (ways.step[place] ? null : "producers");
    last.set(number, to);
    // How a message gets into a client's buffer is no step of it: it is seen again when it leaves.
    const from = to === "threads" && buffered ? "prepared" : before;
    return { at: time, from, to, number, slow: number === slowestOf(ways)?.message, back: BACK.includes(ways.step[place]) };
  });
  moves.set(ways, list);
  return list;
}

// A canvas over the lane, in pixels of the page: an element for each message would have its style made anew in every frame.
function layerOf(lane) {
  const known = layers.get(lane);
  if (known?.width === innerWidth) return known;
  const canvas = known?.brush.canvas ?? lane.appendChild(document.createElement("canvas"));
  canvas.className = "messages";
  canvas.ariaHidden = "true";
  const { left, top, width, height } = lane.getBoundingClientRect();
  Object.assign(canvas, { width: width * devicePixelRatio, height: height * devicePixelRatio });
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  const brush = canvas.getContext("2d");
  brush.scale(devicePixelRatio, devicePixelRatio);
  const centers = new Map([...lane.querySelectorAll(".station")].map((station) => {
    const box = station.querySelector(".box").getBoundingClientRect();
    return [station.classList[1], [box.left + box.width / 2 - left, box.top + box.height / 2 - top]];
  }));
  const layer = { width: innerWidth, brush, centers };
  layers.set(lane, layer);
  return layer;
}

export function drawMessages(lane, { at: now, pace, ways, unit }) {
  if (!ways) return "";
  const { brush, centers } = layerOf(lane);
  const lasts = SECONDS * pace;
  const { moves: all, legend: told } = thinned(ways, lane, lasts, unit);
  const moving = all.filter((move) => move.at <= now && move.at > now - lasts && move.from !== move.to);
  const slow = all.findLast((move) => move.slow && move.at <= now);
  const shown = slow && slow.to !== "outcomes" && !moving.includes(slow) ? [...moving, { ...slow, from: slow.to, back: false }] : moving;
  const looks = looksOf(brush.canvas);
  brush.clearRect(0, 0, brush.canvas.width, brush.canvas.height);
  for (const move of shown) {
    const [from, to] = [centers.get(move.from), centers.get(move.to)];
    if (!from || !to) continue;
    const share = Math.min(1, (now - move.at) / lasts);
    const aside = move.slow ? 0 : (((move.number * 7) % 5) - 2) * 5;
    const [x, y] = [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1]) + aside];
    dot(brush, x, y, move.slow ? looks.slowest : move.back ? looks.back : looks.plain);
  }
  return told;
}

// How a dot looks in the theme of the page: its style sheet says it (mechanism.css).
function looksOf(canvas) {
  const { fill, stroke, color, accentColor } = getComputedStyle(canvas);
  const plain = { fillStyle: fill, strokeStyle: stroke, lineWidth: 1, radius: 4 };
  const slowest = { fillStyle: accentColor, strokeStyle: fill, lineWidth: 2, radius: 7 };
  return { plain, back: { ...plain, fillStyle: color }, slowest };
}

function dot(brush, x, y, { radius, ...look }) {
  Object.assign(brush, look);
  brush.beginPath();
  brush.arc(x, y, radius, 0, 2 * Math.PI);
  brush.fill();
  brush.stroke();
}

// An attribute that stays costs the browser nothing, one that is set does.
export function put(node, name, value) {
  if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}

export const span = (time, unit) => (unit === "s" && time >= 120 ? `${number.format(time / 60)} min` : `${number.format(time)} ${unit}`);

function legend(all, each, slow, unit) {
  const one = each > 1 && each < Infinity ? `, one of every ${each},` : "";
  const dot = `Each dot is a message${one} on its way to the next box; what a box holds fills it`;
  const large = slow ? `; the large one is the slowest of them, which takes ${span(slow.took, unit)}` : "";
  return `${dot}${large}.${all.some(({ back }) => back) ? " Red: it failed and comes back." : ""}`;
}
