"""What the tests need from the machine beyond Python packages: a Chromium and the compiled engine.

`python -m tests.machine` provides both.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from simulations.pipeline.spark.warm import compile_kernels

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ADVICE = "On Debian and Ubuntu: `sudo apt-get install chromium`. Elsewhere install Chrome, or set CHROMIUM to its path."
APT = (["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"])


def find_chromium() -> Path | None:
    """The browser that CHROMIUM names, or the first one on the PATH."""
    given = os.environ.get("CHROMIUM")
    found = given or next((path for path in map(shutil.which, NAMES) if path), None)
    return Path(found) if found else None


def install_chromium() -> str | None:
    """Install Debian's Chromium when this user may; otherwise the reason why not."""
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return "it can only be installed by root with apt-get"
    for command in APT:
        done = subprocess.run(
            command,
            env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if done.returncode:
            return f"`{' '.join(command)}` failed: {done.stdout.strip()[-500:]}"
    return None


def main() -> int:
    """Make sure that there is a Chromium and a compiled engine; 1 with reason and remedy without a Chromium."""
    if find_chromium() is None:
        sys.stdout.write("Installing Chromium for the page tests\n")
        sys.stdout.flush()
        problem = install_chromium()
        if problem or find_chromium() is None:
            sys.stderr.write(f"The page tests need Chromium, and {problem or 'it is not on the PATH'}.\n{ADVICE}\n")
            return 1
    sys.stdout.write("Compiling the engine for all processes of the tests: a minute or two the first time\n")
    sys.stdout.flush()
    compile_kernels()
    return 0


if __name__ == "__main__":
    sys.exit(main())
