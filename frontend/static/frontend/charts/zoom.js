// Figures over the same course are joined: zooming the time of one zooms the others of its group.

const joined = new Map();
let following = false;

document.addEventListener("sluice:drawn", ({ detail: { place, figure } }) => {
  const meta = figure.layout.meta;
  if (!meta?.link) return;
  if (!joined.has(place)) place.on("plotly_relayout", (change) => follow(place, change));
  joined.set(place, meta);
});

function follow(place, change) {
  if (following) return;
  const whole = change["xaxis.autorange"];
  const range = change["xaxis.range"] ?? [change["xaxis.range[0]"], change["xaxis.range[1]"]];
  if (!whole && range[0] === undefined) return;
  following = true;
  const { link, unit } = joined.get(place);
  const others = [...joined].filter(([other, meta]) => other !== place && other.isConnected && meta.link === link);
  const moves = others.map(([other, meta]) => {
    const wanted = whole ? { "xaxis.autorange": true } : { "xaxis.range": range.map((at) => (at * unit) / meta.unit) };
    return window.Plotly.relayout(other, wanted);
  });
  Promise.all(moves).finally(() => {
    following = false;
  });
}
