"""A report's HTML file on paper: Chromium prints it as a tagged PDF with bookmarks, cut off from every network.

The browser is a program of the machine, not a package of ours. It gets one file that needs nothing else, limits on its
time and on what it writes, and a folder of its own that is deleted afterwards.
"""

import os
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from threading import BoundedSemaphore

from django.conf import settings

from planner.errors import Unavailable

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SECONDS = 120.0
"""Until a print is given up. It takes a few seconds on an idle machine."""
WAIT_SECONDS = 30.0
"""How long a print waits for the one before it."""
LIMITS = 'ulimit -c 0; ulimit -t 100; ulimit -f 400000; ulimit -d 4000000; exec "$@"'
"""No core; each process: 100 s of the processor, files of 200 MB, 4 GB of memory of its own."""
HEAP = 512
"""Megabytes that the scripts of the file may use."""
DRAWN_MS = 20_000
"""Milliseconds of the page's own clock in which it draws its charts; that clock jumps when nothing is left to do."""
FLAGS = (
    *("--headless", "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage", "--disable-extensions"),
    *("--disable-sync", "--disable-background-networking", "--disable-component-update", "--disable-crash-reporter"),
    # Names resolve to nothing, and whatever still has an address goes to a closed port.
    "--host-resolver-rules=MAP * ~NOTFOUND",
    *("--proxy-server=127.0.0.1:9", "--proxy-bypass-list=<-loopback>"),
    f"--js-flags=--max-old-space-size={HEAP}",
    # As wide as A4 between its margins, so that charts are drawn in the size in which they are printed.
    "--window-size=736,1000",
    *("--hide-scrollbars", "--no-pdf-header-footer", "--generate-pdf-document-outline"),
    # The lists below an address bar, which nobody sees, are pages of their own.
    *("--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup", f"--virtual-time-budget={DRAWN_MS}"),
)
REMEDY = (
    "this machine has no Chromium to print with. Install Chromium or Chrome, or set CHROMIUM_PATH to its program; "
    "or open the HTML file of the report in any browser and print that"
)
_one_at_a_time = BoundedSemaphore()


def chromium_path() -> Path:
    """The browser that CHROMIUM_PATH names, else the first one on the PATH; raises Unavailable with the remedy."""
    given = settings.ENVIRONMENT.chromium_path
    program = shutil.which(given) if given else next((path for path in map(shutil.which, NAMES) if path), None)
    if program is None:
        raise Unavailable(f"CHROMIUM_PATH names {given!r}, which is no program here" if given else REMEDY)
    return Path(program)


def report_print(content: bytes) -> bytes:
    """Return a report's HTML file as PDF; raises Unavailable when the browser is missing, busy or fails."""
    browser = chromium_path()
    if not _one_at_a_time.acquire(timeout=WAIT_SECONDS):
        raise Unavailable("other reports are being printed; try again in a minute")
    try:
        return pdf_of(content, browser)
    finally:
        _one_at_a_time.release()


def pdf_of(content: bytes, browser: Path, *, seconds: float = SECONDS) -> bytes:
    """Print one self-contained HTML file; raises Unavailable when the browser fails or is not done in ``seconds``."""
    with tempfile.TemporaryDirectory(prefix="sluice-paper-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        source, printed = folder / "report.html", folder / "report.pdf"
        source.write_bytes(content)
        # Chromium refuses to be root inside its sandbox.
        root = ["--no-sandbox"] if os.geteuid() == 0 else []
        where = [f"--user-data-dir={folder / 'profile'}", f"--print-to-pdf={printed}", source.as_uri()]
        log = _run(["/bin/sh", "-c", LIMITS, "sh", str(browser), *FLAGS, *root, *where], folder, seconds)
        if not printed.exists():
            raise Unavailable(f"Chromium printed nothing: {log[-300:].strip() or 'it gave no reason'}")
        return printed.read_bytes()


def _run(command: list[str], folder: Path, seconds: float) -> str:
    """Run to the end or to the limit; no process of it is left behind."""
    quiet = {"HOME": str(folder), "PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LANG": "C.UTF-8"}
    log = folder / "chromium.log"
    with log.open("wb") as output:
        process = subprocess.Popen(  # noqa: S603 - the browser of the installation, with arguments of our own
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=quiet, start_new_session=True
        )
        try:
            process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            raise Unavailable(f"Chromium did not print the report within {seconds:g} s") from None
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    return log.read_text(encoding="utf-8", errors="replace")
