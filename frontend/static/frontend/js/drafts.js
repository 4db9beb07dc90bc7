// Values that were typed and not saved are kept in this browser until they are saved or forgotten.

const PREFIX = "sluice-draft:";

function storage(action) {
  try {
    return action(localStorage);
  } catch {
    // Without storage the values live as long as the page.
    return null;
  }
}

export class Draft {
  constructor(form, bring) {
    this.key = `${PREFIX}${form.dataset.draft}`;
    this.version = form.dataset.version;
    this.saving = false;
    form.addEventListener("submit", (event) => {
      this.saving = ["save", "run"].includes(event.submitter?.value);
    });
    this.offer(bring);
  }

  keep(values) {
    if (this.saving) return;
    storage((place) => place.setItem(this.key, JSON.stringify({ version: this.version, at: Date.now(), values })));
  }

  forget() {
    storage((place) => place.removeItem(this.key));
  }

  offer(bring) {
    const kept = JSON.parse(storage((place) => place.getItem(this.key)) ?? "null");
    if (!kept) return;
    // A newer version was saved: the values were part of it, or somebody decided otherwise.
    if (kept.version !== this.version) {
      this.forget();
      return;
    }
    const notice = document.getElementById("draft-offer");
    notice.querySelector("time").textContent = new Date(kept.at).toLocaleString();
    notice.hidden = false;
    const answer = (action) => () => {
      notice.hidden = true;
      action();
    };
    document.getElementById("draft-take").addEventListener("click", answer(() => bring(kept.values)));
    document.getElementById("draft-drop").addEventListener("click", answer(() => this.forget()));
  }
}
