// While files are sent and read: what is going on, for how long, and a way to stop waiting.

const form = document.querySelector("form[data-most]");
const button = form.querySelector("button.primary");
const place = document.getElementById("sending");
const [words, stop] = [place.querySelector("[role=status]"), place.querySelector("button")];
const most = Number(form.dataset.most);
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
let clock = 0;

const size = () => [...form.elements.files.files].reduce((sum, file) => sum + file.size, 0);

function end(text) {
  clearInterval(clock);
  words.textContent = text;
  place.hidden = !text;
  stop.hidden = true;
  button.disabled = false;
  form.removeAttribute("aria-busy");
}

form.addEventListener("submit", (event) => {
  const bytes = size();
  if (bytes > most) {
    event.preventDefault();
    end(`The files have ${megabytes(bytes)} together, at most ${megabytes(most)} are read. Choose only those that configure messaging.`);
    return;
  }
  const began = Date.now();
  const tell = () => {
    const passed = Math.round((Date.now() - began) / 1000);
    words.textContent = `Sending and reading ${bytes ? megabytes(bytes) : "the text"}: ${passed} s so far.`;
  };
  tell();
  clock = setInterval(tell, 1000);
  place.hidden = stop.hidden = false;
  button.disabled = true;
  form.setAttribute("aria-busy", "true");
});

stop.addEventListener("click", () => {
  window.stop();
  end("You stopped waiting. What had arrived by then may still be read.");
});

// Whoever comes back by the browser's history finds the form ready.
addEventListener("pageshow", () => end(""));
