// Rows of lists, servers and queues: the server draws them again after a button; here names stay in step while they are
// typed, what was added gets the focus, and many servers and queues are found by their names.

const NAME = /^(.*)\.\d+\.name$/;
const held = new WeakMap();
let form = null;

const nameOf = (place) => form.querySelector(`[name="${CSS.escape(`${place}.name`)}"]`)?.value;

// The choices that mean a list: those of its own server, and of the queues that this server listens to.
function choicesOf(list) {
  const [part, index] = list.split(".");
  const last = list.split(".").at(-1);
  const server = nameOf(`${part}.${index}`);
  return [...form.querySelectorAll(`[data-refers="${CSS.escape(last)}"]`)].filter((choice) => {
    if (list === "servers") return true;
    const place = choice.name.split(".").slice(0, 2).join(".");
    const listener = form.querySelector(`[name="${CSS.escape(`${place}.server`)}"]`)?.value ?? server;
    return place.startsWith("servers") ? place === `${part}.${index}` : listener === server;
  });
}

function renamed({ target }) {
  const list = target.name?.match(NAME)?.[1];
  if (!list) return;
  const before = held.get(target) ?? target.defaultValue;
  held.set(target, target.value);
  const row = target.closest("[data-row]");
  const title = row ? row.querySelector("legend") : target.closest("[data-group]")?.querySelector("[data-title]");
  if (title) title.textContent = target.value;
  for (const choice of choicesOf(list)) {
    const options = [...(choice.options ?? choice.list?.options ?? [])];
    const option = options.find((item) => item.value === before);
    if (!option) continue;
    const chosen = choice.value === before;
    option.value = target.value;
    if (choice.options) option.textContent = target.value;
    if (chosen) choice.value = target.value;
  }
}

// Whether values that come back have other names than the fields: choices among them are drawn by the server.
export function namesDiffer(values) {
  return [...form.querySelectorAll("[name$='.name']")].some((field) => NAME.test(field.name) && values[field.name] !== field.value);
}

// After a button the focus goes to the row that it made or moved, else to the button that adds another.
export function focusAfter(change) {
  const [what, place] = change.split(" ");
  const digits = (element) => Number(element.dataset.row?.split(".").at(-1) ?? element.dataset.group?.split(".").at(-1));
  const rows = (list) =>
    [...form.querySelectorAll("[data-row], [data-group]")].filter((row) => {
      const at = row.dataset.row ?? row.dataset.group;
      return at.startsWith(`${list}.`) && /^\d+$/.test(at.slice(list.length + 1));
    });
  const list = what === "add" ? place : place.replace(/\.\d+$/, "");
  const at = Number(place.split(".").at(-1)) + { copy: 1, up: -1 }[what];
  const row = what === "add" ? rows(list).sort((a, b) => digits(a) - digits(b)).at(-1) : rows(list).find((item) => digits(item) === Math.max(at, 0));
  for (let part = row?.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
  const named = row && [...row.querySelectorAll("input")].find((input) => NAME.test(input.name));
  const first = named ?? row?.querySelector("input:not([type=hidden], [type=range]), select");
  (first ?? form.querySelector(`button[value="add ${CSS.escape(list)}"]`))?.focus();
}

function find({ target }) {
  if (target.id !== "find-section") return;
  const wanted = target.value.trim().toLowerCase();
  const named = [...form.querySelectorAll("details[data-group]:has([data-title])")];
  named.forEach((group) => (group.hidden = !group.querySelector("[data-title]").textContent.toLowerCase().includes(wanted)));
  const found = named.filter((group) => !group.hidden);
  if (found.length === 1) found[0].open = true;
}

function show() {
  form.querySelector(".navigator")?.removeAttribute("hidden");
}

export function connectRows(connected) {
  form = connected;
  form.addEventListener("input", renamed, true);
  form.addEventListener("input", find);
  form.addEventListener("click", ({ target }) => {
    if (target.dataset.fold) form.querySelectorAll("details[data-group]").forEach((group) => (group.open = false));
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.target.id !== "fields") return;
    show();
    const { elt } = event.detail.requestConfig;
    if (elt.name === "do") focusAfter(elt.value);
  });
  show();
}
