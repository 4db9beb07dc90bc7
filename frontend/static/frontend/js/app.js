// What every page has: theme, popups, keyboard, and words when the server is away.

const root = document.documentElement;
const byId = (id) => document.getElementById(id);

function currentTheme() {
  if (root.dataset.theme) return root.dataset.theme;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

function switchTheme() {
  const next = currentTheme() === "dark" ? "light" : "dark";
  root.dataset.theme = next;
  try {
    localStorage.setItem("sluice-theme", next);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  document.dispatchEvent(new CustomEvent("sluice:theme"));
}

function notice(text, kind = "error") {
  const place = byId("messages");
  const held = place.querySelector(`[data-text="${CSS.escape(text)}"]`);
  if (held) return;
  const line = document.createElement("div");
  line.className = `notice ${kind}`;
  line.dataset.text = text;
  line.textContent = text;
  place.append(line);
}

function forget(text) {
  byId("messages").querySelectorAll("[data-text]").forEach((line) => {
    if (line.dataset.text === text) line.remove();
  });
}

const AWAY = "The server does not answer. What you see stays readable, and nothing you typed is lost.";

document.addEventListener("htmx:sendError", () => notice(AWAY));
document.addEventListener("sluice:away", () => notice(AWAY));
document.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.successful) forget(AWAY);
});
document.addEventListener("htmx:responseError", (event) => {
  if (event.detail.xhr.status === 403) notice("You are signed out. Open the page again to sign in.");
});

function closePopups(except) {
  document.querySelectorAll("details.popup[open]").forEach((popup) => {
    if (popup !== except) popup.open = false;
  });
}

document.addEventListener("click", (event) => {
  closePopups(event.target.closest("details.popup"));
  if (event.target.closest("[data-theme-toggle]")) switchTheme();
  if (event.target.closest("[data-keys]")) byId("keys").showModal();
});

const isTyping = (element) =>
  element.matches("input:not([type=range], [type=checkbox]), textarea, select") || element.isContentEditable;

const KEYS = {
  "/": () => byId("q") ? byId("q").focus() : (location.href = "/"),
  n: () => (byId("presets") ? byId("presets").querySelector("button").focus() : (location.href = "/#presets")),
  r: () => byId("run")?.click(),
  s: () => byId("save")?.click(),
  w: () => {
    const why = byId("why") || byId("live-findings") || byId("findings");
    why?.scrollIntoView();
    why?.focus();
  },
  "?": () => byId("keys")?.showModal(),
};
const AFTER_G = { s: "/", r: "/reports/" };
let afterG = 0;

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") closePopups(null);
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  if (document.querySelector("dialog[open]")) return;
  if (Date.now() - afterG < 1500 && AFTER_G[event.key]) {
    location.href = AFTER_G[event.key];
  } else if (event.key === "g") {
    afterG = Date.now();
  } else if (KEYS[event.key]) {
    event.preventDefault();
    KEYS[event.key]();
  }
});
