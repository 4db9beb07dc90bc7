// Undo for the form: one step per finished change, not one per pixel of a slider.

import { same } from "../site/same.js";
import { isTyping } from "../site/typing.js";
import { namesDiffer } from "./rows.js";

const MOST = 100;
// Taking something from the inventory changes the fields: the choice itself holds no value.
const FIELDS = "[name]:not([type=hidden]:not([data-rows]), button, [name^='take.'])";
const valueOf = (field) => (field.type === "checkbox" ? String(field.checked) : field.value);

export function read(form, value = valueOf) {
  return Object.fromEntries([...form.querySelectorAll(FIELDS)].map((field) => [field.name, value(field)]));
}

// The values that the server wrote into the form, also where the browser has put back what was typed.
export function asServed(form) {
  return read(form, (field) => {
    if (field.type === "checkbox") return String(field.defaultChecked);
    if (!field.options) return field.defaultValue;
    return ([...field.options].find((option) => option.defaultSelected) ?? field.options[0]).value;
  });
}

function write(form, values) {
  form.querySelectorAll(FIELDS).forEach((field) => {
    if (!(field.name in values)) return;
    if (field.type === "checkbox") field.checked = values[field.name] === "true";
    else field.value = values[field.name];
  });
}

export class History {
  constructor(form, button, { restored, redraw }) {
    this.form = form;
    this.button = button;
    this.restored = restored;
    this.redraw = redraw;
    this.steps = [];
    this.held = read(form);
    button.addEventListener("click", () => this.undo());
    document.addEventListener("keydown", (event) => this.key(event));
  }

  // A text outside the form has the browser's own undo.
  key(event) {
    if (event.key !== "z" || event.shiftKey || event.altKey || !(event.ctrlKey || event.metaKey)) return;
    if (isTyping(event.target) && !this.form.contains(event.target)) return;
    if (!this.steps.length && same(read(this.form), this.held)) return;
    event.preventDefault();
    this.undo();
  }

  note() {
    this.button.disabled = false;
  }

  settle() {
    const now = read(this.form);
    if (same(now, this.held)) return;
    this.push();
    this.held = now;
  }

  push() {
    this.steps = [...this.steps, this.held].slice(-MOST);
    this.button.disabled = false;
  }

  undo() {
    this.settle();
    const last = this.steps.pop();
    if (!last) return;
    this.button.disabled = this.steps.length === 0;
    this.put(last);
  }

  replace(values) {
    this.settle();
    this.push();
    this.put(values);
  }

  // The server has drawn the fields that undo asked for: no step of its own.
  redrawn() {
    this.held = read(this.form);
  }

  // Values of the fields that are there are written into them; for others the server draws the fields again.
  put(values) {
    this.held = values;
    const names = Object.keys(read(this.form));
    const alike = names.length === Object.keys(values).length && names.every((name) => name in values);
    if (alike && !namesDiffer(values)) {
      write(this.form, values);
      this.restored();
    } else this.redraw(values);
  }
}
