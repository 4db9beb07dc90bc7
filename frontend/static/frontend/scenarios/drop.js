// Files that are dropped on the form, or chosen in it, are imported at once. Without scripts the button does it.

document.querySelectorAll("[data-drop]").forEach((form) => {
  const field = form.querySelector("input[type=file]");
  const over = (event) => {
    event.preventDefault();
    form.dataset.over = "";
  };
  const send = () => field.files.length && form.requestSubmit();
  form.addEventListener("dragenter", over);
  form.addEventListener("dragover", over);
  form.addEventListener("dragleave", () => delete form.dataset.over);
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    delete form.dataset.over;
    field.files = event.dataTransfer.files;
    send();
  });
  field.addEventListener("change", send);
});
