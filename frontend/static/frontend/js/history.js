// Undo for the form: one step per finished change, not one per pixel of a slider.

const MOST = 100;

function read(form) {
  const values = {};
  form.querySelectorAll("[name]:not([type=hidden])").forEach((field) => {
    values[field.name] = field.type === "checkbox" ? field.checked : field.value;
  });
  return values;
}

function write(form, values) {
  form.querySelectorAll("[name]:not([type=hidden])").forEach((field) => {
    if (!(field.name in values)) return;
    if (field.type === "checkbox") field.checked = values[field.name];
    else field.value = values[field.name];
  });
}

export class History {
  constructor(form, button, restored) {
    this.form = form;
    this.button = button;
    this.restored = restored;
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
    if (JSON.stringify(now) === JSON.stringify(this.held)) return;
    this.steps = [...this.steps, this.held].slice(-MOST);
    this.held = now;
    this.button.disabled = false;
  }

  undo() {
    this.settle();
    const last = this.steps.pop();
    if (!last) return;
    write(this.form, last);
    this.held = read(this.form);
    this.button.disabled = this.steps.length === 0;
    this.restored();
  }
}
