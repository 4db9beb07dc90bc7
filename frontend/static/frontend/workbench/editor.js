// The editor of a stored server or queue: sliders follow their fields, also after the fields were drawn again.

import { connectRows } from "./rows.js";
import { connectSliders } from "./sliders.js";

const form = document.getElementById("entity-form");
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.target.id === "fields") connectSliders(form);
});
connectRows(form);
connectSliders(form);
