// Ctrl-K: one list of the scenarios, of the settings, actions and keys of this page, of the pages and of the help.

const dialog = document.getElementById("palette");
const input = document.getElementById("palette-input");
const list = document.getElementById("palette-list");
const MOST = 12;
let items = [];
let found = [];
let at = 0;
let complete = false;

const trimmed = (text) => text.trim().replace(/\s+/g, " ");
const words = (element) => trimmed(element.textContent);

// What an element is called, without what is noted beside its name.
function nameOf(element) {
  const copy = element.cloneNode(true);
  copy.querySelectorAll(".gist, .assumed-mark").forEach((part) => part.remove());
  return words(copy);
}

function reveal(field) {
  for (let part = field; part; part = part.parentElement) if (part.matches("details")) part.open = true;
  field.focus();
  field.scrollIntoView({ block: "center" });
}

function links() {
  const groups = [...document.querySelectorAll("[data-palette-source] [data-palette]")];
  const further = groups.flatMap((group) =>
    [...group.querySelectorAll("a")].map((link) => ({ kind: group.dataset.palette, text: words(link), act: () => link.click() })),
  );
  const pages = [...document.querySelectorAll(".topbar nav a, .topbar details:not(.drawer) .entry:not([data-keys])")];
  return [...pages.map((link) => ({ kind: "Pages", text: words(link), act: () => link.click() })), ...further];
}

function actions() {
  const shown = [...document.querySelectorAll("main .headline :is(a.button, button.button), #theme")];
  return [
    ...shown.filter((button) => button.checkVisibility()).map((button) => ({ kind: "Actions", text: words(button), act: () => button.click() })),
    { kind: "Actions", text: "Switch between light and dark", act: () => document.querySelector("[data-theme-toggle]").click() },
    { kind: "Actions", text: "Show all keys", act: () => document.getElementById("keys").showModal() },
  ];
}

function settings() {
  return [...document.querySelectorAll('main label[for^="f-"]')].map((label) => {
    const field = document.getElementById(label.htmlFor);
    const owner = label.closest("details.group")?.querySelector("summary");
    const text = [nameOf(label), owner && nameOf(owner)].filter(Boolean).join(" · ");
    const value = field?.type === "checkbox" ? (field.checked ? "on" : "off") : trimmed(field?.selectedOptions?.[0]?.text ?? field?.value ?? "");
    return { kind: "Settings", text: `${text}${value ? `: ${value}` : ""}`, act: () => field && reveal(field) };
  });
}

async function scenarios() {
  try {
    const response = await fetch("/api/v1/scenarios?limit=100", { headers: { Accept: "application/json" } });
    if (!response.ok) return [];
    const answer = await response.json();
    return answer.items.map((row) => ({
      kind: "Scenarios",
      text: row.name,
      act: () => (location.href = `/scenarios/${encodeURIComponent(row.id)}/`),
    }));
  } catch {
    return [];
  }
}

function rank(item, asked) {
  const text = item.text.toLowerCase();
  if (!asked.every((part) => text.includes(part) || item.kind.toLowerCase().startsWith(part))) return -1;
  return text.startsWith(asked[0] ?? "") ? 0 : 1;
}

function show() {
  const asked = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  const ranked = items.map((item) => [rank(item, asked), item]).filter(([place]) => place >= 0);
  found = ranked.sort(([a], [b]) => a - b).slice(0, MOST).map(([, item]) => item);
  at = Math.min(at, Math.max(0, found.length - 1));
  list.replaceChildren(...found.map(line));
  const none = complete ? "Nothing fits." : "Looking through your scenarios …";
  if (!found.length) list.append(Object.assign(document.createElement("li"), { className: "none", textContent: none }));
  mark();
}

function line(item, place) {
  const entry = document.createElement("li");
  entry.id = `palette-${place}`;
  entry.setAttribute("role", "option");
  const kind = document.createElement("span");
  kind.className = "muted small";
  kind.textContent = item.kind;
  entry.append(item.text, kind);
  entry.addEventListener("click", () => take(place));
  return entry;
}

function mark() {
  [...list.children].forEach((entry, place) => entry.setAttribute("aria-selected", String(place === at)));
  if (found.length) input.setAttribute("aria-activedescendant", `palette-${at}`);
  else input.removeAttribute("aria-activedescendant");
  list.children[at]?.scrollIntoView({ block: "nearest" });
}

function take(place) {
  const item = found[place];
  dialog.close();
  item?.act();
}

export async function openPalette() {
  if (!dialog || dialog.open) return;
  items = [...actions(), ...settings(), ...links()];
  input.value = "";
  at = 0;
  complete = false;
  show();
  dialog.showModal();
  items.push(...(await scenarios()));
  complete = true;
  show();
}

document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "k") {
    event.preventDefault();
    openPalette();
  }
});
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-palette-open]")) openPalette();
  if (event.target === dialog) dialog.close();
});
input?.addEventListener("input", () => {
  at = 0;
  show();
});
input?.addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step && found.length) {
    event.preventDefault();
    at = (at + step + found.length) % found.length;
    mark();
  }
  if (event.key === "Enter") {
    event.preventDefault();
    take(at);
  }
});
