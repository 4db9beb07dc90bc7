// One curve as a small picture: line with band, the objective, the value now, and where messages pile up.

const HEIGHT = 44;
const TOP = 4;
const node = (name, attributes) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

export function picture({ metric, title, points, bound, best }, slider) {
  const [low, high] = [Number(slider.min), Number(slider.max)];
  const x = (value) => (100 * (("decades" in slider.dataset ? Math.log10(value) : value) - low)) / (high - low || 1);
  const known = points.filter((point) => point.length > 1);
  const most = Math.max(...known.map((point) => point[3]), 0) || 1;
  const y = (value) => HEIGHT - ((HEIGHT - TOP) * Math.min(value, most)) / most;
  const path = (list, row) => list.map((point) => `${x(point[0])},${y(point[row])}`).join(" ");
  const drawn = node("svg", { viewBox: `0 0 100 ${HEIGHT}`, preserveAspectRatio: "none", role: "img" });
  drawn.setAttribute("aria-label", `${metric} over ${title}${best ? `. ${best.shown}: ${best.text}` : ""}`);
  drawn.append(node("polygon", { class: "band", points: `${path(known, 3)} ${path([...known].reverse(), 1)}` }));
  drawn.append(node("polyline", { class: "line", points: path(known, 2) }));
  for (const [value] of points.filter((point) => point.length === 1)) drawn.append(vertical("lost", x(value)));
  if (bound !== null && bound <= most) drawn.append(node("line", { class: "bound", x1: 0, x2: 100, y1: y(bound), y2: y(bound) }));
  drawn.append(vertical("at", (100 * (Number(slider.value) - low)) / (high - low || 1)));
  return drawn;
}

const vertical = (name, at) => node("line", { class: name, x1: at, x2: at, y1: 0, y2: HEIGHT });

export function caption({ metric, points, best }) {
  const known = points.filter((point) => point.length > 1);
  const words = best ? `${best.shown} gains` : "no value gains more than the interval";
  if (!known.length) return `${metric}: messages pile up at every value`;
  const [least, most] = [known.reduce((a, b) => (a[2] <= b[2] ? a : b)), known.reduce((a, b) => (a[2] >= b[2] ? a : b))];
  const unstable = known.length < points.length ? "; red: messages pile up" : "";
  return `${metric} ${least[4] === most[4] ? least[4] : `${least[4]} to ${most[4]}`} · ${words}${unstable}`;
}
