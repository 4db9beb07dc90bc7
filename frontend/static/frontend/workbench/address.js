// The address of the workbench holds what differs from the saved version: it can be kept, sent, and gone back to.

const REST = 200;
// Longer addresses are cut or refused on their way; what is typed stays in the draft all the same.
const LONGEST = 4000;
const pinned = new URL(location.href).searchParams.has("version");
let timer = 0;

// `values` of the form and those of the saved version; the browser allows few changes of the address in a second.
export function tellAddress(values, saved, version) {
  clearTimeout(timer);
  timer = setTimeout(() => write(Object.entries(values).filter(([name, value]) => saved[name] !== value), version), REST);
}

function write(differing, version) {
  const address = new URL(location.href);
  const isKnob = (name) => name === "name" || name.includes(".");
  for (const name of [...address.searchParams.keys()].filter(isKnob)) address.searchParams.delete(name);
  if (!pinned) address.searchParams.delete("version");
  const bare = address.href;
  // The values are changes of this version: a later one would give the same address another meaning.
  if (differing.length) address.searchParams.set("version", version);
  for (const [name, value] of differing) address.searchParams.set(name, value);
  const shown = address.href.length > LONGEST ? bare : address.href;
  if (shown !== location.href) history.replaceState(null, "", shown);
}

// One parameter of the address; none for an empty value.
export function setInAddress(name, value) {
  const address = new URL(location.href);
  if (value) address.searchParams.set(name, value);
  else address.searchParams.delete(name);
  history.replaceState(null, "", address);
}
