// The filter `held` of the templates for what a script writes: no line breaks between a number, its ± and its unit.

const NUMBER = /(\S+ ± \S+(?: %| (?:µs|ms|s|min|h)\b)?|\d[\d.,]*(?: %| (?:µs|ms|s|min|h)\b))/;

// Puts a sentence into an element in the place of what it holds, and returns the element.
export function held(element, text) {
  const parts = text.split(NUMBER).map((part, at) => (at % 2 ? Object.assign(document.createElement("span"), { className: "nowrap", textContent: part }) : part));
  element.replaceChildren(...parts);
  return element;
}
