// What every page has: theme, popups, keyboard, and words when the server is away.

import { forgetSaved } from "../workbench/drafts.js";
import { openPalette } from "./palette.js";
import "./terms.js";
import { isTyping } from "./typing.js";

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

const AWAY = "The server does not answer. What you see stays readable, and what you typed is kept in this browser.";
const REFUSED = {
  401: "You are signed out. Sign in in another tab and go on here: what you typed is kept in this browser.",
  403: "This page is older than your signing in. Load it again: what you typed is kept in this browser.",
  500: "Something went wrong on the server. What you see may be old, and what you typed is kept in this browser.",
};

let away = false;

function gone() {
  away = true;
  notice(AWAY);
}

// Every page asks for the runs every few seconds; the first answer tells that the server is back.
function back() {
  forget(REFUSED[401]);
  if (!away) return;
  away = false;
  forget(AWAY);
  document.dispatchEvent(new CustomEvent("sluice:back"));
}

function refused(status) {
  const text = REFUSED[status >= 500 ? 500 : status];
  if (text) notice(text);
}

document.addEventListener("htmx:sendError", gone);
document.addEventListener("sluice:away", gone);
addEventListener("offline", gone);
document.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.successful) back();
});
document.addEventListener("htmx:responseError", (event) => refused(event.detail.xhr.status));
document.addEventListener("sluice:refused", (event) => refused(event.detail.status));
document.addEventListener("sluice:answered", () => forget(REFUSED[500]));
forgetSaved();

function closePopups(except) {
  document.querySelectorAll("details.popup[open]").forEach((popup) => {
    if (popup !== except) popup.open = false;
  });
}

document.addEventListener("click", (event) => {
  closePopups(event.target.closest("details.popup"));
  if (event.target.closest("[data-theme-toggle]")) switchTheme();
  if (event.target.closest("[data-keys]")) byId("keys").showModal();
  const copy = event.target.closest("[data-copy]");
  if (copy) copyText(copy);
});

// Copying needs a secure address; without it the text can still be marked by hand, so the button stays hidden.
if (navigator.clipboard) document.querySelectorAll("[data-copy]").forEach((button) => (button.hidden = false));

async function copyText(button) {
  const said = button.firstChild;
  try {
    await navigator.clipboard.writeText(byId(button.dataset.copy).textContent);
    said.data = "Copied";
  } catch {
    said.data = "Mark the text to copy it";
  }
  setTimeout(() => (said.data = "Copy"), 2500);
}

// A page offers an action by its mark: data-key="c" on the link or button, data-go="e" on a link of the navigation.
const marked = (mark, key) => document.querySelector(`[${mark}="${CSS.escape(key)}"]`);

const press = (key) => (marked("data-key", key) ?? marked("data-go", key))?.click();
const toStart = () => (marked("data-key", "n") ? press("n") : (location.href = "/scenarios/start/"));

const KEYS = {
  "/": () => (byId("q") ? byId("q").focus() : openPalette()),
  n: toStart,
  r: () => byId("run")?.click(),
  s: () => byId("save")?.click(),
  c: () => press("c"),
  e: () => press("e"),
  w: () => {
    const why = byId("why") || byId("live-findings") || byId("findings");
    why?.scrollIntoView();
    why?.focus();
  },
  "?": () => byId("keys")?.showModal(),
};

// Letters as shortcuts get in the way of speech input: whoever wants switches them off.
const OFF = "sluice-keys-off";
const letters = byId("letters");

function lettersOff() {
  try {
    return localStorage.getItem(OFF) === "1";
  } catch {
    return letters ? !letters.checked : false;
  }
}

if (letters) letters.checked = !lettersOff();
letters?.addEventListener("change", () => {
  try {
    localStorage.setItem(OFF, letters.checked ? "0" : "1");
  } catch {
    // Without storage the choice lasts as long as the page.
  }
});
let afterG = 0;

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") closePopups(null);
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || lettersOff()) return;
  if (document.querySelector("dialog[open]")) return;
  const goal = Date.now() - afterG < 1500 && marked("data-go", event.key);
  if (goal) {
    goal.click();
  } else if (event.key === "g") {
    afterG = Date.now();
  } else if (KEYS[event.key]) {
    event.preventDefault();
    KEYS[event.key]();
  }
});
