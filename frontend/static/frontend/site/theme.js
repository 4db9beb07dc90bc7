// Runs before the first paint, so that a stored theme never flashes.
(() => {
  try {
    const stored = localStorage.getItem("sluice-theme");
    if (stored === "light" || stored === "dark") document.documentElement.dataset.theme = stored;
  } catch {
    // Storage may be forbidden; the system's theme is then used.
  }
})();
