"""Make the virtual environment and install the pinned packages: `python3 bootstrap.py .venv requirements.txt`.

Runs on the machine's own Python before anything is installed, so it uses the standard library only, and
nothing that keeps an older Python from saying that it is too old.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

UV = "uv==0.13.8"
OLDEST = (3, 11)
BYTES_NEEDED = 2_500_000_000
NETWORK_SIGNS = re.compile(
    "dns error|name resolution|Name or service not known|Network is unreachable|Connection refused"
    "|error sending request|Failed to fetch|NewConnectionError|ConnectTimeout|No matching distribution"
)


class Problem(Exception):
    """Something the person at the keyboard can mend; the message says what and how."""


def main(folder: Path, requirements: Path) -> None:
    """Install unless this folder already holds exactly these packages for this Python."""
    if sys.version_info < OLDEST:
        raise Problem(f"Sluice needs Python 3.11 or newer; {sys.executable} is {sys.version.split()[0]}.")
    stamp = folder / "installed"
    fingerprint = _fingerprint(requirements)
    if stamp.exists() and fingerprint in stamp.read_text().splitlines():
        return
    started = time.monotonic()
    free = shutil.disk_usage(folder.parent).free
    if not stamp.exists() and free < BYTES_NEEDED:
        raise Problem(
            f"The packages need {BYTES_NEEDED / 1e9:.1f} GB in {folder.parent}, where {free / 1e9:.1f} GB are free."
        )
    _make_environment(folder)
    _install(folder, requirements)
    # The stamp of the larger set also covers the smaller one, so `make up` after `make test` installs nothing.
    stamp.write_text("\n".join(_fingerprint(file) for file in [requirements, *_included(requirements)]) + "\n")
    say(f"Packages ready in {time.monotonic() - started:.0f} s")


def _included(requirements: Path) -> list[Path]:
    lines = requirements.read_text().splitlines()
    return [requirements.parent / line.removeprefix("-r ").strip() for line in lines if line.startswith("-r ")]


def _fingerprint(requirements: Path) -> str:
    content = b"".join(file.read_bytes() for file in [requirements, *_included(requirements)])
    return hashlib.sha256(content + sys.version.encode()).hexdigest()


def _make_environment(folder: Path) -> None:
    if _works(folder / "bin" / "python"):
        return
    say(f"Making the virtual environment {folder} with Python {sys.version.split()[0]}")
    made = subprocess.run(
        [sys.executable, "-m", "venv", "--clear", folder], capture_output=True, text=True, check=False
    )
    if made.returncode:
        raise Problem(
            f"Python could not make a virtual environment in {folder}:\n{(made.stderr or made.stdout).strip()}\n"
            "On Debian and Ubuntu, install the package python3-venv."
        )


def _works(python: Path) -> bool:
    """Whether the environment has a Python of this version; a copied or half-made folder has not."""
    try:
        answer = subprocess.run(
            [python, "-c", "import pip, sys; print(sys.version)"], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return answer.stdout.strip() == sys.version


def _install(folder: Path, requirements: Path) -> None:
    """Install with uv, which needs half the time; with pip where only pip knows how to reach the packages."""
    say(f"Installing {requirements.name}: about 1.5 GB, a minute or two the first time")
    python = str(folder / "bin" / "python")
    pip = [python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--retries", "1"]
    by_uv = [[*pip, UV], [python, "-m", "uv", "pip", "install", "--quiet", "--python", python, "-r", str(requirements)]]
    problem = _first_failure(by_uv)
    if problem is None:
        return
    if "No space left" not in problem:
        say("uv could not install the packages; trying pip")
        problem = _first_failure([[*pip, "-r", str(requirements)]])
    if problem is not None:
        raise Problem(_explained(problem))


def _first_failure(commands: list[list[str]]) -> str | None:
    """Run the commands; the output of the first that fails, None when all succeed."""
    for command in commands:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode:
            return done.stdout
    return None


def _explained(output: str) -> str:
    tail = "\n".join(output.strip().splitlines()[-8:])
    if "No space left" in output:
        return f"The disk is full: free {BYTES_NEEDED / 1e9:.1f} GB and try again.\n{tail}"
    if NETWORK_SIGNS.search(output):
        return f"The package index cannot be reached. Check the network, or pip's own settings, and try again.\n{tail}"
    return f"The packages could not be installed:\n{tail}"


def say(line: str) -> None:
    """One line for the person at the keyboard."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]).absolute(), Path(sys.argv[2]).absolute())
    except Problem as problem:
        sys.exit(str(problem))
    except PermissionError as error:
        sys.exit(f"No permission to write {error.filename}: run Sluice from a folder of your own.")
    except OSError as error:
        sys.exit(f"{error.strerror}: {error.filename}")
