// Asks an address for news again and again; one question at a time, and none that is asked meanwhile is lost.

const tell = (what, detail) => document.dispatchEvent(new CustomEvent(`sluice:${what}`, { detail }));

// `address` is asked each time; `show` gets the answer. Returns what asks at once.
export function asker(address, show) {
  let busy = false;
  let again = false;
  return async function ask() {
    again = busy;
    if (busy) return;
    busy = true;
    do {
      again = false;
      const answer = await fetch(address(), { headers: { Accept: "application/json" } }).catch(() => tell("away"));
      if (answer?.ok) await show(await answer.json());
      else if (answer) tell("refused", { status: answer.status });
    } while (again);
    busy = false;
  };
}
