// A slider and its text field hold the same value; the field alone is sent.

const number = (text) => Number.parseFloat(text.replace(",", "."));
const unitOf = (text) => text.trim().replace(/^[-+\d.,eE]+/, "").trim();

export function connectSliders(form) {
  form.querySelectorAll("input[type=range]").forEach((slider) => {
    if (slider.dataset.connected) return;
    slider.dataset.connected = "true";
    const field = document.getElementById(slider.dataset.for);
    // The field speaks for both: heard twice, one move would be asked about twice.
    const speak = (event) => {
      event.stopPropagation();
      field.value = slider.value + slider.dataset.unit;
      field.dispatchEvent(new Event(event.type, { bubbles: true }));
    };
    slider.addEventListener("input", speak);
    slider.addEventListener("change", speak);
    slider.addEventListener("keydown", (event) => step(event, slider));
    field.addEventListener("input", () => follow(slider, field));
  });
}

export function moveSliders(form) {
  form.querySelectorAll("input[type=range]").forEach((slider) => follow(slider, document.getElementById(slider.dataset.for)));
}

// The slider follows when the text has the slider's unit; its reach grows with the value.
function follow(slider, field) {
  const value = number(field.value);
  const unit = unitOf(field.value);
  if (Number.isNaN(value) || (unit && unit !== slider.dataset.unit.trim())) return;
  if (value > Number(slider.max)) slider.max = String(value);
  slider.value = String(value);
}

function step(event, slider) {
  const direction = { "[": -1, "{": -1, "]": 1, "}": 1 }[event.key];
  if (!direction) return;
  event.preventDefault();
  event.stopPropagation();
  const times = event.shiftKey ? 10 : 1;
  slider.value = String(Number(slider.value) + direction * times * Number(slider.step || 1));
  for (const type of ["input", "change"]) slider.dispatchEvent(new Event(type, { bubbles: true }));
}
