// Values that were typed and not saved are kept in this browser, by scenario and version, until they are saved or forgotten.

import { same } from "../site/same.js";

const PREFIX = "sluice-draft:";
const SAVED = "sluice-saved";

function storage(action) {
  try {
    return action(localStorage);
  } catch {
    // Without storage the values live as long as the page.
    return null;
  }
}

const remove = (key) => storage((place) => place.removeItem(PREFIX + key));

// The answer to a save names in a cookie the version whose form was saved: what was typed into it is kept by the server now.
export function forgetSaved() {
  const cookie = document.cookie.split("; ").find((part) => part.startsWith(`${SAVED}=`));
  if (!cookie) return;
  remove(decodeURIComponent(cookie.slice(SAVED.length + 1)));
  document.cookie = `${SAVED}=; path=/; max-age=0`;
}

export class Draft {
  // `shown` are the form's values; a draft of others is offered. One that is `guarded`, because an address brought those
  // values, is neither replaced nor forgotten before the offer is answered.
  constructor(form, { bring, shown, guarded }) {
    forgetSaved();
    this.key = form.dataset.draft;
    this.open = this.offer(bring, shown) && guarded;
  }

  keep(values) {
    if (this.open) return;
    storage((place) => place.setItem(PREFIX + this.key, JSON.stringify({ at: Date.now(), values })));
  }

  forget() {
    if (this.open) return;
    remove(this.key);
  }

  offer(bring, shown) {
    const kept = JSON.parse(storage((place) => place.getItem(PREFIX + this.key)) ?? "null");
    if (!kept || same(kept.values, shown)) return false;
    const notice = document.getElementById("draft-offer");
    notice.querySelector("time").textContent = new Date(kept.at).toLocaleString();
    notice.hidden = false;
    const answer = (action) => () => {
      notice.hidden = true;
      this.open = false;
      action();
    };
    document.getElementById("draft-take").addEventListener("click", answer(() => bring(kept.values)));
    document.getElementById("draft-drop").addEventListener("click", answer(() => this.forget()));
    return true;
  }
}
