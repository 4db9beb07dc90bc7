// What a word of the product means: on hover and on focus, until Escape. Words carry data-term.

const MEANINGS = {
  formula: "Computed by an exact formula, without chance.",
  simulated: "From a quick simulation while you work. The interval holds the model's true value in 19 of 20 cases.",
  final: "From a full run with the precision the scenario asks for.",
  assumed: "Nobody documents this value. It is our assumption; the report lists it.",
  unverified: "Taken from a source that could not be confirmed.",
  headroom: "By which factor all arrivals may grow until an objective is missed.",
  objective: "What the scenario demands, for example a p95 latency of at most 800 ms.",
  answer: "p95 latency: 95 % of the messages are done within this time. For a queue that is never empty: its throughput.",
  unstable: "More arrives than these settings carry: the backlog grows for as long as the load lasts.",
};

const tip = document.createElement("div");
tip.id = "term";
tip.className = "term-tip";
tip.setAttribute("role", "tooltip");
tip.hidden = true;
document.body.append(tip);
let shown = null;

function hide() {
  shown?.removeAttribute("aria-describedby");
  shown = null;
  tip.hidden = true;
}

function show(word) {
  const meaning = MEANINGS[word.dataset.term];
  if (!meaning || word === shown) return;
  hide();
  shown = word;
  word.setAttribute("aria-describedby", tip.id);
  tip.textContent = meaning;
  tip.hidden = false;
  const box = word.getBoundingClientRect();
  const left = Math.min(box.left, innerWidth - tip.offsetWidth - 12);
  const below = box.bottom + 6 + tip.offsetHeight < innerHeight;
  tip.style.left = `${Math.max(12, left) + scrollX}px`;
  tip.style.top = `${(below ? box.bottom + 6 : box.top - tip.offsetHeight - 6) + scrollY}px`;
}

const near = (target) => target instanceof Element && (target.closest("[data-term]") ?? target.closest("#term"));

document.addEventListener("mouseover", (event) => {
  const word = near(event.target);
  if (word && word !== tip) show(word);
  else if (!word && document.activeElement !== shown) hide();
});
document.addEventListener("focusin", (event) => {
  const word = near(event.target);
  if (word && word !== tip) show(word);
  else hide();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") hide();
});
