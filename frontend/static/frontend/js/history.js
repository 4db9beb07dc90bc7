// Undo for the form: one step per finished change, not one per pixel of a slider.

const MOST = 100;

export function read(form) {
  const values = {};
  form.querySelectorAll("[name]:not([type=hidden], button)").forEach((field) => {
    values[field.name] = field.type === "checkbox" ? String(field.checked) : field.value;
  });
  return values;
}

function write(form, values) {
  form.querySelectorAll("[name]:not([type=hidden], button)").forEach((field) => {
    if (!(field.name in values)) return;
    if (field.type === "checkbox") field.checked = values[field.name] === "true";
    else field.value = values[field.name];
  });
}

const same = (left, right) => JSON.stringify(left) === JSON.stringify(right);

export class History {
  constructor(form, button, { restored, redraw }) {
    this.form = form;
    this.button = button;
    this.restored = restored;
    this.redraw = redraw;
    this.steps = [];
    this.held = read(form);
    button.addEventListener("click", () => this.undo());
    document.addEventListener("keydown", (event) => {
      if (event.key === "z" && (event.ctrlKey || event.metaKey) && !event.shiftKey) {
        event.preventDefault();
        this.undo();
      }
    });
  }

  note() {
    this.button.disabled = false;
  }

  settle() {
    const now = read(this.form);
    if (same(now, this.held)) return;
    this.steps = [...this.steps, this.held].slice(-MOST);
    this.held = now;
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
    this.steps = [...this.steps, this.held].slice(-MOST);
    this.button.disabled = false;
    this.put(values);
  }

  // Values of the fields that are there are written into them; for others the server draws the fields again.
  put(values) {
    this.held = values;
    if (same(Object.keys(values).sort(), Object.keys(read(this.form)).sort())) {
      write(this.form, values);
      this.restored();
    } else this.redraw(values);
  }
}
