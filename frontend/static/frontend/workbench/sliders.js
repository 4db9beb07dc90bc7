// A slider and its text field hold the same value; the field alone is sent.
// A slider counts in the base unit, or in its powers of ten; the field has a number with any unit the slider knows.

const unitsOf = (slider) => JSON.parse(slider.dataset.units);

export function textOf(slider, place = Number(slider.value)) {
  const log = "decades" in slider.dataset;
  const at = log ? 10 ** place : place;
  const value = Number(at.toPrecision(log ? 2 : 6));
  const units = Object.entries(unitsOf(slider)).sort(([, a], [, b]) => a - b);
  if (!units.length) return String("whole" in slider.dataset ? Math.round(value) : value);
  const fits = ([, size]) => size <= (value || Number(slider.max));
  // 100 s, not 1.66667 min: the largest unit that three digits are enough for.
  const isShort = ([, size]) => Number((value / size).toPrecision(3)) === Number((value / size).toPrecision(6));
  const [unit, factor] = units.findLast((entry) => fits(entry) && isShort(entry)) ?? units.findLast(fits) ?? units[0];
  return `${Number((value / factor).toPrecision(6))}${/^[%/]/.test(unit) ? "" : " "}${unit}`;
}

function placeOf(slider, text) {
  const unit = text.trim().replace(/^[-+\d.,eE]+/, "").trim();
  const value = Number.parseFloat(text.replace(",", ".")) * (unit ? unitsOf(slider)[unit] : 1);
  if (value === Number.parseFloat(slider.dataset.unlimited)) return Number(slider.max);
  return "decades" in slider.dataset ? Math.log10(value) : value;
}

export function connectSliders(form) {
  form.querySelectorAll("input[type=range]").forEach((slider) => {
    if (slider.dataset.connected) return;
    slider.dataset.connected = "true";
    const field = document.getElementById(slider.dataset.for);
    let speaking = false;
    // The field speaks for both: heard twice, one move would be asked about twice.
    const speak = (event) => {
      event.stopPropagation();
      speaking = true;
      field.value = textOf(slider);
      slider.setAttribute("aria-valuetext", field.value);
      field.dispatchEvent(new Event(event.type, { bubbles: true }));
      speaking = false;
    };
    slider.addEventListener("input", speak);
    slider.addEventListener("change", speak);
    slider.addEventListener("keydown", (event) => step(event, slider));
    // The text is rounded: a slider that followed its own move would stand still at small steps.
    field.addEventListener("input", () => speaking || follow(slider, field));
  });
}

export function moveSliders(form) {
  form.querySelectorAll("input[type=range]").forEach((slider) => follow(slider, document.getElementById(slider.dataset.for)));
}

// The slider follows when the text has a unit of the slider's; its reach grows with the value.
function follow(slider, field) {
  const place = placeOf(slider, field.value);
  if (!Number.isFinite(place)) return;
  if (place > Number(slider.max)) slider.max = String(place);
  if (place < Number(slider.min)) slider.min = String(place);
  slider.value = String(place);
  slider.setAttribute("aria-valuetext", field.value);
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
