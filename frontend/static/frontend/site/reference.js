// The API reference: find an operation, open the body a link leads to, and send a call with the session.

const token = () => JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"];

const nav = document.querySelector(".help-nav");
const found = document.getElementById("found");

// All operations with the page of each: the document is large, so it is fetched once somebody looks for one, and again
// after it could not be.
let listed;
const operations = () => (listed ??= fetchOperations().catch((error) => {
  listed = undefined;
  throw error;
}));

async function fetchOperations() {
  const response = await fetch(nav.dataset.document);
  if (!response.ok) throw new Error(`the document's status is ${response.status}`);
  const { paths } = await response.json();
  return Object.entries(paths).flatMap(([path, methods]) => Object.entries(methods)
    .filter(([, body]) => body.operationId)
    .map(([method, { operationId, tags }]) => ({ path, method: method.toUpperCase(), operationId, page: `${nav.dataset.reference}${tags[0]}/#${operationId}` })));
}

const narrow = document.getElementById("narrow");
const asked = () => narrow.value.trim().toLowerCase();

async function find() {
  const wanted = asked();
  const all = wanted ? await operations() : [];
  if (wanted !== asked()) return;
  const links = all.filter((item) => `${item.method} ${item.path} ${item.operationId}`.toLowerCase().includes(wanted)).map((item) => {
    const [link, method] = [document.createElement("a"), document.createElement("code")];
    link.href = item.page;
    method.textContent = item.method;
    link.append(method, ` ${item.operationId}`);
    return link;
  });
  found.replaceChildren(...(links.length ? links : ["No operation is named like this."]));
  found.hidden = !wanted;
  document.getElementById("resources").hidden = Boolean(wanted);
}

// Says that the operations cannot be read; the button tries `again`.
function missing(again) {
  const words = Object.assign(document.createElement("p"), { textContent: "The list of operations cannot be read: the server does not answer as it should." });
  words.setAttribute("role", "alert");
  const button = Object.assign(document.createElement("button"), { className: "button", type: "button", textContent: "Try again" });
  button.addEventListener("click", () => tried(again));
  found.replaceChildren(words, button);
  found.hidden = false;
}

const tried = (work) => work().catch(() => missing(work));
narrow.addEventListener("input", () => tried(find));

// Before it had a page for each resource, the reference was one: its addresses lead to where an operation or a body is now.
async function follow(anchor) {
  if (!anchor || document.getElementById(anchor)) return;
  if (anchor.startsWith("model")) return location.replace(`${nav.dataset.reference}bodies/#${anchor}`);
  const item = (await operations()).find(({ operationId }) => operationId === anchor);
  if (item) location.replace(item.page);
}
if (location.pathname === nav.dataset.reference) tried(() => follow(decodeURIComponent(location.hash.slice(1))));

function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target?.matches("details")) target.open = true;
}
addEventListener("hashchange", openTarget);
openTarget();

function field(name, label, value = "") {
  const line = document.createElement("label");
  line.className = "try-line";
  line.textContent = label;
  const input = document.createElement(name === "body" ? "textarea" : "input");
  input.className = "input";
  input.name = name;
  input.value = value;
  if (name === "body") input.rows = 6;
  line.append(input);
  return line;
}

// Only what can be asked for is built, and only once it is opened: a resource may have many operations.
function build(place) {
  const { method, path } = place.dataset;
  const form = document.createElement("form");
  [...path.matchAll(/{(\w+)}/g)].forEach(([, name]) => form.append(field(name, name)));
  if (method === "GET") form.append(field("query", "Query, for example limit=5"));
  if (method === "POST" || method === "PATCH") form.append(field("body", "Body (JSON)", exampleOf(place)));
  const send = document.createElement("button");
  send.className = "button primary";
  send.textContent = method === "GET" ? "Send" : `Send ${method}: this changes your data`;
  const answer = document.createElement("pre");
  answer.tabIndex = 0;
  answer.setAttribute("aria-live", "polite");
  form.append(send);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    call(method, path, new FormData(form), answer);
  });
  place.append(form, answer);
}

function exampleOf(place) {
  const text = place.parentElement.querySelector("pre")?.textContent ?? "";
  const body = text.match(/-d '([\s\S]*)'\n?$/)?.[1].replaceAll(`'"'"'`, "'");
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return "{}";
  }
}

async function call(method, path, values, answer) {
  const address = path.replace(/{(\w+)}/g, (_, name) => encodeURIComponent(values.get(name)));
  const query = values.get("query");
  const headers = { "Content-Type": "application/json", "X-CSRFToken": token() };
  answer.textContent = "…";
  try {
    const body = values.has("body") ? values.get("body") : undefined;
    const response = await fetch(query ? `${address}?${query}` : address, { method, headers, body });
    const text = await response.text();
    const shown = /json/.test(response.headers.get("Content-Type")) ? JSON.stringify(JSON.parse(text), null, 2) : text;
    answer.textContent = `${response.status} ${response.statusText}\n\n${shown.slice(0, 20000)}`;
  } catch {
    answer.textContent = "The server does not answer.";
  }
}

document.querySelectorAll(".try").forEach((place) => place.addEventListener("toggle", () => build(place), { once: true }));
