// The groups of a form are folded on a narrow window, all but the first, which holds the question; what a person folds or opens
// stays so, also when the fields are drawn again.

const narrow = matchMedia("(max-width: 720px)");
const chosen = new Map();

function fold(form) {
  form.querySelectorAll("details[data-group]").forEach((group, place) => {
    const { group: name, opened } = group.dataset;
    const usual = narrow.matches ? place === 0 : (opened ?? String(group.open)) === "true";
    group.dataset.opened ??= String(group.open);
    group.open = Boolean(group.querySelector("[aria-invalid]")) || (chosen.get(name) ?? usual);
  });
}

// Everything that a field is folded into is opened.
export function unfold(field) {
  for (let part = field.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
}

export function foldGroups(form) {
  fold(form);
  form.addEventListener("click", ({ target }) => {
    const group = target.closest("details[data-group] > summary")?.parentElement;
    if (group) chosen.set(group.dataset.group, !group.open);
  });
  narrow.addEventListener("change", () => {
    chosen.clear();
    fold(form);
  });
  document.addEventListener("htmx:afterSwap", ({ target }) => {
    if (target.id === "fields") fold(form);
  });
}
