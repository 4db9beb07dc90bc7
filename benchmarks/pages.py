"""The pages from a browser's side: a table of 10,000 scenarios, the weight of the first page, and a moving slider.

Run it with `python -m benchmarks.pages [--rows 10000] [--moves 200]`. It starts a server of its own in a new folder.
A move begins with the slider's input and ends when the first chart (``total``) or every chart in sight (``all charts``)
is painted with the newest glance, as while a hand moves the slider. Server-Timing says the engine's part, the server's
part is the rest of the answer, the browser's part what remains of ``total``.
"""

import argparse
import gzip
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from simulations.pipeline.spark.server import PROJECT, free_port
from tests.machine import ADVICE, find_chromium

LIST_BAR, WEIGHT_BAR, MOVE_BAR = 0.200, 150_000, 150.0
"""Seconds for the table, bytes for the first page without Plotly, milliseconds for a move (95th percentile)."""
ENGINE = ("prepare", "simulate", "estimate")
LAPTOP: Any = {"width": 1440, "height": 900}
"""Tall enough to show the charts next to the slider."""
LOADS = 30
PRESET = "Surge backlog (z/OS)"
FILL = """
import django; django.setup()
from django.contrib.auth.models import User
from planner.models import Scenario, ScenarioVersion
owner = User.objects.get(username="admin")
spec = Scenario.objects.get(owner=owner, preset="surge-backlog").version
made = Scenario.objects.bulk_create(
    Scenario(owner=owner, name=f"Payments {{number:05}}", platform=spec.spec["platform"], tags=["prod"])
    for number in range({rows})
)
versions = ScenarioVersion.objects.bulk_create(
    ScenarioVersion(scenario=row, number=1, spec=spec.spec, content_hash=spec.content_hash, author=owner)
    for row in made
)
for row, version in zip(made, versions, strict=True):
    row.current = version
Scenario.objects.bulk_update(made, ["current"], batch_size=500)
"""
MOVE = """async (value) => {
  const live = document.getElementById("live");
  const slider = document.querySelector('input[type=range][aria-label="Maximum sessions, slider"]');
  const shown = live.dataset.shown;
  performance.clearResourceTimings();
  const began = performance.now();
  slider.value = value;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  await new Promise((done) => {
    new MutationObserver((_, watch) => {
      if (live.dataset.shown !== shown) { watch.disconnect(); done(); }
    }).observe(live, { attributes: true });
  });
  const frame = () => new Promise(requestAnimationFrame);
  const painted = () => frame().then(() => scheduler.postTask(() => {}, { priority: "user-blocking" }));
  await painted();
  const total = performance.now() - began;
  while ("drawing" in live.dataset) await painted();
  const all = performance.now() - began;
  const answers = performance.getEntriesByType("resource").filter((entry) => entry.name.endsWith("/answer/"));
  const simulated = answers.find((entry) => entry.serverTiming.some((part) => part.name === "simulate"));
  const timing = Object.fromEntries(simulated.serverTiming.map((part) => [part.name, part.duration]));
  return { total, all, answer: simulated.responseEnd - simulated.startTime, timing };
}"""


@contextmanager
def installation(rows: int) -> Iterator[tuple[str, str]]:
    """Run a web server with ``rows`` scenarios; yield its address and the administrator's password."""
    with tempfile.TemporaryDirectory(prefix="sluice-pages-") as folder:
        port = free_port()
        address = f"http://localhost:{port}"
        settings = {"STATE_DIR": folder, "PUBLIC_URL": address, "BROKER_URL": "redis://127.0.0.1:1/0"}
        variables = {**os.environ, **settings, "DJANGO_SETTINGS_MODULE": "planner.settings.django"}
        _python(["manage.py", "install"], variables)
        _python(["-c", FILL.format(rows=rows)], variables)
        command = [sys.executable, "-m", "uvicorn", "planner.web.asgi:application", "--port", str(port)]
        with (Path(folder) / "web.log").open("w") as log:
            server = subprocess.Popen(command, env=variables, cwd=PROJECT, stdout=log, stderr=log)  # noqa: S603
            try:
                yield address, (Path(folder) / "first_password").read_text().strip()
            finally:
                server.terminate()
                server.wait()


def list_seconds(page: Page) -> list[float]:
    """Return how long the table takes from the request to the last byte, warm."""
    page.request.get("/")
    return [_timed(page) for _ in range(LOADS)]


def first_page_bytes(page: Page) -> int:
    """Return the compressed size of the first page and everything it loads; there is no Plotly on it."""
    loaded: list[bytes] = []
    page.on("response", lambda answer: loaded.append(answer.body()) if answer.ok else None)
    page.goto("/", wait_until="networkidle")
    page.close()
    return sum(min(len(body), len(gzip.compress(body, 6))) for body in loaded)


def moves(page: Page, count: int) -> list[dict[str, float]]:
    """Move the slider of the maximum sessions ``count`` times; return total, engine, server and browser in ms."""
    page.goto("/questions/")
    page.get_by_role("button", name=f"Open {PRESET}").click()
    page.wait_for_selector('#live[data-settled="true"]', timeout=300_000)
    return [_parts(page.evaluate(MOVE, str(36 + number % 100))) for number in range(count)]


def report(title: str, values: Sequence[float], unit: str, bar: float) -> None:
    """Print median and 95th percentile next to the bar."""
    high = statistics.quantiles(values, n=20)[-1]
    verdict = "within" if high <= bar else "ABOVE"
    print(f"{title:44} median {statistics.median(values):8.1f}  95 % {high:8.1f} {unit}  {verdict} {bar:g} {unit}")


@contextmanager
def laptop(rows: int) -> Iterator[tuple[Browser, Page]]:
    """Run an ``installation``, and a browser as large as a laptop's; yield it and a page that is signed in."""
    chromium = find_chromium()
    if chromium is None:
        sys.exit(f"There is no Chromium. {ADVICE}")
    with installation(rows) as (address, password), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_context(base_url=address, viewport=LAPTOP).new_page()
        _sign_in(page, password)
        yield browser, page
        browser.close()


def _sign_in(page: Page, password: str) -> None:
    """Sign in as the administrator once the server answers."""
    for _ in range(600):
        if _answers(page):
            break
        time.sleep(0.5)
    page.get_by_label("Name").fill("admin")
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/")


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rows", type=int, default=10_000)
    options.add_argument("--moves", type=int, default=200)
    asked = options.parse_args()
    with laptop(asked.rows) as (_, page):
        report(
            f"Table of {asked.rows:,} scenarios", [1e3 * value for value in list_seconds(page)], "ms", 1e3 * LIST_BAR
        )
        weight = first_page_bytes(page.context.new_page())
        print(
            f"First page, compressed: {weight:,} bytes, {'within' if weight <= WEIGHT_BAR else 'ABOVE'} {WEIGHT_BAR:,}"
        )
        measured = moves(page, asked.moves)
        for part in ("total", "engine", "server", "browser", "all charts"):
            report(f"Slider to picture: {part}", [item[part] for item in measured], "ms", MOVE_BAR)


def _timed(page: Page) -> float:
    began = time.perf_counter()
    answer = page.request.get("/")
    answer.body()
    if not answer.ok:
        sys.exit(f"The table answered {answer.status}")
    return time.perf_counter() - began


def _parts(measured: dict[str, Any]) -> dict[str, float]:
    engine = sum(measured["timing"][name] for name in ENGINE)
    answer = float(measured["answer"])
    return {
        "total": measured["total"],
        "all charts": measured["all"],
        "engine": engine,
        "server": answer - engine,
        "browser": measured["total"] - answer,
    }


def _answers(page: Page) -> bool:
    try:
        page.goto("/login/")
    except PlaywrightError as error:
        if "ERR_CONNECTION_REFUSED" not in error.message:
            raise
        return False
    return True


def _python(arguments: Sequence[str], variables: dict[str, str]) -> str:
    done = subprocess.run(  # noqa: S603
        [sys.executable, *arguments], env=variables, cwd=PROJECT, check=True, stdout=subprocess.PIPE, text=True
    )
    return done.stdout


if __name__ == "__main__":
    main()
